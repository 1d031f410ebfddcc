/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expand_diff.h - --diff: its slots.
 */
#ifndef CORETAP_EXPR_RESOLVE_EXPAND_DIFF_H
#define CORETAP_EXPR_RESOLVE_EXPAND_DIFF_H

#include "expr/compile.h"

void diffs_take(struct compile *c);
/* adds the slots that are attached to this one */
void expr_diff(struct compile *c, struct slot *s);

#endif
