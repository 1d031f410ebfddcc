/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * schema.h - the schema of a record or key, from slots that have places and names.
 */
#ifndef CORETAP_EXPR_LAYOUT_SCHEMA_H
#define CORETAP_EXPR_LAYOUT_SCHEMA_H

#include "expr/compile.h"

void schema_make(struct compile *c);
void schema_make_key(struct compile *c);

#endif
