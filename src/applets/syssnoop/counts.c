/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counts.c - -c and -C: calls, errors and times as the kernel has counted them by number: selects columns, and prints
 * JSON.
 *
 * A call's time is the time charged to its thread on the processor, or with -w all time until its return.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "applets/syssnoop/counts.h"
#include "applets/syssnoop/parts.h"
#include "output/field/field_kind.h"
#include "output/field/hist.h"
#include "output/field/value.h"
#include "run/reporting.h"
#include "run/session.h"
#include "syssnoop.skel.h"
#include "util/log.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- columns ---- */

bool counts_wall;
struct counts_choice counts_chosen = { .shown = { PERCENT, TOTAL, AVERAGE, CALLS, ERRORS, NAME },
				       .count = 6,
				       .sorted = PERCENT };
static bool is_set;

/* An _ stands for a - as well. */
static const struct {
	const char *name;
	uint8_t column;
} names[] = {
	{ "time", PERCENT },
	{ "time-percent", PERCENT },
	{ "total-time", TOTAL },
	{ "time-total", TOTAL },
	{ "min-time", SHORTEST },
	{ "shortest", SHORTEST },
	{ "time-min", SHORTEST },
	{ "max-time", LONGEST },
	{ "longest", LONGEST },
	{ "time-max", LONGEST },
	{ "avg-time", AVERAGE },
	{ "time-avg", AVERAGE },
	{ "wall-total", WALL_TOTAL },
	{ "total-wall", WALL_TOTAL },
	{ "wall-min", WALL_SHORTEST },
	{ "min-wall", WALL_SHORTEST },
	{ "wall-max", WALL_LONGEST },
	{ "max-wall", WALL_LONGEST },
	{ "wall-avg", WALL_AVERAGE },
	{ "avg-wall", WALL_AVERAGE },
	{ "p50", P50 },
	{ "p99", P99 },
	{ "calls", CALLS },
	{ "count", CALLS },
	{ "errors", ERRORS },
	{ "error", ERRORS },
	{ "name", NAME },
	{ "syscall", NAME },
	{ "syscall-name", NAME },
	{ "none", NOTHING },
	{ "nothing", NOTHING },
};

static int column_find(const char *text, size_t len)
{
	for (size_t i = 0; i < COUNT(names); i++) {
		size_t n = 0;

		while (n < len && (text[n] == '_' ? '-' : text[n]) == names[i].name[n])
			n++;
		if (n == len && !names[i].name[n])
			return names[i].column;
	}
	return -1;
}

const char *counts_order_add(const struct option_spec *spec, const char *arg)
{
	(void)spec;
	counts_chosen.sorted = column_find(arg, strlen(arg));
	is_set = true;
	return counts_chosen.sorted < 0 ?
		       "the choices are time, min-time, max-time, avg-time, calls, errors, name, none, p50, p99" :
		       NULL;
}

const char *counts_columns_add(const struct option_spec *spec, const char *arg)
{
	bool has[COLUMNS] = { false };
	size_t len;
	int column;

	(void)spec;
	is_set = true;
	for (counts_chosen.count = 0;; arg += len + 1) {
		len = strcspn(arg, ",");
		column = column_find(arg, len);
		if (column < 0 || column == NOTHING)
			return "the choices are time-percent, total-time, min-time, max-time, avg-time, wall-total, "
			       "wall-min, wall-max, wall-avg, calls, errors, p50, p99, name";
		if (has[column])
			return "a column is there twice";
		has[column] = true;
		counts_chosen.shown[counts_chosen.count++] = (uint8_t)column;
		if (!arg[len])
			break;
	}
	if (!has[NAME])
		counts_chosen.shown[counts_chosen.count++] = NAME;
	return NULL;
}

const char *counts_overhead_add(const struct option_spec *spec, const char *arg)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "", 1e3 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *end;
	double n = strtod(arg, &end);

	(void)spec;
	is_set = true;
	for (size_t i = 0; end > arg && n >= 0 && i < COUNT(units); i++) {
		if (strcmp(end, units[i].name) != 0 || n * units[i].ns > 1e18)
			continue;
		counts_chosen.overhead = (uint64_t)(n * units[i].ns);
		return NULL;
	}
	return "expected a time: 1 (microseconds), 0.5ms, 200ns";
}

bool counts_are_set(void)
{
	return is_set;
}

bool counts_is_extreme(int column)
{
	return column == SHORTEST || column == LONGEST || column == WALL_SHORTEST ||
	       column == WALL_LONGEST;
}

bool counts_have_extremes(void)
{
	for (size_t i = 0; i < counts_chosen.count; i++)
		if (counts_is_extreme(counts_chosen.shown[i]))
			return true;
	return counts_is_extreme(counts_chosen.sorted);
}

/* ---- values ---- */

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t percentile_of(const struct syssnoop_count *c, uint32_t percent)
{
	struct hist h = { .buckets = (const uint64_t *)c->latency,
			  .count = COUNT(c->latency),
			  .is_time = true };
	struct hist_percentile p;

	return hist_percentile(&h, percent, &p) ? (uint64_t)p.value : 0;
}

/* Times are ns. */
uint64_t counts_value(const struct syssnoop_count *c, unsigned column)
{
	uint64_t total = less(counts_wall ? c->total : c->cpu, c->calls * counts_chosen.overhead),
		 wall = less(c->total, c->calls * counts_chosen.overhead);

	switch (column) {
	case PERCENT:
	case TOTAL: return total;
	case SHORTEST: return less(counts_wall ? c->min : c->cpu_min, counts_chosen.overhead);
	case LONGEST: return less(counts_wall ? c->max : c->cpu_max, counts_chosen.overhead);
	case AVERAGE: return c->calls ? total / c->calls : 0;
	case WALL_TOTAL: return wall;
	case WALL_SHORTEST: return less(c->min, counts_chosen.overhead);
	case WALL_LONGEST: return less(c->max, counts_chosen.overhead);
	case WALL_AVERAGE: return c->calls ? wall / c->calls : 0;
	case P50: return percentile_of(c, 50000);
	case P99: return percentile_of(c, 99000);
	case CALLS: return c->calls;
	case ERRORS: return c->errors;
	default: return 0;
	}
}

