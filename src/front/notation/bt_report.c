/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_report.c - interval and END, where they print and clear maps or end the run: --interval, --clear, --top, -d.
 * Anything else that they say is refused, or it would be left out.
 */
#include <string.h>

#include "front/notation/bt.h"

static bool is_of_map(const struct bt_action *a)
{
	return a->what == BT_REPORT || a->what == BT_CLEAR;
}

/* An interval of maps; else it is an event of its own. */
static bool is_report(const struct bt_clause *c)
{
	bool counts = bt_has(c, BT_MEASURE) || bt_has(c, BT_PRINTF) || bt_has(c, BT_VALUES) ||
		      bt_has(c, BT_KEEP) || bt_has(c, BT_JOIN);

	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (is_of_map(a) || (a->what == BT_QUIT && !counts))
			return true;
	return false;
}

bool bt_is_event(const struct bt_clause *c)
{
	enum bt_kind kind = c->probes[0].kind;

	if (kind == BT_BEGIN)
		return c->is_sampled;
	return kind != BT_ENDING && (kind != BT_INTERVAL || !is_report(c));
}

/* ---- which maps ---- */

/* The first action that counts in it. */
static const struct bt_action *measured(const struct bt *b, const char *map)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (a->what == BT_MEASURE && !strcmp(a->target->text, map))
				return a;
	return NULL;
}

static const struct bt_action *of_map(const struct bt_clause *c, enum bt_do what, const char *map)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == what && !strcmp(a->target->text, map))
			return a;
	return NULL;
}

