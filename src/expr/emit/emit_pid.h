/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pid.h - the task's numbers in the namespace of filter.numbers.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PID_H
#define CORETAP_EXPR_EMIT_EMIT_PID_H

#include "expr/emit/emit_common.h"

/* Begin: before any slot, if one needs them; make: otherwise, when a record or key needs them. Both
 * clobber r0 … r5. */
void gen_numbers_begin(struct gen *g);
void gen_numbers_make(struct gen *g);
/* The number of the process or the thread, after it was made. */
void gen_number(struct gen *g, int dst, bool thread);

#endif
