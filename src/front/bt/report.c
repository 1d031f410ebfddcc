/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.c - report: rows that a program builds from its maps, at the end and every --interval, sorted and limited
 * like those of other tools that count.
 *
 * This process runs the program of `report`. Its rows arrive through the ring, after all earlier records. Events
 * counted between its run and the removal for --clear are lost.
 */
#include <errno.h>

#include "front/bt/bt.h"
#include "output/field/field_load.h"
#include "output/field/value.h"
#include "output/rows/folded.h"
#include "run/session.h"
#include "util/log.h"

/* Appends a folded line; the last column is the weight. */
static int row_fold(struct bt *b, const void *record, size_t size)
{
	struct schema key = b->session->rows.schema;
	const struct field *last = &key.fields[--key.count];
	struct value v;

	return field_load(last, record, size, &v) ?: folded_add(b->folded, &key, record, size, v.u);
}

int bt_report_read(struct bt *b, const void *record, size_t size)
{
	const struct script_record *head = record;
	size_t first = b->a.run.point_count;
	int err;

	if (!b->report || head->point < first ||
	    b->specials[head->point - first].attach->kind != PROBE_REPORT ||
	    b->script->actions[head->action]->kind != ACTION_EMIT)
		return 0;
	err = b->folded ? row_fold(b, record, size) : report_row(b->report, record, size);
	return err ?: 1;
}

static int record_consume(void *ctx, const void *record, size_t size)
{
	struct session *s = ctx;

	return s->record(s, record, size);
}

/* --clear, which [INTERVAL] implies. */
static int maps_clear(struct bt *b)
{
	int err = 0;

	for (size_t i = 0; i < b->script->map_count && !err; i++)
		if (script_is_aggregate(&b->script->maps[i]->value))
			err = bt_map_clear(b, b->script->maps[i]);
	return err;
}

static int rows_collect(struct session *s, struct bt *b)
{
	int err = bt_specials_run(b, PROBE_REPORT);

	return err ?: ring_consume(s->ring, UINT64_MAX, record_consume, s);
}

static int stacks_collect(struct session *s, struct bt *b)
{
	const struct schema *schema = &s->rows.schema;
	const struct report_stacks about = { .unit = schema->fields[schema->count - 1].name };
	int err;

	b->folded = folded_new();
	err = b->folded ? rows_collect(s, b) : -ENOMEM;
	if (err >= 0)
		err = report_stacks(b->report, b->folded, &about);
	b->a.saw_calls |= s->sink.rows != 0;
	folded_free(b->folded);
	b->folded = NULL;
	return err;
}

static int report_build(struct session *s, struct report *out)
{
	struct bt *b = bt_of(s);
	int err;

	b->report = out;
	err = b->tool->folds ? stacks_collect(s, b) : rows_collect(s, b);
	b->report = NULL;
	b->a.saw_calls |= out->line_count != 0;
	if (err >= 0 && s->options.report.clear)
		err = maps_clear(b);
	return err < 0 ? err : 0;
}

/* True for what is in the probe `report`, or `folded`: other rows are printed only without it. */
static bool is_reported(const struct bt *b, const struct script_action *action)
{
	for (size_t i = 0; i < b->script->probe_count; i++) {
		const struct script_probe *p = &b->script->probes[i];

		if (p->attach_count && p->attaches->kind == PROBE_REPORT &&
		    action->span.start >= p->body_span.start &&
		    action->span.end <= p->body_span.end)
			return true;
	}
	return false;
}

/* Returns the only emit() of the report; NULL after printing an error. */
static const struct script_action *row_find(const struct bt *b)
{
	const struct script_action *row = NULL;
	size_t count = 0;

	for (size_t i = 0; i < b->script->action_count; i++) {
		const struct script_action *action = b->script->actions[i];

		if (action->kind != ACTION_EMIT || (b->tool->may_report && !is_reported(b, action)))
			continue;
		row = b->script->actions[i];
		count++;
	}
	if (count == 1)
		return row;
	log_error("a program with a report must have one emit(), but this one has %zu", count);
	log_hint("report { for ($kv : @x) { emit(name = $kv.0, count = $kv.1); } }");
	return NULL;
}

int bt_report_begin(struct session *s, struct bt *b)
{
	const struct script_action *row;
	const struct schema *schema;

	if (!b->tool || !b->tool->reports)
		return EXIT_FINE;
	row = row_find(b);
	if (!row)
		return EXIT_USAGE;
	schema = bt_rows_schema(&b->show, row);
	if (!schema) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	s->rows.schema = *schema;
	s->rows.name = "count";
	s->report = report_build;
	return EXIT_FINE;
}
