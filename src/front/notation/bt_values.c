/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_values.c - the actions of a clause → values, counts, conditions.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/bt.h"

enum { JOIN_WORDS = 16 };

bool bt_has(const struct bt_clause *c, enum bt_do what)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == what)
			return true;
	return false;
}

/* ---- conditions ---- */

static bool is_binary(const struct notation_node *node, const char *sign)
{
	return node && node->kind == NOTATION_BINARY && !strcmp(node->text, sign);
}

static bool is_zero(const struct notation_node *node)
{
	node = notation_bare(node);
	return node->kind == NOTATION_LITERAL && !strcmp(node->text, "0");
}

/* The implicit filter of every end: was the begin seen? */
bool bt_asks_begin(const struct bt_clause *c, const struct notation_node *node)
{
	if (is_binary(node, "!=") || is_binary(node, ">"))
		node = is_zero(node->kid->next) ? notation_bare(node->kid) : node;
	if (node->kind == NOTATION_CALL && !strcmp(node->text, "has_key") && node->kid)
		node = notation_bare(node->kid);
	return node->kind == NOTATION_STORE && bt_kept(c, node);
}

/* A test of the kept value also is that test, unless the value can be 0. NULL if it cannot be. */
static const struct notation_node *asked_value(const struct bt_clause *c,
					       const struct notation_node *node)
{
	const struct notation_node *kept;

	if (node->kind == NOTATION_CALL)
		return NULL;
	kept = bt_kept(c, node->kind == NOTATION_STORE ? node : notation_bare(node->kid));
	return kept && notation_is_word(kept, "nsecs") ? NULL : node;
}

/* cgroup == cgroupid("PATH") */
static const char *cgroup_path(struct notation *n, const struct notation_node *node)
{
	const struct notation_node *call = node->kid ? notation_bare(node->kid->next) : NULL;

	if (!is_binary(node, "==") || !notation_is_word(node->kid, "cgroup") ||
	    call->kind != NOTATION_CALL || strcmp(call->text, "cgroupid") || !call->kid ||
	    call->kid->kind != NOTATION_LITERAL)
		return NULL;
	return notation_unquote(n, call->kid->text);
}

/* Each operand of && by itself. */
static void operands_add(struct notation_view *v, const struct notation_node *node,
			 const char **text)
{
	const struct bt_clause *c = v->ctx;
	const struct notation_node *bare = notation_bare(node);
	const char *more, *path;

	if (is_binary(bare, "&&")) {
		operands_add(v, bare->kid, text);
		operands_add(v, bare->kid->next, text);
		return;
	}
	if (bt_asks_begin(c, bare)) {
		bare = asked_value(c, bare);
		if (!bare)
			return;
	}
	path = cgroup_path(v->n, bare);
	if (path) {
		notation_words(v->n, "--cgroup", path);
		return;
	}
	more = notation_text(v, bare);
	if (is_binary(bare, "||") || bare->kind == NOTATION_CHOICE)
		more = notation_print(v->n, "(%s)", more);
	*text = *text ? notation_print(v->n, "%s && %s", *text, more) : more;
}

static void condition_add(struct notation_view *v, const struct notation_node *a,
			  const struct notation_node *b)
{
	const char *text = NULL;

	if (a)
		operands_add(v, a, &text);
	if (b)
		operands_add(v, b, &text);
	if (text)
		notation_words(v->n, "--if", text);
}

const char *bt_condition_text(struct bt *b, const struct bt_clause *c,
			      const struct notation_node *node)
{
	struct notation_view v, begin;
	const char *text = NULL;

	bt_view(b, c, &v, &begin);
	operands_add(&v, node, &text);
	return text;
}

void bt_conditions(struct bt *b, const struct bt_clause *c, const struct notation_node *condition)
{
	struct notation_view v, begin;

	if (c->begin) {
		const struct bt_action *keep = c->begin->actions;

		while (keep && keep->what != BT_KEEP)
			keep = keep->next;
		bt_view(b, c->begin, &v, NULL);
		condition_add(&v, c->begin->filter, keep ? keep->condition : NULL);
	}
	bt_view(b, c, &v, &begin);
	condition_add(&v, c->filter, condition);
}

