/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_field.h - a single value of a BTF type (a number, pointer or enum) as a field that sinks can
 * show.
 */
#ifndef CORETAP_OUTPUT_FIELD_BTF_FIELD_H
#define CORETAP_OUTPUT_FIELD_BTF_FIELD_H

#include "btf/btf.h"
#include "output/field/record.h"

struct value;

/* True if the type is named "char". The flag BTF_INT_CHAR is hardly ever set, and u8 must not be taken for text. */
bool btf_field_is_char(const struct btf_view *b, uint32_t id);
/* True for char, or an `unsigned char` declared as such: u8 is a number. Such bytes may be text:
 * output/field/value_text.h decides by their values. */
bool btf_field_is_text(const struct btf_view *b, uint32_t id);
/* True if the type `id`, to which a pointer points, is a function or a table of functions (file_operations). The
 * kernel has symbols for those, which tell more than the address. */
bool btf_field_names_code(const struct btf_view *b, uint32_t id);
/* Sets the field_type of a value of BTF type `id`, and its size in bytes. Returns false if it is not a single value
 * (structs, arrays, floats). A FIELD_ENUM gets no names. */
bool btf_field_type(const struct btf_view *b, uint32_t id, enum field_type *type, unsigned *size);
/* Builds the field of such a value at byte `at`, or of the bits that `bits` describes (NULL: all). */
bool btf_field_field(const struct btf_view *b, uint32_t id, size_t at, const struct btf_found *bits,
		     struct field *f);
/* Finds the enumerator with that value, compared in the field's width. The name is NULL if there is none. */
void btf_field_name(const struct btf_view *b, uint32_t id, const struct field *f,
		    const struct value *v, struct field_name *found);

#endif
