/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.c - finds each @in(EXPR) in the expressions of all probes: the values that calls of each --in must store.
 *
 * The programs that mark calls are built before those that use @in, and do not know their expressions: so the EXPRs
 * are searched in the texts here. The compiler interprets them, on both sides.
 */
#include "probe/inside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"

static const char BLANKS[] = " \t\n";

/* Returns the set that a PROBE's @in( ) refers to: the only --in that is its own or common to all. 0: there is none,
 * or more than one. */
static unsigned inside_set(const struct argdump_request *r, bool *many)
{
	*many = r->within & (r->within - 1);
	return r->within && !*many ? (unsigned)__builtin_ctz(r->within) : 0;
}

/* ---- the texts ---- */

/* Returns the end of the EXPR that begins here: its closing parenthesis, or the end of the text. */
static const char *expr_end(const char *at)
{
	char quote = 0;
	int depth = 0;

	for (; *at && (quote || depth || *at != ')'); at++) {
		if (*at == '\\' && quote && at[1])
			at++;
		else if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else
			depth += (*at == '(') - (*at == ')');
	}
	return at;
}

/* Returns the position after the next "@in(", or NULL. */
static const char *word_next(const char *text)
{
	while ((text = strchr(text, '@'))) {
		text += 1 + strspn(text + 1, BLANKS);
		if (strncmp(text, "in", 2))
			continue;
		text += 2 + strspn(text + 2, BLANKS);
		if (*text == '(')
			return text + 1 + strspn(text + 1, BLANKS);
	}
	return NULL;
}

static int text_add(struct argdump_inside *set, const char *text, size_t len)
{
	for (size_t i = 0; i < set->count; i++)
		if (strlen(set->texts[i]) == len && !memcmp(set->texts[i], text, len))
			return 0;
	if (set->count == EXPR_INSIDE_MAX) /* the compiler reports this error, with its place */
		return 0;
	set->texts[set->count] = strndup(text, len);
	return set->texts[set->count] ? set->count++, 0 : -ENOMEM;
}

static int text_visit(struct argdump_inside *set, const char *text)
{
	int err = 0;

	while (text && !err && (text = word_next(text))) {
		const char *end = expr_end(text);
		size_t len = end - text;

		while (len && strchr(BLANKS, text[len - 1]))
			len--;
		if (*end && len)
			err = text_add(set, text, len);
	}
	return err;
}

static int options_visit(struct argdump_inside *set, const struct argdump *a,
			 const struct argdump_request *r)
{
	static const enum model_setting settings[] = { MODEL_BEGIN_IF, MODEL_STOP_IF, MODEL_ON,
						       MODEL_BY, MODEL_MEASURE };
	int err = 0;

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		model_each(o, &a->model, r->given, settings[i])
			err = err ?: text_visit(set, o->text.text);
	for (size_t i = 0; i < a->diff.given.count && !err; i++)
		err = text_visit(set, a->diff.given.items[i].text);
	return err;
}

static int request_visit(struct argdump *a, const struct argdump_request *r)
{
	bool many;
	unsigned number = inside_set(r, &many);
	struct argdump_inside *set = &a->within.inside[number];
	int err = 0;

	if (!number || r->old)
		return 0;
	for (size_t i = 0; i < r->expr_count && !err; i++)
		err = text_visit(set, r->exprs[i]);
	for (size_t i = 0; i < r->condition_count && !err; i++)
		err = text_visit(set, r->conditions[i]);
	return err ?: options_visit(set, a, r);
}

int inside_find(struct argdump *a)
{
	struct argdump_within *w = &a->within;
	int err = 0;

	for (size_t i = 0; i < a->request_count && !err; i++)
		err = request_visit(a, &a->requests[i]);
	for (size_t i = 0; i < SETS; i++)
		if (w->inside[i].count > w->inside_most)
			w->inside_most = w->inside[i].count;
	return err;
}

void inside_free(struct argdump *a)
{
	for (size_t i = 0; i < SETS; i++)
		for (size_t j = 0; j < a->within.inside[i].count; j++)
			free(a->within.inside[i].texts[j]);
}

/* ---- programs ---- */

static const struct expr_input *first_of(const struct argdump *marks, unsigned set)
{
	for (size_t i = 0; marks && i < marks->probe_count; i++)
		if (marks->probes[i].request->owner == set)
			return &marks->probes[i].input;
	return NULL;
}

void inside_input(const struct argdump *a, const struct argdump_probe *p, struct expr_input *in)
{
	const struct argdump_within *w = argdump_marks(a) ? a->within.of : &a->within;
	unsigned set = argdump_marks(a) ? p->request->owner :
					  inside_set(p->request, &in->inside.many);
	const struct argdump_inside *inside = &w->inside[set];

	in->inside.most = w->inside_most;
	in->inside.of = NULL;
	if (argdump_marks(a)) {
		in->texts = (const char *const *)inside->texts;
		in->count = inside->count;
	} else if (set) {
		in->inside.texts = (const char *const *)inside->texts;
		in->inside.count = inside->count;
		in->inside.of = first_of(w->marks, set);
	}
}

void inside_link(struct argdump *marks)
{
	for (size_t i = 0; i < marks->probe_count; i++)
		for (size_t j = i + 1; j < marks->probe_count; j++)
			if (marks->probes[i].request->owner == marks->probes[j].request->owner) {
				marks->probes[i].input.inside.next = &marks->probes[j].input;
				break;
			}
}
