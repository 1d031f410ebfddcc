/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ask_kernel.h - finds facts that only the running kernel knows: how to interpret $ctx, and which per-CPU variables
 * programs can use.
 */
#ifndef CORETAP_PROBE_ASK_KERNEL_H
#define CORETAP_PROBE_ASK_KERNEL_H

#include "expr/expr.h"
#include "probe/argdump.h"

/* Tells the compiler which facts are already known to be unavailable for p->input.on_function and p->method. Does not
 * measure anything. */
void ctx_input_set(struct expr_input *in, const struct argdump_probe *p);

/* Finds the facts that p->expr needs, for each of its programs; measures those not known yet. Returns 0, or -EAGAIN
 * if one is unavailable and p must be compiled again. */
int ctx_facts_find(const struct argdump_probe *p, struct program_facts facts[2]);

/* Removes from in->target whatever needs a variable that the running kernel does not find, and sets in->run.variable
 * for the variables of expressions. `elsewhere`: the types are of another kernel, which cannot be asked. `tries`:
 * programs may be loaded. */
void variables_input_set(struct expr_input *in, bool elsewhere, bool tries);

#endif
