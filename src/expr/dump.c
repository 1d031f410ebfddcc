// SPDX-License-Identifier: GPL-2.0
/*
 * dump.c - every stage's result in text, for --dump and for tests.
 */
#include <string.h>

#include "expr/dump.h"

static void put_span(struct out *o, const struct slot *s, struct span span)
{
	out_bytes(o, s->text + span.start, span.end - span.start);
}

static void put_heading(struct out *o, const struct expr_program *p, const struct slot *s)
{
	out_printf(o, "%zu: %s\n", (size_t)(s - p->slots), s->text);
}

/* ---- tokens ---- */

void dump_tokens(const struct expr_program *p, struct out *o)
{
	static const char *const kinds[] = {
		[TOKEN_END] = "end",       [TOKEN_NAME] = "name", [TOKEN_BUILTIN] = "builtin",
		[TOKEN_NUMBER] = "number", [TOKEN_CHAR] = "char", [TOKEN_STRING] = "string",
		[TOKEN_PUNCT] = "punct",
	};

	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		put_heading(o, p, s);
		for (size_t i = 0; i < s->token_count; i++) {
			const struct token *t = &s->tokens[i];

			out_printf(o, "  %u-%u %s ", t->span.start, t->span.end, kinds[t->kind]);
			put_span(o, s, t->span);
			if (t->kind == TOKEN_NUMBER || t->kind == TOKEN_CHAR)
				out_printf(o, " = %llu", (unsigned long long)t->number);
			out_char(o, '\n');
		}
	}
}

/* ---- nodes, without and with their types ---- */

static void put_node(struct out *o, const struct slot *s, const struct node *n)
{
	switch (n->kind) {
	case NODE_NAME:
	case NODE_BUILTIN:
		put_span(o, s, n->name);
		break;
	case NODE_NUMBER:
		out_int(o, n->number);
		break;
	case NODE_MEMBER:
		out_char(o, '.');
		put_span(o, s, n->name);
		break;
	case NODE_ARROW:
		out_str(o, "->");
		put_span(o, s, n->name);
		break;
	case NODE_INDEX:
		out_str(o, "[ ]");
		break;
	case NODE_DEREF:
		out_char(o, '*');
		break;
	case NODE_ADDRESS:
		out_char(o, '&');
		break;
	case NODE_STRING:
		out_printf(o, "text of %lld", (long long)n->number);
		break;
	case NODE_SYMBOL:
		out_char(o, '@');
		put_span(o, s, n->name);
		break;
	case NODE_UNARY:
	case NODE_BINARY:
	case NODE_AND:
	case NODE_OR:
		put_span(o, s, n->op);
		out_str(o, n->other ? "" : " of");
		break;
	case NODE_CHOICE:
		out_str(o, "?:");
		break;
	case NODE_CAST:
		out_char(o, '(');
		put_span(o, s, n->type_name.span);
		out_char(o, ')');
		break;
	case NODE_SIZEOF:
		out_str(o, "sizeof ");
		put_span(o, s, n->type_name.span);
		break;
	case NODE_CONTAINER:
		out_str(o, "container_of ");
		put_span(o, s, n->type_name.span);
		out_char(o, ' ');
		put_span(o, s, n->name);
		break;
	case NODE_FALLBACK:
		out_str(o, "??");
		break;
	}
}

static void put_type(struct out *o, const struct expr_program *p, const struct node *n)
{
	char text[256];

	ctype_declare(p->btf, n->type, "", text, sizeof(text));
	if (n->builtin && n->builtin->id == BUILTIN_COMM)
		strcpy(text, "string");
	out_printf(o, "  : %s", text);
	if (n->place == PLACE_MEMORY)
		out_str(o, ", in memory");
	if (n->kind == NODE_MEMBER || n->kind == NODE_ARROW)
		out_printf(o, " at +%u", n->bit_offset / 8);
	if (n->bit_size)
		out_printf(o, " bit %u, %u bits", n->bit_offset % 8, n->bit_size);
	if (n->kind == NODE_NAME)
		out_printf(o, ", parameter %u", n->param + 1);
}

static void put_tree(struct out *o, const struct expr_program *p, const struct slot *s,
                     const struct node *n, int depth, bool types)
{
	out_repeat(o, ' ', 2 * depth);
	put_node(o, s, n);
	if (types)
		put_type(o, p, n);
	out_char(o, '\n');
	for (int i = 0; i < 3; i++) {
		const struct node *children[] = { n->child, n->other, n->third };

		if (children[i])
			put_tree(o, p, s, children[i], depth + 1, types);
	}
}

void dump_ast(const struct expr_program *p, struct out *o)
{
	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		put_heading(o, p, s);
		if (s->name.end) {
			out_str(o, "  name ");
			put_span(o, s, s->name);
			out_char(o, '\n');
		}
		if (s->format.span.end) {
			out_str(o, "  format ");
			put_span(o, s, s->format.span);
			out_char(o, '\n');
		}
		put_tree(o, p, s, s->root, 1, false);
	}
}