/* ---- counts ---- */

/* The name of a column: @ns, or the text in quotes between the brackets. */
const char *bt_measure_name(struct notation *n, const struct notation_node *map)
{
	const char *name = map->text + 1;

	for (const struct notation_node *key = map->kid; key; key = key->next) {
		char *at;

		if (key->kind != NOTATION_LITERAL || key->text[0] != '"')
			continue;
		name = notation_print(n, "%s%s%s", name, *name ? "_" : "",
				      notation_unquote(n, key->text));
		for (at = (char *)name; *at; at++)
			if (!isalnum((unsigned char)*at))
				*at = '_';
	}
	return isdigit((unsigned char)*name) ? notation_print(n, "_%s", name) : name;
}

static const char *keys_text(struct notation_view *v, const struct notation_node *map)
{
	const struct notation_node *key = map->kid;
	const char *text = NULL, *value;

	/* (a, b) is also a list */
	if (key && !key->next && key->kind == NOTATION_PAREN && key->kid->next)
		key = key->kid;
	for (; key; key = key->next) {
		if (key->kind == NOTATION_LITERAL && key->text[0] == '"')
			continue;
		if (notation_time_form(v, key))
			notation_fail_node(v->n, key, "nsecs / 1000000000 for each second",
					   "a key has no form of a time");
		value = notation_value(v, key, 0);
		if (!value)
			notation_fail_node(v->n, key, NULL, "this cannot be counted by");
		else if (value[0] == '@' || value[0] == '"') /* @end(…), probe */
			value = notation_print(v->n, "%s=%s", notation_name(key), value);
		text = text ? notation_print(v->n, "%s,%s", text, value ?: "") : value;
	}
	return text;
}

static void lhist_add(struct notation_view *v, const struct bt_action *a, const char *value)
{
	const struct notation_node *kid = a->value->next;

	for (int i = 0; i < 3; i++, kid = kid ? kid->next : NULL) {
		if (!kid) {
			notation_fail(v->n, a->start, a->end, NULL,
				      "lhist(EXPR, LOW, HIGH, STEP) expected");
			return;
		}
		value = notation_print(v->n, "%s,%s", value, notation_text(v, kid));
	}
	notation_words(v->n, "--lhist", value);
}

void bt_count_add(struct notation *n, const struct notation_node *map)
{
	const char *name = bt_measure_name(n, map);

	notation_word(n, !notation_is_reserved(name) ? notation_print(n, "--count=%s", name) :
						       "--count");
}

static void measure_add(struct notation_view *v, const struct bt_action *a)
{
	struct notation *n = v->n;
	const char *name = bt_measure_name(n, a->target), *value;

	if (!strcmp(a->function, "count")) {
		bt_count_add(n, a->target);
		return;
	}
	if (!a->value) {
		notation_fail(n, a->start, a->end, NULL, "%s() needs a value", a->function);
		return;
	}
	value = notation_text(v, a->value);
	if (!notation_is_reserved(name))
		value = notation_print(n, "%s=%s", name, value);
	if (!strcmp(a->function, "stats")) {
		notation_word(n, "--count");
		notation_words(n, "--avg", notation_text(v, a->value));
		notation_words(n, "--sum", value);
	} else if (!strcmp(a->function, "lhist")) {
		lhist_add(v, a, value);
	} else {
		notation_words(n, notation_print(n, "--%s", a->function), value);
	}
}

/* ---- all actions ---- */

struct made {
	struct notation_line line;
	const char *by;			  /* keys of the maps; NULL: none */
	const struct bt_action *measured; /* the first map */
};

/* LIST[i], unless a word before it is the NULL that ends the list. */
static const char *join_word(struct notation *n, const char *list, int i)
{
	const char *text = "", *zeros = "";

	for (int at = 0; at < i; at++) {
		text = notation_print(n, "%s%s[%d] ? ", text, list, at);
		zeros = notation_print(n, "%s : 0", zeros);
	}
	return notation_print(n, "arg%d=%s%s[%d]%s:ustr", i, text, list, i, zeros);
}

