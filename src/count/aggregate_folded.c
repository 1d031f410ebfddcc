/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_folded.c - writes counted rows as folded stacks: a line has the keys in their order, and the one measure
 * as its weight.
 */
#include "count/aggregate_read.h"

#include <errno.h>
#include <string.h>

#include "output/rows/folded.h"
#include "output/rows/sink.h"
#include "util/log.h"

/* ---- options ---- */

static bool is_weight(const struct aggregate *a)
{
	const struct expr_measure *m = a->measures;

	return a->input.count == 1 && (m->kind == EXPR_COUNT || m->kind == EXPR_SUM);
}

static int fold_check(const struct aggregate *a, const struct options *common)
{
	const char *what = common->stacks.folded ? "--folded prints" : "a flame graph has";
	bool is_screen = common->report.screen && common->stacks.blocks;
	const char *alone = common->report.top			     ? "top" :
			    common->report.sort			     ? "sort" :
			    common->report.interval_ns && !is_screen ? "interval" :
			    common->report.clear		     ? "clear" :
								       NULL;

	if (alone) {
		log_error("%s all stacks at the end: it cannot be combined with --%s", what, alone);
		if (common->report.interval_ns && common->stacks.blocks)
			log_hint("add --screen to see them in place, on a terminal");
	} else if (a->input.count && !is_weight(a)) {
		log_error("%s one number per stack: that of one --count or --sum", what);
	} else {
		return 0;
	}
	return -EINVAL;
}

static bool has_stack(const struct aggregate_keys *k)
{
	for (size_t i = 0; i < k->count; i++)
		if (strstr(k->texts[i], "$kstack") || strstr(k->texts[i], "$ustack"))
			return true;
	return false;
}

static void key_add(struct aggregate_keys *k, const char *text)
{
	if (k->count < OPTION_LIST_MAX)
		k->texts[k->count++] = text;
}

static void stacks_add(struct aggregate_keys *k, const struct options *common)
{
	bool given = has_stack(k);

	if (!k->count)
		key_add(k, "$comm");
	if (common->stacks.user && !given)
		key_add(k, "$ustack");
	if (common->stacks.kernel && !given)
		key_add(k, "$kstack");
}

/* A line begins with the outermost frame: the kernel's frames follow those of the program that called it. */
static void stacks_order(struct aggregate_keys *k)
{
	for (size_t i = 1; i < k->count; i++) {
		const char *before = k->texts[i - 1];

		if (!strstr(before, "$kstack") || !strstr(k->texts[i], "$ustack"))
			continue;
		k->texts[i - 1] = k->texts[i];
		k->texts[i] = before;
	}
}

bool aggregate_folds(const struct aggregate *a, const struct options *common)
{
	bool stacks = false;

	for (size_t i = 0; i < a->keys_count; i++)
		stacks |= has_stack(&a->keys[i]);
	return common->stacks.folded || (common->report.svg && stacks && is_weight(a));
}

int aggregate_fold(struct aggregate *a, const struct options *common)
{
	int err = fold_check(a, common);

	if (err)
		return err;
	if (!a->input.count)
		a->measures[a->input.count++] = (struct expr_measure){ .kind = EXPR_COUNT };
	if (!a->keys_count)
		a->keys_count = 1; /* common to all probes */
	for (size_t i = 0; i < a->keys_count; i++) {
		stacks_add(&a->keys[i], common);
		stacks_order(&a->keys[i]);
	}
	a->is_folded = true;
	return 0;
}

/* ---- lines ---- */

static int rows_fold(struct aggregate *a, const struct aggregate_rows *rows, struct folded *f)
{
	uint64_t n;
	int err = 0;

	for (size_t i = 0; i < rows->count && !err; i++) {
		const void *key = row_key(rows, i);
		int64_t weight = aggregate_value(a->table->results, row_words(a, rows, i), &n);

		err = folded_add(f, row_key_schema(a, key), key, a->table->key_size, weight);
	}
	return err;
}

/* Returns the name of the unit of a sum; NULL for a count. */
static const char *unit_of(const struct aggregate *a)
{
	const struct expr_result *r = a->table->results;
	const struct schema *s = &a->shown.schemas[0];

	for (size_t i = 0; i < s->count && r->kind != EXPR_COUNT; i++)
		if (s->fields[i].context == r)
			return s->fields[i].title;
	return NULL;
}

int aggregate_report_folded(struct aggregate *a, struct aggregate_rows *rows, struct report *out)
{
	struct folded *f = folded_new();
	const struct report_stacks about = { .is_signed = a->table->results->is_signed,
					     .is_time = a->table->results->field.type == FIELD_NS,
					     .unit = unit_of(a) };
	int err = f ? rows_fold(a, rows, f) : -ENOMEM;

	if (!err)
		err = report_stacks(out, f, &about);
	folded_free(f);
	return err;
}
