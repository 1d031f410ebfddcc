/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf_value.h - a single value of a BTF type, a number, pointer or enum, as a field that sinks know.
 */
#ifndef CORETAP_BTF_VALUE_H
#define CORETAP_BTF_VALUE_H

#include "core/btf.h"
#include "core/schema.h"

/* By name: BTF_INT_CHAR is hardly ever set, and u8 must not be taken for text. */
bool btf_value_is_char(const struct btf_view *b, uint32_t id);
/* Which field_type a value of BTF type `id` is, and its bytes; false for what is no single value
 * (structs, arrays, floats). FIELD_ENUM comes without names. */
bool btf_value_type(const struct btf_view *b, uint32_t id, enum field_type *type, unsigned *size);
/* The field of such a value at byte `at`, or of the bits that `bits` names there (NULL: all). */
bool btf_value_field(const struct btf_view *b, uint32_t id, size_t at, const struct btf_found *bits,
		     struct field *f);
/* The enumerator with that value, in the width that the field has; name NULL where there is none. */
void btf_value_name(const struct btf_view *b, uint32_t id, const struct field *f,
		    const struct value *v, struct field_name *found);

#endif
