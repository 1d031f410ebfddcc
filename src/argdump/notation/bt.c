/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt.c - a program of bpftrace's → words of argdump's command line.
 *
 * A clause is a probe with its values or counts, joined by --and; BEGIN, END and interval are
 * options; what one clause keeps for another makes a pair.
 */
#include <string.h>

#include "argdump/notation/bt.h"

/* ---- interval, BEGIN, END ---- */

/* printf("%d\n", @x) */
static bool prints_map(const struct bt_action *a)
{
	if (a->what != BT_PRINTF || !a->value->next)
		return false;
	for (const struct notation_node *value = a->value->next; value; value = value->next)
		if (value->kind != NOTATION_STORE)
			return false;
	return true;
}

static bool has_map(const struct bt_clause *c)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == BT_REPORT || a->what == BT_CLEAR || prints_map(a))
			return true;
	return false;
}

/* Prints, clears, ends: no values of its own. */
static bool is_report(const struct bt_clause *c)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == BT_MEASURE || a->what == BT_KEEP || a->what == BT_VALUES ||
		    (a->what == BT_PRINTF && a->value->next && !prints_map(a)))
			return false;
	return true;
}

static bool is_event(const struct bt_clause *c)
{
	enum bt_kind kind = c->probes[0].kind;

	if (kind == BT_BEGIN)
		return c->is_sampled;
	return kind != BT_ENDING && (kind != BT_INTERVAL || !is_report(c));
}

static void interval_add(struct bt *b, const struct bt_clause *c)
{
	const char *period = c->probes[0].period;

	if (bt_has(c, BT_QUIT))
		notation_words(b->n, "-d", period);
	else if (has_map(c))
		notation_words(b->n, "--interval", period);
	if (bt_has(c, BT_CLEAR))
		notation_word(b->n, "--clear");
	for (const struct bt_action *a = c->actions; a; a = a->next) {
		if (a->what == BT_REPORT && a->target->next &&
		    a->target->next->kind == NOTATION_LITERAL) {
			notation_words(b->n, "--top", a->target->next->text);
			return;
		}
	}
}

/* What BEGIN keeps is known in the other probes, unless one of them changes it. */
static void begin_keep(struct bt *b, const struct bt_action *a)
{
	struct notation *n = b->n;
	struct notation_const value;

	if (notation_is_word(a->value, "nsecs") && n->now)
		value = (struct notation_const){ .number = n->now };
	else if (!notation_const(n, a->value, &value))
		return;
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *x = b->clauses[i].actions; x; x = x->next)
			if (b->clauses[i].probes[0].kind != BT_BEGIN &&
			    (x->what == BT_KEEP || x->what == BT_MEASURE) &&
			    !strcmp(x->target->text, a->target->text))
				return;
	if (n->kept_count == NOTATION_KEPT_MAX)
		return;
	n->kept[n->kept_count].store = a->target;
	n->kept[n->kept_count++].value = value;
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

/* Adds what BEGIN prints, or has it looked at once, by a sample. */
static void begin_add(struct bt *b, struct bt_clause *c)
{
	const char *all = NULL;

	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next) {
		int asks = begin_asks(b, a);
		const char *text;

		if (asks > 0 && a->what == BT_KEEP)
			begin_keep(b, a);
		if (!asks || (a->what != BT_PRINTF && a->what != BT_VALUES))
			continue;
		text = asks > 0 ? begin_text(b, a) : NULL;
		if (!text) {
			c->is_sampled = !b->n->failed;
			return;
		}
		all = notation_print(b->n, "%s%s", all ?: "", text);
	}
	if (all || bt_has(c, BT_QUIT))
		b->n->banner = notation_print(b->n, "%s%s", b->n->banner ?: "", all ?: "");
}

/* A sample ends the run. */
static void sampled_check(struct bt *b)
{
	const struct bt_clause *sampled = NULL;
	size_t events = 0;

	for (size_t i = 0; i < b->clause_count; i++) {
		struct bt_clause *c = &b->clauses[i];

		events += is_event(c);
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

static void options_add(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count; i++) {
		struct bt_clause *c = &b->clauses[i];

		if (c->probes[0].kind == BT_BEGIN)
			begin_add(b, c);
		else if (c->probes[0].kind == BT_ENDING && bt_has(c, BT_PRINTF))
			notation_note(b->n, "what END prints is left out");
		else if (c->probes[0].kind == BT_INTERVAL && is_report(c))
			interval_add(b, c);
	}
}

/* ---- what kind of program it is ---- */

static const struct bt_action *action_find(const struct bt *b, bool counts)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (is_event(&b->clauses[i]) &&
			    (counts ? a->what == BT_MEASURE :
				      a->what == BT_PRINTF || a->what == BT_VALUES))
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
	return !bt_has(c, BT_PRINTF) && !bt_has(c, BT_VALUES) && !bt_has(c, BT_MEASURE);
}

/* Only a begin of a pair may do nothing else. */
static void kept_check(struct bt *b)
{
	for (size_t i = 0; i < b->clause_count; i++) {
		const struct bt_clause *c = &b->clauses[i];

		for (const struct bt_action *a = c->actions; a; a = a->next)
			if (a->what == BT_KEEP && !c->is_begin && !c->begin && is_event(c))
				notation_fail(b->n, a->start, a->end,
					      "--max EXPR --by KEY, or print each with printf",
					      "no other probe reads what this keeps");
		if (bt_has(c, BT_QUIT) && bt_has(c, BT_MEASURE) && is_event(c))
			notation_fail(b->n, c->start, c->end,
				      "-n N stops after N records, -d SEC after a time",
				      "argdump cannot end at an event that is counted");
	}
}

static bool is_same_map(struct bt *b, const struct notation_node *one,
			const struct notation_node *other)
{
	return !strcmp(bt_measure_name(b->n, one), bt_measure_name(b->n, other));
}

/* One map that all clauses count in is a count of all probes. */
static void counts_look(struct bt *b)
{
	const struct notation_node *map = NULL;
	size_t count = 0, probes = 0;

	for (size_t i = 0; i < b->clause_count; i++) {
		if (!is_event(&b->clauses[i]))
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
	b->ends |= c->is_sampled || (bt_has(c, BT_QUIT) && !bt_has(c, BT_MEASURE));
}

static bool shows(const struct bt_action *a)
{
	return a->what == BT_PRINTF || a->what == BT_VALUES || a->what == BT_MEASURE;
}

/* Was this condition among those of earlier actions? */
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
	for (size_t i = 0; i < count && is_silent(c) && !b->n->failed; i++)
		request_add(b, c, texts[i], NULL);
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		for (size_t i = 0; i < count && shows(a) && !is_done(c, a); i++)
			request_add(b, c, texts[i], a->condition);
}

static void last_options_add(struct bt *b)
{
	struct notation *n = b->n;

	if (b->ends)
		notation_words(n, "-n", "1");
	if (n->time)
		notation_word(n, n->time);
	if (n->stack_depth)
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
	options_add(&b);
	sampled_check(&b);
	mix_check(&b);
	kept_check(&b);
	counts_look(&b);
	for (size_t i = 0; i < b.clause_count && !n->failed; i++) {
		const struct bt_clause *c = &b.clauses[i];

		if (is_event(c) && !(c->is_begin && is_silent(c)))
			clause_add(&b, c);
	}
	last_options_add(&b);
	if (!b.requests && !n->banner && !n->failed)
		notation_fail(n, 0, strlen(n->text), "kprobe:vfs_read { @[comm] = count(); }",
			      "no probe of the program prints or counts");
}
