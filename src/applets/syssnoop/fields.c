/* SPDX-License-Identifier: GPL-2.0-only */
/* fields.c - the fields of a record, for JSON and the filters; and the table of -c and -C. */
#include <stdio.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "output/field/field_kind.h"
#include "output/field/hist.h"
#include "output/field/shared_fields.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "run/reporting.h"
#include "run/session.h"

void name_set(struct value *v, unsigned abi, uint32_t nr)
{
	static char number[24];

	v->bytes = syscall_name(abi, nr);
	if (!v->bytes) {
		snprintf(number, sizeof(number), "syscall_0x%x", nr);
		v->bytes = number;
	}
	v->len = strlen(v->bytes);
}

static void name_value(const struct field *f, const void *record, struct value *v)
{
	const struct syssnoop_event *e = record;

	(void)f;
	if (e->kind == SYSSNOOP_CALL)
		name_set(v, e->abi, e->nr);
	else
		v->status = EVENT_NONE;
}

static void text_value(const struct field *f, const void *record, struct value *v)
{
	static struct buf line;

	(void)f;
	if (!line.data)
		buf_init(&line, -1);
	line.len = 0;
	syscall_write_text(&line, record, show_text_options());
	v->bytes = line.data;
	v->len = line.len;
}

static int args_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	(void)f, (void)size;
	*v = (struct value){ .bytes = record, .len = sizeof(struct syssnoop_event) };
	return 0;
}

static void args_json(struct buf *o, const struct field *f, const struct value *v)
{
	(void)f;
	syscall_write_json(o, (const void *)v->bytes, show_text_options());
}

static size_t args_text(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form)
{
	size_t begun = o->len;

	(void)form;
	args_json(o, f, v);
	return o->len - begun;
}

static const struct field_kind args_kind = {
	.name = "arguments", .load = args_load, .text = args_text, .json = args_json
};

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct syssnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field_name kinds[] = {
	{ SYSSNOOP_CALL, "call" }, { SYSSNOOP_SIGNAL, "signal" }, { SYSSNOOP_EXIT, "exit" }, { 0 },
};
static const struct field_name abis[] = {
	{ SYSCALL_ABI_64, "64" }, { SYSCALL_ABI_32, "32" }, { 0 },
};
const struct field syssnoop_fields[SYSSNOOP_FIELDS] = {
	{ .name = "pid", FIELD_AT(struct syssnoop_event, header.pid), .type = FIELD_UINT, .width = 7,
	  .help = "process" },
	{ .name = "tid", FIELD_AT(struct syssnoop_event, header.tid), .type = FIELD_UINT, .width = 7,
	  .help = "thread" },
	TASK_INNER_FIELD(struct syssnoop_event, header),
	{ .name = "comm", FIELD_AT(struct syssnoop_event, header.comm), .type = FIELD_CSTR,
	  .width = 15, .help = "command name of the thread" },
	EVENT(kind, FIELD_ENUM, 6, "call, signal, exit (the end of a thread)", .names = kinds),
	{ .name = "syscall", .type = FIELD_TEXT, .value = name_value,
	  .help = "name of the call; null for signals and exits" },
	EVENT(nr, FIELD_UINT, 4, "number of the call or signal"),
	EVENT(abi, FIELD_ENUM, 3, "64, or 32 for calls of 32-bit programs", .names = abis),
	{ .name = "args", .kind = &args_kind,
	  .help = "arguments of the call by name: numbers, strings, lists, structs" },
	EVENT(ret, FIELD_RET, 0, "result: a negative errno is an error; of an exit the status as of "
	      "wait(2)"),
	{ .name = "errno", FIELD_AT(struct syssnoop_event, ret), .type = FIELD_ERRNO,
	  .help = "name of the error, null for none" },
	EVENT(latency, FIELD_NS, 7, "duration of the call", .flags = FIELD_MAYBE,
	      .role = FIELD_ROLE_LASTED_BESIDE),
	{ .name = "text", .type = FIELD_TEXT, .value = text_value, .help = "the line of text" },
};
/* clang-format on */

/* ---- -c, -C: calls, errors and durations, as the kernel has counted them by number ---- */

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
	  .help = "total time of the calls" },
	{ .name = "average", .size = 8, .type = FIELD_NS, .value = average, .flags = FIELD_GAUGE,
	  .help = "time of one call" },
	PERCENT(50),
	PERCENT(99),
	{ .name = "calls", COUNT(calls), .type = FIELD_UINT, .flags = FIELD_TOTAL,
	  .help = "number of calls that returned" },
	{ .name = "errors", COUNT(errors), .type = FIELD_UINT, .flags = FIELD_COUNTER,
	  .help = "number of calls that failed" },
	{ .name = "syscall", .type = FIELD_TEXT, .value = row_name, .help = "name of the call" },
};
/* clang-format on */

/* The columns of the fields above, in their order. */
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

/* The column that -S names, for --sort. */
static const char *sorted_by(void)
{
	return count_fields[counts_sorted].name;
}

void counts_report(struct session *s)
{
	s->options.report.sort = s->options.report.sort ?: sorted_by();
	s->rows.schema = schema;
	s->report = counts_rows;
	s->rows.name = "syscalls";
}

void counts_write(struct session *s)
{
	struct schema fields = schema;
	struct sink sink = { .schema = &fields,
			     .out = &s->out,
			     .json = s->options.rows.json,
			     .applet = "syscalls" };
	struct report *r = &s->reporting.report;

	if (!sink.json)
		buf_char(&s->out, '\n');
	r->sink = &sink;
	report_begin(r, s->end.at);
	if (!report_sort_set(r, sorted_by()) && !counts_rows(s, r))
		report_end(r);
	sink_free(&sink);
}
