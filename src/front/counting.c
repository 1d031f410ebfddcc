/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counting.c - runs that count: one table for all probes, whose rows are printed instead of records.
 */
#include "front/front.h"

#include <errno.h>
#include <stdlib.h>

#include "count/aggregate_names.h"
#include "count/aggregate_read.h"
#include "kernel/limits.h"
#include "probe/copies.h"
#include "util/errname.h"
#include "util/log.h"

/* Returns the programs that count (in a pair, the end's) in an array that the caller frees. NULL if out of memory. */
static const struct expr_program **programs_that_count(const struct argdump *a, size_t *count)
{
	const struct expr_program **programs = calloc(a->probe_count + 1, sizeof(*programs));

	*count = 0;
	for (size_t i = 0; programs && i < a->probe_count; i++)
		if (a->probes[i].expr && pair_writes(&a->probes[i]))
			programs[(*count)++] = a->probes[i].expr;
	return programs;
}

/* Builds the table of all programs. Returns 0, -ENOMEM, or -EINVAL after printing an error. */
static int table_build(struct argdump *a)
{
	size_t count;
	const struct expr_program **programs = programs_that_count(a, &count);
	int err = programs ? aggregate_table_build(&a->aggregate, programs, count) : -ENOMEM;

	free(programs);
	return err ?: aggregate_names_check(a->aggregate.table);
}

/* Compiles a counting probe; its key and entry must have the same size as the first one's. */
static int counting_compile(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	const struct argdump_probe *first = a->probes;
	const char *unlike;

	while (first < p && !first->expr) /* the begin of a pair has none */
		first++;
	if (argdump_probe_compile_or_report(s, a, p))
		return EXIT_USAGE;
	if (!aggregate_measures(&a->aggregate, p->input.owner)) {
		log_error("%s counts nothing", p->name);
		log_hint("put options after this PROBE, or options for all before the first PROBE");
		return EXIT_USAGE;
	}
	unlike = aggregate_unlike(first->expr, p->expr);
	if (!unlike)
		return EXIT_FINE;
	log_error("%s and %s cannot be counted together: %s", first->name, p->name, unlike);
	log_hint("use a cast to make them equal: '(long)count', '(long)(count ?? 0)'");
	return EXIT_USAGE;
}

int counting_compile_all(struct session *s, struct argdump *a)
{
	int code = EXIT_FINE, err;

	for (size_t i = 0; i < a->probe_count && !code; i++)
		if (pair_writes(&a->probes[i]))
			code = counting_compile(s, a, &a->probes[i]);
	err = code ? 0 : table_build(a);
	if (!err && !code)
		err = aggregate_schemas_check(&a->aggregate, expr_schema(a->probes[0].expr));
	if (err == -ENOMEM)
		log_error("out of memory");
	return err ? EXIT_USAGE : code;
}

static int counting_maps_open(struct argdump *a)
{
	size_t count;
	const struct expr_program **programs = programs_that_count(a, &count);
	int err;

	a->aggregate.point_count = a->run.point_count;
	err = programs ? aggregate_open(&a->aggregate, programs, count, a->probe_count, &a->maps) :
			 -ENOMEM;

	free(programs);
	return err;
}

int counting_attach(struct session *s, struct argdump *a)
{
	struct argdump_probe *p = a->probes;
	int code = counting_compile_all(s, a), err;

	if (code)
		return code;
	err = counting_maps_open(a);
	if (!err || err == -EPERM)
		return err ? p->kind->explain(s, p, err) : EXIT_FINE;
	if (!limit_error(err, errtext(-err), "cannot create the maps for counting"))
		log_hint(
			"use fewer --keys, or fewer and shorter expressions in --by, to save memory");
	return EXIT_CANNOT;
}

static int counting_show(struct session *s, struct report *out)
{
	struct argdump *a = s->private;
	struct aggregate_rows rows;
	int err;

	stacks_poll(s);
	if (s->options.report.clear)
		stacks_sweep_begin(a);
	err = model_has(&a->model, MODEL_OPEN) ? pair_open_count(s, &rows) :
	      a->stacks.copies		       ? copies_rows_read(s, &rows) :
						 aggregate_rows_read(&a->aggregate, &rows);
	if (!err)
		err = (a->aggregate.is_folded ? aggregate_report_folded :
						aggregate_report)(&a->aggregate, &rows, out);
	a->saw_calls |= rows.count != 0;
	free(rows.bytes);
	if (s->options.report.clear)
		stacks_sweep_end(a);
	return err;
}

int counting_begin(struct session *s, struct argdump *a)
{
	struct aggregate *g = &a->aggregate;

	g->key_schemas = a->rows.schemas;
	g->points = a->points;
	g->point_count = a->run.point_count;
	if (table_build(a) || aggregate_schemas_build(g)) {
		log_error("out of memory"); /* all other errors were reported before */
		return EXIT_FAILED;
	}
	s->rows.schema = g->shown.schemas[0];
	s->rows.name = "count";
	s->rows.tag = g->shown.tag;
	s->rows.schemas = g->shown.list;
	s->rows.schema_count = g->programs;
	s->report = counting_show;
	return EXIT_FINE;
}
