/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * variables.h - which of the per-CPU variables that BTF names a program can have.
 */
#ifndef CORETAP_PROBE_VARIABLES_H
#define CORETAP_PROBE_VARIABLES_H

#include "expr/expr.h"

/* Removes from in->target what needs a variable that the running kernel does not find, and sets
 * in->run.variable for those of the expressions. `elsewhere`: the types are of another kernel, which
 * nobody can ask. `tries`: programs may be loaded. */
void variables_input_set(struct expr_input *in, bool elsewhere, bool tries);

#endif
