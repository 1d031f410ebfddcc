/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_struct.h - writes a value of any BTF type, structs with all members, for a cell and for
 * JSON.
 */
#ifndef CORETAP_OUTPUT_TYPES_DUMP_STRUCT_H
#define CORETAP_OUTPUT_TYPES_DUMP_STRUCT_H

#include "util/buf.h"
#include "output/field/record.h"

/* Writes a FIELD_STRUCT: C-like, on several lines, or as a JSON object. */
void dump_struct_put(struct buf *o, const struct field *f, const struct value *v, bool json);

#endif
