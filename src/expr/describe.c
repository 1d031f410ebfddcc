// SPDX-License-Identifier: GPL-2.0
/*
 * describe.c - what a program shows and how it reads, for --dry-run.
 */
#include "expr/dump.h"

static void put_ways(struct out *o, const struct expr_program *p, const struct slot *s)
{
	int counts[WAY_HELPER + 1] = {};
	const char *comma = "";

	for (size_t i = 0; i < s->step_count; i++) {
		const struct plan_value *v = &p->plan.values[s->steps[i].value];

		if (s->steps[i].kind != STEP_VALUE)
			continue;
		if (v->op == PLAN_LOAD || v->op == PLAN_BYTES)
			counts[v->way]++;
	}
	for (int way = 0; way <= WAY_HELPER; way++) {
		if (!counts[way])
			continue;
		out_printf(o, "%s%d %s load%s", comma, counts[way], dump_ways[way],
		           counts[way] > 1 ? "s" : "");
		comma = ", ";
	}
	if (s->sink == SINK_STRING)
		out_printf(o, "%sa string", comma);
	else if (!*comma)
		out_str(o, "no load");
}

void expr_describe(const struct expr_program *p, struct out *o)
{
	if (p->reached < EXPR_STAGE_LAYOUT)
		return;
	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		char type[256] = "string";

		if (s->sink == SINK_FILTER) {
			out_printf(o, "  if %s: ", s->text);
			put_ways(o, p, s);
			out_char(o, '\n');
			continue;
		}
		if (s->sink != SINK_TEXT &&
		    (!s->root->builtin || s->root->builtin->id != BUILTIN_COMM))
			ctype_declare(p->btf, s->root->type, "", type, sizeof(type));
		out_printf(o, "  %s = %s  (%s): ", s->key, s->text, type);
		put_ways(o, p, s);
		out_char(o, '\n');
	}
	stacks_describe(p, o);
}
