/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parse_type.h - the name of a type, in casts and sizeof.
 */
#ifndef CORETAP_EXPR_SYNTAX_PARSE_TYPE_H
#define CORETAP_EXPR_SYNTAX_PARSE_TYPE_H

#include "expr/syntax/parser.h"

bool parse_type_begins(struct parser *p);
struct type_name parse_type(struct parser *p);

#endif
