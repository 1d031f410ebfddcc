/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.c - -c, -C: calls, errors and durations, as the kernel has counted them by number.
 */

#include "applets/syssnoop/parts.h"
#include "output/field/hist.h"
#include "run/reporting.h"
#include "run/session.h"

struct count_row {
	uint64_t row;
	struct syssnoop_count count;
};
#define COUNT(member) FIELD_AT(struct count_row, count.member)

static void row_name(const struct field *f, const void *record, struct value *v)
{
	const struct count_row *r = record;

	(void)f;
	name_set(v, (uint32_t)r->row / SYSCALL_NUMBERS, (uint32_t)r->row % SYSCALL_NUMBERS);
}

static void average(const struct field *f, const void *record, struct value *v)
{
	const struct count_row *r = record;

	(void)f;
	v->u = r->count.calls ? r->count.total / r->count.calls : 0;
}

#define PERCENT(percent_)                                                                          \
	{                                                                                          \
		.name = "p" #percent_, COUNT(latency), .type = FIELD_PERCENTILE, .axis = &hist_ns, \
		.percent = percent_,                                                               \
		.help = "below it lie " #percent_                                                  \
			" of 100 durations, as estimated from the buckets"                         \
	}

/* clang-format off */
static const struct field count_fields[] = {
	{ .name = "total", COUNT(total), .type = FIELD_NS, .flags = FIELD_SORT | FIELD_COUNTER,
	  .help = "time in all of them" },
	{ .name = "average", .size = 8, .type = FIELD_NS, .value = average, .flags = FIELD_GAUGE,
	  .help = "time in one" },
	PERCENT(50),
	PERCENT(99),
	{ .name = "calls", COUNT(calls), .type = FIELD_UINT, .flags = FIELD_TOTAL,
	  .help = "how many returned" },
	{ .name = "errors", COUNT(errors), .type = FIELD_UINT, .flags = FIELD_COUNTER,
	  .help = "how many failed" },
	{ .name = "syscall", .type = FIELD_TEXT, .value = row_name, .help = "name of the call" },
};
/* clang-format on */

/* Of the fields above, in their order. */
const char *const counts_orders[] = { "time",  "avg-time", "p50",  "p99",
				      "calls", "errors",   "name", NULL };
int counts_sorted;

static const struct schema schema = { .fields = count_fields,
				      .count = sizeof(count_fields) / sizeof(*count_fields),
				      .record_min = sizeof(struct count_row),
				      .bare = true };

static int counts_rows(struct session *s, struct report *out)
{
	return report_map(s, out, "counted");
}

/* What -S names, for --sort. */
static const char *sorted_by(void)
{
	return count_fields[counts_sorted].name;
}

void counts_report(struct session *s)
{
	s->options.sort = s->options.sort ?: sorted_by();
	s->schema = schema;
	s->report = counts_rows;
	s->row_name = "syscalls";
}

void counts_put(struct session *s)
{
	struct schema fields = schema;
	struct sink sink = {
		.schema = &fields, .out = &s->out, .json = s->options.json, .applet = "syscalls"
	};
	struct report *r = &s->reports;

	if (!sink.json)
		buf_char(&s->out, '\n');
	r->sink = &sink;
	report_begin(r, s->ended_at);
	if (!report_sort_set(r, sorted_by()) && !counts_rows(s, r))
		report_end(r);
	sink_free(&sink);
}
