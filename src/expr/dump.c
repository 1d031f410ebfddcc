// SPDX-License-Identifier: GPL-2.0
/*
 * dump.c - every stage's result in text, for --dump and for tests. The plan's is dump_plan.c's.
 */
#include <string.h>

#include "expr/dump.h"

static void put_span(const struct slot *s, struct span span, struct out *o)
{
	out_bytes(o, s->text + span.start, span.end - span.start);
}

void dump_heading(const struct expr_program *p, const struct slot *s, struct out *o)
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
		dump_heading(p, s, o);
		for (size_t i = 0; i < s->token_count; i++) {
			const struct token *t = &s->tokens[i];

			out_printf(o, "  %u-%u %s ", t->span.start, t->span.end, kinds[t->kind]);
			put_span(s, t->span, o);
			if (t->kind == TOKEN_NUMBER || t->kind == TOKEN_CHAR)
				out_printf(o, " = %llu", (unsigned long long)t->number);
			out_char(o, '\n');
		}
	}
}

/* ---- nodes, without and with their types ---- */

/* What a node shows before its own words. */
static const char *const node_marks[] = {
	[NODE_MEMBER] = ".",       [NODE_ARROW] = "->",     [NODE_INDEX] = "[ ]",
	[NODE_DEREF] = "*",        [NODE_ADDRESS] = "&",    [NODE_SYMBOL] = "@",
	[NODE_CHOICE] = "?:",      [NODE_CAST] = "(",       [NODE_SIZEOF] = "sizeof ",
	[NODE_CONTAINER] = "container_of ", [NODE_FALLBACK] = "??",
};

static void put_node(struct out *o, const struct slot *s, const struct node *n)
{
	if (n->kind == NODE_NUMBER) { /* perhaps of a name, or of a type */
		out_int(o, n->number);
		return;
	}
	if (node_marks[n->kind])
		out_str(o, node_marks[n->kind]);
	put_span(s, n->type_name.span, o);
	switch (n->kind) {
	case NODE_STRING:
		out_printf(o, "text of %lld", (long long)n->number);
		break;
	case NODE_UNARY:
	case NODE_BINARY:
	case NODE_AND:
	case NODE_OR:
		put_span(s, n->op, o);
		out_str(o, n->other ? "" : " of");
		break;
	case NODE_CAST:
		out_char(o, ')');
		break;
	case NODE_CONTAINER:
		out_char(o, ' ');
		put_span(s, n->name, o);
		break;
	default:
		put_span(s, n->name, o);
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
		dump_heading(p, s, o);
		if (s->name.end) {
			out_str(o, "  name ");
			put_span(s, s->name, o);
			out_char(o, '\n');
		}
		if (s->format.span.end) {
			out_str(o, "  format ");
			put_span(s, s->format.span, o);
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
	[FIELD_CONTEXT] = "context", [FIELD_DIFF] = "what changed", [FIELD_KERNEL_STACK] = "stack", [FIELD_USER_STACK] = "stack",
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
		dump_heading(p, s, o);
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
