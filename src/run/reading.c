/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reading.c - the begin and the end of a run's reading (reading.h).
 */
#include "run/reading.h"

#include <errno.h>
#include <string.h>

#include "run/event_loop.h"
#include "run/filter.h"
#include "run/reporting.h"
#include "run/rights.h"
#include "run/session.h"
#include "run/traced.h"
#include "util/clock.h"
#include "kernel/file_replace.h"
#include "kernel/limits.h"
#include "kernel/place.h"
#include "util/log.h"

/* Checks, with the rights that the rest of the run has, that files can be created. */
static int files_check(const struct session *s)
{
	const char *const files[] = { s->options.report.svg, s->options.files.openmetrics };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int err = files[i] ? file_replace_check(files[i]) : 0;

		if (err)
			return file_failed(files[i], err);
	}
	return s->options.files.rotate ? rotate_check(s) : EXIT_FINE;
}

int reading_begin(struct session *s)
{
	int err = rotate_open(s);

	if (err)
		return err;
	err = s->report && !s->rows.write ?
		      0 :
		      ring_open(&s->ring, s->fds.ring, s->options.attach.buffer);

	if (err) {
		limit_error(err, strerror(-err), "cannot map the ring buffer");
		return EXIT_FAILED;
	}
	/* while records are held back, a process's mappings may disappear, and with them the names of its addresses */
	if (!s->report && options_want_times(&s->options) && !s->names.user)
		ring_order(s->ring, s->applet->time_of);
	s->losses.map_fd = s->fds.lost;
	s->reporting.report.since = now_ns();
	if (!s->report)
		sink_header(&s->sink);
	buf_flush(&s->out);
	if (session_tracer(s)->settle)
		session_tracer(s)->settle(s);
	err = rights_drop(s) ?: files_check(s) ?: traced_command_release(s);
	if (err) {
		sink_end(&s->sink);
		buf_flush(&s->out);
	}
	return err;
}

/* The reader of the output stopped reading, and the run had to end. */
static bool is_stuck(const struct session *s)
{
	return s->out.error == -ETIMEDOUT;
}

/* Returns the status of a run that its command ended: that of the command, but with -c of bt, as in bpftrace, that of
 * the program. There a run that surely lost records must not look like success. */
static int command_code(const struct session *s)
{
	if (!s->options.child.is_beside)
		return command_exit_code(&s->traced.command);
	return lost_surely(&s->losses) || is_stuck(s) ? EXIT_LOST : s->end.status;
}

static int exit_status(struct session *s, int err)
{
	if (s->reporting.picture_error)
		return file_failed(s->options.report.svg, s->reporting.picture_error);
	if (s->metrics.error)
		return file_failed(s->options.files.openmetrics, s->metrics.error);
	if (s->out.error && s->out.error != -EPIPE && !is_stuck(s))
		return output_failed(s);
	if (err) {
		limit_error(err, strerror(-err), "tracing failed");
		return EXIT_FAILED;
	}
	if (s->traced.command.ended && !s->traced.command.stopped && !session_limit_reached(s))
		return command_code(s);
	return lost_records(&s->losses) || is_stuck(s) ? EXIT_LOST : s->end.status;
}

/* Counts records that were formatted but not written. If the reader ended, as head does, they are not missed and that
 * is no failure. */
static void output_account(struct session *s)
{
	uint64_t late = s->unwritten + (s->out.error ? s->out.unit_count : 0);

	if (s->out.error != -EPIPE)
		s->losses.local[LOSS_OUTPUT] += late;
	else if (late)
		log_note("the reader of '%s' is gone: %llu records were written, %llu were not",
			 output_name(s), (unsigned long long)(s->sink.rows - s->out.unit_count),
			 (unsigned long long)late);
}

static void disorder_report(const struct session *s)
{
	unsigned long long n = s->ring ? ring_disordered(s->ring) : 0;

	if (n)
		log_note("%llu record%s out of order: a processor was stopped, or the ring was "
			 "nearly full",
			 n, n == 1 ? " is" : "s are");
}

int reading_end(struct session *s, int err, uint64_t began)
{
	traced_command_finish(s);
	s->losses.filtered |= filter_is_any(&s->options);
	buf_flush(&s->out); /* before counting what could not be written */
	if (session_tracer(s)->account)
		session_tracer(s)->account(s);
	if (s->traced.follow)
		proc_tree_account(s->traced.follow, &s->losses);
	s->end.is_whole = !err && !s->out.error;
	output_account(s);
	reporting_late_report(s);
	disorder_report(s);
	lost_read(&s->losses);
	metrics_end(s);
	if (is_stuck(s))
		log_warn(
			"'%s' accepted no more output when tracing ended: the rest was not written",
			output_name(s));
	lost_report(&s->losses, &s->sink, s->sink.rows, true);
	sink_end(&s->sink);
	rotate_report(s);
	buf_flush(&s->out);
	progress_end(s, began);
	return exit_status(s, err);
}
