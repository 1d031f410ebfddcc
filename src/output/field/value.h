/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value.h - the value of a field, loaded from a record.
 */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_H
#define CORETAP_OUTPUT_FIELD_VALUE_H

#include <string.h>

#include "output/field/field.h"

/*
 * A slot's status byte: 0 means captured; else the low 6 bits are the link's index in `links`, the upper bits are the
 * reason.
 */
enum field_status {
	FIELD_STATUS_NULL = 0x40,  /* the link was NULL */
	FIELD_STATUS_FAULT = 0x80, /* the memory that the link points to could not be read */
	FIELD_STATUS_CUT = 0xc0,   /* a string longer than its slot: shown with … */
	FIELD_STATUS_REASON = 0xc0,
	FIELD_STATUS_LINK = 0x3f,
	FIELD_STATUS_NONE = 0x3f, /* the whole byte: there is no value, which is no error */
};

/* A field's value, loaded from its record. `bytes` points into the record. */
struct value {
	uint64_t u;	   /* zero- or sign-extended to 64 bits; stacks: see output/field/stack.h */
	const char *bytes; /* of strings and frames; NULL if there is none */
	size_t len;
	uint32_t left_out;
	unsigned status; /* enum event_status */
	unsigned link;	 /* EVENT_NULL, EVENT_FAULT: index into field.links */
	/* FIELD_ARGV: bit i is set if word i could not be read and is empty; else 0 */
	uint64_t unreadable;
	/* stacks: the frames with names that were looked up earlier; NULL: none were */
	const struct frame *named;
};

/* Like strnlen, but faster for strings that end in their first words, as most do. */
static inline size_t text_length(const char *s, size_t size)
{
	uint64_t word, zero;
	size_t i = 0;

	for (; i + 8 <= size; i += 8) {
		memcpy(&word, s + i, 8);
		zero = (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
		if (zero)
			return i + __builtin_ctzll(zero) / 8;
	}
	return i + strnlen(s + i, size - i);
}

/* Loads a field, considering its sign, width and bits. Checks every offset in the record against `size`. Returns 0,
 * or -EBADMSG for a record that contradicts itself. */
int field_load(const struct field *f, const void *record, size_t size, struct value *v);

/* ---- values ---- */

/* Returns "ENOENT" for a pointer that is an error, or for a FIELD_ERROR of either sign; NULL for anything else.
 * *negative: write a minus before the name. */
const char *value_error_name(const struct field *f, const struct value *v, bool *negative);
/* Returns the errno of a result in [-4095, -1], which is an error as in the kernel, or 0. */
int value_errno(const struct value *v);
/* Builds the field and value of element i of an array. Returns 0 or -EBADMSG. */
int value_element(const struct field *f, const struct value *v, unsigned i, struct field *ef,
		  struct value *ev);
/* Returns the link that caused an unreadable value, or NULL if unknown. */
const char *value_link(const struct field *f, const struct value *v);
/* Returns NULL if the value has no name. */
const char *value_enum_name(const struct field *f, const struct value *v);
/* Iterates over the names of a FIELD_FLAGS value: start with *named 0. Returns NULL at the end; bits that are not in
 * *named then have no name. */
const struct field_name *value_flag_next(const struct field *f, const struct value *v,
					 uint64_t *named);
bool value_is_unreadable(const struct value *v);
/* True for 0, or no value: FIELD_SPARSE omits it. */
bool value_is_nothing(const struct value *v);
/* True if word i of a FIELD_ARGV could not be read. */
static inline bool value_word_unreadable(const struct value *v, size_t i)
{
	return i < 64 && v->unreadable >> i & 1;
}
/* Removes the first (FIELD_ARGV) or last (FIELD_PATH) NUL-terminated word from *v. */
bool value_pop_first(struct value *v, const char **word, size_t *len);
bool value_pop_last(struct value *v, const char **word, size_t *len);

#endif
