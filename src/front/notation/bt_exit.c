/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_exit.c - exit() of an event: --stop-if, of the record that the probe prints there, or of what it counts.
 */
#include "front/notation/bt.h"

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

/* What is printed at once is one record, which the end comes with. */
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
