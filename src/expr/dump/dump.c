/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - the result of every stage as text, for --dump and for tests.
 */
#include "expr/dump/dump.h"

void expr_dump(const struct expr_program *p, enum expr_stage stage, struct buf *o)
{
	static void (*const dumps[])(const struct expr_program *p, struct buf *o) = {
		[EXPR_STAGE_TOKENS] = dump_tokens, [EXPR_STAGE_AST] = dump_ast,
		[EXPR_STAGE_TYPES] = dump_types,   [EXPR_STAGE_PLAN] = dump_plan,
		[EXPR_STAGE_LAYOUT] = dump_layout, [EXPR_STAGE_INSNS] = dump_insns,
	};

	if (p && p->reached >= (int)stage)
		dumps[stage](p, o);
}
