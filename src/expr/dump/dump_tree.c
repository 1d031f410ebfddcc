/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_tree.c - prints tokens, nodes, their types, the layout.
 */
#include <string.h>

#include "expr/ctype.h"
#include "expr/dump/dump.h"
#include "output/field/field_kind.h"

static void print_span(const struct slot *s, struct span span, struct buf *o)
{
	buf_bytes(o, s->text + span.start, span.end - span.start);
}

void dump_heading(const struct expr_program *p, const struct slot *s, struct buf *o)
{
	static const char *const roles[] = { "", ", key", ", kept for the end",
					     ", kept for calls inside" };

	buf_printf(o, "%zu%s%s: %s\n", (size_t)(s - p->slots), roles[s->role],
		   s->at_end ? ", at the end" : "", s->text);
}

/* ---- tokens ---- */

void dump_tokens(const struct expr_program *p, struct buf *o)
{
	static const char *const kinds[] = {
		[TOKEN_END] = "end",	   [TOKEN_NAME] = "name", [TOKEN_BUILTIN] = "builtin",
		[TOKEN_NUMBER] = "number", [TOKEN_CHAR] = "char", [TOKEN_STRING] = "string",
		[TOKEN_PUNCT] = "punct",
	};

	for (const struct slot *s = p->slots; (s = slot_used(p, s)); s++) {
		dump_heading(p, s, o);
		for (size_t i = 0; i < s->token_count; i++) {
			const struct token *t = &s->tokens[i];

			buf_printf(o, "  %u-%u %s ", t->span.start, t->span.end, kinds[t->kind]);
			print_span(s, t->span, o);
			if (t->kind == TOKEN_NUMBER || t->kind == TOKEN_CHAR)
				buf_printf(o, " = %llu", (unsigned long long)t->number);
			buf_char(o, '\n');
		}
	}
}

/* ---- nodes, without and with their types ---- */

/* Printed before the words of a node. */
static const char *const node_marks[] = {
	[NODE_MEMBER] = ".",	   [NODE_ARROW] = "->",
	[NODE_INDEX] = "[ ]",	   [NODE_DEREF] = "*",
	[NODE_ADDRESS] = "&",	   [NODE_SYMBOL] = "@",
	[NODE_CHOICE] = "?:",	   [NODE_CAST] = "(",
	[NODE_SIZEOF] = "sizeof ", [NODE_CONTAINER] = "container_of ",
	[NODE_FALLBACK] = "??",	   [NODE_PERCPU] = "percpu ",
	[NODE_PATH] = ":path",	   [NODE_END] = "@end ",
	[NODE_KEPT] = "kept ",	   [NODE_LOOP] = "@",
	[NODE_SOCK] = ":",	   [NODE_LIST] = "@list ",
	[NODE_ROUND] = "round ",   [NODE_INSIDE] = "@in ",
	[NODE_PACKET] = "pcap ",
};

static void print_node(struct buf *o, const struct slot *s, const struct node *n)
{
	if (n->kind == NODE_NUMBER) { /* it may have been a name or a type */
		if (n->fact)
			buf_str(o, expr_fact_name(n->fact));
		else
			buf_int(o, n->number);
		return;
	}
	if (node_marks[n->kind])
		buf_str(o, node_marks[n->kind]);
	print_span(s, n->type_name.span, o);
	switch (n->kind) {
	case NODE_STRING: buf_printf(o, "text of %lld", (long long)n->number); break;
	case NODE_UNARY:
	case NODE_BINARY:
	case NODE_AND:
	case NODE_OR:
		print_span(s, n->op, o);
		buf_str(o, n->other ? "" : " of");
		break;
	case NODE_CAST: buf_char(o, ')'); break;
	case NODE_PACKET: print_span(s, n->argument, o); break;
	case NODE_CONTAINER:
	case NODE_LIST:
		buf_char(o, ' ');
		print_span(s, n->name, o);
		break;
	default: print_span(s, n->name, o);
	}
}

static void print_type(struct buf *o, const struct expr_program *p, const struct node *n)
{
	char text[256];

	ctype_declare(p->btf, n->type, "", text, sizeof(text));
	if (n->builtin && n->builtin->id == BUILTIN_COMM)
		strcpy(text, "string");
	buf_printf(o, "  : %s", text);
	if (n->category == CATEGORY_LVALUE)
		buf_str(o, ", in memory");
	if (n->kind == NODE_MEMBER || n->kind == NODE_ARROW)
		buf_printf(o, " at +%u", n->bit_offset / 8);
	if (n->bit_size)
		buf_printf(o, " bit %u, %u bits", n->bit_offset % 8, n->bit_size);
	if (n->kind == NODE_NAME)
		buf_printf(o, ", parameter %u", n->param + 1);
}

