/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_priv.h - shared by dump_struct.c (structs, pointers), dump_array.c (arrays) and dump_diff.c
 * (two values of one type).
 */
#ifndef CORETAP_OUTPUT_TYPES_DUMP_PRIV_H
#define CORETAP_OUTPUT_TYPES_DUMP_PRIV_H

#include "btf/btf.h"
#include "util/buf.h"
#include "output/field/record.h"

struct show {
	struct buf *o;
	const struct field *f; /* the field that the bytes belong to */
	const char *bytes;
	size_t size;
	bool json;
	bool some;	  /* the open struct already has a member */
	uint64_t address; /* JSON: of the next struct to be opened; 0: not to be shown */
	uint64_t base;	  /* the address that the bytes are from; 0: unknown */
	int depth;	  /* levels of indentation */
	int nesting;	  /* of structs, including those without a name */
	int budget;	  /* members that may still be shown */
};

/* Writes the value of BTF type `id` at byte `at`; `name` is its member's, or "". */
void show_any(struct show *s, uint32_t id, size_t at, const char *name);
void show_array(struct show *s, const struct btf_type *t, size_t at, size_t all, const char *name);

/* Loads a number, pointer or enum, or bits of it (NULL: all); false: not captured, or something
 * else. */
bool show_load(const struct show *s, uint32_t id, size_t at, const struct btf_found *bits,
	       struct field *f, struct value *v);
void show_single(struct show *s, uint32_t id, struct field *f, const struct value *v,
		 const char *name);

void show_declare(struct show *s); /* (struct file) */
/* Are elements of type `id`, in the member of that name, shown as text? */
bool show_is_text(const struct show *s, uint32_t id, size_t at, size_t size, const char *name);
bool show_is_zero(const struct show *s, size_t at, size_t size);
/* Was it captured, and is it non-zero or are zeros to be shown? */
bool show_is_wanted(const struct show *s, size_t at, size_t size);

/* Called before and after the items between braces, which are one per line in text. */
void show_open(struct show *s, char brace);
void show_close(struct show *s, char brace);
/* Puts what was written from `start` on, a whole value, on one line if it is short. */
void show_join(struct show *s, size_t start);
void show_begin_item(struct show *s);
void show_end_item(struct show *s);
void show_begin_member(struct show *s, const char *name); /* an item with a name */

#endif
