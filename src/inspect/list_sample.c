/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_sample.c - argdump --list of hw: and sw: events, with the period that each has by itself.
 */
#include "inspect/list.h"

#include "probe/argdump.h"
#include "probe/sample_spec.h"
#include "inspect/list_row.h"
#include "util/log.h"

struct sample_row {
	const char *kind, *name;
	uint64_t period;
};

static const struct field fields[] = {
	FIELD(struct sample_row, kind, FIELD_TEXT, 0, NULL),
	FIELD(struct sample_row, name, FIELD_TEXT, 0, NULL),
	FIELD(struct sample_row, period, FIELD_UINT, 0, NULL),
	{ 0 },
};

static void row_text(struct buf *o, const void *record)
{
	const struct sample_row *row = record;

	buf_printf(o, "%s:%s:%llu\n", row->kind, row->name, (unsigned long long)row->period);
}

static size_t rows_put(struct list_rows *rows, const struct probe_spec *spec)
{
	size_t count = 0;

	for (const struct sample_event *e = sample_events; e->name; e++) {
		struct sample_row row = { spec->kind == PROBE_SPEC_HARDWARE ? "hw" : "sw", e->name,
					  e->period };

		if (!sample_event_is(e, spec->kind) || !probe_spec_takes(spec, "", e->name))
			continue;
		list_put(rows, &row);
		count++;
	}
	return count;
}

int list_samples(struct session *s, const struct argdump_request *request)
{
	struct list_rows rows;
	size_t count;

	list_begin(&rows, s, "sample", fields, row_text, sizeof(struct sample_row));
	count = rows_put(&rows, &request->spec);
	list_end(&rows);
	if (count)
		return EXIT_FINE;
	log_error("no event matches '%s'", request->text);
	return EXIT_USAGE;
}
