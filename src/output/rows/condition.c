/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * condition.c - compares numbers as numbers, and everything else by the text that a column shows (condition.h).
 */
#include "output/rows/condition.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/columns.h"
#include "output/field/value_text.h"
#include "util/log.h"
#include "util/glob.h"

enum { EQ, NE, LE, GE, LT, GT, LIKE, UNLIKE, OPS };
/* In the order of the enum; an operator comes before those that are its prefix. */
static const char operators[OPS][3] = { "==", "!=", "<=", ">=", "<", ">", "~", "!~" };

/* ---- reading ---- */

static const char *blanks_skip(const char *text)
{
	return text + strspn(text, " \t");
}

static bool operator_read(const char **text, unsigned *op)
{
	for (*op = 0; *op < OPS; (*op)++) {
		size_t len = strlen(operators[*op]);

		if (strncmp(*text, operators[*op], len) != 0)
			continue;
		*text = blanks_skip(*text + len);
		return true;
	}
	return false;
}

/* Parses a word "in quotes", or up to a blank or &&. Returns NULL if there is none, or the second quote is missing. */
static char *word_read(const char **text)
{
	char quote = **text == '"' || **text == '\'' ? **text : 0;
	const char *from = *text + !!quote, *end = from;

	if (quote)
		end = strchr(from, quote);
	else
		while (*end && !isspace((unsigned char)*end) && strncmp(end, "&&", 2) != 0)
			end++;
	if (!end || (!quote && end == from))
		return NULL;
	*text = blanks_skip(end + !!quote);
	return strndup(from, end - from);
}

/* Parses 5, 1.5ms, 64K; times are converted to the unit of the field. */
static bool number_read(const struct field *f, const char *text, double *number)
{
	static const struct {
		const char *unit;
		bool is_time;
		double is;
	} units[] = {
		{ "", false, 1 },	 { "ns", true, 1 },	  { "us", true, 1e3 },
		{ "ms", true, 1e6 },	 { "s", true, 1e9 },	  { "K", false, 1 << 10 },
		{ "M", false, 1 << 20 }, { "G", false, 1 << 30 },
	};
	const char *own = field_unit_suffix(f);
	double unit = !strcmp(own, "_us") ? 1e3 : !strcmp(own, "_ms") ? 1e6 : 1;
	char *end;

	*number = strtod(text, &end);
	for (size_t i = 0; end != text && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0 || units[i].is_time > !!*own)
			continue;
		*number *= units[i].is_time ? units[i].is / unit : units[i].is;
		return true;
	}
	return false;
}

/* A condition while it is parsed. */
struct reading {
	const char *option; /* "--where" */
	const char *all, *rest;
	const struct schema *schema;
};

static int wrong_report(const struct reading *r, const char *at, const char *what)
{
	size_t start = at - r->all;

	log_error("%s: %s", r->option, what);
	log_caret(r->all, start, start + strcspn(at, " \t"));
	log_hint(
		"NAME OP VALUE, joined by &&: 'latency > 10ms && comm == cat'; OP is one of == != < <= > "
		">= ~ !~, the last two with a pattern");
	return -EINVAL;
}

static int term_read(struct condition *c, struct reading *r)
{
	struct condition_term *t = &c->terms[c->count];
	const char *name = r->rest, *value;
	size_t len = strcspn(name, " \t=!<>~&");

	r->rest = blanks_skip(name + len);
	if (!len || !operator_read(&r->rest, &t->op))
		return wrong_report(r, r->rest, "expected a name and a comparison");
	t->field = schema_find(r->schema, name, len, false);
	if (!t->field || !schema_has(r->schema, t->field - r->schema->fields) ||
	    field_kind(t->field)->flags & KIND_BELOW) {
		columns_unknown_report(r->option, name, len, (struct schema *const *)&r->schema, 1,
				       NULL);
		return -EINVAL;
	}
	value = r->rest;
	t->text = word_read(&r->rest);
	if (!t->text)
		return wrong_report(r, value, "expected a value");
	c->count++;
	t->is_number = t->op < LIKE && field_is_number(t->field) &&
		       number_read(t->field, t->text, &t->number);
	if (!t->is_number && t->op >= LE && t->op <= GT)
		return wrong_report(r, value, "expected a number, and a field that is one");
	return 0;
}

int condition_read(struct condition *c, const char *option, const char *text,
		   const struct schema *schema)
{
	struct reading r = { option, text, blanks_skip(text), schema };
	int err;

	if (!c->count)
		buf_init(&c->shown, -1);
	for (;;) {
		if (c->count == CONDITION_TERMS)
			return wrong_report(&r, r.rest, "more than 8 comparisons");
		err = term_read(c, &r);
		if (err || !*r.rest)
			return err;
		if (strncmp(r.rest, "&&", 2) != 0)
			return wrong_report(&r, r.rest, "expected && or the end");
		r.rest = blanks_skip(r.rest + 2);
	}
}

void condition_free(struct condition *c)
{
	while (c->count)
		free(c->terms[--c->count].text);
	buf_free(&c->shown);
}

/* ---- evaluating ---- */

static bool numbers_compare(unsigned op, double a, double b)
{
	switch (op) {
	case EQ: return a == b;
	case NE: return a != b;
	case LE: return a <= b;
	case GE: return a >= b;
	case LT: return a < b;
	default: return a > b;
	}
}

static bool texts_compare(const struct condition_term *t, const char *text)
{
	bool is_pattern = t->op == LIKE || t->op == UNLIKE;
	bool same = is_pattern ? wildcard_matches(t->text, text) : !strcmp(t->text, text);

	return same == (t->op == EQ || t->op == LIKE);
}

static bool term_holds(struct condition *c, const struct condition_term *t, const void *record,
		       size_t size)
{
	struct value v;

	if (field_load(t->field, record, size, &v) || v.status == EVENT_NONE ||
	    value_is_unreadable(&v))
		return t->op == NE || t->op == UNLIKE;
	if (t->is_number)
		return numbers_compare(t->op, field_weight(t->field, &v), t->number);
	c->shown.len = 0;
	value_text_write(&c->shown, t->field, &v, TIMESTAMP_NONE);
	buf_char(&c->shown, '\0');
	return !c->shown.error && texts_compare(t, c->shown.data);
}

bool condition_holds(struct condition *c, const void *record, size_t size)
{
	for (size_t i = 0; i < c->count; i++)
		if (!term_holds(c, &c->terms[i], record, size))
			return false;
	return true;
}
