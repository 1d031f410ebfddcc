/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_call.c - the functions that are statements of bpftrace's: printf, print, delete, exit …
 */
#include <string.h>

#include "front/notation/bt.h"
#include "util/suggest.h"

static void printf_take(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_PRINTF, start);

	if (a && args)
		a->value = args;
	else
		notation_fail(k->b->n, start, k->b->n->last_end, NULL, "a format is missing");
}

static void print_take(struct bt_block *k, struct notation_node *args, size_t start)
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

static void join_take(struct bt_block *k, struct notation_node *args, size_t start)
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
static void clear_take(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_CLEAR, start);

	if (!args || args->kind != NOTATION_STORE || args->kid || args->next)
		notation_fail(k->b->n, start, k->b->n->last_end, "clear(@x); delete(@x[KEY])",
			      "the name of one map expected");
	if (a)
		a->target = args;
}

/* delete(@x[KEYS]), delete(@x, KEY) and, of several maps, delete(@x[KEY], @y[KEY]) */
static void delete_take(struct bt_block *k, struct notation_node *args, size_t start)
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

static void time_take(struct bt_block *k, struct notation_node *args, size_t start)
{
	struct bt_action *a = bt_action_add(k, BT_TIME, start);

	if (a)
		a->value = args;
	if (args && (args->next || args->kind != NOTATION_LITERAL || args->text[0] != '"'))
		notation_fail_node(k->b->n, args, "time(\"%H:%M:%S\\n\")",
				   "a format between quotes expected");
}

/* It ends the probe, too. */
static void exit_take(struct bt_block *k, struct notation_node *args, size_t start)
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
	{ "printf", printf_take }, { "print", print_take }, { "join", join_take },
	{ "delete", delete_take }, { "clear", clear_take }, { "zero", clear_take },
	{ "time", time_take },	   { "exit", exit_take },
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

void bt_call_take(struct bt_block *k)
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
