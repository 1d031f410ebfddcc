/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_claim.h - memory by CPU that one program has for itself, whoever interrupts or preempts it.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_CLAIM_H
#define CORETAP_EXPR_EMIT_EMIT_CLAIM_H

#include "expr/emit/emit_common.h"

enum {
	CLAIMS = 4,	/* pieces on each CPU: so many may have begun there and not ended */
	CLAIM_BYTES = 8 /* of a piece, behind what it is for: how many want it */
};

/* r0 = one of the map's entries from `first` on, of `size` bytes and CLAIM_BYTES, that nobody has; jumps to `none` if there is
 * none. Clobbers r0 … r5. */
void gen_claim(struct gen *g, uint32_t map, uint32_t first, int size, int none);
/* Gives back what is at `reg`, which stays. Clobbers r1. */
void gen_unclaim(struct gen *g, int reg, int size);

#endif
