/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_expr.c - nodes → expressions of argdump. Operators are C's on both sides; names and
 * functions are what differs.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

enum { TEXT_MAX = 4000 };

static bool is_call(const struct notation_node *node, const char *name)
{
	return node && node->kind == NOTATION_CALL && !strcmp(node->text, name);
}

/* nsecs, and nsecs() with a clock. */
static bool is_now(const struct notation_node *node)
{
	return notation_is_word(node, "nsecs") || is_call(notation_bare(node), "nsecs");
}

const struct notation_node *notation_stored(struct notation_view *v,
					    const struct notation_node *node)
{
	node = notation_bare(node);
	return node && node->kind == NOTATION_STORE && v->store ? v->store(v, node) : NULL;
}

bool notation_is_latency(struct notation_view *v, const struct notation_node *node)
{
	node = notation_bare(node);
	return node && node->kind == NOTATION_BINARY && !strcmp(node->text, "-") &&
	       is_now(node->kid) && is_now(notation_stored(v, node->kid->next));
}

/* ---- which side a value is of ---- */

struct sides {
	struct notation_view *v;
	bool begin, end;
};

static bool is_who(const char *text)
{
	static const char *const words[] = { "$pid", "$tid", "$comm", "$uid", "$gid", "$cgroup" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], text))
			return true;
	return false;
}

static bool is_read_at_end(struct notation_view *v, const struct notation_node *node)
{
	const char *text = node->kind == NOTATION_WORD && v->name ? v->name(v, node) : "";

	return text[0] == '$' && !(v->is_thread && is_who(text));
}

static void sides_visit(struct sides *s, const struct notation_node *node)
{
	struct notation_view *v = s->v;

	if (node->kind == NOTATION_STORE || notation_is_latency(v, node)) {
		s->begin = true;
		return;
	}
	s->end |= is_read_at_end(v, node);
	s->end |= notation_is_word(node, "args");
	for (const struct notation_node *kid = node->kid; kid; kid = kid->next)
		sides_visit(s, kid);
}

/* True if the node follows a pointer. args.x does not: it is a value of its own. */
static bool is_memory(const struct notation_node *node)
{
	return (node->kind == NOTATION_MEMBER && !notation_is_word(node->kid, "args")) ||
	       node->kind == NOTATION_INDEX ||
	       (node->kind == NOTATION_PREFIX && !strcmp(node->text, "*"));
}

/* True for a value that differs between the entry and the return of a call: memory, the time … */
static bool is_changed(struct notation_view *v, const struct notation_node *node)
{
	static const char *const words[] = { "$ts", "$cpu", "$task", "$cgroup", "@jiffies" };
	const char *text = node->kind == NOTATION_WORD && v->name ? v->name(v, node) : "";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(words[i], text))
			return true;
	return is_memory(node) && !notation_element(v->n, node);
}

/* True if the node has values of the end and none of the begin. */
static bool is_of_end(struct notation_view *v, const struct notation_node *node)
{
	struct sides s = { .v = v };

	if (!v->at_end || v->is_return)
		return v->at_end && is_changed(v, node);
	sides_visit(&s, node);
	return s.end && !s.begin;
}

struct memory_use {
	bool is_read, is_kept;
	struct notation_view *v;
};

static void memory_visit(void *ctx, const struct notation_node *node)
{
	struct memory_use *m = ctx;

	m->is_read |= is_memory(node);
	m->is_kept |= node->kind == NOTATION_STORE && notation_stored(m->v, node);
}

/* bpftrace follows a kept pointer at the end. Here only a pointer that is a call's argument can
 * be followed then. */
static void memory_check(struct notation_view *v, const struct notation_node *node)
{
	struct memory_use use = { .v = v }, kept = { .v = v };
	const struct notation_node *value;

	if (!v->begin || !is_memory(node))
		return;
	notation_walk(node, memory_visit, &use);
	if (!use.is_kept)
		return;
	for (value = node; value->kind != NOTATION_STORE && value->kid;)
		value = value->kid;
	value = notation_stored(v, value);
	if (value)
		notation_walk(value, memory_visit, &kept);
	if (!v->is_return || kept.is_read)
		notation_fail_node(v->n, node, "keep the value itself: @x[KEY] = POINTER->MEMBER",
				   "a pointer that was kept is followed at the begin, not here");
}

