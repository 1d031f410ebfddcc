/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_attach.h - many functions with one link.
 */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_ATTACH_H
#define CORETAP_PROBE_PROVIDERS_MULTI_ATTACH_H

#include "probe/argdump.h"

/* At their entries, their returns, or both. */
extern const struct probe_ops probe_ops_function_set, probe_ops_return_set, probe_ops_call_set;

#endif
