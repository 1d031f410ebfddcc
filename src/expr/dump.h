/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dump.h - the stages in text, one function each. The texts are stable: golden tests hold them.
 */
#ifndef CORETAP_EXPR_DUMP_H
#define CORETAP_EXPR_DUMP_H

#include "expr/compiler.h"

void dump_tokens(const struct expr_program *p, struct out *o);
void dump_ast(const struct expr_program *p, struct out *o);
void dump_types(const struct expr_program *p, struct out *o);
void dump_plan(const struct expr_program *p, struct out *o); /* dump_plan.c */
void dump_layout(const struct expr_program *p, struct out *o);
void dump_insns(const struct expr_program *p, struct out *o); /* disasm.c */

/* What they share: a slot's number and text; words for enum plan_way. */
void dump_heading(const struct expr_program *p, const struct slot *s, struct out *o);
extern const char *const dump_ways[];

#endif
