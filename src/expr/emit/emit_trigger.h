/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_trigger.h - conditions that begin and end the recording, as the program decides them.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_TRIGGER_H
#define CORETAP_EXPR_EMIT_EMIT_TRIGGER_H

#include "expr/emit/emit_common.h"

/* Before it is evaluated: skips it if the recording has begun, ends the program if it has ended. */
void gen_trigger_look(struct gen *g, const struct slot *s);
/* It is true. */
void gen_trigger_set(struct gen *g, const struct slot *s);
/* Where a condition goes that is false: an end that is not yet goes on. */
int gen_reject(const struct gen *g, const struct slot *s);

#endif
