/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bcc_trace.c - a probe of bcc's trace → words.
 *
 *	PROBE ['(' condition ')'] ['"' format '"' {',' value}]
 */
#include <string.h>

#include "front/notation/bcc.h"

/* arg2@user: the compiler knows which memory it is. */
static void users_skip(struct notation *n)
{
	char *copy = (char *)notation_copy(n, 0, strlen(n->text)), *at = copy;

	while ((at = strstr(at, "@user")))
		memset(at, ' ', 5);
	if (!n->failed)
		n->text = copy;
}

struct trace {
	struct notation_node *condition, *format, *values;
};

static void rest_read(struct notation *n, struct trace *t)
{
	struct notation_node **end = &t->values;

	notation_next(n);
	if (notation_is(n, "(")) {
		notation_next(n);
		t->condition = notation_expr(n);
		notation_expect(n, ")");
	}
	if (n->token == NOTATION_STRING) {
		t->format = notation_node(n, NOTATION_LITERAL, notation_token_text(n), NULL);
		if (t->format) {
			t->format->start = n->start;
			t->format->end = n->end;
		}
		notation_next(n);
	}
	while (!n->failed && notation_accept(n, ",")) {
		*end = notation_expr(n);
		if (*end)
			end = &(*end)->next;
	}
	if (!n->failed && n->token != NOTATION_END)
		notation_fail(n, n->start, n->end, "PROBE (CONDITION) \"FORMAT\", VALUE, …",
			      "this does not belong here");
}

void notation_trace(struct notation *n, unsigned number, bool with_cpu)
{
	struct notation_line line = { .count = 0 };
	const char *condition = NULL;
	struct bcc_probe p = { 0 };
	struct notation_view v;
	struct trace t = { 0 };

	users_skip(n);
	bcc_probe_read(n, &p);
	if (!n->failed)
		rest_read(n, &t);
	if (n->failed)
		return;
	bcc_view(n, &p, &v);
	if (t.format)
		notation_printf(&v, t.format, t.values, &line);
	if (t.condition)
		condition = notation_text(&v, t.condition);
	bcc_probe_add(n, &p, number);
	line.text = NULL; /* columns are what that trace has, too */
	notation_line_words(n, &line);
	if (with_cpu)
		notation_word(n, "$cpu");
	if (condition)
		notation_words(n, "--if", condition);
}
