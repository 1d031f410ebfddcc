/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_statement.c - statements of bpftrace: functions such as printf and delete, exit(), blocks under a
 * condition, and loops, which are written out.
 */
#include <string.h>

#include "front/notation/bt.h"
#include "util/suggest.h"

/* ---- exit() of an event: --stop-if, of the record that the probe prints there, or of what it counts ---- */

static bool shows(const struct bt_action *a)
{
	return a->what == BT_PRINTF || a->what == BT_VALUES || a->what == BT_JOIN ||
	       a->what == BT_MEASURE || a->what == BT_TIME;
}

static const struct bt_action *quit_find(const struct bt_clause *c)
{
	for (const struct bt_action *a = c->actions; a; a = a->next)
		if (a->what == BT_QUIT)
			return a;
	return NULL;
}

/* All values that are printed together are one record, which the end comes with. */
static void shown_check(struct bt *b, const struct bt_clause *c, const struct bt_action *quit)
{
	const struct bt_action *first = NULL;
	struct notation *n = b->n;

	for (const struct bt_action *a = c->actions; a; a = a->next) {
		if (!shows(a))
			continue;
		first = first ?: a;
		if (a->condition != first->condition)
			notation_fail(
				n, quit->start, quit->end, "one printf, and exit() behind it",
				"what this probe prints under several conditions does not end the run");
		else if (a->start > quit->start)
			notation_fail(n, quit->start, quit->end, "exit() behind what is printed",
				      "the run ends before this probe prints");
	}
	if (!first)
		notation_fail(
			n, quit->start, quit->end, "printf(…) before it; -d SECONDS, -n RECORDS",
			"argdump ends with what a probe prints or counts, and this one does neither");
	else if (first->condition && first->condition != quit->condition)
		notation_fail(n, quit->start, quit->end, "exit() beside the printf",
			      "this ends the run where nothing is printed");
}

void bt_exit_check(struct bt *b, const struct bt_clause *c)
{
	const struct bt_action *quit = quit_find(c);

	if (!quit || b->n->failed)
		return;
	for (const struct bt_action *a = quit->next; a; a = a->next)
		if (a->what == BT_QUIT)
			notation_fail(b->n, a->start, a->end, "exit() under A || B",
				      "a probe ends the run at one place");
	shown_check(b, c, quit);
}

void bt_exit_words(struct bt *b, const struct bt_clause *c, const struct notation_node *condition)
{
	const struct bt_action *quit = quit_find(c);
	const char *text = NULL;

	if (!quit && !c->is_sampled)
		return;
	if (quit && quit->condition != condition)
		text = bt_condition_text(b, c, quit->condition);
	b->end_at = text ? 0 : b->n->count;
	notation_words(b->n, "--stop-if", text ?: "1");
}

/* ---- the functions that are statements of bpftrace's: printf, print, delete, exit … ---- */

static void printf_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_PRINTF, start);

	if (a && args)
		a->value = args;
	else
		notation_fail(k->b->n, start, k->b->n->last_end, NULL, "a format is missing");
}

static void print_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	bool is_map = args && args->kind == NOTATION_STORE;
	struct bt_action *a = bt_action_add(k, is_map ? BT_REPORT : BT_VALUES, start);

	if (!a)
		return;
	a->target = a->value = args;
	if (!args)
		notation_fail(k->b->n, start, k->b->n->last_end, NULL, "what is to be printed?");
	else if (!is_map && args->next)
		notation_fail_node(k->b->n, args->next, "print((A, B)) prints both",
				   "print() has one value");
	else if (is_map && args->kid)
		notation_fail_node(k->b->n, args, "print(@x) prints all of its rows",
				   "one row of a map cannot be printed by itself");
}

static void join_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_JOIN, start);

	if (!args)
		notation_fail(k->b->n, start, k->b->n->last_end, "join(args.argv)",
			      "what is to be joined?");
	else if (args->next && (args->next->next || args->next->kind != NOTATION_LITERAL))
		notation_fail_node(k->b->n, args->next, "join(args.argv, \",\")",
				   "a text between quotes is what stands between the words");
	if (a)
		a->value = args;
}

