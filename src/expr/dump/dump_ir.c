/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_ir.c - prints the plan: what each step computes, and from what.
 */
#include "expr/dump/dump.h"

#include "packet/filter.h"

const char *const dump_ways[] = {
	[LOAD_DIRECT] = "direct",	[LOAD_CAST] = "cast",
	[LOAD_PROBE] = "probe_read",	[LOAD_USER] = "probe_read_user",
	[LOAD_HELPER] = "get_func_arg", [LOAD_SAVED] = "saved by the entry",
};

static void print_read(struct buf *o, const struct expr_program *p, const struct vreg *v)
{
	buf_printf(o, "%s %u bytes at %%%d %+lld, %s", v->op == VREG_BYTES ? "copy" : "load",
		   v->size, v->base, (long long)v->imm, dump_ways[v->way]);
	if (v->way == LOAD_CAST)
		buf_printf(o, " to %s", v->cast_id ? btf_view_name(p->btf, v->cast_id) : "void");
}

static const char *const builtins[] = {
	[BUILTIN_PID] = "pid",	   [BUILTIN_TID] = "tid",
	[BUILTIN_UID] = "uid",	   [BUILTIN_GID] = "gid",
	[BUILTIN_CPU] = "cpu",	   [BUILTIN_FUNC] = "function",
	[BUILTIN_TS] = "time",	   [BUILTIN_CGROUP] = "cgroup",
	[BUILTIN_TASK] = "task",   [BUILTIN_LAT] = "time since the entry",
	[BUILTIN_DEPTH] = "depth", [BUILTIN_FRAME] = "frame",
};

/* Values that are not made from other values. */
static void print_source(struct buf *o, const struct expr_program *p, const struct vreg *v)
{
	switch (v->op) {
	case VREG_ARG:
		buf_printf(o, "argument %lld, %s", (long long)v->imm, dump_ways[v->way]);
		break;
	case VREG_RET:
		buf_printf(o, "returned, %s",
			   v->way == LOAD_HELPER ? "get_func_ret" : dump_ways[v->way]);
		break;
	case VREG_BUILTIN: buf_str(o, builtins[v->imm]); break;
	case VREG_REG: buf_printf(o, "register +%lld", (long long)v->imm); break;
	case VREG_FIELD:
		buf_printf(o, "field of %u bytes at +%lld", v->size, (long long)v->imm);
		break;
	case VREG_CONTEXT: buf_str(o, "address of the event"); break;
	case VREG_PERCPU: buf_printf(o, "this CPU's %s", btf_view_name(p->btf, v->imm)); break;
	case VREG_PHI: buf_str(o, "what was set"); break;
	case VREG_NUMBER:
		if (v->fact)
			buf_printf(o, "fact %s", expr_fact_name(v->fact));
		else
			buf_printf(o, "number %lld", (long long)v->imm);
		break;
	case VREG_KEPT:
		buf_printf(o, "value that the entry stored in slot %lld", (long long)v->imm);
		break;
	case VREG_INSIDE: buf_printf(o, "value %lld of the call around", (long long)v->imm); break;
	default: break;
	}
}

