/* SPDX-License-Identifier: GPL-2.0 */
/*
 * diff.h - a FIELD_DIFF: what a call changed, by the names of members.
 */
#ifndef CORETAP_DIFF_H
#define CORETAP_DIFF_H

#include "core/out.h"
#include "core/schema.h"

/* name = OLD → NEW, a line each; in JSON an object of these, {"from":OLD,"to":NEW}. What is no struct and
 * no array has no names. */
void diff_put(struct out *o, const struct field *f, const struct value *v, bool json);
/* Is there no FIELD_DIFF in the record that has something to show, but one at least? What could not be
 * read is something. */
bool diff_is_empty(const struct schema *s, const void *record, size_t size);

#endif
