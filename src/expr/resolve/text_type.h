/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_type.h - strings of C++, Rust and Go: structs with a pointer and a length.
 */
#ifndef CORETAP_EXPR_RESOLVE_TEXT_TYPE_H
#define CORETAP_EXPR_RESOLVE_TEXT_TYPE_H

#include "expr/compile.h"

/* A type is one if its struct has all members that are named; an operator may follow a blank. */
struct text_type {
	const char *type; /* pattern of the struct's name */
	const char *bytes, *length;
	bool has_nul; /* one follows the bytes */
	/* libc++ keeps short strings within the struct: if `is_long` is not true, these hold. NULL: never */
	const char *is_long, *short_bytes, *short_length;
};

/* Returns the row of a type, or of what it points to; NULL: there is none. */
const struct text_type *text_type_of(const struct compile *c, struct ctype t);
/* True for such a string, or a pointer to one. */
bool text_type_is(const struct compile *c, struct ctype t);

#endif
