/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - a value of any type as BTF describes it: structs whole, for a cell and for JSON.
 */
#ifndef CORETAP_SHOW_H
#define CORETAP_SHOW_H

#include "core/btf.h"
#include "core/out.h"
#include "core/schema.h"

/* Which field_type a value of BTF type `id` is, and its bytes; false for what is no single value
 * (structs, arrays, floats). FIELD_ENUM comes without names. */
bool show_type(const struct btf_view *b, uint32_t id, enum field_type *type, unsigned *size);

/* A FIELD_STRUCT: C-like, on several lines, or a JSON object. */
void show_put(struct out *o, const struct field *f, const struct value *v, bool json);

#endif
