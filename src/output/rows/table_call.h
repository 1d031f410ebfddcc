/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table_call.h - rows that start with a caller (FIELD_CALLER), like the kernel's own traces:
 * caller->func(a=1, b=2), (caller+0x5/0x40 <- func) a=1.
 */
#ifndef CORETAP_OUTPUT_ROWS_TABLE_CALL_H
#define CORETAP_OUTPUT_ROWS_TABLE_CALL_H

#include "output/rows/sink_priv.h"

void table_put_caller(struct row *r, const struct field *f, const struct value *v,
		      const void *record);
/* Called before a pair while the call's parentheses are open. */
void table_begin_argument(struct row *r, const struct field *f);
/* Closes the parentheses. */
void table_end_call(struct row *r);

#endif
