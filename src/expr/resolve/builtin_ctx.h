/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_ctx.h - $ctx.
 */
#ifndef CORETAP_EXPR_RESOLVE_BUILTIN_CTX_H
#define CORETAP_EXPR_RESOLVE_BUILTIN_CTX_H

#include "expr/compile.h"

/* Bits of the preempt count (include/linux/preempt.h). */
struct preempt_bits {
	uint32_t softirq; /* a soft interrupt is served */
	uint32_t hardirq, nmi;
};

struct preempt_bits preempt_bits(const struct expr_target *t);
void resolve_context(struct compile *c, struct node *n);
void resolve_interrupt(struct compile *c, struct node *n); /* $irq */

#endif
