/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path_text.h - the path as a string, to be compared or counted by.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PATH_TEXT_H
#define CORETAP_EXPR_EMIT_EMIT_PATH_TEXT_H

#include "expr/emit/emit_common.h"

/* REG_VALUE = the address, as a number, of the text of the path that is at REG_VALUE. */
void gen_path_text(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact);

#endif
