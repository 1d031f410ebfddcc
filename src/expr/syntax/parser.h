/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser.h - shared by the files of the parser: steps over the tokens of one slot.
 */
#ifndef CORETAP_EXPR_SYNTAX_PARSER_H
#define CORETAP_EXPR_SYNTAX_PARSER_H

#include "expr/compile.h"

struct parser {
	struct compile *c;
	struct slot *slot;
	const struct token *t; /* the next token; it never moves past TOKEN_END */
	int nesting;
	int choices; /* nesting of ? without its : */
};

/* True if the token is this operator, or this name. */
bool token_is(const struct parser *p, const struct token *t, const char *punct);
bool token_is_word(const struct parser *p, const struct token *t, const char *word);
/* Consumes the next token if it is this one. */
bool parse_accept(struct parser *p, const char *punct);
void parse_expect(struct parser *p, const char *punct, const char *what);
struct span parse_expect_name(struct parser *p, const char *what);
void parse_fail(struct parser *p, const char *expected);
uint32_t parse_previous_end(const struct parser *p);

/* Returns a node from `start` to the end of the next token; NULL with c->err without memory. */
struct node *node_new(struct parser *p, enum node_kind kind, uint32_t start, struct node *child);
/* Expects a ")", which ends the node; returns the node. */
struct node *node_close(struct parser *p, struct node *n);
struct node *parse_expression(struct parser *p);
/* Parses an expression in parentheses, whose : is not that of an outer choice. */
struct node *parse_nested(struct parser *p);
/* Parses an expression with an optional :path, :sock and so on. */
struct node *parse_compared(struct parser *p);
struct node *parse_unary(struct parser *p);
struct node *parse_primary(struct parser *p);
/* True at the first token of a loop. */
bool parse_is_loop(const struct parser *p);
struct node *parse_loop(struct parser *p);

/* ---- names of types, in casts and sizeof ---- */

bool parse_type_begins(struct parser *p);
struct type_name parse_type(struct parser *p);

#endif