/* ---- operands ---- */

static const char *literal_text(struct notation_view *v, const struct notation_node *node)
{
	return isdigit((unsigned char)*node->text) ? notation_number(v->n, node->text) : node->text;
}

const char *notation_word_text(struct notation_view *v, const struct notation_node *node)
{
	return v->name ? v->name(v, node) : node->text;
}

/* The value that was kept at the begin, in the begin's names. */
static const char *store_text(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *value = v->store ? v->store(v, node) : NULL;
	struct notation_view *begin = v->begin ? (struct notation_view *)v->begin : v;
	struct notation_const known;
	const char *text;

	if (!value && notation_const(v->n, node, &known))
		return notation_const_print(v->n, &known, NULL, 0);
	if (!value) {
		notation_fail_node(v->n, node,
				   "a run counts, or prints; what was counted is printed by "
				   "--interval and at the end, --show computes with it",
				   "this map cannot be read here");
		return "";
	}
	if (is_now(value)) {
		notation_fail_node(v->n, node, "nsecs - @start[tid] is $lat, with -r or --until",
				   "a time can only be subtracted from nsecs");
		return "";
	}
	text = notation_text(begin, value);
	value = notation_bare(value);
	return value->kind == NOTATION_BINARY || value->kind == NOTATION_CHOICE ||
			       value->kind == NOTATION_CAST ?
		       notation_print(v->n, "(%s)", text) :
		       text;
}

static void kernel_visit(void *ctx, const struct notation_node *node)
{
	static const char *const roots[] = { "curtask", "$task", "kaddr", "kptr" };
	bool *is_kernel = ctx;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		*is_kernel |= (node->kind == NOTATION_WORD || node->kind == NOTATION_CALL) &&
			      !strcmp(node->text, roots[i]);
}

bool notation_is_user(const struct notation_view *v, const struct notation_node *node)
{
	bool is_kernel = false;

	if (v->is_user)
		notation_walk(node, kernel_visit, &is_kernel);
	return v->is_user && !is_kernel;
}

/* A pointer of a user program's leads to user memory. */
static const char *cast_text(struct notation_view *v, const struct notation_node *node)
{
	const char *operand = notation_text(v, node->kid), *star = strchr(node->text, '*');

	if (!star || !notation_is_user(v, node->kid) || strstr(node->text, "__user"))
		return notation_print(v->n, "(%s)%s", node->text, operand);
	return notation_print(v->n, "(%.*s __user %s)%s",
			      (int)(star - node->text - (star > node->text && star[-1] == ' ')),
			      node->text, star, operand);
}

static const char *member_text(struct notation_view *v, const struct notation_node *node)
{
	const char *member = node->text + (node->text[0] == '-' ? 2 : 1);
	const struct notation_node *element = notation_element(v->n, node);

	if (element)
		return notation_text(v, element);
	if (notation_is_word(node->kid, "args") && v->arg)
		return v->arg(v, node, member);
	return notation_print(v->n, "%s%s", notation_text(v, node->kid), node->text);
}

/* ---- any node ---- */

/* str(x, N) == "text": N decides only if the text is as long. */
static void length_check(struct notation_view *v, const struct notation_node *node)
{
	for (const struct notation_node *kid = node->kid; kid; kid = kid->next) {
		const struct notation_node *call = notation_bare(kid), *other;
		struct notation_const length, text;

		if (call->kind != NOTATION_CALL || !call->kid || !call->kid->next ||
		    (strcmp(call->text, "str") && strcmp(call->text, "kstr") &&
		     strcmp(call->text, "ustr")))
			continue;
		other = kid == node->kid ? kid->next : node->kid;
		if (!notation_const(v->n, other, &text) || !text.text ||
		    !notation_const(v->n, call->kid->next, &length) || length.text ||
		    (size_t)length.number <= strlen(text.text))
			notation_fail_node(v->n, call, "strncmp(str(x), \"text\", N) == 0",
					   "a text is compared as a whole, not N bytes of it");
	}
}

