/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_return.h - probes on the return of one kernel function.
 */
#ifndef CORETAP_PROBE_PROVIDERS_FUNCTION_RETURN_H
#define CORETAP_PROBE_PROVIDERS_FUNCTION_RETURN_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_return;

#endif
