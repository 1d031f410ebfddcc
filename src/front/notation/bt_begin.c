/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_begin.c - BEGIN: what it prints and keeps is computed at once, or by one sample.
 */
#include <string.h>

#include "front/notation/bt.h"

/* A value that BEGIN keeps is known in the other probes, unless one of them changes it. */
static bool is_changed(const struct bt *b, const char *map)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *x = b->clauses[i].actions; x; x = x->next)
			if (b->clauses[i].probes[0].kind < BT_BEGIN && x->target &&
			    x->what != BT_REPORT && !strcmp(x->target->text, map))
				return true;
	return false;
}

static void begin_keep(struct bt *b, const struct bt_action *a)
{
	struct notation *n = b->n;
	struct notation_const value = { .text = NULL };
	size_t at = 0;

	if (notation_is_word(a->value, "nsecs") && n->now)
		value = (struct notation_const){ .number = n->now };
	else if (!notation_const(n, a->value, &value))
		notation_fail(n, a->start, a->end, "a number or a text that is known beforehand",
			      "BEGIN cannot keep this for the others");
	for (const struct notation_node *key = a->target->kid; key; key = key->next)
		if (!notation_const_values(n, key))
			notation_fail_node(n, key, "a number or a text that is known beforehand",
					   "BEGIN cannot keep this for the others");
	if (is_changed(b, a->target->text))
		notation_fail(n, a->start, a->end, "counts begin at 0: count(), sum(), ++",
			      "what BEGIN keeps stays: another probe changes this");
	while (at < n->kept_count && !notation_same(n->kept[at].store, a->target))
		at++;
	if (at == NOTATION_KEPT_MAX)
		notation_fail(n, a->start, a->end, NULL, "BEGIN keeps too much");
	if (n->failed)
		return;
	n->kept[at].store = a->target;
	n->kept[at].value = value;
	n->kept_count += at == n->kept_count;
}

/* printf, and print, of what is known; NULL: something is not. */
static const char *begin_text(struct bt *b, const struct bt_action *a)
{
	struct notation_view v = { .n = b->n };
	struct notation_line line = { .count = 0 };
	struct notation_const known;
	const char *text;
	char *to;

	if (a->what == BT_VALUES) {
		text = notation_const_values(b->n, a->value);
		return text ? notation_print(b->n, "%s\n", text) : NULL;
	}
	for (const struct notation_node *value = a->value->next; value; value = value->next)
		if (!notation_const(b->n, value, &known))
			return NULL;
	notation_printf(&v, a->value, a->value->next, &line);
	text = notation_unquote(b->n, notation_print(b->n, "\"%s\"", line.text ?: ""));
	to = (char *)text;
	for (const char *at = text; *at; at++) { /* {{ is a brace */
		at += at[0] == '{' && at[1] == '{';
		*to++ = *at;
	}
	*to = '\0';
	return text;
}

/* 1: it is true; 0: false; -1: only a sample knows. */
static int begin_asks(struct bt *b, const struct bt_action *a)
{
	struct notation_const known;

	if (!a->condition)
		return 1;
	return !notation_const(b->n, a->condition, &known) ? -1 : known.text || known.number;
}

/* @x[1, a]: 5, as it is printed at the end there. */
static const char *kept_text(struct bt *b, size_t i)
{
	struct notation *n = b->n;
	const struct notation_node *store = n->kept[i].store;
	const char *text = store->text, *key;

	for (const struct notation_node *k = store->kid; k; k = k->next) {
		key = notation_const_values(n, k);
		text = notation_print(n, "%s%s%s%s", text, k == store->kid ? "[" : ", ", key ?: "?",
				      k->next ? "" : "]");
	}
	return notation_print(n, "%s: %s\n", text,
			      notation_const_print(n, &n->kept[i].value, NULL, 0));
}

static bool is_cleared(const struct bt *b, const char *map)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (a->what == BT_CLEAR && !strcmp(a->target->text, map))
				return true;
	return false;
}

