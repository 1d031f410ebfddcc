/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.h - prints the result of each stage. The texts are stable: golden tests compare them.
 */
#ifndef CORETAP_EXPR_DUMP_H
#define CORETAP_EXPR_DUMP_H

#include "expr/program.h"
#include "util/buf.h"

void dump_tokens(const struct expr_program *p, struct buf *o);
void dump_ast(const struct expr_program *p, struct buf *o);
void dump_types(const struct expr_program *p, struct buf *o);
void dump_plan(const struct expr_program *p, struct buf *o); /* dump_ir.c */
void dump_layout(const struct expr_program *p, struct buf *o);
void dump_insns(const struct expr_program *p, struct buf *o); /* disasm.c */

/* Prints the number and text of a slot. Names of enum load_mode. */
void dump_heading(const struct expr_program *p, const struct slot *s, struct buf *o);
extern const char *const dump_ways[];

#endif
