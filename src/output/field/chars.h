/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chars.h - arrays of unsigned char: in one struct they hold a name, in another an address or a
 * hash, and the type is the same. What is there decides.
 */
#ifndef CORETAP_OUTPUT_FIELD_CHARS_H
#define CORETAP_OUTPUT_FIELD_CHARS_H

#include "output/field/field.h"

/* Is it text: printable, and UTF-8, up to its NUL? Bytes behind the NUL may be leftovers of longer
 * text; so they must be zero unless the text is long enough not to be chance, or the member's name
 * says that it is one. */
bool chars_are_text(const char *bytes, size_t size, const char *name);

/* FIELD_CHARS: text, or else numbers as in an array. */
field_text_fn text_chars;
field_json_fn json_chars;

#endif
