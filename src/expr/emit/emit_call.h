/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call.h - the programs of a call.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_CALL_H
#define CORETAP_EXPR_EMIT_EMIT_CALL_H

#include "expr/emit/emit_common.h"

void gen_call(struct gen *g);

#endif
