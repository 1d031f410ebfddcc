/* SPDX-License-Identifier: GPL-2.0 */
/*
 * format.h - what the files of expr_format share: format.c (:FORMAT), format_rules.c (the formats by
 * name), format_type.c (the type's own form), format_names.c (names of bits that BTF knows).
 */
#ifndef CORETAP_EXPR_FORMAT_H
#define CORETAP_EXPR_FORMAT_H

#include "expr/compiler.h"

enum format_wants {
	WANTS_NUMBER, /* any integer, bool, enum or pointer; of an array, its elements */
	WANTS_STRING, /* a pointer, an array, or an integer as wide as a pointer */
	WANTS_BYTES,  /* the same, or a struct or union */
	WANTS_PATH,   /* a path, a file, a dentry */
	WANTS_EITHER, /* a number of that size; else bytes */
};

/* What a format's name means. */
struct format_rule {
	const char *name;
	enum format_wants wants;
	enum field_type type;
	uint8_t size;                   /* bytes; 0: as many as the value has */
	enum string_space space;        /* WANTS_STRING */
	const struct field_name *names; /* FIELD_FLAGS, FIELD_ENUM */
};

/* format_rules.c: the rule that s->format.name names, or an error. */
const struct format_rule *format_rule_find(struct compile *c, struct slot *s);

/* format_type.c: what the type alone asks for. */
void take_type(struct compile *c, struct slot *s);
void take_scalar(struct slot *s, enum field_type type, uint64_t size);
void take_string(struct compile *c, struct slot *s, enum string_space space);
/* `size` bytes from where the value points; an array, a struct: where it lies. */
void take_bytes(struct compile *c, struct slot *s, enum field_type type, uint64_t size);
/* An array's type under all its dimensions; anything else as it is. */
struct ctype innermost(const struct compile *c, struct ctype t);
bool is_loadable(uint64_t size);
/* "TYPE `why`", about the whole expression. */
void fail_type(struct compile *c, struct slot *s, const char *why);

/* path.c */
void path_format(struct compile *c, struct slot *s);

/* format_names.c: the bits of a gfp_t in this kernel. */
const struct field_name *gfp_names(struct compile *c);

#endif
