/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate.c - parses the options: what is measured, and by which key.
 */
#include "count/aggregate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count/aggregate_read.h"
#include "count/aggregate_names.h"
#include "cli/options.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* ---- options ---- */

static enum expr_measure_kind kind_of(const char *option)
{
	static const char *const names[] = { "count", "sum",  "avg",   "min",
					     "max",   "hist", "lhist", "pct" };
	int kind = 0;

	while (strcmp(names[kind], option))
		kind++;
	return kind;
}

/* Parses ",0,100,10" at the end of `text`, and cuts it off. */
static int steps_parse(char *text, struct expr_measure *m)
{
	long long low, high, step;
	char *comma = text + strlen(text);
	int used = 0;

	for (int i = 0; i < 3; i++) {
		while (comma > text && *--comma != ',')
			;
	}
	if (sscanf(comma, ",%lld,%lld,%lld%n", &low, &high, &step, &used) != 3 || comma[used] ||
	    comma == text || step <= 0 || low >= high)
		return -EINVAL;
	*comma = '\0';
	m->low = low;
	m->high = high;
	m->step = step;
	return 0;
}

/* Parses the number that *at begins with, up to 100 with three decimals, and skips it. Returns it in thousandths; 0: there
 * is none. */
static uint32_t percent_read(const char **at)
{
	const char *begin = *at;
	uint32_t whole = 0, part = 0, unit = 1000;

	for (; **at >= '0' && **at <= '9' && whole <= 100; (*at)++)
		whole = 10 * whole + (uint32_t)(**at - '0');
	if (*at > begin && **at == '.' && (*at)++)
		for (; **at >= '0' && **at <= '9' && unit > 1; (*at)++)
			part += (uint32_t)(**at - '0') * (unit /= 10);
	return whole * 1000 + part <= 100000 ? whole * 1000 + part : 0;
}

/* Parses and skips "50,90,99=" at the start of the text. */
static int percents_parse(struct aggregate *a, struct expr_measure *m)
{
	uint32_t *percents = a->percents[m - a->measures];
	const char *at = m->text;
	size_t count = 0;

	m->percents = percents;
	do {
		percents[count] = percent_read(&at);
	} while (percents[count++] && count < PERCENTS_MAX && *at == ',' && at++);
	percents[count] = 0;
	if (percents[count - 1] && *at == '=') {
		m->text = at + 1;
		return 0;
	}
	log_error(
		"--pct '%s': expected up to %d percentiles such as 50 or 99.9, = and an expression",
		m->text, PERCENTS_MAX);
	log_hint("--pct '50,90,99=$lat'");
	return -EINVAL;
}

/* True if a --count without a name exists already: it is the same for all probes. */
static bool has_count(const struct aggregate *a, unsigned owner)
{
	for (size_t i = 0; i < a->input.count; i++)
		if (a->measures[i].kind == EXPR_COUNT && !a->measures[i].name && owner)
			return true;
	return false;
}

static int count_add(struct aggregate *a, unsigned owner, const char *name)
{
	struct expr_measure *m = &a->measures[a->input.count];

	if (!name && has_count(a, owner))
		return 0;
	a->input.count++;
	*m = (struct expr_measure){ .kind = EXPR_COUNT, .name = name };
	if (!name)
		return 0;
	m->owner = owner;
	if (!name[strspn(name, NAME_CHARS)] && !isdigit(*name))
		return 0;
	log_error("--count %s: a name consists of letters, digits and _", name);
	return -EINVAL;
}

static int measure_add(struct aggregate *a, const struct model_option *option, unsigned owner)
{
	struct expr_measure *m = &a->measures[a->input.count];
	char *text = model_cut(option);

	if (kind_of(option->spec->name) == EXPR_COUNT)
		return count_add(a, owner, text);
	a->input.count++;
	*m = (struct expr_measure){ .kind = kind_of(option->spec->name),
				    .text = text,
				    .owner = owner };
	if (m->kind == EXPR_PCT)
		return percents_parse(a, m);
	if (m->kind != EXPR_LHIST || !steps_parse(text, m))
		return 0;
	log_error(
		"--lhist '%s': expected an expression, the lowest value, the highest and the step",
		text);
	log_hint("--lhist 'count,0,4096,512'");
	return -EINVAL;
}

static int options_check(const struct aggregate *a, const struct model *m,
			 const struct options *common)
{
	const struct aggregate_options *o = &a->options;
	const char *alone = model_has(m, MODEL_BY)		  ? "by" :
			    o->show.count			  ? "show" :
			    common->report.top			  ? "top" :
			    common->report.sort			  ? "sort" :
			    common->report.interval_ns		  ? "interval" :
			    o->keys && !model_has(m, MODEL_UNTIL) ? "keys" :
			    common->report.clear		  ? "clear" :
			    common->report.screen		  ? "screen" :
								    NULL;

	if (!model_has(m, MODEL_MEASURE) && alone && !common->stacks.folded) {
		log_error("--%s needs a counting option", alone);
		log_hint("add --count, --sum, --avg, --min, --max, --hist, --lhist or --pct");
		return -EINVAL;
	}
	return 0;
}

