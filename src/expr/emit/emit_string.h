/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_string.h - strings stored in slots.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_STRING_H
#define CORETAP_EXPR_EMIT_EMIT_STRING_H

#include "expr/emit/emit_common.h"

/* Copies the string at REG_VALUE to the slot. */
void gen_string_fast(struct gen *g, const struct slot *s);
void gen_string_exact(struct gen *g, const struct slot *s);
/* STORE_COUNTED, as gen_string_exact; labels->string: with the address in REG_VALUE, the length in
 * REG_LENGTH. */
void gen_counted(struct gen *g, const struct slot *s);
/* r2 = the high bits of the zero bytes of r1 (at least of the first one); r4 and r5 hold the
 * constants, r3 is clobbered. If r2 is not 0, gen_end_word clears r1 from its first zero byte
 * on. */
#define STRING_LOW_BITS	 0x0101010101010101ull
#define STRING_HIGH_BITS 0x8080808080808080ull
void gen_find_zero(struct code *k);
void gen_end_word(struct code *k);

#endif