/* The text before a known word; a brace ends it. */
static const char *join_between(struct notation_view *v, const struct bt_action *a)
{
	const struct notation_node *text = a->value->next;
	const char *between = text ? notation_unquote(v->n, text->text) : " ";

	if (text && (text->text[0] != '"' || strpbrk(between, "{}\\\n") || strlen(between) > 16))
		notation_fail_node(v->n, text, "join(args.argv, \",\")",
				   "this cannot stand between words");
	return between;
}

static void join_add(struct notation_view *v, const struct bt_action *a, struct made *m)
{
	const char *list = notation_text(v, a->value), *between = join_between(v, a), *text;

	if (!v->is_user)
		notation_fail_node(v->n, a->value,
				   "tracepoint:syscalls:sys_enter_execve { join(args.argv); }",
				   "only a program's own list of words is joined");
	notation_note(v->n, "the first %d words are shown; execsnoop shows all", JOIN_WORDS);
	for (int i = 0; i < JOIN_WORDS && m->line.count < NOTATION_VALUES_MAX; i++) {
		m->line.words[m->line.count++] = join_word(v->n, list, i);
		text = i ? notation_print(v->n, "%s{arg%d:+%s}", m->line.text ?: "", i, between) :
			   notation_print(v->n, "%s{arg0:+}", m->line.text ?: "");
		m->line.text = text;
	}
	notation_line_text(v->n, "\n", &m->line);
}

/* The time of the event, as by strftime. */
static void time_add(struct notation_view *v, const struct bt_action *a, struct made *m)
{
	const char *form = a->value ? a->value->text : "\"%H:%M:%S\\n\"";
	size_t len = strlen(form);
	bool ends = len > 4 && !strcmp(form + len - 3, "\\n\"");
	struct notation_node now = { .kind = NOTATION_WORD, .text = "nsecs" };
	struct notation_node text = { .kind = NOTATION_LITERAL, .next = &now };
	struct notation_node call = { .kind = NOTATION_CALL, .text = "strftime", .kid = &text };

	text.start = call.start = now.start = a->start;
	text.end = call.end = now.end = a->end;
	text.text = ends ? notation_print(v->n, "%.*s\"", (int)len - 3, form) : form;
	notation_line_value(v, &call, &m->line);
	if (ends)
		notation_line_text(v->n, "\n", &m->line);
}

static void values_add(struct notation_view *v, const struct bt_action *a, struct made *m)
{
	const char *value;

	value = notation_const_values(v->n, a->value);
	if (value)
		notation_line_text(v->n, value, &m->line);
	else
		notation_line_value(v, a->value, &m->line);
	notation_line_text(v->n, "\n", &m->line);
}

static void action_add(struct bt *b, struct notation_view *v, const struct bt_action *a,
		       struct made *m)
{
	const char *by;

	switch (a->what) {
	case BT_PRINTF: notation_printf(v, a->value, a->value->next, &m->line); return;
	case BT_VALUES: values_add(v, a, m); return;
	case BT_JOIN: join_add(v, a, m); return;
	case BT_TIME: time_add(v, a, m); return;
	case BT_MEASURE: break;
	default: return;
	}
	if (!b->count_all)
		measure_add(v, a);
	by = keys_text(v, a->target);
	if (m->measured && (!by != !m->by || (by && strcmp(by, m->by))))
		notation_fail_node(b->n, a->target, "a table has one list of keys: two runs",
				   "this map has other keys than %s", m->measured->target->text);
	m->measured = a;
	m->by = by;
}

void bt_values(struct bt *b, const struct bt_clause *c, const struct notation_node *condition)
{
	struct notation_view v, begin;
	struct made m = { .measured = NULL };

	bt_view(b, c, &v, &begin);
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		if (a->condition == condition)
			action_add(b, &v, a, &m);
	notation_line_words(b->n, &m.line);
	if (m.by)
		notation_words(b->n, "--by", m.by);
}
