/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt.c - a program of bpftrace's → words of argdump's command line.
 *
 * A clause is a probe with its values or counts, joined by --and; BEGIN, END and interval are
 * options; what one clause keeps for another makes a pair.
 */
#include <string.h>

#include "front/notation/bt.h"

/* ---- what kind of program it is ---- */

static const struct bt_action *action_find(const struct bt *b, bool counts)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (bt_is_event(&b->clauses[i]) &&
			    (counts ? a->what == BT_MEASURE :
				      a->what == BT_PRINTF || a->what == BT_VALUES ||
					      a->what == BT_JOIN || a->what == BT_TIME))
				return a;
	return NULL;
}

static void mix_check(struct bt *b)
{
	const struct bt_action *count = action_find(b, true), *record = action_find(b, false), *a;

	if (!count || !record)
		return;
	a = count->start > record->start ? count : record;
	notation_fail(b->n, a->start, a->end, "two runs: one that prints, one that counts",
		      "a run counts, or prints each event, and not both");
}

static bool is_silent(const struct bt_clause *c)
{
	return !bt_has(c, BT_PRINTF) && !bt_has(c, BT_VALUES) && !bt_has(c, BT_JOIN) &&
	       !bt_has(c, BT_MEASURE);
}

/* An event may only count in a map, or keep a value for the end of a pair. */
static void maps_check(struct bt *b, const struct bt_clause *c, const struct bt_action *a)
{
	struct notation *n = b->n;

	if (a->what == BT_KEEP && !c->is_begin)
		notation_fail(n, a->start, a->end, "--max EXPR --by KEY, or print each with printf",
			      "no other probe reads what this keeps");
	else if (a->what == BT_REPORT)
		notation_fail(n, a->start, a->end, "interval:s:1 { print(@x); }, or at the end",
			      "an event does not print maps");
	else if (a->what == BT_CLEAR || (a->what == BT_DELETE && !bt_kept(c, a->target)))
		notation_fail(n, a->start, a->end,
			      a->what == BT_CLEAR ? "interval:s:1 { print(@x); clear(@x); }" :
						    "--open shows what has begun and not ended",
			      a->what == BT_CLEAR ? "an event does not clear maps" :
						    "rows of %s stay until the end",
			      a->target->text);
}

static void events_check(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count; i++) {
		const struct bt_clause *c = &b->clauses[i];

		for (const struct bt_action *a = c->actions; a && bt_is_event(c); a = a->next)
			maps_check(b, c, a);
	}
}

static bool is_same_map(struct bt *b, const struct notation_node *one,
			const struct notation_node *other)
{
	return !strcmp(bt_measure_name(b->n, one), bt_measure_name(b->n, other));
}

/* Texts between the brackets are a part of a column's name, any other key is one of the rows. */
static bool has_text_key(const struct notation_node *map)
{
	for (const struct notation_node *key = map->kid; key; key = key->next)
		if (key->kind == NOTATION_LITERAL && key->text[0] == '"')
			return true;
	return false;
}

static void column_check(struct bt *b, const struct bt_action *one, const struct bt_action *a)
{
	bool is_same = !strcmp(one->target->text, a->target->text);

	if (is_same && has_text_key(one->target) != has_text_key(a->target))
		notation_fail(b->n, a->start, a->end, "two maps, @x and @y",
			      "%s has a text for its key in one place, and none in another",
			      a->target->text);
	else if (!is_same && is_same_map(b, one->target, a->target))
		notation_fail(b->n, a->start, a->end, "another name",
			      "%s would have the column of another map", a->target->text);
}

/* Each place that counts, against those before it. */
static void columns_check(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			for (size_t j = 0; j <= i && a->what == BT_MEASURE; j++)
				for (const struct bt_action *x = b->clauses[j].actions; x && x != a;
				     x = x->next)
					if (x->what == BT_MEASURE)
						column_check(b, x, a);
}

/* An event is a row's once. */
static void once_check(struct bt *b, const struct bt_clause *c)
{
	for (const struct bt_action *a = c->actions; a && bt_is_event(c); a = a->next)
		for (const struct bt_action *x = c->actions; x != a; x = x->next)
			if (x->what == BT_MEASURE && a->what == BT_MEASURE &&
			    x->condition == a->condition && is_same_map(b, x->target, a->target))
				notation_fail(b->n, a->start, a->end, "a map of its own",
					      "%s is counted in twice by one event",
					      a->target->text);
}

