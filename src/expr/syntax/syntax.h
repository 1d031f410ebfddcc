/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse.h - tokens → name, nodes, format.
 */
#ifndef CORETAP_EXPR_SYNTAX_PARSE_H
#define CORETAP_EXPR_SYNTAX_PARSE_H

#include "expr/compile.h"

void expr_parse(struct compile *c, struct slot *s);
/* Parses an expression that the user did not write; it is appended to the slot's text. */
struct node *parse_inner(struct compile *c, const char *text);

/* ---- lex.c: a text → tokens ---- */

void expr_lex(struct compile *c, struct slot *s);

#endif
