/* SPDX-License-Identifier: GPL-2.0-only */
/* dump.h - writes values of BTF types, for a cell and for JSON: structs with all members, and what a call changed. */
#ifndef CORETAP_OUTPUT_TYPES_DUMP_H
#define CORETAP_OUTPUT_TYPES_DUMP_H

#include "output/field/record.h"
#include "util/buf.h"

struct value;

/* Writes a FIELD_STRUCT: C-like, on several lines, or as a JSON object. */
void dump_struct_write(struct buf *o, const struct field *f, const struct value *v, bool json);

/* Writes one line "name = OLD → NEW" per member; in JSON an object with {"from":OLD,"to":NEW} per member. A value
 * that is neither struct nor array has no names. */
void dump_diff_write(struct buf *o, const struct field *f, const struct value *v, bool json);
/* True if the record has at least one FIELD_DIFF and none of them has anything to show. A part that could not be read
 * counts as something to show. */
bool dump_diff_is_empty(const struct schema *s, const void *record, size_t size);

#endif
