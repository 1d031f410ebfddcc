/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slot_names.h - names of values in the output.
 */
#ifndef CORETAP_EXPR_LAYOUT_SLOT_NAMES_H
#define CORETAP_EXPR_LAYOUT_SLOT_NAMES_H

#include "expr/compile.h"

/* Sets s->key, different from all others; earlier slots already have theirs. */
void slot_name(struct compile *c, struct slot *s);
/* The unit that a value's JSON key names: that of $lat and $ts, unless the user gave the name. */
enum field_unit slot_unit(const struct slot *s);

#endif
