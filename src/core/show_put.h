/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show_put.h - what show.c (structs, pointers), show_array.c (arrays) and diff.c (two of one type) share.
 */
#ifndef CORETAP_SHOW_PUT_H
#define CORETAP_SHOW_PUT_H

#include "core/btf.h"
#include "core/out.h"
#include "core/schema.h"

struct show {
	struct out *o;
	const struct field *f; /* whose bytes they are */
	const char *bytes;
	size_t size;
	bool json;
	bool some;	  /* the struct that is open has a member already */
	uint64_t address; /* JSON: of the struct that is to be opened next; 0: not to be told */
	int depth;	  /* levels of indentation */
	int nesting;	  /* of structs, those without a name too */
	int budget;	  /* members that may still be shown */
};

/* The value of BTF type `id` at byte `at`; `name` is its member's, or "". */
void show_any(struct show *s, uint32_t id, size_t at, const char *name);
void show_array(struct show *s, const struct btf_type *t, size_t at, size_t all);

/* A number, pointer or enum, or bits of it (NULL: all); false: it is not there, or something else. */
bool show_load(const struct show *s, uint32_t id, size_t at, const struct btf_found *bits,
	       struct field *f, struct value *v);
void show_single(struct show *s, uint32_t id, struct field *f, const struct value *v,
		 const char *name);

void show_declare(struct show *s); /* (struct file) */
/* An array of characters that is printable up to its NUL. */
bool show_is_text(const struct show *s, size_t at, size_t size);
bool show_is_zero(const struct show *s, size_t at, size_t size);
/* It is there, and not zero unless zeros are wanted. */
bool show_is_wanted(const struct show *s, size_t at, size_t size);

/* Around what stands between braces, one item a line in text. */
void show_open(struct show *s, char brace);
void show_close(struct show *s, char brace);
void show_begin_item(struct show *s);
void show_end_item(struct show *s);
void show_begin_member(struct show *s, const char *name); /* an item with a name */

#endif
