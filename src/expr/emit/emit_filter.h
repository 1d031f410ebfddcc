/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_filter.h - which task is running, and is it wanted?
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_FILTER_H
#define CORETAP_EXPR_EMIT_EMIT_FILTER_H

#include "expr/emit/emit_common.h"

/* Sets REG_CTX and REG_TASK; jumps to g->exit for unwanted tasks. */
void gen_filters(struct gen *g);
void gen_filter_task(struct gen *g); /* the first part: process and thread */
/* Sets REG_TASK again after an exact way has used the register. */
void gen_task(struct gen *g);
/* The ids of process and thread, in the low half of `dst`; the high half may have any value. */
void gen_tgid(struct gen *g, int dst);
void gen_tid(struct gen *g, int dst);

#endif
