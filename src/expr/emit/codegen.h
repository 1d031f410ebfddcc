/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * codegen.h - instructions of a whole program.
 */
#ifndef CORETAP_EXPR_EMIT_CODEGEN_H
#define CORETAP_EXPR_EMIT_CODEGEN_H

#include "expr/compile.h"

void expr_codegen(struct compile *c);

struct gen;
/* Submits the record at that register. `size`: of the largest record in the ring. `at_once`: wakes the reader. */
void gen_ring_submit(struct gen *g, int record, uint32_t size, bool at_once);

#endif
