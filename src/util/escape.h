/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - the only escaper. Everything that a traced program chose (names, paths, arguments) reaches a terminal or
 * a file only through here.
 *
 * C0 and C1 controls, DEL, bidi controls, line separators and bytes that are not UTF-8 are written as escapes, so a
 * name can neither control a terminal nor forge a row. The escapes are unambiguous: a backslash is doubled.
 */
#ifndef CORETAP_UTIL_ESCAPE_H
#define CORETAP_UTIL_ESCAPE_H

#include <stdbool.h>

#include "util/buf.h"

/* The four notations, without the quotes around them. */
enum escape_form {
	ESCAPE_PLAIN,  /* a table cell */
	ESCAPE_QUOTED, /* inside "…" of NAME="…" */
	ESCAPE_JSON,   /* inside a JSON string */
	ESCAPE_SHELL,  /* inside bash's $'…' */
};

/* True if the text is valid UTF-8 in which at most quotes and backslashes need an escape. */
bool escape_is_printable(const char *s, size_t n);

/* Returns the offset of the first byte or character that controls a terminal or is not UTF-8, or n. Quotes and
 * backslashes do not count. */
size_t escape_first(const char *s, size_t n);

/* Writes a part of a value (a component of a path), without quotes. A character must not be split between parts.
 * Returns the width in columns, as do all functions here that return size_t. */
size_t escape_write_part(struct buf *o, const char *s, size_t n, enum escape_form form);

/* Writes plain text for a table cell: `a\nb`, `\x1b[0m`, `\xff`, `\u202e`, `\\`. No quotes. Returns the width in
 * columns, one per code point. */
size_t escape_write(struct buf *o, const char *s, size_t n);

/* Writes our own text that contains foreign bytes: escapes only what escape_first finds, so newlines and tabs stay. */
void escape_write_lines(struct buf *o, const char *s, size_t n);

/* As escape_write, in double quotes, with `"` escaped: for NAME="value". */
size_t escape_write_quoted(struct buf *o, const char *s, size_t n);

/* Writes one shell word that bash reads back as the same bytes: abc, 'a b', $'a\nb', ''. */
size_t escape_write_shell(struct buf *o, const char *s, size_t n);
/* Writes the words of a command line, up to a NULL, each with a blank before it. */
void escape_write_shell_line(struct buf *o, char *const *words);
/* Writes n bytes of words, each ended by a NUL, as shell words separated by blanks. */
size_t escape_write_shell_words(struct buf *o, const char *s, size_t n);

/* Writes a JSON string with its quotes. Bytes 0x80..0xff that are not part of valid UTF-8 become U+EF80..U+EFFF; real
 * characters of that range are written byte by byte in the same way, so any JSON parser's result can be mapped back. */
void escape_write_json(struct buf *o, const char *s, size_t n);
/* Writes ,"name": between two members of an object. */
void escape_write_json_key(struct buf *o, const char *name);
/* The same with a value; NULL or "" is written as null. */
void escape_write_json_pair(struct buf *o, const char *name, const char *value);

#endif
