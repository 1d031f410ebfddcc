/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * codegen.h - instructions of a whole program.
 */
#ifndef CORETAP_EXPR_EMIT_CODEGEN_H
#define CORETAP_EXPR_EMIT_CODEGEN_H

#include "expr/compile.h"

void expr_codegen(struct compile *c);

#endif
