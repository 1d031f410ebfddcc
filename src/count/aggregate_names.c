/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_names.c - names measures, as columns and JSON keys, all different.
 */
#include "count/aggregate_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "output/field/field_kind.h"
#include "util/log.h"

/* Keys of a row that are not measures. "count" always exists, even if not requested. */
static const char *const row_names[] = { "type", "time",  "total",	"elapsed_ns", "func",
					 "by",	 "count", "unreadable", "errors",     "cut" };
enum { ROW_NAMES = sizeof(row_names) / sizeof(row_names[0]) };

const uint32_t *result_percents(const struct expr_result *r)
{
	static const uint32_t of_hist[] = { 50000, 90000, 99000, 0 }, none[] = { 0 };

	return r->percents ?: result_is_hist(r) ? of_hist : none;
}

static const char *kind_name(const struct expr_result *r)
{
	static const char *const names[] = {
		[EXPR_COUNT] = "count", [EXPR_SUM] = "sum", [EXPR_AVG] = "avg",
		[EXPR_MIN] = "min",	[EXPR_MAX] = "max", [EXPR_HIST] = "hist",
		[EXPR_LHIST] = "lhist", [EXPR_PCT] = "pct",
	};

	return names[r->kind];
}

/* p50, or p99.9 with the point that is given. */
static void percent_name(char text[16], uint32_t percent, char point)
{
	size_t len = (size_t)snprintf(text, 16, "p%u%c%03u", percent / 1000, point, percent % 1000);

	while (text[len - 1] == '0')
		len--;
	len -= text[len - 1] == point;
	text[len] = '\0';
}

char *measure_title(const struct expr_result *r, unsigned percent)
{
	char *title, name[16];

	percent_name(name, percent, '.');
	if (percent && r->kind == EXPR_PCT)
		return asprintf(&title, r->name ? "%s_%s" : "%2$s(%1$s)", r->name ?: r->text,
				name) < 0 ?
			       NULL :
			       title;
	if (r->name || !r->text)
		return strdup(r->name ?: kind_name(r));
	return asprintf(&title, "%s(%s)", kind_name(r), r->text) < 0 ? NULL : title;
}

char *measure_key(const struct expr_table *t, const struct expr_result *r, unsigned percent)
{
	/* alone: the only one of its kind; both: there are both kinds of histogram */
	bool alone = true, both = false;
	const char *name = r->name ?: kind_name(r);
	char prefix[16] = "", *key;
	const char *unit = field_unit_suffix(&r->field);

	for (const struct expr_result *other = t->results; other < t->results + t->count; other++) {
		alone &= other == r || other->kind != r->kind;
		both |= result_is_hist(other) && other->kind != r->kind;
	}
	if (percent)
		percent_name(prefix, percent, '_');
	if (percent && !r->name && !both)
		name = "";
	if (asprintf(&key, "%s%s%s%s%s%s%s", name, *name && percent ? "_" : "", prefix, unit,
		     !r->name && !alone && r->text ? "(" : "",
		     !r->name && !alone && r->text ? r->text : "",
		     !r->name && !alone && r->text ? ")" : "") < 0)
		return NULL;
	return key;
}

/* ---- is each name unique? ---- */

struct names {
	char *names[ROW_NAMES + OPTION_LIST_MAX * (1 + PERCENTS_MAX)]; /* owned */
	size_t count;
	const char *again;
};

static int name_add(struct names *n, char *name)
{
	if (!name)
		return -ENOMEM;
	for (size_t i = 0; i < n->count && !n->again; i++)
		if (!strcmp(n->names[i], name))
			n->again = n->names[i];
	n->names[n->count++] = name;
	return 0;
}

static int names_add(struct names *n, const struct expr_table *t)
{
	int err = 0;

	for (size_t i = 0; i < ROW_NAMES && !err; i++)
		err = name_add(n, strdup(row_names[i]));
	for (const struct expr_result *r = t->results; r < t->results + t->count && !err; r++) {
		if (r->kind == EXPR_COUNT && !r->name)
			continue;
		err = name_add(n, measure_key(t, r, 0));
		for (const uint32_t *p = result_percents(r); *p && !err; p++)
			err = name_add(n, measure_key(t, r, *p));
	}
	return err;
}

static int names_end(struct names *n, int err)
{
	if (!err && n->again) {
		log_error("a row would have two values named '%s'", n->again);
		log_hint("name one of them: NAME=EXPR");
		err = -EINVAL;
	}
	while (n->count)
		free(n->names[--n->count]);
	return err;
}

int aggregate_names_check(const struct expr_table *t)
{
	struct names n = { .count = 0 };

	return names_end(&n, names_add(&n, t));
}

/* Columns that are fields have the fields' names. */
static int shown_add(struct names *n, const struct show *s)
{
	const struct expr_program *p = &s->program;
	int err = 0;

	for (size_t i = 0; i < ROW_NAMES && !err; i++)
		err = name_add(n, strdup(row_names[i]));
	for (size_t i = 0; i < p->slot_count && !err; i++)
		if (p->slots[i].name.end)
			err = name_add(n, strdup(p->slots[i].place.key));
	return err;
}

int aggregate_names_check_shown(const struct show *s)
{
	struct names n = { .count = 0 };

	return names_end(&n, shown_add(&n, s));
}
