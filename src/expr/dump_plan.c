// SPDX-License-Identifier: GPL-2.0
/*
 * dump_plan.c - the plan in text: what each step computes, and from what.
 */
#include "expr/dump.h"

const char *const dump_ways[] = {
	[WAY_DIRECT] = "direct",        [WAY_CAST] = "cast",           [WAY_PROBE] = "probe_read",
	[WAY_USER] = "probe_read_user", [WAY_HELPER] = "get_func_arg",
	[WAY_SAVED] = "saved by the entry",
};

static void put_read(struct out *o, const struct expr_program *p, const struct plan_value *v)
{
	out_printf(o, "%s %u bytes at %%%d %+lld, %s", v->op == PLAN_BYTES ? "copy" : "load",
	           v->size, v->base, (long long)v->imm, dump_ways[v->way]);
	if (v->way == WAY_CAST)
		out_printf(o, " to %s", v->cast_id ? btf_view_name(p->btf, v->cast_id) : "void");
}

static const char *const builtins[] = {
	[BUILTIN_PID] = "pid", [BUILTIN_TID] = "tid", [BUILTIN_UID] = "uid",
	[BUILTIN_GID] = "gid", [BUILTIN_CPU] = "cpu", [BUILTIN_FUNC] = "function", [BUILTIN_TS] = "time",
	[BUILTIN_CGROUP] = "cgroup", [BUILTIN_TASK] = "task", [BUILTIN_LAT] = "time since the entry",
};

static void put_value(struct out *o, const struct expr_program *p, const struct plan_value *v)
{
	switch (v->op) {
	case PLAN_ARG:
		out_printf(o, "argument %lld, %s", (long long)v->imm, dump_ways[v->way]);
		break;
	case PLAN_RET:
		out_printf(o, "returned, %s", v->way == WAY_HELPER ? "get_func_ret" : dump_ways[v->way]);
		break;
	case PLAN_BUILTIN:
		out_str(o, builtins[v->imm]);
		break;
	case PLAN_REG:
		out_printf(o, "register +%lld", (long long)v->imm);
		break;
	case PLAN_FIELD:
		out_printf(o, "field of %u bytes at +%lld", v->size, (long long)v->imm);
		break;
	case PLAN_CONTEXT:
		out_str(o, "address of the event");
		break;
	case PLAN_PERCPU:
		out_printf(o, "this CPU's %s", btf_view_name(p->btf, v->imm));
		break;
	case PLAN_SCALAR:
		out_printf(o, "number of pointer %%%d", v->base);
		break;
	case PLAN_UNARY:
		out_printf(o, "%s%%%d", oper_text(v->oper), v->base);
		break;
	case PLAN_BINARY:
		out_printf(o, "%%%d %s %%%d, %c%u", v->base, oper_text(v->oper), v->other,
		           v->sign ? 's' : 'u', v->width);
		break;
	case PLAN_MATCH:
		out_printf(o, "string at %%%d %s \"%s%s\"", v->base,
		           v->text->is_glob ? "like" : "is", v->text->bytes,
		           v->text->open_end ? "*" : "");
		break;
	case PLAN_PHI:
		out_str(o, "what was set");
		break;
	case PLAN_NUMBER:
		out_printf(o, "number %lld", (long long)v->imm);
		break;
	case PLAN_KEPT:
		out_printf(o, "what the entry put into slot %lld", (long long)v->imm);
		break;
	case PLAN_LOAD:
	case PLAN_BYTES:
		put_read(o, p, v);
		break;
	case PLAN_ADD:
		out_printf(o, "add %%%d %+lld", v->base, (long long)v->imm);
		break;
	case PLAN_BITS:
		out_printf(o, "bits %%%d from %lld, %u %s", v->base, (long long)v->imm, v->width,
		           v->sign ? "signed" : "unsigned");
		break;
	}
	if (v->pointee)
		out_printf(o, ", typed %s", btf_view_name(p->btf, v->pointee));
	if (v->temp >= 0)
		out_printf(o, ", kept in %d", v->temp);
}

static void put_sink(struct out *o, const struct slot *s)
{
	static const char *const sinks[] = {
		[SINK_HEADER] = "in the header",
		[SINK_SCALAR] = "store",
		[SINK_STRING] = "string",
		[SINK_BYTES] = "in the slot",
		[SINK_TEXT] = "this text",
		[SINK_PATH] = "path",
		[SINK_FILTER] = "go on",
	};

	out_printf(o, "  %s", sinks[s->sink]);
	if (s->sink == SINK_STRING)
		out_printf(o, " of %u, %s, link %d %s", s->size,
		           s->space == STRING_USER ? "user" : "by address", s->sink_link,
		           s->links[s->sink_link]);
	out_char(o, '\n');
}

static void put_step(struct out *o, const struct expr_program *p, const struct slot *s,
                     const struct plan_step *step)
{
	switch (step->kind) {
	case STEP_VALUE:
		out_printf(o, "  %%%d ", step->value);
		put_value(o, p, &p->plan.values[step->value]);
		if (step->temp >= 0)
			out_printf(o, ", waits in %d", step->temp);
		if (step->link >= 0)
			out_printf(o, ", link %d %s", step->link, s->links[step->link]);
		break;
	case STEP_SET:
		out_printf(o, "  %%%d = %%%d", step->value, step->from);
		break;
	case STEP_IF_ZERO:
	case STEP_IF_NOT:
		out_printf(o, "  if %s%%%d ", step->kind == STEP_IF_ZERO ? "!" : "", step->value);
		if (step->label == LABEL_REJECT)
			out_str(o, "exit");
		else
			out_printf(o, "goto L%d", step->label);
		break;
	case STEP_GOTO:
		out_printf(o, "  goto L%d", step->label);
		break;
	case STEP_LABEL:
		out_printf(o, "  L%d:", step->label);
		break;
	}
	out_char(o, '\n');
}

void dump_plan(const struct expr_program *p, struct out *o)
{
	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		dump_heading(p, s, o);
		if (s->at_return && p->keep == KEEP_RECORD)
			out_str(o, "  at the return\n");
		for (size_t i = 0; i < s->step_count; i++)
			put_step(o, p, s, &s->steps[i]);
		put_sink(o, s);
	}
}
