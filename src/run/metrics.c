/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.c - writes metrics: the run, its records, losses, and the rows of its report.
 *
 * Maps are read only when a client asks or the file is due: on a kernel that preempts programs, reading costs events.
 */
#include "run/metrics.h"

#include <argp.h>
#include <string.h>

#include "output/rows/json.h"
#include "output/rows/openmetrics.h"
#include "run/live.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/clock.h"
#include "kernel/file_replace.h"
#include "util/log.h"

#define FILE_NS	 10000000000ull /* time between two writes of the file, without --interval */
#define AGE_NS	 1000000000ull	/* how long a text stays valid */
#define LATER_NS 100000000ull	/* delay of the file while a client is being served */

static uint64_t interval(const struct session *s)
{
	return s->options.report.interval_ns ?: FILE_NS;
}

static void label_append(struct buf *o, const char *name, const char *value)
{
	buf_char(o, ',');
	openmetrics_write_label(o, name, value);
}

static void info_append(struct buf *o, const char *applet)
{
	static const char skipped[] = "coretap ";
	const char *version = argp_program_version ?: skipped;

	buf_init(o, -1);
	openmetrics_write_family(o, "coretap_info", "gauge", "where and by what this was counted");
	buf_str(o, "coretap_info{");
	openmetrics_write_label(o, "version", version + sizeof(skipped) - 1);
	json_meta_each(o, applet, label_append);
	buf_str(o, "} 1\n");
}

/* ---- the text ---- */

/* Appends a sample whose name is common to all applets: NAME{applet="…",kind="…"} */
static void sample_append(struct buf *o, const char *name, const char *applet, const char *kind,
			  uint64_t number)
{
	buf_str(o, name);
	buf_char(o, '{');
	openmetrics_write_label(o, "applet", applet);
	if (kind) {
		buf_char(o, ',');
		openmetrics_write_label(o, "kind", kind);
	}
	buf_str(o, "} ");
	buf_uint(o, number);
	buf_char(o, '\n');
}

static void lost_append(struct session *s, struct buf *o, bool gone, const char *name,
			const char *help)
{
	openmetrics_write_family(o, name, "counter", help);
	for (int i = 0; i < LOSS_MAX; i++) {
		bool own;
		const char *key = lost_key(i, &own);

		if (own == gone)
			sample_append(o, name, s->applet->name, key, s->losses.now[i]);
	}
}

/* Appends a counter with one sample. */
static void counter_append(struct session *s, struct buf *o, const char *name, const char *help,
			   uint64_t number)
{
	openmetrics_write_family(o, name, "counter", help);
	sample_append(o, name, s->applet->name, NULL, number);
}

/* Returns 0 or -errno. */
static int rows_append(struct session *s, uint64_t now)
{
	struct metrics *m = &s->metrics;
	int err;

	reporting_sink_copy(s, &m->sink, &sink_form_openmetrics);
	m->sink.applet = s->applet->name; /* a label: the tool, whatever its rows are called */
	m->report.sink = &m->sink;
	m->report.form = &report_form_openmetrics;
	err = reporting_copy(s, &m->report, 0, now);
	if (!err)
		buf_bytes(&m->text, m->report.picture.data, m->report.picture.len);
	return err;
}

static void text_build(struct session *s, uint64_t now)
{
	struct buf *o = &s->metrics.text;
	int err;

	buf_free(o);
	buf_init(o, -1);
	buf_bytes(o, s->metrics.info.data, s->metrics.info.len);
	lost_append(s, o, true, "coretap_lost_total", "records, events and calls that are missing");
	lost_append(s, o, false, "coretap_flaws_total",
		    "what is incomplete, or was not seen whole");
	if (s->options.files.listen)
		counter_append(s, o, "coretap_clients_cut_total",
			       "clients of --listen that were too slow or too many", listen_cut());
	if (!s->report)
		counter_append(s, o, "coretap_records_total", "records that were written",
			       s->sink.rows - s->out.unit_count);
	err = s->report ? rows_append(s, now) : 0;
	buf_str(o, "# EOF\n");
	if (err)
		buf_fail(o, err);
	s->metrics.made_at = now;
}

/* Returns a text that is at most a second old; one with an error is built anew. */
static const struct buf *metrics_text(struct session *s)
{
	uint64_t now = now_ns();

	if (!listen_is_sending() && (!s->metrics.made_at || now - s->metrics.made_at >= AGE_NS)) {
		lost_read(&s->losses);
		text_build(s, now);
	}
	return &s->metrics.text;
}

int metrics_open(struct session *s)
{
	int err = s->options.files.openmetrics ? file_replace_check(s->options.files.openmetrics) :
						 0;

	if (err) {
		file_failed(s->options.files.openmetrics, err);
		return EXIT_USAGE;
	}
	if (options_want_metrics(&s->options))
		info_append(&s->metrics.info, s->applet->name);
	if (s->options.files.openmetrics)
		s->metrics.next = now_ns() + interval(s);
	return s->options.files.listen ? listen_open(s->options.files.listen, metrics_text) :
					 EXIT_FINE;
}

/* ---- the file ---- */

static void file_write(struct session *s)
{
	struct metrics *m = &s->metrics;
	int err;

	text_build(s, now_ns());
	err = m->text.error ?:
			      file_replace(s->options.files.openmetrics, m->text.data, m->text.len);
	if (err && err != m->error)
		file_failed(s->options.files.openmetrics, err);
	m->error = err;
}

uint64_t metrics_due(const struct session *s)
{
	uint64_t file = s->metrics.next ?: UINT64_MAX, live = live_due() ?: UINT64_MAX;

	return file < live ? file : live;
}

void metrics_poll(struct session *s)
{
	struct metrics *m = &s->metrics;

	live_poll(s);
	listen_poll(s);
	if (!m->next || now_ns() < m->next)
		return;
	if (listen_is_sending()) { /* its text must not change while it is sent */
		m->next = now_ns() + LATER_NS;
		return;
	}
	while (m->next <= now_ns())
		m->next += interval(s);
	lost_read(&s->losses);
	file_write(s);
}

void metrics_end(struct session *s)
{
	live_end(s);
	listen_end(s);
	if (s->options.files.openmetrics)
		file_write(s);
}

void metrics_close(struct session *s)
{
	s->metrics.sink.form = &sink_form_openmetrics;
	sink_free(&s->metrics.sink);
	report_free(&s->metrics.report);
	buf_free(&s->metrics.info);
	buf_free(&s->metrics.text);
	live_close();
}
