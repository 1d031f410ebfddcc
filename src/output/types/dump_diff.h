/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_diff.h - a FIELD_DIFF: what a call changed, by the names of members.
 */
#ifndef CORETAP_OUTPUT_TYPES_DUMP_DIFF_H
#define CORETAP_OUTPUT_TYPES_DUMP_DIFF_H

#include "util/buf.h"
#include "output/field/record.h"

/* One line "name = OLD → NEW" per member; in JSON an object with {"from":OLD,"to":NEW} per member.
 * A value that is neither struct nor array has no names. */
void dump_diff_put(struct buf *o, const struct field *f, const struct value *v, bool json);
/* Does the record have at least one FIELD_DIFF, and none with something to show? A part that could
 * not be read counts as something. */
bool dump_diff_is_empty(const struct schema *s, const void *record, size_t size);

#endif
