/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ir_build.h - the values of the plan, and the steps of a slot.
 */
#ifndef CORETAP_EXPR_LOWER_IR_BUILD_H
#define CORETAP_EXPR_LOWER_IR_BUILD_H

#include "expr/compile.h"

/* Returns the index of a value equal to `v`, and makes it if there is none; -1 on error. */
int value_make(struct compile *c, struct vreg v);
/* Makes the slot compute `value`, unless it does already; returns it, or -1 on error. */
int ir_add(struct compile *c, int value, int link);
/* IR_IF_ZERO … IR_LABEL; IR_SET. */
void ir_control(struct compile *c, enum ir_kind kind, int value, int label);
void ir_set(struct compile *c, int phi, int from);
int ir_label(struct compile *c);
/* Values computed between branch_begin and branch_end belong to a branch; branch_end gets what
 * branch_begin returned. */
size_t branch_begin(struct compile *c);
void branch_end(struct compile *c, size_t begin);
/* Returns the number of a new link, named by that span of the text; -1 on error. */
int link_add(struct compile *c, struct span span);

/* After all slots are planned: what later slots reuse, and what is kept within a slot. */
void expr_plan_share(struct compile *c);
void expr_plan_places(struct compile *c, struct slot *s);

#endif