/* An argument or a result is a number there: arg0 + 8 is 8 bytes on, whatever arg0 points at. */
static const char *operand_text(struct notation_view *v, const struct notation_node *node,
				const char *sign)
{
	const struct notation_node *bare = notation_bare(notation_stored(v, node) ?: node);
	bool is_word = bare->kind == NOTATION_WORD && v->is_c && strchr("+-", sign[0]) && !sign[1];
	const char *text = notation_text(v, node);

	if (is_word && !strncmp(bare->text, "arg", 3) && isdigit((unsigned char)bare->text[3]))
		return notation_print(v->n, "(u64)%s", text);
	if (is_word && !strcmp(bare->text, "retval"))
		return notation_print(v->n, "(s64)%s", text);
	return text;
}

static const char *binary_text(struct notation_view *v, const struct notation_node *node)
{
	struct notation_const known;

	if (notation_is_latency(v, node))
		return "$lat";
	if (strchr("=!", node->text[0]) && notation_const(v->n, node, &known)) /* of two texts */
		return known.number ? "1" : "0";
	length_check(v, node);
	return notation_print(v->n, "%s %s %s", operand_text(v, node->kid, node->text), node->text,
			      operand_text(v, node->kid->next, node->text));
}

static const char *paren_text(struct notation_view *v, const struct notation_node *node)
{
	if (node->kid->next) {
		notation_fail_node(v->n, node, "each value is one of its own",
				   "a tuple is no value of argdump's");
		return "";
	}
	return notation_is_latency(v, node) ?
		       "$lat" :
		       notation_print(v->n, "(%s)", notation_text(v, node->kid));
}

static const char *choice_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "%s ? %s : %s", notation_text(v, node->kid),
			      notation_text(v, node->kid->next),
			      notation_text(v, node->kid->next->next));
}

static void symbol_visit(void *ctx, const struct notation_node *node)
{
	*(bool *)ctx |= node->kind == NOTATION_CALL && !strcmp(node->text, "kaddr");
}

/* The address of a symbol is a number, and there are 8 bytes. */
static bool is_symbol_word(const struct notation_node *node)
{
	bool is_symbol = false;

	notation_walk(node->kid, symbol_visit, &is_symbol);
	return is_symbol && !strcmp(node->text, "*") &&
	       notation_bare(node->kid)->kind != NOTATION_CAST;
}

static const char *prefix_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, is_symbol_word(node) ? "%s(u64 *)(%s)" : "%s%s", node->text,
			      notation_text(v, node->kid));
}

static const char *plain_text(struct notation_view *v, const struct notation_node *node)
{
	struct notation *n = v->n;

	switch (node->kind) {
	case NOTATION_LITERAL: return literal_text(v, node);
	case NOTATION_SCRATCH:
	case NOTATION_WORD: return notation_word_text(v, node);
	case NOTATION_STORE: return store_text(v, node);
	case NOTATION_CALL: return notation_call(v, node);
	case NOTATION_PREFIX: return prefix_text(v, node);
	case NOTATION_BINARY: return binary_text(v, node);
	case NOTATION_CHOICE: return choice_text(v, node);
	case NOTATION_MEMBER: return member_text(v, node);
	case NOTATION_INDEX:
		return notation_print(n, "%s[%s]", notation_text(v, node->kid),
				      notation_text(v, node->kid->next));
	case NOTATION_CAST: return cast_text(v, node);
	case NOTATION_PAREN: return paren_text(v, node);
	}
	return "";
}

static void mark_add(struct notation *n, const char *text, const struct notation_node *node)
{
	if (n->mark_count < NOTATION_MARKS_MAX)
		n->marks[n->mark_count++] = (struct notation_mark){ text, node->start, node->end };
}

const char *notation_text(struct notation_view *v, const struct notation_node *node)
{
	struct notation_view inner = *v;
	const char *text;

	if (v->n->failed)
		return "";
	memory_check(v, node);
	if (is_of_end(v, node)) {
		inner.at_end = NULL;
		text = notation_print(v->n, "%s(%s)", v->at_end, plain_text(&inner, node));
	} else {
		text = plain_text(v, node);
	}
	mark_add(v->n, text, node);
	if (strlen(text) < TEXT_MAX)
		return text;
	notation_fail_node(v->n, node, NULL, "this expression is too long");
	return "";
}