/* Maps are printed at the end; those of BEGIN only if it is the end. */
static const char *kept_show(struct bt *b, const char *all, bool is_end)
{
	bool is_first = true;

	for (size_t i = 0; i < b->n->kept_count; i++) {
		const char *map = b->n->kept[i].store->text;

		if (is_cleared(b, map))
			continue;
		if (is_end)
			all = notation_print(b->n, "%s%s%s", all ?: "", is_first ? "\n" : "",
					     kept_text(b, i));
		else
			notation_note(b->n, "%s is not printed at the end", map);
		is_first = false;
	}
	return all;
}

static bool is_shown(const struct bt_action *a)
{
	return a->what == BT_PRINTF || a->what == BT_VALUES || a->what == BT_MEASURE;
}

/* Adds what BEGIN prints; values of the machine are read by one sample. */
static void begin_add(struct bt *b, struct bt_clause *c)
{
	bool is_end = bt_has(c, BT_QUIT);
	const char *all = NULL;

	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next) {
		int asks = begin_asks(b, a);
		const char *text;

		if (asks && a->what == BT_KEEP)
			begin_keep(b, a);
		if (!asks || !is_shown(a))
			continue;
		text = asks > 0 && a->what != BT_MEASURE ? begin_text(b, a) : NULL;
		if (!text) {
			c->is_sampled = !b->n->failed;
			return;
		}
		all = notation_print(b->n, "%s%s", all ?: "", text);
	}
	all = kept_show(b, all, is_end);
	if (all || is_end)
		b->n->banner = notation_print(b->n, "%s%s", b->n->banner ?: "", all ?: "");
}

/* A sample ends the run. */
static void sampled_check(struct bt *b)
{
	const struct bt_clause *sampled = NULL;
	size_t events = 0;

	for (size_t i = 0; i < b->clause_count; i++) {
		struct bt_clause *c = &b->clauses[i];

		events += bt_is_event(c);
		if (!c->is_sampled)
			continue;
		sampled = c;
		c->probes[0].prefix = "every:";
		c->probes[0].name = "10ms";
	}
	if (sampled && events > 1)
		notation_fail(
			b->n, sampled->start, sampled->end,
			"a run of its own: BEGIN without the other probes, or every:1",
			"what BEGIN prints here is known by a sample only, which ends the run");
}

/* ---- what it cannot do ---- */

static bool has_events(const struct bt *b)
{
	for (size_t i = 0; i < b->clause_count; i++)
		if (b->clauses[i].probes[0].kind < BT_BEGIN)
			return true;
	return false;
}

static void action_check(struct bt *b, const struct bt_action *a)
{
	struct notation *n = b->n;
	int asks = begin_asks(b, a);

	if (a->what == BT_KEEP && asks < 0)
		notation_fail(n, a->start, a->end, "a condition that is known beforehand",
			      "BEGIN cannot keep this for the others");
	else if (a->what == BT_QUIT && asks && has_events(b))
		notation_fail(n, a->start, a->end, "leave the other probes out",
			      "BEGIN ends the run before the others begin");
	else if (a->what == BT_QUIT && asks < 0)
		notation_fail(n, a->start, a->end, "exit() without the if",
			      "only what is known beforehand decides this");
	else if (a->what == BT_TIME || a->what == BT_JOIN || a->what == BT_REPORT ||
		 a->what == BT_DELETE)
		notation_fail(n, a->start, a->end, "BEGIN prints what is known: printf()",
			      "argdump does not do this in BEGIN");
}

void bt_begin(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++) {
		struct bt_clause *c = &b->clauses[i];

		if (c->probes[0].kind != BT_BEGIN)
			continue;
		if (c->filter)
			notation_fail_node(b->n, c->filter, "if () { … }",
					   "BEGIN happens once: it has no filter here");
		for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
			action_check(b, a);
		begin_add(b, c);
	}
	if (!b->n->failed)
		sampled_check(b);
}
