/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lex.h - a text → tokens.
 */
#ifndef CORETAP_EXPR_SYNTAX_LEX_H
#define CORETAP_EXPR_SYNTAX_LEX_H

#include "expr/compile.h"

void expr_lex(struct compile *c, struct slot *s);

#endif
