/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_strcmp.h - comparisons of strings.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_STRCMP_H
#define CORETAP_EXPR_EMIT_EMIT_STRCMP_H

#include "expr/emit/emit_common.h"

/* REG_VALUE = does the string at REG_VALUE match? */
void gen_match(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

/* Matches the string at r1, `size` bytes including its NUL, with a table of util/glob.h; jumps to
 * `no` if it does not match. */
void gen_glob(struct code *k, uint32_t table, uint32_t size, int no);

#endif
