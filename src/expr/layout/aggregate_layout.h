/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_layout.h - layout of counted calls: slots, and places in an entry.
 */
#ifndef CORETAP_EXPR_LAYOUT_AGGREGATE_LAYOUT_H
#define CORETAP_EXPR_LAYOUT_AGGREGATE_LAYOUT_H

#include "expr/compile.h"

void measures_take(struct compile *c);
size_t measure_first(const struct expr_program *p, const struct slot *s); /* of that slot */
void measures_place(struct compile *c);

#endif
