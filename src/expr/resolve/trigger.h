/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trigger.h - conditions that begin and end the recording.
 */
#ifndef CORETAP_EXPR_RESOLVE_TRIGGER_H
#define CORETAP_EXPR_RESOLVE_TRIGGER_H

#include "expr/compile.h"

/* How many slots they take. */
size_t triggers_most(const struct compile *c);
/* Adds slots for those that the program decides, or for those that are in the record. */
void triggers_take(struct compile *c, bool in_record);
void trigger_format(struct compile *c, struct slot *s);

#endif