/* clear(@x), zero(@x) */
static void clear_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_CLEAR, start);

	if (!args || args->kind != NOTATION_STORE || args->kid || args->next)
		notation_fail(k->b->n, start, k->b->n->last_end, "clear(@x); delete(@x[KEY])",
			      "the name of one map expected");
	if (a)
		a->target = args;
}

/* delete(@x[KEYS]), delete(@x, KEY) and, of several maps, delete(@x[KEY], @y[KEY]) */
static void delete_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct notation_node *next;
	struct bt_action *a;

	if (args && args->kind == NOTATION_STORE && !args->kid && args->next) {
		args->kid = args->next;
		args->next = NULL;
	}
	if (!args)
		notation_fail(k->b->n, start, k->b->n->last_end, "delete(@x[KEY])",
			      "what is to be deleted?");
	for (; args && !k->b->n->failed; args = next) {
		next = args->next;
		args->next = NULL;
		if (args->kind != NOTATION_STORE)
			notation_fail_node(k->b->n, args, "delete(@x[KEY])", "a map expected");
		a = bt_action_add(k, BT_DELETE, start);
		if (a)
			a->target = args;
	}
}

static void time_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_TIME, start);

	if (a)
		a->value = args;
	if (args && (args->next || args->kind != NOTATION_LITERAL || args->text[0] != '"'))
		notation_fail_node(k->b->n, args, "time(\"%H:%M:%S\\n\")",
				   "a format between quotes expected");
}

/* It also ends the probe. */
static void exit_parse(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct notation *n = k->b->n;

	bt_action_add(k, BT_QUIT, start);
	if (args)
		notation_fail_node(n, args, "exit()", "the exit status cannot be chosen");
	notation_accept(n, ";");
	if (!n->failed && !notation_is(n, "}") && n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, "exit() as the last statement of its block",
			      "exit() ends the probe: what follows is never done");
}

static const struct {
	const char *name;
	void (*take)(struct bt_block *k, struct notation_node *args, size_t start);
} statements[] = {
	{ "printf", printf_parse }, { "print", print_parse }, { "join", join_parse },
	{ "delete", delete_parse }, { "clear", clear_parse }, { "zero", clear_parse },
	{ "time", time_parse },	    { "exit", exit_parse },
};

static const struct {
	const char *name, *hint;
} beyond[] = {
	{ "for", "a program of argdump's has no loops; --interval and the end print all rows" },
	{ "system", "a tracer does not run commands; -j is for programs that go on from here" },
	{ "signal", "coretap only looks; it sends no signals" },
	{ "errorf", "printf prints on stdout" },
	{ "warnf", "printf prints on stdout" },
	{ "fail", "printf prints, exit() ends the run" },
	{ "override", "coretap only looks; it changes no results" },
	{ "cat", "@NAME shows a variable of the kernel" },
	{ "unwatch", "memory cannot be watched; --diff EXPR shows what a function changes" },
	{ "config", "options of coretap are on its command line" },
	{ "fn", "write it out, or make it a recipe: docs/recipes.md" },
	{ "macro", "write it out, or make it a recipe: docs/recipes.md" },
};

static void statement_fail(struct notation *n, const char *name, size_t start, size_t end)
{
	struct suggestion nearest;

	suggest_init(&nearest, name);
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		suggest_offer(&nearest, statements[i].name);
	if (suggest_get(&nearest))
		notation_fail(n, start, end,
			      notation_print(n, "did you mean %s()?", suggest_get(&nearest)),
			      "there is no function %s()", name);
	else
		notation_fail(n, start, end,
			      "printf, print, join, time, delete, clear, exit, @x = count() …",
			      "argdump has no %s()", name);
}

void bt_call_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;
	const char *name = notation_token_text(n);
	size_t start = n->start, end = n->end;
	struct notation_node *args;

	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++)
		if (!strcmp(beyond[i].name, name))
			notation_fail(n, start, end, beyond[i].hint, "argdump has no %s", name);
	notation_next(n);
	notation_expect(n, "(");
	args = notation_list(n, ")");
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]) && !n->failed; i++) {
		if (strcmp(statements[i].name, name))
			continue;
		statements[i].take(k, args, start);
		return;
	}
	statement_fail(n, name, start, end);
}

