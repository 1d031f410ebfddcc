/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.c - one run of an applet, from its command line to its exit status.
 *
 * session_trace reads like a table of contents. Nothing here knows what an applet traces.
 */
#include "run/session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/event_loop.h"
#include "attach/events.h"
#include "attach/method.h"
#include "btf/btf.h"
#include "run/btf_trust.h"
#include "run/filter.h"
#include "cli/option_check.h"
#include "run/objects.h"
#include "run/output.h"
#include "run/reading.h"
#include "run/reporting.h"
#include "run/rights.h"
#include "run/traced.h"
#include "output/rows/json.h"
#include "util/clock.h"
#include "util/log.h"
#include "attach/prog.h"
#include "kernel/privileges.h"
#include "symbols/user/usyms.h"
#include "output/rows/columns.h"
#include "run/pidns.h"

/* ---- which fields are shown, in which order ---- */

static void container_show(struct session *s)
{
	struct schema *schema = &s->rows.schema;

	for (size_t i = 0; i < schema->count && s->options.rows.with_container; i++)
		if (schema->fields[i].type == FIELD_CONTAINER)
			schema->optional |= 1ull << i;
}

/* Applies --columns to a table of the applet's own. */
static int columns_choose(struct session *s)
{
	struct schema *schema = &s->rows.schema;
	int err;

	if (!s->options.rows.columns || s->rows.write || !schema->fields ||
	    options_want_all(&s->options))
		return EXIT_FINE;
	if (s->report) {
		log_error("--columns is for rows of events, not for counts");
		return EXIT_USAGE;
	}
	err = columns_set(s->options.rows.columns, &schema, 1, NULL, &s->rows.column_fields);
	if (err == -ENOMEM)
		log_error("out of memory");
	return !err ? EXIT_FINE : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* Parses --until and --where. Call it before columns are chosen: a condition may need others. */
static int conditions_choose(struct session *s)
{
	const char *until = s->options.limits.until;
	const struct option_list *where = &s->options.rows.where;

	if (until && condition_read(&s->end.until, "--until", until, &s->rows.schema))
		return EXIT_USAGE;
	for (size_t i = 0; i < where->count; i++)
		if (condition_read(&s->end.where, "--where", where->items[i].text, &s->rows.schema))
			return EXIT_USAGE;
	return EXIT_FINE;
}

static int sort_choose(struct session *s)
{
	s->reporting.report.sink = &s->sink;
	if (!s->report || !s->options.report.sort)
		return EXIT_FINE;
	return report_sort_set(&s->reporting.report, s->options.report.sort) ? EXIT_USAGE :
									       EXIT_FINE;
}

static int shown_set(struct session *s)
{
	const struct applet *a = s->applet;
	struct session_rows *rows = &s->rows;

	if (!rows->schema.fields)
		rows->schema = (struct schema){ .fields = a->fields,
						.count = a->field_count,
						.record_min = a->record_min,
						.bare = a->is_bare,
						.noun = a->noun };
	if (!s->report)
		s->report = a->report;
	container_show(s);
	if (s->options.rows.inner_pids && inner_pids_show(&rows->schema, &rows->pid_fields)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	rows->schema.extended = s->options.rows.extended;
	rows->schema.timestamp = s->options.rows.timestamp;
	s->sink = (struct sink){ .schema = &rows->schema,
				 .tag = rows->tag,
				 .schemas = rows->schemas,
				 .schema_count = rows->schema_count,
				 .out = &s->out,
				 .json = s->options.rows.json,
				 .form = option_record_form(&s->options),
				 .minor = s->options.rows.minor,
				 .applet = rows->name ?: a->name };
	return conditions_choose(s) ?: columns_choose(s) ?: sort_choose(s);
}

/* The columns of an applet with objects are known from the start: a wrong name is an error before a lack of rights is. */
static int shown_early_set(struct session *s)
{
	return s->applet->tracer ? EXIT_FINE : shown_set(s);
}

/* Those of other applets depend on what their tracer finds. */
static int shown_late_set(struct session *s)
{
	return s->applet->tracer ? shown_set(s) : EXIT_FINE;
}

/* libbpf passes the verifier's log of a refused program as a message of its own: stores it. */
static void verifier_log_store(const char *fmt, va_list ap)
{
	char *text = NULL;

	if (!strstr(fmt, "BEGIN PROG LOAD LOG") || vasprintf(&text, fmt, ap) < 0)
		return;
	verifier_reason_store(strchrnul(text, '\n'));
	free(text);
}

/* Prints messages completely: in a verifier's log the earlier instructions explain the last. */
static int libbpf_log(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	int needed = level == LIBBPF_DEBUG ? 3 : 2;
	char *text = NULL;
	va_list again;

	va_copy(again, ap);
	verifier_log_store(fmt, again);
	va_end(again);
	/* libbpf has many debug messages: formatting unused ones costs milliseconds */
	if (log_level() < needed || vasprintf(&text, fmt, ap) < 0)
		return 0;
	log_debug_lines(needed, text);
	free(text);
	return 0;
}

/* ---- open: types ---- */

/* If the file's types equal the kernel's own, --btf is ignored. */
static int types_trust(struct session *s)
{
	const char *path = s->options.attach.btf;

	if (!path && btf_kernel_file_added())
		path = btf_kernel_file();
	if (!path || s->options.attach.btf_force)
		return EXIT_FINE;
	switch (btf_trust(path, s->btf)) {
	case BTF_TRUST_SAME: s->options.attach.btf = NULL; return EXIT_FINE;
	case BTF_TRUST_CHECKED: return EXIT_FINE;
	case BTF_TRUST_NONE: return EXIT_USAGE;
	default: return EXIT_CANNOT;
	}
}

static void types_close(struct session *s)
{
	btf_view_close(s->btf);
	s->btf = NULL;
}

/*
 * Reads symbols before anything is attached: records that arrive meanwhile would fill the ring.
 */
static void stacks_prepare(struct session *s)
{
	s->names.kernel |= s->options.stacks.kernel;
	s->names.user |= s->options.stacks.user;
	if (s->names.kernel && !s->names.late)
		session_name_kernel();
	if (s->options.stacks.dwarf)
		usyms_want_cfi();
	if (s->options.stacks.lines)
		usyms_want_lines();
	if (s->names.user)
		session_name_users(s);
}

/* ---- attach ---- */

/* Attaches, the slow part of a start. */
static int tracer_attach(struct session *s)
{
	int code;

	if (!session_tracer(s)->attaches_nothing && !prog_tracing_exists()) {
		log_error("%s", PROG_NO_TRACING);
		log_hint("%s", PROG_NO_TRACING_TODO);
		return EXIT_CANNOT;
	}
	progress_attach_begin(s);
	stacks_prepare(s);
	code = session_tracer(s)->attach(s);
	progress_attach_end();
	return code;
}

static int plan_flush(struct session *s, int code)
{
	buf_flush(&s->out);
	return s->out.error && s->out.error != -EPIPE ? output_failed(s) : code;
}

/* Ends a --load-only run: everything is loaded, and nothing is attached. */
static int load_only_end(struct session *s)
{
	session_tracer(s)->loaded(s);
	return plan_flush(s, EXIT_FINE);
}

static int dry_run(struct session *s)
{
	int code;

	log_busy_begin();
	code = session_tracer(s)->dry_run(s) ?: shown_late_set(s);
	log_busy_end();
	return plan_flush(s, code);
}

static void session_close(struct session *s)
{
	bool traces = !s->options.attach.dry_run;

	if (traces)
		traced_close(s);
	session_tracer(s)->close(s);
	if (traces)
		kretprobe_remove_all();
	if (s->ring)
		ring_close(s->ring);
	types_close(s);
	while (s->traced.cgroup_count)
		close(s->traced.cgroup_fds[--s->traced.cgroup_count]);
	if (options_want_metrics(&s->options))
		metrics_close(s);
	if (s->report)
		reporting_close(s);
	if (s->options.limits.ring)
		recorder_close(&s->recorder);
	if (s->options.limits.until)
		condition_free(&s->end.until);
	if (s->options.rows.where.count)
		condition_free(&s->end.where);
	if (s->rotate.rows)
		place_close(&s->rotate.place);
	free(s->rotate.rows);
	if (s->sink.shapes)
		sink_free(&s->sink);
	free(s->rows.column_fields);
	free(s->rows.pid_fields);
	output_close(s);
	free(s->reporting.title);
	free(s->options.tasks.names.table);
}

static int session_trace(struct session *s)
{
	uint64_t began;
	int code = shown_early_set(s);

	if (!code && !s->options.attach.dry_run)
		code = rights_open(s) ?: traced_open(s);
	if (!code)
		code = output_open(s);
	if (!code && !s->options.attach.dry_run)
		code = metrics_open(s);
	if (!code)
		code = session_types_open(s);
	s->recorder.most = s->options.limits.ring;
	s->rotate.size = s->options.files.rotated.size;
	s->rotate.files = s->options.files.rotated.files;
	if (s->options.limits.ring)
		recorder_signal_catch();
	s->traced.pids = s->options.tasks.pids;
	s->traced.tids = s->options.tasks.tids;
	if (!code)
		code = filter_spaces_open(s);
	if (!code && s->options.attach.dry_run)
		return dry_run(s);
	if (!code)
		code = types_trust(s);
	if (!code)
		traced_family_expect(s);
	if (!code)
		code = filter_numbers_prepare(s);
	if (s->options.attach.load_only)
		attach_nothing();
	if (!code)
		code = tracer_attach(s);
	if (code)
		return code;
	code = shown_late_set(s) ?: traced_family_open(s);
	if (!code && s->options.attach.load_only)
		return load_only_end(s);
	if (!code)
		code = reading_begin(s);
	began = now_ns();
	if (!code)
		code = reading_end(s, event_loop_run(s), began);
	return code;
}

/* ---- options of the running tool ---- */

static const struct applet *running;

static bool has_option(const struct applet *a, const char *name, size_t len)
{
	for (const struct option_spec *o = NULL; (o = option_next(a, o));)
		if ((!strncmp(o->name, name, len) && !o->name[len]) ||
		    (o->alias && !strncmp(o->alias, name, len) && !o->alias[len]))
			return true;
	return false;
}

/* A recipe also has the options of the tool that it is written for. */
static bool option_is_known(const char *name, size_t len)
{
	static const char *const of_all[] = { "help", "usage", "version" };

	for (size_t i = 0; i < sizeof(of_all) / sizeof(of_all[0]); i++)
		if (!strncmp(of_all[i], name, len) && !of_all[i][len])
			return true;
	return has_option(running, name, len) ||
	       (running->written_for && has_option(running->written_for, name, len));
}

int session_main(const struct applet *applet, int argc, char **argv)
{
	struct session s = SESSION_INIT(applet);
	int code = EXIT_FINE, arg_count;
	char **args; /* the positional arguments */

	signal(SIGXFSZ, SIG_IGN); /* then write fails with EFBIG, which we report */
	getrlimit(RLIMIT_NOFILE, &s.traced.files);
	privileges_memlock_raise();
	log_name(applet->name);
	running = applet;
	log_options(option_is_known);
	s.reporting.title = option_title(applet, argc, argv);
	options_parse(applet, argc, argv, &s.options, &args, &arg_count);
	log_quiet(s.options.quiet);
	libbpf_set_print(libbpf_log);
	if (s.options.rows.meta)
		json_meta_set(applet->name);
	if (applet->prepare)
		applet->prepare(&s.options);
	if (applet->args_set && applet->args_set(&s, arg_count, args))
		code = EXIT_USAGE;
	if (!code && (s.options.report.clear || s.options.report.screen) &&
	    reporting_check(&s.options))
		code = EXIT_USAGE;
	if (!code)
		code = applet->run ? applet->run(&s) : session_trace(&s);
	session_close(&s);
	free(args);
	return code;
}