const char *counts_name(uint64_t row)
{
	return syscall_label((unsigned)row / SYSCALL_NUMBERS, (uint32_t)row % SYSCALL_NUMBERS);
}

/* ---- rows, as JSON and for --sort ---- */

static void row_name(const struct field *f, const void *record, struct value *v)
{
	const struct count_row *r = record;

	(void)f;
	v->bytes = counts_name(r->row);
	v->len = strlen(v->bytes);
}

static void average(const struct field *f, const void *record, struct value *v)
{
	const struct count_row *r = record;

	(void)f;
	v->u = r->count.calls ? r->count.total / r->count.calls : 0;
}

#define MEMBER(member) FIELD_AT(struct count_row, count.member)
#define PERCENTILE(percent_)                                                                       \
	{                                                                                          \
		.name = "p" #percent_, MEMBER(latency), .type = FIELD_PERCENTILE,                  \
		.axis = &hist_ns, .percent = percent_ * 1000,                                      \
		.help = #percent_ " of 100 durations are below it, as estimated from the buckets"  \
	}

/* clang-format off */
static const struct field fields[] = {
	{ .name = "total", MEMBER(total), .type = FIELD_NS, .flags = FIELD_SORT | FIELD_COUNTER,
	  .help = "total time of the calls" },
	{ .name = "average", .size = 8, .type = FIELD_NS, .value = average, .flags = FIELD_GAUGE,
	  .help = "time of one call" },
	PERCENTILE(50),
	PERCENTILE(99),
	{ .name = "cpu", MEMBER(cpu), .type = FIELD_NS, .flags = FIELD_COUNTER,
	  .help = "total time on the processor; 0 with -w" },
	{ .name = "calls", MEMBER(calls), .type = FIELD_UINT, .flags = FIELD_TOTAL,
	  .help = "number of calls that returned" },
	{ .name = "errors", MEMBER(errors), .type = FIELD_UINT, .flags = FIELD_COUNTER,
	  .help = "number of calls that failed" },
	{ .name = "syscall", .type = FIELD_TEXT, .value = row_name, .help = "name of the call" },
};
/* clang-format on */

static const struct schema schema = { .fields = fields,
				      .count = COUNT(fields),
				      .record_min = sizeof(struct count_row),
				      .bare = true };

/* The values of the map are sums over all processors, except these: a minimum or a maximum. */
static void extremes_set(struct count_row *row, const struct syssnoop_count *values, int cpus)
{
	struct syssnoop_count *c = &row->count;

	c->min = c->cpu_min = UINT64_MAX;
	c->max = c->cpu_max = 0;
	for (int i = 0; i < cpus; i++) {
		const struct syssnoop_count *v = &values[i];

		if (!v->calls)
			continue;
		c->min = v->min < c->min ? v->min : c->min;
		c->cpu_min = v->cpu_min < c->cpu_min ? v->cpu_min : c->cpu_min;
		c->max = v->max > c->max ? v->max : c->max;
		c->cpu_max = v->cpu_max > c->cpu_max ? v->cpu_max : c->cpu_max;
	}
}

static int counts_rows(struct session *s, struct report *out)
{
	struct syssnoop_bpf *skel = s->objects->skel;
	int err = report_map(s, out, "counted"), cpus = libbpf_num_possible_cpus();
	struct syssnoop_count *values;

	if (err || !counts_have_extremes() || cpus < 0)
		return err;
	values = calloc((size_t)cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < out->line_count; i++) {
		struct count_row *row = (void *)(out->bytes.data + out->lines[i].offset);
		uint32_t key = (uint32_t)row->row;

		if (!bpf_map_lookup_elem(bpf_map__fd(skel->maps.counted), &key, values))
			extremes_set(row, values, cpus);
	}
	free(values);
	return 0;
}

/* Returns the field that -S names, for JSON and pictures; NULL: none. */
static const char *sorted_by(void)
{
	switch (counts_chosen.sorted) {
	case AVERAGE:
	case WALL_AVERAGE: return "average";
	case P50: return "p50";
	case P99: return "p99";
	case CALLS: return "calls";
	case ERRORS: return "errors";
	case NAME: return "syscall";
	default: return counts_wall ? "total" : "cpu";
	}
}

static bool is_table(const struct session *s)
{
	const struct options *o = &s->options;

	return !o->rows.json && !o->report.screen && !o->report.svg && !o->report.heatmap;
}

void counts_report(struct session *s, const struct report_form *table)
{
	if (!is_table(s))
		s->options.report.sort = s->options.report.sort ?: sorted_by();
	else
		s->reporting.form = table;
	s->rows.schema = schema;
	s->report = counts_rows;
	s->rows.name = "syscalls";
}

void counts_write(struct session *s, const struct report_form *table)
{
	struct schema rows = schema;
	struct sink sink = {
		.schema = &rows, .out = &s->out, .json = s->options.rows.json, .applet = "syscalls"
	};
	struct report *r = &s->reporting.report;

	r->form = sink.json ? NULL : table;
	r->sink = &sink;
	report_begin(r, s->end.at);
	if ((!sink.json || !report_sort_set(r, sorted_by())) && !counts_rows(s, r))
		report_end(r);
	sink_free(&sink);
}