/* ---- blocks ---- */

enum { IFS_MAX = 16, ROUNDS_MAX = 256 };

/* ---- if ---- */

static struct notation_node *both(struct bt_block *k, struct notation_node *a,
				  struct notation_node *b)
{
	struct notation *n = k->b->n;
	struct notation_node *left = a ? notation_node(n, NOTATION_PAREN, "", a) : NULL;
	struct notation_node *right = notation_node(n, NOTATION_PAREN, "", b);

	if (!left || !right)
		return right;
	left->next = right;
	return notation_node(n, NOTATION_BINARY, "&&", left);
}

static struct notation_node *opposite(struct bt_block *k, struct notation_node *a)
{
	struct notation_node *paren = notation_node(k->b->n, NOTATION_PAREN, "", a);

	return paren ? notation_node(k->b->n, NOTATION_PREFIX, "!", paren) : NULL;
}

static void block_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;

	notation_expect(n, "{");
	while (!n->failed && n->token != NOTATION_END && !notation_is(n, "}")) {
		bt_statement_parse(k);
		k->is_skipped |= k->is_left && *k->is_left;
	}
	notation_expect(n, "}");
}

/* A block that may not run: a value that it gives a $x is not known after it. */
static void block_maybe_parse(struct bt_block *k, bool is_known)
{
	size_t vars = k->b->n->var_count;

	block_parse(k);
	if (!is_known)
		k->b->n->var_count = vars;
}

/* ---- loops whose rounds are known: each is written out ---- */

/* while (condition) { … }, unroll (count) { … } */
void bt_loop_parse(struct bt_block *k, bool is_counted)
{
	struct notation *n = k->b->n;
	size_t word = n->start, word_end = n->end, from, limit = n->limit;
	bool is_left = false;

	from = n->end;
	for (int64_t round = 0; !n->failed; round++) {
		struct bt_block inner = *k;
		struct notation_node *asked;
		struct notation_const value;
		bool goes_on;

		notation_read(n, from, limit);
		asked = notation_expr(n);
		if (!asked)
			return;
		if (++inner.ifs > IFS_MAX || round == ROUNDS_MAX)
			notation_fail(
				n, word, word_end,
				"a loop is written out: at most 256 rounds, which end by what is known beforehand",
				"there are too many rounds");
		else if (!notation_const(n, asked, &value) || value.text)
			notation_fail(
				n, word, word_end,
				"only loops whose rounds are known beforehand can be written out",
				"a program of argdump's has no loops");
		goes_on = !n->failed && !k->is_skipped &&
			  (is_counted ? round < value.number : value.number);
		inner.is_skipped |= !goes_on;
		inner.is_left = &is_left;
		inner.outside = k->condition;
		block_parse(&inner);
		if (!goes_on || is_left)
			return;
	}
}

void bt_break_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;

	if (!k->is_left || k->condition != k->outside)
		notation_fail(n, n->start, n->end, NULL,
			      "when this loop ends must be known beforehand");
	else if (!k->is_skipped)
		*k->is_left = k->is_skipped = true;
	notation_next(n);
}

void bt_if_parse(struct bt_block *k)
{
	struct notation *n = k->b->n;
	struct bt_block inner = *k;
	struct notation_node *condition;
	struct notation_const known;
	bool is_known;

	if (++inner.ifs > IFS_MAX)
		notation_fail(n, n->start, n->end, NULL, "this is nested too deeply");
	notation_next(n);
	condition = notation_expr(n);
	if (!condition)
		return;
	is_known = notation_const(n, condition, &known);
	inner.is_skipped |= is_known && !known.text && !known.number;
	if (!is_known)
		inner.condition = both(k, k->condition, condition);
	block_maybe_parse(&inner, is_known);
	if (!notation_accept(n, "else"))
		return;
	inner.is_skipped = k->is_skipped || (is_known && (known.text || known.number));
	if (!is_known)
		inner.condition = both(k, k->condition, opposite(k, condition));
	if (notation_is(n, "if"))
		bt_if_parse(&inner);
	else
		block_maybe_parse(&inner, is_known);
}
