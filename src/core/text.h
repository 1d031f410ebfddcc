/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - the ONE escaper. Everything a traced program chose (names, paths, arguments) reaches
 * a terminal or a file only through here.
 *
 * C0 and C1 controls, DEL, bidi controls, line separators and bytes that are not UTF-8 are
 * written as escapes, so a name can neither drive a terminal nor forge a row. The escapes are
 * unambiguous: a backslash is doubled.
 */
#ifndef CORETAP_TEXT_H
#define CORETAP_TEXT_H

#include "core/out.h"

/* The four notations, without the quotes around them. */
enum text_form {
	TEXT_PLAIN,  /* a table cell */
	TEXT_QUOTED, /* inside "…" of NAME="…" */
	TEXT_JSON,   /* inside a JSON string */
	TEXT_SHELL,  /* inside bash's $'…' */
};

/* For a value that is written in parts (a path by its components): no quotes. A character must
 * not be split between parts. Returns the width in columns, as all of these do. */
size_t text_put_part(struct out *o, const char *s, size_t n, enum text_form form);

/* Plain text for a table cell: `a\nb`, `\x1b[0m`, `\xff`, `\u202e`, `\\`. No quotes. Returns the
 * width in columns, one per code point. */
size_t text_put(struct out *o, const char *s, size_t n);

/* The same in double quotes, with `"` escaped: for NAME="value". */
size_t text_put_quoted(struct out *o, const char *s, size_t n);

/* One shell word that bash reads back to the same bytes: abc, 'a b', $'a\nb', ''. */
size_t text_put_shell(struct out *o, const char *s, size_t n);

/* A JSON string with its quotes. Bytes 0x80..0xff that are not part of valid UTF-8 become
 * U+EF80..U+EFFF; real characters of that range are written byte by byte the same way, so the
 * mapping is reversible after any JSON parser. */
void text_put_json(struct out *o, const char *s, size_t n);
/* ,"name": as it stands between two members of an object. */
void text_put_json_key(struct out *o, const char *name);
/* The same with its value; null for NULL and for "". */
void text_put_json_pair(struct out *o, const char *name, const char *value);

#endif
