/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_parse.c - a program of bpftrace's → clauses.
 *
 *	program := { probe {',' probe} ['/' filter '/'] '{' { statement } '}' }
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/bt.h"
#include "util/suggest.h"

/* ---- actions ---- */

struct bt_action *bt_action_add(struct bt_block *k, enum bt_do what, size_t start)
{
	struct bt_action *a = notation_alloc(k->b->n, sizeof(*a)), **end = &k->clause->actions;

	if (!a)
		return NULL;
	*a = (struct bt_action){
		.what = what, .condition = k->condition, .start = start, .end = k->b->n->last_end
	};
	while (*end)
		end = &(*end)->next;
	if (!k->is_skipped)
		*end = a;
	return a;
}

/* Functions that count, and their number of arguments. */
static const struct {
	const char *name;
	size_t arguments;
} measures[] = { { "count", 0 }, { "sum", 1 },	{ "avg", 1 },	{ "min", 1 },
		 { "max", 1 },	 { "hist", 1 }, { "lhist", 4 }, { "stats", 1 } };
enum { MEASURES = sizeof(measures) / sizeof(measures[0]) };

static bool is_measure(const char *name)
{
	for (size_t i = 0; i < MEASURES; i++)
		if (!strcmp(measures[i].name, name))
			return true;
	return false;
}

static void measure_check(struct bt_block *k, const struct notation_node *call)
{
	size_t count = 0;

	for (const struct notation_node *kid = call->kid; kid; kid = kid->next)
		count++;
	for (size_t i = 0; i < MEASURES; i++)
		if (!strcmp(measures[i].name, call->text) && measures[i].arguments != count)
			notation_fail_node(
				k->b->n, call, i == 6 ? "lhist(EXPR, LOW, HIGH, STEP)" : NULL,
				"%s() has %zu argument%s", call->text, measures[i].arguments,
				measures[i].arguments == 1 ? "" : "s");
}

/* Reports a misspelt function: @x = cuont(). pid() is the same as pid. */
static void function_check(struct bt_block *k, const struct notation_node *value)
{
	struct suggestion nearest;
	const char *name;

	if (value->kind != NOTATION_CALL || notation_is_function(value->text) ||
	    (!value->kid && bt_is_builtin(value->text)))
		return;
	suggest_init(&nearest, value->text);
	for (size_t i = 0; i < MEASURES; i++)
		suggest_offer(&nearest, measures[i].name);
	notation_functions_offer(&nearest);
	name = suggest_get(&nearest);
	notation_fail_node(
		k->b->n, value,
		name ? notation_print(k->b->n, "did you mean %s()?", name) :
		       "count() sum(x) avg(x) min(x) max(x) hist(x) lhist(x, LOW, HIGH, STEP)",
		"there is no function %s()", value->text);
}

static void measure_add(struct bt_block *k, struct notation_node *map, const char *function,
			struct notation_node *value)
{
	struct bt_action *a = bt_action_add(k, BT_MEASURE, map->start);

	if (k->is_left && !k->is_skipped)
		notation_fail_node(k->b->n, map, "sum(N) adds N at once",
				   "a probe counts once in each map, not in a loop");
	if (!a)
		return;
	a->function = function;
	a->target = map;
	a->value = value;
}

/* @x + …, for @x */
static bool is_sum(const struct notation_node *value, const struct notation_node *map)
{
	return value->kind == NOTATION_BINARY && !strcmp(value->text, "+") &&
	       notation_same(value->kid, map);
}

static bool is_one(const struct notation_node *value)
{
	return value->kind == NOTATION_LITERAL && !strcmp(value->text, "1");
}

static bool is_nothing(const struct notation_node *value)
{
	return value->kind == NOTATION_LITERAL && !strcmp(value->text, "0");
}

/* True if @x = 0 restarts a count. */
static bool clears(const struct bt_block *k)
{
	return k->clause->probes[0].kind == BT_INTERVAL;
}

