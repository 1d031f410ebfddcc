/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - percpu(EXPR): this CPU's copy of what a per-CPU pointer points to.
 */
#ifndef CORETAP_EXPR_RESOLVE_PERCPU_H
#define CORETAP_EXPR_RESOLVE_PERCPU_H

#include "expr/compile.h"

void resolve_percpu(struct compile *c, struct node *n);

#endif
