/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_layout.h - layout of counted calls: slots, and places in an entry.
 */
#ifndef CORETAP_EXPR_LAYOUT_AGGREGATE_LAYOUT_H
#define CORETAP_EXPR_LAYOUT_AGGREGATE_LAYOUT_H

#include "expr/compile.h"

void measures_take(struct compile *c);
void measures_place(struct compile *c);

#endif