/* A table has all maps: each is printed, and each is cleared, or none. */
static void all_check(struct bt *b, const struct bt_clause *c, enum bt_do what)
{
	for (size_t i = 0; i < b->clause_count && bt_has(c, what); i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (a->what == BT_MEASURE && !of_map(c, what, a->target->text))
				notation_fail(b->n, c->start, c->end, "all maps, or two runs",
					      "this leaves %s out, and a table has all maps",
					      a->target->text);
}

/* ---- interval ---- */

static bool is_allowed(const struct bt_action *a)
{
	return is_of_map(a) || a->what == BT_QUIT || a->what == BT_TIME;
}

/* A table has the time above it; time() in another form would be lost. */
static bool is_table_time(struct bt *b, const struct bt_action *a)
{
	const char *form = a->value ? notation_unquote(b->n, a->value->text) : "%H:%M:%S";
	size_t len = strcspn(form, " \n");

	return !form[len + strspn(form + len, " \n")] &&
	       (!strncmp(form, "%H:%M:%S", len) ? len == 8 : len == 2 && !strncmp(form, "%T", 2));
}

static void action_check(struct bt *b, const struct bt_action *a)
{
	struct notation *n = b->n;

	if (a->what == BT_TIME && !is_table_time(b, a))
		notation_fail(n, a->start, a->end, "time(\"%H:%M:%S\\n\")",
			      "the time above a table has no other form");
	else if (!is_allowed(a))
		notation_fail(
			n, a->start, a->end,
			"print(@x), clear(@x), zero(@x), exit(); --interval prints the time above each table",
			"where maps are printed, argdump does nothing else");
	else if (a->condition)
		notation_fail_node(n, a->condition, "without the if",
				   "what an interval does has no condition");
	else if (a->what == BT_CLEAR && a->target->kid)
		notation_fail_node(n, a->target, "clear(@x)",
				   "one row cannot be cleared by itself");
	else if (is_of_map(a) && !measured(b, a->target->text))
		notation_fail_node(n, a->target, NULL, "no probe counts in %s", a->target->text);
}

/* The number of rows of print(@x, N); NULL: all. */
static const char *top_read(struct bt *b, const struct bt_clause *c)
{
	const char *top = NULL;
	const struct notation_node *rows;
	bool is_first = true;

	for (const struct bt_action *a = c->actions; a; a = a->next) {
		if (a->what != BT_REPORT)
			continue;
		rows = a->target->next;
		if (rows && (rows->kind != NOTATION_LITERAL || rows->next))
			notation_fail_node(b->n, rows, "print(@x, N)",
					   "one number of rows expected");
		if (!is_first && (!rows != !top || (rows && strcmp(rows->text, top))))
			notation_fail(b->n, a->start, a->end, "the same number for all",
				      "a table has one number of rows");
		top = rows ? rows->text : NULL;
		is_first = false;
	}
	return top;
}

static void order_check(struct bt *b, const struct bt_clause *c)
{
	bool cleared = false;

	for (const struct bt_action *a = c->actions; a; a = a->next) {
		cleared |= a->what == BT_CLEAR;
		if (a->what == BT_REPORT && cleared)
			notation_fail(b->n, a->start, a->end, "print(@x); clear(@x);",
				      "nothing is left to be printed");
	}
	if (cleared && !bt_has(c, BT_REPORT))
		notation_fail(b->n, c->start, c->end, "print(@x); clear(@x);",
			      "an interval that clears prints, too");
}

static void once_check(struct bt *b, const struct bt_clause *c, enum bt_do what)
{
	for (size_t i = 0; i < b->clause_count; i++) {
		const struct bt_clause *other = &b->clauses[i];

		if (other < c && other->probes[0].kind == BT_INTERVAL && !bt_is_event(other) &&
		    bt_has(c, what) && bt_has(other, what))
			notation_fail(b->n, c->start, c->end, NULL,
				      what == BT_QUIT ? "a run ends once" :
							"a run has one interval");
	}
}

static void interval_check(struct bt *b, const struct bt_clause *c)
{
	if (c->filter)
		notation_fail_node(b->n, c->filter, "without the filter",
				   "what an interval does has no condition");
	if (c->probe_count > 1)
		notation_fail(b->n, c->probes[1].start, c->probes[1].end, "a probe of its own",
			      "an interval of maps is no event");
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		action_check(b, a);
	if (b->n->failed)
		return;
	order_check(b, c);
	all_check(b, c, BT_REPORT);
	all_check(b, c, BT_CLEAR);
	once_check(b, c, BT_QUIT);
	once_check(b, c, BT_REPORT);
}

static void interval_add(struct bt *b, const struct bt_clause *c)
{
	const char *period = c->probes[0].period, *top;

	interval_check(b, c);
	if (b->n->failed)
		return;
	if (bt_has(c, BT_QUIT))
		notation_words(b->n, "-d", period);
	else if (bt_has(c, BT_REPORT))
		notation_words(b->n, "--interval", period);
	if (bt_has(c, BT_CLEAR) && !bt_has(c, BT_QUIT))
		notation_word(b->n, "--clear");
	top = top_read(b, c);
	if (top)
		notation_words(b->n, "--top", top);
	b->has_interval |= bt_has(c, BT_REPORT) && !bt_has(c, BT_QUIT);
	b->has_top |= top != NULL;
}

/* ---- END ---- */

static void end_action_check(struct bt *b, const struct bt_action *a)
{
	if (!is_of_map(a))
		notation_fail(b->n, a->start, a->end, "print(@x), clear(@x), zero(@x)",
			      "argdump does not do this in END");
	else if (a->condition)
		notation_fail_node(b->n, a->condition, "without the if",
				   "what END does has no condition");
	else if (a->what == BT_REPORT && !measured(b, a->target->text))
		notation_fail_node(b->n, a->target, NULL, "no probe counts in %s", a->target->text);
}

/* Maps that END does not clear are printed whole after it. */
static void printed_check(struct bt *b, const struct bt_clause *c, const struct bt_action *a)
{
	const char *map = a->target->text;

	if (a->what == BT_REPORT && a->target->next && !of_map(c, BT_CLEAR, map))
		notation_fail(b->n, a->start, a->end,
			      notation_print(b->n, "clear(%s) behind it; --top N", map),
			      "all of %s is printed behind this", map);
	else if (a->what == BT_CLEAR && !of_map(c, BT_REPORT, map) && measured(b, map) &&
		 !b->has_interval)
		notation_fail(b->n, a->start, a->end,
			      notation_print(b->n, "print(%s) before it", map),
			      "nothing of %s would be printed", map);
	else if (a->what == BT_CLEAR && !of_map(c, BT_REPORT, map) && measured(b, map))
		notation_note(b->n,
			      "what was counted since the last interval is printed at the end");
}

static void end_add(struct bt *b, const struct bt_clause *c)
{
	const char *top;

	if (c->filter)
		notation_fail_node(b->n, c->filter, "without the filter",
				   "what END does has no condition");
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		end_action_check(b, a);
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		printed_check(b, c, a);
	if (b->n->failed)
		return;
	top = top_read(b, c);
	if (top && (b->has_interval || b->has_top))
		notation_fail(b->n, c->start, c->end, "print(@x, N) in the interval",
			      "a run has one number of rows");
	else if (top)
		notation_words(b->n, "--top", top);
}

void bt_reports(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++)
		if (b->clauses[i].probes[0].kind == BT_INTERVAL && !bt_is_event(&b->clauses[i]))
			interval_add(b, &b->clauses[i]);
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++)
		if (b->clauses[i].probes[0].kind == BT_ENDING)
			end_add(b, &b->clauses[i]);
}
