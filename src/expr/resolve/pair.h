/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.h - pairs of probes: which expressions belong to the begin, and which to the end.
 */
#ifndef CORETAP_EXPR_RESOLVE_PAIR_H
#define CORETAP_EXPR_RESOLVE_PAIR_H

#include "expr/compile.h"

/* Hidden slots: two for each key, and the numbers that the end needs of the begin. */
enum { PAIR_KEPT_MAX = 32, PAIR_HIDDEN_MAX = 2 * EXPR_PAIR_KEYS + PAIR_KEPT_MAX };

/* The slots that the conditions may need. */
size_t pair_terms_most(const struct compile *c);
/* Adds the slots of condition `i`; of a pair, one for each operand of its outermost &&. */
void pair_condition_take(struct compile *c, size_t i);
/* Adds the slots of the keys, for both sides. */
void pair_keys_take(struct compile *c);
/* After the parser: gives each slot its side, and takes the begin's part out of those at the
 * end. */
void pair_split(struct compile *c);
/* Is it a number or a pointer, which can be kept? Else says that `what` is one. */
void pair_number_check(struct compile *c, const struct node *n, const char *what);
/* A hidden slot: a number or a pointer, kept as 8 bytes. */
void pair_format(struct compile *c, struct slot *s);

#endif
