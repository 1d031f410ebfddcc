/* SPDX-License-Identifier: GPL-2.0 */
/*
 * parser.h - what parse.c, parse_expr.c and parse_type.c share: the tokens of one slot, one by one.
 */
#ifndef CORETAP_EXPR_PARSER_H
#define CORETAP_EXPR_PARSER_H

#include "expr/compiler.h"

struct parser {
	struct compile *c;
	struct slot *slot;
	const struct token *t; /* the next one; it never leaves TOKEN_END */
	int nesting;
};

/* Is the token this operator, this name? */
bool token_is(const struct parser *p, const struct token *t, const char *punct);
bool token_is_word(const struct parser *p, const struct token *t, const char *word);
/* Takes the next token if it is this one. */
bool parse_accept(struct parser *p, const char *punct);
bool parse_accept_word(struct parser *p, const char *word);
void parse_expect(struct parser *p, const char *punct, const char *what);
struct span parse_expect_name(struct parser *p, const char *what);
void parse_fail(struct parser *p, const char *expected);
uint32_t parse_previous_end(const struct parser *p);

struct node *parse_expression(struct parser *p);

#endif