/* Copies the option texts, to be cut into pieces. */
static int texts_copy(struct aggregate *a, const struct option_list *l, char **copies)
{
	for (size_t i = 0; i < l->count; i++) {
		copies[i] = l->items[i].text ? strdup(l->items[i].text) : NULL;
		if (l->items[i].text && !copies[i])
			return -ENOMEM;
		a->texts[a->text_count++] = copies[i];
	}
	return 0;
}

/* ---- keys ---- */

static const struct aggregate_keys *keys_find(const struct aggregate *a, unsigned owner)
{
	for (size_t i = 0; i < a->keys_count; i++)
		if (a->keys[i].owner == owner)
			return &a->keys[i];
	return NULL;
}

const struct aggregate_keys *aggregate_keys(const struct aggregate *a, unsigned owner)
{
	static const struct aggregate_keys none;
	const struct aggregate_keys *k = keys_find(a, owner) ?: keys_find(a, 0);

	return k ?: a->keys_count ? &a->keys[a->keys_count - 1] : &none;
}

static int keys_add(struct aggregate *a, unsigned owner, char *text)
{
	struct aggregate_keys *k = (struct aggregate_keys *)keys_find(a, owner);

	if (!k) {
		k = &a->keys[a->keys_count++];
		k->owner = owner;
	}
	return option_list_split("by", text, k->texts, OPTION_LIST_MAX, &k->count);
}

static bool is_func(const char *key)
{
	const char *equals = strchr(key, '=');

	return !strcmp(equals ? equals + 1 : key, "$func");
}

/* Returns how rows tell apart what was counted. Unless --by says so, a table is not divided by probe if each column
 * belongs to one probe, nor a pair by its begin. */
static enum aggregate_source source_of(const struct aggregate *a, bool paired)
{
	for (const struct aggregate_keys *k = a->keys; k < a->keys + a->keys_count; k++)
		for (size_t i = 0; i < k->count; i++)
			if (is_func(k->texts[i]))
				return AGGREGATE_SOURCE_KEY;
	for (size_t i = 0; i < a->input.count; i++)
		if (a->measures[i].owner)
			return AGGREGATE_SOURCE_NONE;
	return a->keys_count || paired ? AGGREGATE_SOURCE_NONE : AGGREGATE_SOURCE_COLUMN;
}

bool aggregate_measures(const struct aggregate *a, unsigned owner)
{
	for (size_t i = 0; i < a->input.count; i++)
		if (!a->measures[i].owner || a->measures[i].owner == owner)
			return true;
	return false;
}

/* ---- all options ---- */

/* Adds the common options, or those of a probe, in the order given. */
static int list_add(struct aggregate *a, const struct model_options *list, unsigned owner)
{
	int err = 0;

	for (const struct model_option *o = list->list; o < list->list + list->count && !err; o++) {
		if (o->spec->setting == MODEL_MEASURE)
			err = measure_add(a, o, owner);
		else if (o->spec->setting == MODEL_BY)
			err = keys_add(a, owner, model_cut(o));
	}
	return err;
}

static int lists_add(struct aggregate *a, const struct model *m)
{
	int err = list_add(a, &m->all, 0);

	for (size_t i = 0; i < m->count && !err; i++)
		err = list_add(a, &m->probes[i].own, m->probes[i].number);
	return err;
}

static int show_add(struct aggregate *a, const struct aggregate_options *o)
{
	const char *columns[SLOTS_MAX];
	char *copies[OPTION_LIST_MAX];
	size_t count = 0;
	int err = texts_copy(a, &o->show, copies);

	for (size_t i = 0; i < o->show.count && !err; i++)
		err = option_list_split("show", copies[i], columns, SLOTS_MAX, &count);
	if (!err && count)
		err = show_parse(&a->show, columns, count);
	return err ?: aggregate_names_check_shown(&a->show);
}

int aggregate_set(struct aggregate *a, const struct model *m, const struct options *common)
{
	int err = options_check(a, m, common);

	if (err || (!model_has(m, MODEL_MEASURE) && !common->stacks.folded))
		return err;
	usyms_late();
	a->maps[0] = a->maps[1] = a->spare = -1;
	a->is_drained = common->stacks.dwarf != 0;
	a->input = (struct expr_aggregate){ .measures = a->measures,
					    .switched = common->report.clear || a->is_drained };
	err = lists_add(a, m);
	if (!err)
		err = show_add(a, &a->options);
	if (!err && aggregate_folds(a, common))
		err = aggregate_fold(a, common);
	a->source = source_of(a, model_has(m, MODEL_UNTIL));
	return err;
}

void aggregate_close(struct aggregate *a)
{
	if (a->spare >= 0)
		close(a->spare);
	a->spare = -1;
	free((void *)a->whole.results);
	a->whole.results = NULL;
	aggregate_schemas_free(a);
	show_free(&a->show);
	for (size_t i = 0; i < a->text_count; i++)
		free(a->texts[i]);
	a->text_count = 0;
}
