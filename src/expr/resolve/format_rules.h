/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_rules.h - the formats by name.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_RULES_H
#define CORETAP_EXPR_RESOLVE_FORMAT_RULES_H

#include "expr/compile.h"

enum format_wants {
	WANTS_NUMBER, /* any integer, bool, enum or pointer; for an array, its elements */
	WANTS_STRING, /* a pointer, an array, or an integer as wide as a pointer */
	WANTS_BYTES,  /* the same, or a struct or union */
	WANTS_PATH,   /* a path, a file, a dentry */
	WANTS_EITHER, /* a number of that size; otherwise bytes */
	WANTS_SOCK,   /* a socket */
	WANTS_FLOW,   /* a packet */
	WANTS_ENUM,   /* a number, and the constant that tells which enum */
};

/* The meaning of a format's name. */
struct format_rule {
	const char *name;
	enum format_wants wants;
	enum field_type type;
	uint8_t size;			/* bytes; 0: as many as the value has */
	enum string_space space;	/* WANTS_STRING */
	const struct field_name *names; /* FIELD_FLAGS, FIELD_ENUM */
};

/* format_rules.c: the rule for s->format.name, or an error. */
const struct format_rule *format_rule_find(struct compile *c, struct slot *s);

/* The rule of that name; NULL: there is none. */
const struct format_rule *format_rule_named(const char *name);

#endif