/* @x[keys] = …, ++, += … */
static void map_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;
	struct notation_node *map = notation_expr(n), *value;
	struct bt_action *a;

	if (!map || n->failed)
		return;
	if (map->kind != NOTATION_STORE) {
		notation_fail_node(n, map, "@x[keys] = count(), printf(…)",
				   "a value by itself does nothing");
	} else if (notation_accept(n, "++")) {
		measure_add(k, map, "count", NULL);
	} else if (notation_accept(n, "+=")) {
		value = notation_expr(n);
		if (value)
			measure_add(k, map, "sum", value);
	} else if (notation_accept(n, "=")) {
		value = notation_expr(n);
		if (value && value->kind == NOTATION_CALL && is_measure(value->text)) {
			measure_check(k, value);
			measure_add(k, map, value->text, value->kid);
		} else if (value && is_sum(value, map)) {
			value = value->kid->next;
			measure_add(k, map, is_one(value) ? "count" : "sum", value);
		} else if (value && is_nothing(value) && clears(k) && !map->kid) {
			a = bt_action_add(k, BT_CLEAR, map->start);
			if (a)
				a->target = map;
		} else if (value) {
			function_check(k, value);
			a = bt_action_add(k, BT_KEEP, map->start);
			if (a) {
				a->target = map;
				a->value = value;
			}
		}
	} else {
		notation_fail(n, n->start, n->end,
			      "maps are counted in (count(), sum(x), ++), or keep what a later "
			      "probe of the same key reads",
			      "=, ++ or += expected");
	}
}

/* A binary node. */
static struct notation_node *changed(struct bt_block *k, const char *sign, struct notation_node *a,
				     struct notation_node *b)
{
	struct notation_node *paren = b ? notation_node(k->b->n, NOTATION_PAREN, "", b) : NULL;

	if (!a || !paren)
		return NULL;
	a->next = paren;
	return notation_node(k->b->n, NOTATION_BINARY, sign, a);
}

/* $x++, $x += …; NULL: it is none of these. */
static struct notation_node *var_changed(struct bt_block *k, const char *name)
{
	struct notation *n = k->b->n;
	const char *sign = n->token == NOTATION_SIGN ? notation_token_text(n) : "";
	size_t len = strlen(sign);
	struct notation_node *old;

	if (len < 2 || (strcmp(sign, "++") && strcmp(sign, "--") && sign[len - 1] != '=') ||
	    (len == 2 && strchr("=!<>", *sign)))
		return NULL;
	notation_next(n);
	old = notation_var(n, name);
	if (sign[1] == sign[0])
		return changed(k, sign[0] == '+' ? "+" : "-", old,
			       notation_node(n, NOTATION_LITERAL, "1", NULL));
	return changed(k, notation_print(n, "%.*s", (int)len - 1, sign), old, notation_expr(n));
}

/* $x = …: an abbreviation. */
static void var_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;
	const char *name = notation_token_text(n);
	size_t start = n->start;
	struct notation_node *value;

	notation_next(n);
	value = var_changed(k, name);
	if (!value && !n->failed && !notation_is(n, "="))
		notation_fail(n, start, n->end, "$x = EXPR, $x += EXPR, $x++", "'=' expected");
	for (size_t i = 0; i < n->var_count && k->condition; i++)
		if (!strcmp(n->vars[i].name, name))
			notation_fail(n, start, n->last_end, "COND ? A : B",
				      "%s would have two values", name);
	if (!value && !n->failed) {
		notation_next(n);
		value = notation_expr(n);
	}
	if (value && !n->failed && !k->is_skipped)
		notation_var_set(n, name, value);
}

/* ---- statements ---- */

/* As the last statement of a probe it does nothing. */
static void return_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;
	size_t start = n->start, end = n->end;

	notation_next(n);
	notation_accept(n, ";");
	if (!n->failed && (k->condition || k->is_left || !notation_is(n, "}")))
		notation_fail(n, start, end, "if (!CONDITION) { … }, around what follows",
			      "argdump has no return");
}

void bt_statement_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;

	if (notation_accept(n, ";"))
		return;
	if (notation_is(n, "if")) {
		bt_if_parse(k);
		return;
	}
	if (notation_is(n, "while") || notation_is(n, "unroll")) {
		bt_loop_parse(k, notation_is(n, "unroll"));
		return;
	}
	notation_accept(n, "let");
	if (notation_is(n, "break"))
		bt_break_parse(k);
	else if (n->token == NOTATION_VAR)
		var_parse(k);
	else if (notation_is(n, "return"))
		return_parse(k);
	else if (n->token == NOTATION_NAME)
		bt_call_parse(k);
	else if (n->token != NOTATION_NAME)
		map_parse(k);
	if (!notation_accept(n, ";") && !notation_is(n, "}") && n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, NULL, "';' expected");
}

/* ---- clauses ---- */

