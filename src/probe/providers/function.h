/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.h - probes on one kernel function, or on one of its instructions.
 */
#ifndef CORETAP_PROBE_PROVIDERS_FUNCTION_H
#define CORETAP_PROBE_PROVIDERS_FUNCTION_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_function, probe_ops_instruction;

/* Shared by the kinds of probe on one function: `target` and `explain`. */
void function_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		     struct attach_target *t);
int function_explain(struct session *s, struct argdump_probe *p, int err);

#endif
