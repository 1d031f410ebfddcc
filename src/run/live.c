/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.c - makes the events of live.h.
 *
 * Records reach it by the tee of the session's sink, which is set only while somebody reads. Reports are made as those
 * of metrics.c: from the same maps, next to the session's own.
 */
#include "run/live.h"

#include <errno.h>
#include <string.h>

#include "output/rows/json.h"
#include "run/live_stacks.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/escape.h"

#define PERIOD_NS 1000000000ull

enum {
	ROWS_MOST = 1000, /* of a report, unless --top says how many */
	REPORT_BYTES = 256 * 1024
};

static struct {
	struct session *session;
	struct sink sink; /* of rows: of records, or of reports */
	struct buf line;  /* owned: what the sink writes */
	struct report report;
	uint64_t made, due; /* when the state was made, and will be; 0: never */
} live;

/* ---- rows ---- */

bool live_is_watched(void)
{
	return stream_readers();
}

void live_row(const char *line, size_t size)
{
	stream_append(NULL, live.session->sink.rows, line, size);
}

static void record_tee(const void *record, size_t size)
{
	buf_rewind(&live.line, 0);
	if (!sink_record(&live.sink, record, size))
		live_row(live.line.data, live.line.len);
}

static void sink_prepare(const struct session *s)
{
	if (!live.line.data)
		buf_init(&live.line, -1);
	reporting_sink_copy(s, &live.sink, &sink_form_json);
	live.sink.out = &live.line;
	live.sink.json = true;
}

/* ---- the state ---- */

static uint64_t elapsed(const struct session *s)
{
	return (s->end.at ?: now_ns()) - s->reporting.report.since;
}

static void number_write(struct buf *o, const char *name, uint64_t number)
{
	escape_write_json_key(o, name);
	buf_json_uint(o, number);
}

static void numbers_write(struct buf *o, const struct session *s)
{
	number_write(o, "records", s->sink.rows);
	number_write(o, "elapsed_ns", elapsed(s));
	number_write(o, "lost", lost_records(&s->losses));
	escape_write_json_key(o, "kinds");
	buf_char(o, '{');
	for (int i = 0, shown = 0; i < LOSS_MAX; i++) {
		bool gone;

		if (!s->losses.now[i])
			continue;
		if (shown++)
			buf_char(o, ',');
		buf_printf(o, "\"%s\":", lost_key(i, &gone));
		buf_json_uint(o, s->losses.now[i]);
	}
	buf_char(o, '}');
}

static void state_append(struct session *s, const char *type)
{
	struct buf o;

	buf_init(&o, -1);
	buf_printf(&o, "{\"type\":\"%s\"", type);
	numbers_write(&o, s);
	buf_char(&o, '}');
	if (!o.error)
		stream_append(type, 0, o.data, o.len);
	buf_free(&o);
}

/* ---- reports ---- */

/* Removes the lines that are too many. Returns how many stay. */
static size_t lines_cut(struct buf *lines)
{
	size_t count = 0, end = 0;

	for (size_t at = 0; at < lines->len && at < REPORT_BYTES; at++)
		if (lines->data[at] == '\n') {
			count++;
			end = at + 1;
		}
	buf_rewind(lines, end);
	return count;
}

/* Appends the lines as one event: a line about them, then themselves. */
static void lines_append(size_t all)
{
	size_t shown = lines_cut(&live.line);
	struct buf o;

	buf_init(&o, -1);
	buf_printf(&o, "{\"type\":\"report\",\"rows\":%zu,\"omitted\":%zu}\n", shown, all - shown);
	buf_bytes(&o, live.line.data, live.line.len);
	if (!o.error)
		stream_append("report", 0, o.data, o.len);
	buf_free(&o);
}

static size_t lines_count(const struct buf *lines)
{
	size_t count = 0;

	for (size_t i = 0; i < lines->len; i++)
		count += lines->data[i] == '\n';
	return count;
}

static int stacks_append(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	(void)r;
	return live_stacks_append(stacks, about);
}

static const struct report_form report_form_live = { .rows = report_write_lines,
						     .stacks = stacks_append };

static void report_append(struct session *s, uint64_t now)
{
	struct report *r = &live.report;
	int err;

	r->sink = &live.sink;
	r->form = &report_form_live;
	buf_rewind(&live.line, 0);
	err = reporting_copy(s, r, ROWS_MOST, now);
	if (!err && !r->is_written)
		lines_append(r->line_count);
}

static void maps_append(struct session *s)
{
	buf_rewind(&live.line, 0);
	session_tracer(s)->maps(s, &live.line);
	if (live.line.len)
		lines_append(lines_count(&live.line));
}

/* Makes what is counted until `now`. */
static void counts_append(struct session *s, uint64_t now)
{
	if (s->report)
		report_append(s, now);
	else if (session_tracer(s)->maps)
		maps_append(s);
}

/* ---- when ---- */

static void due_set(const struct session *s)
{
	uint64_t period = s->report && s->options.report.interval_ns > PERIOD_NS ?
				  s->options.report.interval_ns :
				  PERIOD_NS;

	live.due = stream_readers() ? live.made + period : 0;
}

uint64_t live_due(void)
{
	return live.due;
}

void live_poll(struct session *s)
{
	uint64_t now = now_ns();

	if (!live.due || now < live.due)
		return;
	live.made = now;
	due_set(s);
	lost_read(&s->losses);
	counts_append(s, now);
	state_append(s, "state");
}

void live_end(struct session *s)
{
	if (live_is_watched()) {
		counts_append(s, s->reporting.report.now);
		state_append(s, "end");
	}
	s->sink.tee = NULL;
	live.due = 0;
}

/* ---- readers ---- */

static void hello_write(const struct session *s, struct buf *o)
{
	struct buf data;

	buf_init(&data, -1);
	buf_str(&data, "{\"type\":\"run\"");
	escape_write_json_pair(&data, "command", s->reporting.title ?: s->applet->name);
	json_meta_each(&data, s->applet->name, escape_write_json_pair);
	numbers_write(&data, s);
	buf_char(&data, '}');
	if (!data.error)
		stream_write_event(o, "run", 0, data.data, data.len);
	buf_free(&data);
}

static void missed_write(const struct session *s, uint64_t last, struct buf *o)
{
	char text[64];

	if (s->report || s->sink.rows <= last)
		return;
	snprintf(text, sizeof(text), "{\"rows\":%llu}", (unsigned long long)(s->sink.rows - last));
	buf_printf(o, "id: %llu\n", (unsigned long long)s->sink.rows);
	stream_write_event(o, "missed", 0, text, strlen(text));
}

int live_join(struct session *s, struct stream_reader *r, const uint64_t *last, struct buf *o)
{
	int err = stream_join(r);

	if (err)
		return err;
	live.session = s;
	if (!live.sink.out)
		sink_prepare(s);
	if (!s->report)
		s->sink.tee = record_tee;
	due_set(s);
	hello_write(s, o);
	if (last)
		missed_write(s, *last, o);
	return 0;
}

void live_leave(struct session *s, struct stream_reader *r)
{
	stream_leave(r);
	if (!stream_readers())
		s->sink.tee = NULL;
	due_set(s);
}

void live_close(void)
{
	if (live.sink.out)
		sink_free(&live.sink);
	report_free(&live.report);
	buf_free(&live.line);
	memset(&live, 0, sizeof(live));
	stream_close();
}
