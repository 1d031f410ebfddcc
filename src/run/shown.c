/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shown.c - which fields a run's records or rows show, in which order, and up to which (shown.h).
 */
#include "run/shown.h"

#include <errno.h>

#include "output/rows/columns.h"
#include "cli/form.h"
#include "run/inner_pids.h"
#include "run/session.h"
#include "util/log.h"

static void container_show(struct session *s)
{
	for (size_t i = 0; i < s->schema.count && s->options.with_container; i++)
		if (s->schema.fields[i].type == FIELD_CONTAINER)
			s->schema.optional |= 1ull << i;
}

/* --columns of a table of the applet's own. */
static int columns_choose(struct session *s)
{
	struct schema *schema = &s->schema;
	int err;

	if (!s->options.columns || options_want_all(&s->options))
		return EXIT_FINE;
	if (s->report) {
		log_error("--columns is for rows of events, not for counts");
		return EXIT_USAGE;
	}
	err = columns_set(s->options.columns, &schema, 1, NULL, &s->column_fields);
	if (err == -ENOMEM)
		log_error("out of memory");
	return !err ? EXIT_FINE : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* Before the columns are chosen: it may ask for others. */
static int until_choose(struct session *s)
{
	const char *text = s->options.until;

	return text && condition_read(&s->until, text, &s->schema) ? EXIT_USAGE : EXIT_FINE;
}

static int sort_choose(struct session *s)
{
	s->reports.sink = &s->sink;
	if (!s->report || !s->options.sort)
		return EXIT_FINE;
	return report_sort_set(&s->reports, s->options.sort) ? EXIT_USAGE : EXIT_FINE;
}

int shown_set(struct session *s)
{
	const struct applet *a = s->applet;

	if (!s->schema.fields)
		s->schema = (struct schema){ .fields = a->fields,
					     .count = a->field_count,
					     .record_min = a->record_min,
					     .bare = a->is_bare,
					     .noun = a->noun };
	if (!s->report)
		s->report = a->report;
	container_show(s);
	if (s->options.inner_pids && inner_pids_show(&s->schema, &s->pid_fields)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	s->schema.extended = s->options.extended;
	s->schema.timestamp = s->options.timestamp;
	s->sink = (struct sink){ .schema = &s->schema,
				 .tag = s->tag,
				 .schemas = s->schemas,
				 .schema_count = s->schema_count,
				 .out = &s->out,
				 .json = s->options.json,
				 .form = session_form(&s->options),
				 .applet = s->row_name ?: a->name };
	return until_choose(s) ?: columns_choose(s) ?: sort_choose(s);
}
