/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_default.h - values whose type or name says more than how many bytes they have.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_DEFAULT_H
#define CORETAP_EXPR_RESOLVE_FORMAT_DEFAULT_H

#include "expr/resolve/format_rules.h"

/* The rule for a slot that has no :FORMAT, or NULL: by the type's size and kind alone. May replace
 * the slot's root by what a pointer points to. */
const struct format_rule *format_default(struct compile *c, struct slot *s);
/* Replaces the root by "->member", ".member" or "*", what it points to; the name and the place of
 * mistakes remain those of the root. Without such a member nothing changes. */
void root_replace(struct compile *c, struct slot *s, const char *as);

#endif
