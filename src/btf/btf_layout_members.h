/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_layout_members.h - the text between the braces of a type's layout (btf_layout.h).
 */
#ifndef CORETAP_BTF_BTF_LAYOUT_MEMBERS_H
#define CORETAP_BTF_BTF_LAYOUT_MEMBERS_H

#include "btf/btf.h"
#include "util/buf.h"

enum {
	LAYOUT_STEPS_MAX = 32, /* typedefs of typedefs, pointers to arrays … */
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
/* The type that a declaration begins with, by its name or braces, and its id. */
const struct btf_type *layout_innermost(const struct btf_view *b, uint32_t id, uint32_t *found);
/* Returns the struct or union whose members are shown in braces, or NULL if it has a name or no members. */
const struct btf_type *layout_anonymous(const struct layout_print *p, uint32_t id);

void layout_append_plural(struct buf *o, uint64_t n, const char *what);
void layout_append_size(struct buf *o, uint64_t bits);
/* "struct {…} name[4]", with the braces filled in. `base` in bits. */
void layout_append_declared(struct layout_print *p, uint32_t type, const char *name, uint64_t base);
/* The text between the braces; `base` in bits. */
void layout_append_body(struct layout_print *p, const struct btf_type *t, uint64_t base);
/* A single member, as a line or as an object. */
void layout_append_member(struct layout_print *p, const char *name, const struct btf_found *found);

#endif
