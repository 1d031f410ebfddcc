/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syntax.h - text → tokens → name, nodes, format.
 */
#ifndef CORETAP_EXPR_SYNTAX_SYNTAX_H
#define CORETAP_EXPR_SYNTAX_SYNTAX_H

#include "expr/compile.h"

void expr_parse(struct compile *c, struct slot *s);
/* Parses an expression that the user did not write, and appends it to the slot's text. */
struct node *parse_inner(struct compile *c, const char *text);

/* Splits the text of a slot into tokens. */

void expr_lex(struct compile *c, struct slot *s);

#endif
