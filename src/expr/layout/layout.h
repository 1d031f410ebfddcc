/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - slots → places in the record, or in the key.
 */
#ifndef CORETAP_EXPR_LAYOUT_LAYOUT_H
#define CORETAP_EXPR_LAYOUT_LAYOUT_H

#include "expr/compile.h"

void expr_layout(struct compile *c);

#endif
