/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask_kernel.h - facts that only the running kernel has: what $ctx is worth, and which per-CPU variables
 * programs can use.
 */
#ifndef CORETAP_PROBE_ASK_KERNEL_H
#define CORETAP_PROBE_ASK_KERNEL_H

#include "expr/expr.h"
#include "probe/argdump.h"

/* Tells the compiler which facts are already known to be unavailable for p->input.on_function and
 * p->method. Does not try anything out. */
void ctx_input_set(struct expr_input *in, const struct argdump_probe *p);

/* The facts that p->expr needs, for each of its programs; those not known yet are measured. Returns
 * 0, or -EAGAIN if one is unavailable and p has to be compiled again. */
int ctx_facts_find(const struct argdump_probe *p, struct program_facts facts[2]);

/* Removes from in->target what needs a variable that the running kernel does not find, and sets
 * in->run.variable for those of the expressions. `elsewhere`: the types are of another kernel,
 * which cannot be asked. `tries`: programs may be loaded. */
void variables_input_set(struct expr_input *in, bool elsewhere, bool tries);

#endif
