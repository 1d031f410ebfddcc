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

extern const struct probe_ops probe_ops_return;

extern const struct probe_ops probe_ops_call;

enum { CALL_VARIANTS = 11 };
extern const struct argdump_variant call_variants[CALL_VARIANTS];
/* The `load` and `attach` of struct probe_ops, for a probe on a whole call. */
int call_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
	      size_t log_size);
int call_attach(struct argdump_probe *p, const struct argdump_variant *variant);

#endif