static void print_value(struct buf *o, const struct expr_program *p, const struct vreg *v)
{
	switch (v->op) {
	case VREG_SCALAR: buf_printf(o, "number of pointer %%%d", v->base); break;
	case VREG_UNARY: buf_printf(o, "%s%%%d", oper_text(v->oper), v->base); break;
	case VREG_BINARY:
		buf_printf(o, "%%%d %s %%%d, %c%u", v->base, oper_text(v->oper), v->other,
			   v->sign ? 's' : 'u', v->width);
		break;
	case VREG_MATCH:
		buf_printf(o, "string at %%%d %s \"%s%s\"", v->base,
			   v->text->is_glob ? "like" : "is", v->text->bytes,
			   v->text->open_end ? "*" : "");
		break;
	case VREG_PATH:
		buf_printf(o, "path of %s %%%d", v->sign ? "dentry" : "struct path", v->base);
		if (v->imm)
			buf_printf(o, ", the last %lld", (long long)v->imm);
		break;
	case VREG_PACKET:
		buf_printf(o, "packet at %%%d passes %zu instructions", v->base,
			   v->packet->filter->count);
		break;
	case VREG_LOAD:
	case VREG_BYTES: print_read(o, p, v); break;
	case VREG_ADD: buf_printf(o, "add %%%d %+lld", v->base, (long long)v->imm); break;
	case VREG_BITS:
		buf_printf(o, "bits %%%d from %lld, %u %s", v->base, (long long)v->imm, v->width,
			   v->sign ? "signed" : "unsigned");
		break;
	default: print_source(o, p, v); break;
	}
	if (v->pointee)
		buf_printf(o, ", typed %s", btf_view_name(p->btf, v->pointee));
	if (v->temp >= 0)
		buf_printf(o, ", kept in %d", v->temp);
}

static void print_sink(struct buf *o, const struct slot *s)
{
	static const char *const sinks[] = {
		[STORE_HEADER] = "in the header", [STORE_SCALAR] = "store",
		[STORE_STRING] = "string",	  [STORE_BYTES] = "in the slot",
		[STORE_TEXT] = "this text",	  [STORE_PATH] = "path",
		[STORE_FILTER] = "go on",	  [STORE_COUNTED] = "bytes",
		[STORE_STACK] = "stack",	  [STORE_FLOW] = "flow",
		[STORE_PACKET] = "packet",
	};

	buf_printf(o, "  %s", sinks[s->store.kind]);
	if (s->store.kind == STORE_COUNTED)
		buf_printf(o, ", %%%d of them, of %%%d", s->plan.length, s->plan.result);
	if (s->store.kind == STORE_STRING || s->store.kind == STORE_COUNTED)
		buf_printf(o, " of %u, %s, link %d %s", s->store.size,
			   s->store.space == STRING_USER ? "user" : "by address", s->plan.sink_link,
			   s->plan.links[s->plan.sink_link]);
	buf_char(o, '\n');
}

static void print_step(struct buf *o, const struct expr_program *p, const struct slot *s,
		       const struct ir_insn *step)
{
	switch (step->kind) {
	case IR_VALUE:
		buf_printf(o, "  %%%d ", step->value);
		print_value(o, p, &p->plan.values[step->value]);
		if (step->temp >= 0)
			buf_printf(o, ", waits in %d", step->temp);
		if (step->link >= 0)
			buf_printf(o, ", link %d %s", step->link, s->plan.links[step->link]);
		break;
	case IR_SET: buf_printf(o, "  %%%d = %%%d", step->value, step->from); break;
	case IR_IF_ZERO:
	case IR_IF_NOT:
		buf_printf(o, "  if %s%%%d ", step->kind == IR_IF_ZERO ? "!" : "", step->value);
		if (step->label == LABEL_REJECT)
			buf_str(o, s->trigger == EXPR_TRIGGER_STOP ? "not yet" : "exit");
		else
			buf_printf(o, "goto L%d", step->label);
		break;
	case IR_GOTO: buf_printf(o, "  goto L%d", step->label); break;
	case IR_LABEL: buf_printf(o, "  L%d:", step->label); break;
	case IR_CUT: buf_str(o, "  cut"); break;
	}
	buf_char(o, '\n');
}

void dump_plan(const struct expr_program *p, struct buf *o)
{
	for (const struct slot *s = p->slots; (s = slot_used(p, s)); s++) {
		dump_heading(p, s, o);
		if (s->at_return && p->calls.keep == KEEP_RECORD)
			buf_str(o, "  at the return\n");
		for (size_t i = 0; i < s->plan.step_count; i++)
			print_step(o, p, s, &s->plan.steps[i]);
		print_sink(o, s);
	}
}