/* One map that all clauses count in is a count of all probes. */
static void counts_check(struct bt *b)
{
	const struct notation_node *map = NULL;
	size_t count = 0, probes = 0;

	for (size_t i = 0; i < b->clause_count; i++) {
		if (!bt_is_event(&b->clauses[i]))
			continue;
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next) {
			if (a->what != BT_MEASURE)
				continue;
			if (strcmp(a->function, "count") ||
			    (map && !is_same_map(b, map, a->target)))
				return;
			map = a->target;
			count++;
		}
		probes += b->clauses[i].probe_count;
	}
	b->count_all = count > 1 || (count && probes > 1);
	if (b->count_all)
		bt_count_add(b->n, map);
}

/* A map is a column of one place: two would be two columns. */
static void twice_check(struct bt *b, const struct bt_clause *c, const struct bt_action *a)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *x = b->clauses[i].actions; x; x = x->next)
			if (x->what == BT_MEASURE && x->start < a->start &&
			    bt_is_event(&b->clauses[i]) && is_same_map(b, x->target, a->target))
				notation_fail(b->n, a->start, a->end,
					      "a map of its own, @y, or two runs",
					      "%s is counted in at two places", a->target->text);
	for (size_t i = 1; i < c->probe_count; i++)
		if (c->probes[i].kind != c->probes[0].kind)
			notation_fail(b->n, c->probes[i].start, c->probes[i].end,
				      "a probe of its own, with maps of its own",
				      "%s() is of probes of one kind", a->function);
}

static void measures_check(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count && !b->count_all; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (a->what == BT_MEASURE && bt_is_event(&b->clauses[i]))
				twice_check(b, &b->clauses[i], a);
}

/* ---- clauses ---- */

static void request_add(struct bt *b, const struct bt_clause *c, const char *probe,
			const struct notation_node *condition)
{
	if (b->requests++)
		notation_words(b->n, "--and", probe);
	else
		notation_word(b->n, probe);
	if (c->begin && c->is_call)
		notation_word(b->n, "-r");
	else if (c->begin)
		bt_pair_words(b, c);
	bt_values(b, c, condition);
	bt_conditions(b, c, condition);
	bt_exit_words(b, c, condition);
}

static bool shows(const struct bt_action *a)
{
	return a->what == BT_PRINTF || a->what == BT_VALUES || a->what == BT_JOIN ||
	       a->what == BT_MEASURE || a->what == BT_TIME;
}

/* True if an earlier action has this condition. */
static bool is_done(const struct bt_clause *c, const struct bt_action *upto)
{
	for (const struct bt_action *a = c->actions; a != upto; a = a->next)
		if (shows(a) && a->condition == upto->condition)
			return true;
	return false;
}

static void clause_add(struct bt *b, const struct bt_clause *c)
{
	const struct bt_clause *source = c->begin ?: c;
	const char *texts[BT_PROBES_MAX];
	size_t count = bt_probe_texts(b, source, c->begin && c->is_call, texts);

	if (c->begin && !c->is_call && count > 1)
		notation_fail(b->n, source->start, source->end, "KIND:A,KIND:B of one kind",
			      "a pair has begins of one kind");
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		for (size_t i = 0; i < count && shows(a) && !is_done(c, a); i++)
			request_add(b, c, texts[i], a->condition);
}

static void last_options_add(struct bt *b)
{
	struct notation *n = b->n;

	if (b->end_at && b->requests == 1 &&
	    !action_find(b, true)) { /* the record before is the only one */
		n->words[b->end_at] = "-n";
		n->words[b->end_at + 1] = "1";
	}
	if (n->stack_depth && strcmp(n->stack_depth, "127"))
		notation_words(n, "--stack-depth", n->stack_depth);
}

void notation_bpftrace(struct notation *n)
{
	struct bt b = { .n = n };

	bt_parse(&b);
	if (!n->failed)
		bt_pair(&b);
	if (n->failed)
		return;
	bt_reports(&b);
	bt_begin(&b);
	mix_check(&b);
	events_check(&b);
	columns_check(&b);
	counts_check(&b);
	measures_check(&b);
	for (size_t i = 0; i < b.clause_count && b.count_all; i++)
		once_check(&b, &b.clauses[i]);
	for (size_t i = 0; i < b.clause_count && !n->failed; i++) {
		const struct bt_clause *c = &b.clauses[i];

		if (bt_is_event(c))
			bt_exit_check(&b, c);
		if (bt_is_event(c) && !is_silent(c) && !n->failed)
			clause_add(&b, c);
	}
	last_options_add(&b);
	if (!b.requests && !n->banner && !n->failed)
		notation_fail(n, 0, strlen(n->text), "kprobe:vfs_read { @[comm] = count(); }",
			      "no probe of the program prints or counts");
}
