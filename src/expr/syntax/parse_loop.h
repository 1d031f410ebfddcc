/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse_loop.h - part of parse_primary: @sum, @count, @any and @list.
 */
#ifndef CORETAP_EXPR_SYNTAX_PARSE_LOOP_H
#define CORETAP_EXPR_SYNTAX_PARSE_LOOP_H

#include "expr/syntax/parser.h"

bool loop_begins(const struct parser *p);
struct node *parse_loop(struct parser *p);

#endif
