/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout.h - writes a type's layout: as C with offsets, sizes and holes, or as JSON.
 */
#ifndef CORETAP_BTF_BTF_LAYOUT_H
#define CORETAP_BTF_BTF_LAYOUT_H

#include "btf/btf.h"
#include "util/buf.h"

/*
 * Prints a struct, union, enum, typedef or any other type. Members of anonymous types are shown in place; all offsets
 * are from the start of `id`. A typedef is followed by its target, up to the next type with a name and members. JSON
 * has one object per line; `module` is one of its keys (NULL: the kernel proper).
 */
void btf_layout_layout(const struct btf_view *b, uint32_t id, const char *module, bool json,
		       struct buf *o);
/* Prints one member as one line of the same form. The offset is in bits. */
void btf_layout_member(const struct btf_view *b, const char *name, const struct btf_found *found,
		       bool json, struct buf *o);
/* Returns the type without pointers, arrays and qualifiers; 0 is void. */
uint32_t btf_layout_pointee(const struct btf_view *b, uint32_t id);

/* ---- members (btf_layout_members.c) ---- */

enum {
	LAYOUT_STEPS_MAX = 32, /* steps through typedefs of typedefs, pointers to arrays, … */
	LAYOUT_DECLARED_MAX = 640,
};

struct layout_print {
	const struct btf_view *b;
	struct buf *o;
	bool json;
	int depth; /* -1: the braces are a typedef's own */
	/* of the outermost type, for its last line */
	unsigned holes;
	uint64_t hole_bits;
	unsigned shown;
};

bool layout_is_enum(const struct btf_type *t);
/* Returns the type that a declaration begins with, by its name or braces, and its id. */
const struct btf_type *layout_innermost(const struct btf_view *b, uint32_t id, uint32_t *found);
/* Returns the struct or union whose members are shown in braces, or NULL if it has a name or no members. */
const struct btf_type *layout_anonymous(const struct layout_print *p, uint32_t id);

void layout_append_plural(struct buf *o, uint64_t n, const char *what);
void layout_append_size(struct buf *o, uint64_t bits);
/* Appends "struct {…} name[4]", with the contents of the braces. `base` is in bits. */
void layout_append_declared(struct layout_print *p, uint32_t type, const char *name, uint64_t base);
/* Appends the text between the braces; `base` is in bits. */
void layout_append_body(struct layout_print *p, const struct btf_type *t, uint64_t base);
/* Appends a single member, as a line or as an object. */
void layout_append_member(struct layout_print *p, const char *name, const struct btf_found *found);

#endif
