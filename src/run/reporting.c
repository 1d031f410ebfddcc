/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reporting.c - a session's reports, and how map entries become their rows.
 */
#include "run/reporting.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_check.h"
#include "kernel/file_replace.h"
#include "run/screen.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/log.h"

enum { KEY_MAX = 512 };

/* The values of a map at the last report. */
struct report_source {
	struct report_source *next;
	int fd;
	size_t key_size, stride, words, cpus;
	struct buf rows;  /* owned: sorted by key */
	uint64_t *values; /* owned: an entry's values on all CPUs */
};

int reporting_check(const struct options *o)
{
	if (o->report.interval_ns)
		return 0;
	log_error("--%s needs --interval", o->report.clear ? "clear" : "screen");
	return -EINVAL;
}

int reporting_check_mode(const struct options *o, bool reports, const char *options,
			 const char *noun)
{
	if (!reports && (o->report.top || o->report.sort || o->report.interval_ns ||
			 o->report.svg || o->report.heatmap))
		log_error("--top, --sort, --interval, --svg and --heatmap need %s", options);
	else if (reports && (o->limits.events || o->files.trace_json || o->limits.ring ||
			     o->files.rotate || o->limits.until))
		log_error("-n, --trace-json, --ring, --rotate and --until are for single %ss: they "
			  "cannot be combined with %s",
			  noun, options);
	else
		return 0;
	return -EINVAL;
}

/* `top`: the most rows, unless --top says how many. */
static void report_start(const struct session *s, struct report *r, uint32_t top, uint64_t now)
{
	r->top = s->options.report.top ?: top;
	r->is_timed = s->options.report.interval_ns != 0;
	report_begin(r, now);
}

/* Collects the rows and writes them; `now` is CLOCK_MONOTONIC ns. */
static int report_run(struct session *s, uint64_t now)
{
	struct report *r = &s->reporting.report;
	int err;

	r->sink = &s->sink;
	r->form = option_report_form(&s->options) ?: s->reporting.form;
	r->has_blocks = s->options.stacks.blocks && s->out.per_line;
	r->title = s->reporting.title ?: s->applet->name;
	/* the last report's rows, if the applet did not clear them */
	if (s->options.report.clear && r->count)
		r->since = r->now;
	r->is_screen = screen_is_on();
	report_start(s, r, 0, now);
	err = r->is_screen ? screen_report(s) : s->report(s, r) ?: report_end(r);
	buf_flush(&s->out);
	if (!err && s->options.report.svg)
		s->reporting.picture_error = file_replace(s->options.report.svg, r->picture.data,
							  r->picture.len);
	return err;
}

void reporting_sink_copy(const struct session *s, struct sink *to, const struct sink_form *form)
{
	*to = (struct sink){ .schema = s->sink.schema,
			     .tag = s->sink.tag,
			     .schemas = s->sink.schemas,
			     .schema_count = s->sink.schema_count,
			     .form = form,
			     .applet = s->sink.applet,
			     .shapes = to->shapes };
}

int reporting_copy(struct session *s, struct report *r, uint32_t top, uint64_t now)
{
	const struct report *own = &s->reporting.report;

	r->sort = own->sort;
	r->sort_up = own->sort_up;
	r->since = own->since;
	r->is_written = false;
	report_start(s, r, top, now);
	return s->report(s, r) ?: report_end(r);
}

int reporting_poll(struct session *s, uint64_t *next)
{
	if (now_ns() < *next)
		return 0;
	while (*next <= now_ns())
		*next += s->options.report.interval_ns;
	if (s->options.stacks.folded && !screen_is_on()) /* all stacks, at the end */
		return 0;
	if (s->out.len) { /* the output's reader is slow: the next report will include this one's counts */
		s->reporting.late++;
		return 0;
	}
	return report_run(s, now_ns());
}

void reporting_late_report(const struct session *s)
{
	if (s->reporting.late)
		log_note("the output was blocked: %llu reports were skipped, and the next ones "
			 "include their counts",
			 (unsigned long long)s->reporting.late);
}

int reporting_end(struct session *s, uint64_t now)
{
	/* keep the last frame on the screen: it covers a whole interval */
	if (screen_is_on() && s->options.report.clear && s->reporting.report.count)
		return 0;
	return report_run(s, now);
}

/* ---- maps ---- */

