/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.h - probes on whole calls of one kernel function (-r).
 */
#ifndef CORETAP_PROBE_PROVIDERS_CALL_H
#define CORETAP_PROBE_PROVIDERS_CALL_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_call;

enum { CALL_VARIANTS = 11 };
extern const struct argdump_variant call_variants[CALL_VARIANTS];
/* The `load` and `attach` of struct probe_ops, for a probe on a whole call. */
int call_load(struct argdump_probe *p, const struct argdump_variant *variant, char *log,
	      size_t log_size);
int call_attach(struct argdump_probe *p, const struct argdump_variant *variant);

#endif
