/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_priv.h - internal to dump_parts.c (numbers, texts, braces), dump_struct.c (structs, arrays, pointers) and
 * dump_diff.c (two values of one type).
 */
#ifndef CORETAP_OUTPUT_TYPES_DUMP_PRIV_H
#define CORETAP_OUTPUT_TYPES_DUMP_PRIV_H

#include "btf/btf.h"
#include "util/buf.h"
#include "output/field/record.h"

struct value;

struct dump {
	struct buf *o;
	const struct field *f; /* the field that contains the bytes */
	const char *bytes;
	size_t size;
	bool json;
	bool some;	  /* the open struct already has a member */
	uint64_t address; /* JSON: address of the next struct to be opened; 0: not shown */
	uint64_t base;	  /* the address that the bytes were read from; 0: unknown */
	int depth;	  /* levels of indentation */
	int nesting;	  /* depth of structs, including those without a name */
	int budget;	  /* members that may still be shown */
};

/* Writes the value of BTF type `id` at byte `at`; `name` is its member's, or "". */
void dump_any(struct dump *s, uint32_t id, size_t at, const char *name);

/* Loads a number, pointer or enum, or bits of it (NULL: all). Returns false if it was not captured, or is something
 * else. */
bool dump_load(const struct dump *s, uint32_t id, size_t at, const struct btf_found *bits,
	       struct field *f, struct value *v);
void dump_single(struct dump *s, uint32_t id, struct field *f, const struct value *v,
		 const char *name);

/* Writes a value that does not fit a register; one of an unknown type in hex. */
void dump_raw(struct dump *s, uint32_t id, size_t at, size_t size);
void dump_text(struct dump *s, size_t at, size_t size);
/* Writes an array of numbers: {1, 2, 0…}; {1, 2, …(+70)}. */
void dump_numbers(struct dump *s, uint32_t id, size_t at, size_t count, size_t size);

void dump_declare(struct dump *s); /* Writes "(struct file)". */
/* True if elements of type `id`, in the member of that name, are shown as text. */
bool dump_is_text(const struct dump *s, uint32_t id, size_t at, size_t size, const char *name);
bool dump_is_zero(const struct dump *s, size_t at, size_t size);
/* True if the bytes were captured, and are non-zero or zeros are to be shown. */
bool dump_is_wanted(const struct dump *s, size_t at, size_t size);

/* Called before and after the items between braces, which are one per line in text. */
void dump_open(struct dump *s, char brace);
void dump_close(struct dump *s, char brace);
/* Joins the lines of a whole value, written from `start` on, if it is short. */
void dump_join(struct dump *s, size_t start);
void dump_begin_item(struct dump *s);
void dump_end_item(struct dump *s);
void dump_begin_member(struct dump *s, const char *name); /* an item with a name */

#endif