static bool is_by_cpu(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_PERCPU_ARRAY ||
	       type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static void source_free(struct report_source *m)
{
	buf_free(&m->rows);
	free(m->values);
	free(m);
}

static int source_open(int fd, struct report_source **source)
{
	struct bpf_map_info info = { 0 };
	struct report_source *m;
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return -errno;
	if (info.value_size % sizeof(uint64_t) || info.key_size > KEY_MAX)
		return -EINVAL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->fd = fd;
	m->key_size = (info.key_size + 7) / 8 * 8;
	m->words = info.value_size / sizeof(uint64_t);
	m->stride = m->key_size + info.value_size;
	m->cpus = is_by_cpu(info.type) ? libbpf_num_possible_cpus() : 1;
	m->values = calloc(m->cpus * m->words, sizeof(uint64_t));
	buf_init(&m->rows, -1);
	if (!m->values) {
		source_free(m);
		return -ENOMEM;
	}
	*source = m;
	return 0;
}

/* Finds the source of a map; creates it at its first use. */
static int source_find(struct session *s, int fd, struct report_source **source)
{
	int err;

	for (*source = s->reporting.sources; *source; *source = (*source)->next)
		if ((*source)->fd == fd)
			return 0;
	err = source_open(fd, source);
	if (err)
		return err;
	(*source)->next = s->reporting.sources;
	s->reporting.sources = *source;
	return 0;
}

void reporting_close(struct session *s)
{
	report_free(&s->reporting.report);
	while (s->reporting.sources) {
		struct report_source *m = s->reporting.sources;

		s->reporting.sources = m->next;
		source_free(m);
	}
}

static void row_read(struct report_source *m, const char *key, struct buf *rows)
{
	uint64_t *sum;
	char *row;

	if (bpf_map_lookup_elem(m->fd, key, m->values))
		return;
	row = buf_reserve(rows, m->stride);
	if (!row)
		return;
	memcpy(row, key, m->key_size);
	sum = (uint64_t *)(row + m->key_size);
	memcpy(sum, m->values, m->words * sizeof(*sum));
	for (size_t i = m->words; i < m->words * m->cpus; i++)
		sum[i % m->words] += m->values[i];
	rows->len += m->stride;
}

static int rows_compare(const void *x, const void *y, void *source)
{
	const struct report_source *m = source;

	return memcmp(x, y, m->key_size);
}

static int rows_read(struct report_source *m, struct buf *rows)
{
	char key[KEY_MAX] = { 0 }, next[KEY_MAX] = { 0 }, *before = NULL;

	while (!bpf_map_get_next_key(m->fd, before, next)) {
		memcpy(key, next, m->key_size);
		before = key;
		row_read(m, key, rows);
	}
	if (rows->error)
		return rows->error;
	if (rows->len)
		qsort_r(rows->data, rows->len / m->stride, m->stride, rows_compare, m);
	return 0;
}

/* Returns the values of that key in the last report, or NULL. Both lists are sorted; *before moves on. */
static const uint64_t *row_before(const struct report_source *m, const char *row, size_t *at)
{
	int order = 1;

	for (; *at < m->rows.len && order > 0; *at += m->stride) {
		order = memcmp(row, m->rows.data + *at, m->key_size);
		if (order <= 0)
			break;
	}
	return order ? NULL : (const uint64_t *)(m->rows.data + *at + m->key_size);
}

/* Adds a row to the report: what was added since the last one. */
static int row_report(const struct report_source *m, struct report *out, const char *row,
		      const uint64_t *before)
{
	uint64_t some = 0, *words = m->values;
	char copy[m->stride];

	for (size_t i = 0; before && i < m->words;
	     i++) /* a smaller value: the entry was deleted and created again */
		if (before[i] > ((const uint64_t *)(row + m->key_size))[i])
			before = NULL;
	memcpy(words, row + m->key_size, m->words * sizeof(*words));
	for (size_t i = 0; i < m->words; i++)
		some |= words[i] -= before ? before[i] : 0;
	memcpy(copy, row, m->key_size);
	memcpy(copy + m->key_size, words, m->words * sizeof(*words));
	return some ? report_row(out, copy, m->stride) : 0;
}

static int map_find(const struct session *s, const char *name)
{
	int fd = -ENOENT;

	for (size_t i = 0; i < s->object_count && fd < 0; i++)
		fd = bpf_object__find_map_fd_by_name(s->objects[i].object, name);
	return fd;
}

int report_map(struct session *s, struct report *out, const char *name)
{
	struct report_source *m;
	size_t before = 0;
	struct buf rows;
	int fd = map_find(s, name), err = fd < 0 ? fd : source_find(s, fd, &m);

	if (err)
		return err;
	buf_init(&rows, -1);
	err = rows_read(m, &rows);
	for (size_t at = 0; at < rows.len && !err; at += m->stride)
		err = row_report(m, out, rows.data + at, row_before(m, rows.data + at, &before));
	if (!err && s->options.report.clear) {
		buf_free(&m->rows);
		m->rows = rows;
	} else {
		buf_free(&rows);
	}
	return err;
}

/* ---- notes for a person at a terminal ---- */

static char interrupted[80]; /* formatted in advance, because a signal handler cannot format */

static void interrupted_report(int number)
{
	if (write(STDERR_FILENO, interrupted, strlen(interrupted)) < 0)
		interrupted[0] = '\0'; /* stderr is closed */
	signal(number, SIG_DFL);
	raise(number);
}

void progress_attach_begin(const struct session *s)
{
	if (!log_is_watched())
		return;
	log_busy_begin();
	snprintf(interrupted, sizeof(interrupted), "\n%s: interrupted before tracing began\n",
		 s->applet->name);
	if (signal(SIGINT, interrupted_report) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
}

void progress_attach_end(void)
{
	log_busy_end();
	if (interrupted[0] && signal(SIGINT, SIG_DFL) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
}

void progress_begin(const struct session *s)
{
	if (log_is_watched() && !s->options.child.command)
		log_note("tracing: Ctrl-C ends it");
}

void progress_interrupted(void)
{
	if (log_is_watched() && write(STDERR_FILENO, "\n", 1) < 0)
		return; /* stderr is closed */
}

void progress_end(const struct session *s, uint64_t began)
{
	double seconds = (s->end.at - began) / 1e9;
	unsigned long long rows = s->sink.rows;

	if (!log_is_watched())
		return;
	if (s->out.shortened)
		log_note("%llu text%s shortened to fit %u columns: --wide prints %s whole",
			 (unsigned long long)s->out.shortened,
			 s->out.shortened == 1 ? " was" : "s were", s->out.columns,
			 s->out.shortened == 1 ? "it" : "them");
	if (s->report &&
	    !s->options.files.output) /* the last line of a report on the terminal says the same */
		return;
	if (s->report)
		log_note("traced for %.1f s", seconds);
	else if (rows)
		log_note("%llu record%s in %.1f s", rows, rows == 1 ? "" : "s", seconds);
	else
		log_note("nothing was seen in %.1f s", seconds);
}
