/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_type.h - strings of C++, Rust and Go: structs with a pointer and a length.
 */
#ifndef CORETAP_EXPR_RESOLVE_TEXT_TYPE_H
#define CORETAP_EXPR_RESOLVE_TEXT_TYPE_H

#include "expr/compile.h"

/* A type is one if its struct has both members. */
struct text_type {
	const char *type; /* pattern of the struct's name */
	const char *bytes, *length;
	bool has_nul; /* one follows the bytes */
};

/* Returns the row of a type, or of what it points to; NULL: there is none. */
const struct text_type *text_type_of(const struct compile *c, struct ctype t);
/* True for such a string, or a pointer to one. */
bool text_type_is(const struct compile *c, struct ctype t);

#endif
