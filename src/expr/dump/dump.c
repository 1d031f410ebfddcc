/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - prints the result of any stage, for --dump and tests.
 */
#include <string.h>

#include "expr/dump/dump.h"
#include "expr/ctype.h"
#include "expr/layout/layout.h"

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

/* ---- --dry-run: the values of a program, and how it reads them ---- */

static void stack_describe(const struct expr_program *p, const struct slot *s, struct buf *o)
{
	buf_printf(o, "up to %u frames", p->stacks.depth);
	if (s->store.type == FIELD_USER_STACK && p->stacks.copy_size)
		buf_printf(o, ", from a copy of %u bytes", p->stacks.copy_size);
}

static void print_ways(struct buf *o, const struct expr_program *p, const struct slot *s)
{
	int counts[LOAD_HELPER + 1] = {};
	const char *comma = "";
	bool packets = false;

	for (size_t i = 0; i < s->plan.step_count; i++) {
		const struct vreg *v;

		if (s->plan.steps[i].kind != IR_VALUE)
			continue;
		v = &p->plan.values[s->plan.steps[i].value];
		if (v->op == VREG_LOAD || v->op == VREG_BYTES)
			counts[v->way]++;
		packets |= v->op == VREG_PACKET;
	}
	if (packets)
		buf_str(o, "a packet's bytes");
	comma = packets ? ", " : "";
	for (int way = 0; way <= LOAD_HELPER; way++) {
		if (!counts[way])
			continue;
		buf_printf(o, "%s%d %s load%s", comma, counts[way], dump_ways[way],
			   counts[way] > 1 ? "s" : "");
		comma = ", ";
	}
	if (s->store.kind == STORE_STACK)
		stack_describe(p, s, o);
	else if (s->store.kind == STORE_FLOW)
		buf_printf(o, "%sa packet's headers", comma);
	else if (s->store.kind == STORE_PACKET)
		buf_printf(o, "%sa packet's first bytes", comma);
	else if (s->store.kind == STORE_STRING || s->store.kind == STORE_PATH ||
		 s->store.kind == STORE_COUNTED)
		buf_printf(o, "%s%s", comma,
			   s->store.kind == STORE_PATH	 ? "a path" :
			   s->store.kind == STORE_STRING ? "a string" :
							   "bytes by their number");
	else if (!*comma)
		buf_str(o, "no load");
}

/* The text of a condition. In a pair, each operand of && is a condition of its own. */
static struct span condition_span(const struct slot *s)
{
	const struct token *last = s->tokens + s->token_count - 2;
	struct span whole = { s->tokens->span.start, last->span.end };

	return s->token_count > 1 ? whole : (struct span){ 0, strlen(s->text) };
}

void expr_describe(const struct expr_program *p, bool at_end, struct buf *o)
{
	static const char *const triggers[EXPR_TRIGGERS] = { "", "begin ", "stop " };

	if (p->reached < EXPR_STAGE_LAYOUT)
		return;
	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		char type[256] = "string";

		if (s->at_end != at_end)
			continue;
		if (s->store.kind == STORE_FILTER || s->trigger) {
			buf_printf(o, "  %sif %.*s: ", triggers[s->trigger],
				   SPAN_ARG(s->text, condition_span(s)));
			print_ways(o, p, s);
			buf_char(o, '\n');
			continue;
		}
		if (s->store.kind == STORE_STACK)
			strcpy(type, "stack");
		else if (s->store.kind != STORE_TEXT &&
			 (!s->root->builtin || s->root->builtin->id != BUILTIN_COMM))
			ctype_declare(p->btf, s->root->type, "", type, sizeof(type));
		buf_printf(o, "  %s = %s  (%s): ", s->place.key, s->text, type);
		print_ways(o, p, s);
		buf_char(o, '\n');
	}
	stacks_describe(p, o);
}