static void print_tree(struct buf *o, const struct expr_program *p, const struct slot *s,
		       const struct node *n, int depth, bool types)
{
	buf_repeat(o, ' ', 2 * depth);
	print_node(o, s, n);
	if (types)
		print_type(o, p, n);
	buf_char(o, '\n');
	for (int i = 0; i < 3; i++) {
		const struct node *children[] = { n->child, n->other, n->third };

		if (children[i])
			print_tree(o, p, s, children[i], depth + 1, types);
	}
}

void dump_ast(const struct expr_program *p, struct buf *o)
{
	for (const struct slot *s = p->slots; (s = slot_used(p, s)); s++) {
		dump_heading(p, s, o);
		if (s->name.end) {
			buf_str(o, "  name ");
			print_span(s, s->name, o);
			buf_char(o, '\n');
		}
		if (s->format.span.end) {
			buf_str(o, "  format ");
			print_span(s, s->format.span, o);
			buf_char(o, '\n');
		}
		if (s->format.bytes)
			print_tree(o, p, s, s->format.bytes, 2, false);
		print_tree(o, p, s, s->root, 1, false);
	}
}

static void print_enum(struct buf *o, const struct slot *s)
{
	int more = 0;

	for (const struct field_name *n = s->store.names; n->name; n++) {
		if (n - s->store.names < 4)
			buf_printf(o, " %s=%llu", n->name, (unsigned long long)n->value);
		else
			more++;
	}
	if (more)
		buf_printf(o, " and %d more", more);
}

void dump_types(const struct expr_program *p, struct buf *o)
{
	for (const struct slot *s = p->slots; (s = slot_used(p, s)); s++) {
		dump_heading(p, s, o);
		print_tree(o, p, s, s->root, 1, true);
		if (s->store.kind == STORE_FILTER) {
			buf_str(o, "  a condition\n");
			continue;
		}
		buf_printf(o, "  shown as %s, %u bytes%s", field_kinds[s->store.type].name,
			   s->store.size,
			   s->store.kind == STORE_STRING && s->store.space == STRING_USER ?
				   ", user memory" :
				   "");
		if (s->store.count)
			buf_printf(o, ", %u elements", s->store.count);
		if (s->store.bit_size)
			buf_printf(o, ", bits %u to %u", s->store.bit_offset,
				   s->store.bit_offset + s->store.bit_size - 1);
		if (s->store.names && s->store.type != FIELD_STRUCT)
			print_enum(o, s);
		buf_char(o, '\n');
	}
}

/* ---- layout ---- */

static const char *const measures[] = {
	[EXPR_COUNT] = "count",
	[EXPR_SUM] = "sum",
	[EXPR_AVG] = "sum for an average",
	[EXPR_MIN] = "least",
	[EXPR_MAX] = "largest",
	[EXPR_HIST] = "powers of two",
	[EXPR_LHIST] = "steps",
	[EXPR_PCT] = "powers of two in 8 steps",
};

static void print_results(struct buf *o, const struct expr_table *t)
{
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		buf_printf(o, "  word %u %s", r->word, measures[r->kind]);
		if (result_is_hist(r))
			buf_printf(o, " in %u buckets, largest, least", r->words - EXPR_HIST_ENDS);
		if (r->text)
			buf_printf(o, " of %s%s", r->text, r->is_signed ? ", signed" : "");
		if (r->unread)
			buf_printf(o, ", unreadable in word %u", r->unread);
		buf_char(o, '\n');
	}
}

void dump_layout(const struct expr_program *p, struct buf *o)
{
	if (p->table.count)
		buf_printf(o, "key of %u bytes, entry of %u words\n", p->table.key_size,
			   p->table.words);
	else
		buf_printf(o, "record of %u bytes\n", p->record.size);
	for (size_t i = 0; i < p->record.schema.count; i++) {
		const struct field *f = &p->record.schema.fields[i];

		buf_printf(o, "  +%u %u bytes %s %s", f->offset, f->size, field_kinds[f->type].name,
			   f->name);
		if (f->count)
			buf_printf(o, ", %u elements", f->count);
		if (f->status)
			buf_printf(o, ", status +%u", f->status - 1);
		if (f->type == FIELD_STRUCT && f->address)
			buf_printf(o, ", address +%u", f->address);
		buf_char(o, '\n');
	}
	print_results(o, &p->table);
}