static const char *const field_types[] = {
	[FIELD_UINT] = "unsigned", [FIELD_INT] = "signed", [FIELD_HEX] = "hex",
	[FIELD_OCT] = "octal",     [FIELD_BOOL] = "bool",  [FIELD_CHAR] = "char",
	[FIELD_PTR] = "pointer",   [FIELD_PATH] = "path",   [FIELD_ENUM] = "enum",  [FIELD_CSTR] = "string",
	[FIELD_FLAGS] = "flags",   [FIELD_ERROR] = "error", [FIELD_MODE] = "file mode",
	[FIELD_PORT] = "port",     [FIELD_SYM] = "symbol", [FIELD_BYTES] = "bytes",
	[FIELD_MAC] = "MAC",       [FIELD_IP4] = "IPv4",   [FIELD_IP6] = "IPv6",
	[FIELD_RET] = "result",      [FIELD_NS] = "duration",
	[FIELD_UUID] = "UUID",     [FIELD_GUID] = "GUID",  [FIELD_SOCKADDR] = "socket address",
	[FIELD_STRUCT] = "struct",
	[FIELD_KERNEL_STACK] = "stack", [FIELD_USER_STACK] = "stack",
};

static void put_enum(struct out *o, const struct slot *s)
{
	int more = 0;

	for (const struct field_name *n = s->names; n->name; n++) {
		if (n - s->names < 4)
			out_printf(o, " %s=%llu", n->name, (unsigned long long)n->value);
		else
			more++;
	}
	if (more)
		out_printf(o, " and %d more", more);
}

void dump_types(const struct expr_program *p, struct out *o)
{
	for (const struct slot *s = p->slots; s < p->slots + p->slot_count; s++) {
		put_heading(o, p, s);
		put_tree(o, p, s, s->root, 1, true);
		if (s->sink == SINK_FILTER) {
			out_str(o, "  a condition\n");
			continue;
		}
		out_printf(o, "  shown as %s, %u bytes%s", field_types[s->field_type], s->size,
		           s->sink == SINK_STRING && s->space == STRING_USER ? ", user memory"
		                                                             : "");
		if (s->count)
			out_printf(o, ", %u elements", s->count);
		if (s->bit_size)
			out_printf(o, ", bits %u to %u", s->bit_offset,
			           s->bit_offset + s->bit_size - 1);
		if (s->names)
			put_enum(o, s);
		out_char(o, '\n');
	}
}

/* ---- plan ---- */

static const char *const ways[] = {
	[WAY_DIRECT] = "direct",        [WAY_CAST] = "cast",           [WAY_PROBE] = "probe_read",
	[WAY_USER] = "probe_read_user", [WAY_HELPER] = "get_func_arg",
	[WAY_SAVED] = "saved by the entry",
};

static void put_read(struct out *o, const struct expr_program *p, const struct plan_value *v)
{
	out_printf(o, "%s %u bytes at %%%d %+lld, %s", v->op == PLAN_BYTES ? "copy" : "load",
	           v->size, v->base, (long long)v->imm, ways[v->way]);
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
		out_printf(o, "argument %lld, %s", (long long)v->imm, ways[v->way]);
		break;
	case PLAN_RET:
		out_printf(o, "returned, %s", v->way == WAY_HELPER ? "get_func_ret" : ways[v->way]);
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
		put_heading(o, p, s);
		if (s->at_return && p->keep == KEEP_RECORD)
			out_str(o, "  at the return\n");
		for (size_t i = 0; i < s->step_count; i++)
			put_step(o, p, s, &s->steps[i]);
		put_sink(o, s);
	}
}

/* ---- layout ---- */

static const char *const measures[] = {
	[EXPR_COUNT] = "count", [EXPR_SUM] = "sum",	[EXPR_AVG] = "sum for an average",
	[EXPR_MIN] = "least",	[EXPR_MAX] = "largest", [EXPR_HIST] = "powers of two",
	[EXPR_LHIST] = "steps",
};

static void put_results(struct out *o, const struct expr_table *t)
{
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		out_printf(o, "  word %u %s", r->word, measures[r->kind]);
		if (r->words > 1)
			out_printf(o, " in %u buckets", r->words);
		if (r->text)
			out_printf(o, " of %s%s", r->text, r->is_signed ? ", signed" : "");
		if (r->unread)
			out_printf(o, ", unreadable in word %u", r->unread);
		out_char(o, '\n');
	}
}

void dump_layout(const struct expr_program *p, struct out *o)
{
	if (p->table.count)
		out_printf(o, "key of %u bytes, entry of %u words\n", p->table.key_size,
		           p->table.words);
	else
		out_printf(o, "record of %u bytes\n", p->record_size);
	for (size_t i = 0; i < p->schema.count; i++) {
		const struct field *f = &p->schema.fields[i];

		out_printf(o, "  +%u %u bytes %s %s", f->offset, f->size, field_types[f->type],
		           f->name);
		if (f->count)
			out_printf(o, ", %u elements", f->count);
		if (f->status)
			out_printf(o, ", status +%u", f->status - 1);
		out_char(o, '\n');
	}
	put_results(o, &p->table);
}

/* ---- for users ---- */

void expr_dump(const struct expr_program *p, enum expr_stage stage, struct out *o)
{
	static void (*const dumps[])(const struct expr_program *p, struct out *o) = {
		[EXPR_STAGE_TOKENS] = dump_tokens, [EXPR_STAGE_AST] = dump_ast,
		[EXPR_STAGE_TYPES] = dump_types,   [EXPR_STAGE_PLAN] = dump_plan,
		[EXPR_STAGE_LAYOUT] = dump_layout, [EXPR_STAGE_INSNS] = dump_insns,
	};

	if (p && p->reached >= (int)stage)
		dumps[stage](p, o);
}

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
		out_printf(o, "%s%d %s load%s", comma, counts[way], ways[way],
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