/* Probes are no C: they end at a comma, at a blank with a / behind it, or at a {. */
static size_t probe_end(const struct notation *n, size_t at)
{
	while (at < n->limit && n->text[at] != ',' && n->text[at] != '{') {
		if (n->text[at] == '"') {
			at = notation_quote_end(n->text, at, n->limit);
			continue;
		}
		if (isspace((unsigned char)n->text[at]))
			break;
		at++;
	}
	return at < n->limit ? at : n->limit;
}

/* Returns where the probes end: at a / or a {. */
static size_t probes_parse(struct bt *b, struct bt_clause *c, size_t at)
{
	struct notation *n = b->n;

	do {
		size_t start = notation_blank(n, at), end = probe_end(n, start);

		if (start == end)
			notation_fail(n, start, end, "kprobe:vfs_read { … }",
				      "a probe expected: KIND:NAME");
		else if (c->probe_count == BT_PROBES_MAX)
			notation_fail(n, start, end, NULL, "there are too many probes");
		else
			bt_probe_read(b, &c->probes[c->probe_count++], start, end);
		at = notation_blank(n, end);
	} while (!n->failed && at < n->limit && n->text[at] == ',' && ++at);
	return at;
}

/* A name has one meaning for all probes of a clause. */
static void kinds_check(struct notation *n, const struct bt_clause *c)
{
	const struct bt_probe *first = &c->probes[0];

	for (size_t i = 1; i < c->probe_count; i++) {
		const struct bt_probe *p = &c->probes[i];
		bool is_once = p->kind >= BT_INTERVAL || first->kind >= BT_INTERVAL;

		if (is_once || bt_is_return(p) != bt_is_return(first) ||
		    bt_has_user_args(p) != bt_has_user_args(first))
			notation_fail(n, p->start, p->end,
				      "a probe of its own, with the same actions",
				      "probes of these two kinds do not share actions");
	}
}

/* Returns the end of the filter that begins at `at`: a / followed by a {. */
static size_t filter_end(const struct notation *n, size_t at)
{
	for (at++; at < n->limit; at++) {
		if (n->text[at] == '"')
			at = notation_quote_end(n->text, at, n->limit) - 1;
		else if (n->text[at] == '/' && n->text[notation_blank(n, at + 1)] == '{')
			return at;
	}
	return n->limit;
}

static size_t filter_parse(struct bt *b, struct bt_clause *c, size_t at, size_t limit)
{
	struct notation *n = b->n;
	size_t end = filter_end(n, at);

	if (end == n->limit) {
		notation_fail(n, at, at + 1, "/CONDITION/ { … }", "the filter is not closed");
		return end;
	}
	notation_read(n, at + 1, end);
	c->filter = notation_expr(n);
	if (n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, NULL, "an operator or the end expected");
	n->limit = limit;
	return notation_blank(n, end + 1);
}

static size_t clause_parse(struct bt *b, size_t at, size_t limit)
{
	struct notation *n = b->n;
	struct bt_clause *c = &b->clauses[b->clause_count++];
	struct bt_block k = { .b = b, .clause = c };

	c->start = at;
	n->var_count = 0;
	n->self.is_here = false;
	at = probes_parse(b, c, at);
	c->end = at;
	if (!n->failed)
		kinds_check(n, c);
	if (!n->failed && n->text[at] == '/')
		at = filter_parse(b, c, at, limit);
	if (n->failed)
		return limit;
	n->limit = limit;
	n->self.is_here = n->self.comm && c->probes[0].kind == BT_BEGIN;
	notation_read(n, at, limit);
	notation_expect(n, "{");
	while (!n->failed && n->token != NOTATION_END && !notation_is(n, "}"))
		bt_statement_parse(&k);
	if (!n->failed && !notation_is(n, "}"))
		notation_fail(n, n->start, n->end, NULL, "'}' expected");
	return notation_blank(n, n->at);
}

void bt_parse(struct bt *b)
{
	struct notation *n = b->n;
	size_t limit = strlen(n->text), at;

	n->limit = limit;
	at = notation_blank(n, 0);
	if (at == limit)
		notation_fail(n, 0, limit, "kprobe:vfs_read { @[comm] = count(); }",
			      "the program is empty");
	while (!n->failed && at < limit) {
		if (b->clause_count == BT_CLAUSES_MAX) {
			notation_fail(n, at, limit, NULL, "there are too many probes");
			break;
		}
		at = clause_parse(b, at, limit);
	}
}
