/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.h - probes on whole calls of one kernel function (-r).
 */
#ifndef CORETAP_ARGDUMP_PROVIDERS_CALL_H
#define CORETAP_ARGDUMP_PROVIDERS_CALL_H

#include "argdump/argdump.h"

extern const struct probe_ops probe_ops_call;

#endif
