/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_text.h - writes a value as text: for a table cell or after NAME=.
 *
 * This file knows nothing about rows; JSON has its own functions.
 */
#ifndef CORETAP_OUTPUT_FIELD_VALUE_TEXT_H
#define CORETAP_OUTPUT_FIELD_VALUE_TEXT_H

#include "output/field/field.h"
#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "util/escape.h"

/* True if the bytes up to the NUL are printable UTF-8. Bytes after the NUL may be left over from a longer text, but
 * after a short text, which may be printable by chance, they must be zero. A member whose name contains "name" is
 * accepted without this check. */
bool chars_are_text(const char *bytes, size_t size, const char *name);
/* Returns a field of the same bytes as an array of numbers: for FIELD_CHARS that are not text. */
struct field chars_as_numbers(const struct field *f);

/* Writes any value, including missing ones and arrays. Only strings of a FIELD_PAIR are quoted.
 * `form` is for FIELD_TIME. Returns the width in columns. */
size_t value_text_write(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form);

/* Writes the caller: the name of a symbol, or name+0xc/0xe with the offset and the size in bytes; if no symbol is
 * known, the same as value_text_write. */
void value_text_write_caller(struct buf *o, const struct field *f, const struct value *v,
			     bool with_place);

/* Writes a path that is EVENT_ANONYMOUS as /proc/PID/fd shows it, without quotes: pipe:[123], socket:[123],
 * anon_inode:[eventfd]. Adds its width to *columns. */
void path_write_anonymous(struct buf *o, const struct value *value, enum escape_form form,
			  size_t *columns);

/* Writes what follows a value that did not fit: …, with the number of bytes left out if known. Returns its width. */
size_t text_write_cut(struct buf *o, const struct value *v);

/* ---- for the table of kinds ---- */

field_text_fn text_chars, text_string, text_path, text_argv, text_struct, text_diff;
field_text_fn text_stack, text_hist, text_percentile;
/* value_addr.c */
field_text_fn text_bytes, text_mac, text_ip4, text_ip6, text_uuid, text_guid, text_sockaddr,
	text_mode, text_symbol;

/* Defines a writer of ASCII text: its width is its number of bytes. */
#define TEXT_ASCII(name_, put_)                                                                    \
	size_t text_##name_(struct buf *o, const struct field *f, const struct value *v,           \
			    enum timestamp_form form)                                              \
	{                                                                                          \
		size_t start = o->len;                                                             \
                                                                                                   \
		(void)f, (void)v, (void)form;                                                      \
		put_;                                                                              \
		return o->len - start;                                                             \
	}

#endif
