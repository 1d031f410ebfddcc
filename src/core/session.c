/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.c - one run of an applet, from its command line to its exit code.
 *
 * session_trace reads as the table of contents. Nothing here knows what an applet looks for.
 */
#include "core/session.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/ksyms.h"
#include "core/usyms.h"

static int libbpf_say(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char line[2048];
	int n;

	/* libbpf says a thousand things: formatting them for nobody costs milliseconds */
	if (diag_level() < (level == LIBBPF_DEBUG ? 3 : 2))
		return 0;
	n = vsnprintf(line, sizeof(line), fmt, ap);
	if (n > 0 && (size_t)n < sizeof(line) && line[n - 1] == '\n')
		line[n - 1] = 0;
	diag_debug(level == LIBBPF_DEBUG ? 3 : 2, "%s", line);
	return 0;
}

/* ---- open: output, types, filter ---- */

static int output_open(struct session *s)
{
	const char *path = s->options.output;
	int fd = STDOUT_FILENO;

	if (path)
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		diag_error("cannot write to '%s': %s", path, strerror(errno));
		return EXIT_USAGE;
	}
	out_init(&s->out, fd);
	s->out.per_line = isatty(fd);
	return EXIT_FINE;
}

int session_types_open(struct session *s)
{
	const char *path = s->options.btf;
	int err = s->btf ? 0 : btf_view_open(path, &s->btf);

	if (!err)
		return EXIT_FINE;
	diag_error("cannot read the kernel's types from %s: %s",
		   path ? path : "/sys/kernel/btf/vmlinux", strerror(-err));
	if (path)
		diag_hint("raw BTF is wanted: objcopy --dump-section .BTF=FILE vmlinux");
	else
		diag_hint("the kernel needs CONFIG_DEBUG_INFO_BTF=y, and sysfs mounted on /sys");
	return path ? EXIT_USAGE : EXIT_CANNOT;
}

void session_types_close(struct session *s)
{
	btf_view_close(s->btf);
	s->btf = NULL;
}

static int cgroup_open(struct session *s)
{
	s->cgroup_fd = -1;
	if (!s->options.cgroup)
		return EXIT_FINE;
	s->cgroup_fd = open(s->options.cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->cgroup_fd >= 0)
		return EXIT_FINE;
	diag_error("cannot open cgroup '%s': %s", s->options.cgroup, strerror(errno));
	diag_hint("a directory of the cgroup2 file system is wanted, often below /sys/fs/cgroup");
	return EXIT_USAGE;
}

bool session_family_wanted(const struct session *s)
{
	return s->options.follow || s->options.command;
}

void session_filter_fill(const struct session *s, struct event_filter *f)
{
	const struct options *o = &s->options;

	*f = (struct event_filter){
		.self = getpid(),
		.pid = o->pid,
		.tid = o->tid,
		.uid = o->uid.id,
		.by_uid = o->uid.set,
		.by_comm = o->comm != NULL,
		.by_cgroup = o->cgroup != NULL,
		.follow = session_family_wanted(s),
		.want_ts = o->json || o->timestamp != TIMESTAMP_NONE,
		.failed_only = o->failed_only,
	};
	if (o->comm)
		memcpy(f->comm, o->comm, strlen(o->comm));
}

static void schema_set(struct session *s)
{
	const struct applet *a = s->applet;

	if (!s->schema.fields)
		s->schema = (struct schema){ .fields = a->fields, .count = a->field_count,
					     .record_min = a->record_min };
	s->schema.extended = s->options.extended;
	s->schema.timestamp = s->options.timestamp;
	s->sink = (struct sink){ .schema = &s->schema, .out = &s->out, .json = s->options.json,
				 .applet = a->name, .folded = s->folded };
}

/*
 * Symbols are read before anything is attached: what comes in meanwhile would fill the ring.
 * Without them the addresses are still worth showing.
 */
static int stacks_prepare(struct session *s)
{
	int err = s->options.kernel_stack ? ksyms_load() : 0;

	if (err) {
		diag_warn("no names of kernel functions in stacks: %s", strerror(-err));
		diag_hint("%s", ksyms_hint(err));
	}
	err = s->options.user_stack ? usyms_watch() : 0;
	if (err)
		diag_debug(1, "processes are not watched as they map files: %s", strerror(-err));
	if (s->options.folded)
		s->folded = folded_new();
	if (!s->options.folded || s->folded)
		return EXIT_FINE;
	diag_error("out of memory");
	return EXIT_FAILED;
}

/* ---- load and attach, down the ladder ---- */

int session_cgroup_set(struct session *s)
{
	uint32_t slot = 0;

	if (s->cgroup_fd < 0)
		return 0;
	return bpf_map_update_elem(s->cgroups_fd, &slot, &s->cgroup_fd, BPF_ANY) ? -errno : 0;
}

static int rung_try(struct session *s, enum probe_rung rung)
{
	int err = session_load(s, rung);

	if (!err)
		err = session_cgroup_set(s);
	if (!err)
		err = probe_plan_attach(&s->plan, s->object);
	if (err)
		session_unload(s);
	return err;
}

/* Fentry where the kernel has it; where it refuses, the same by kprobes. */
static const enum probe_rung ladder_usual[] = { PROBE_RUNG_ANY, PROBE_RUNG_KPROBE, PROBE_RUNG_END };

static int ladder_climb(struct session *s)
{
	int err = 0;

	for (const enum probe_rung *rung = s->ladder; *rung != PROBE_RUNG_END; rung++) {
		err = rung_try(s, *rung);
		if (!err || err == -EPERM || err == -ENOENT)
			return err;
		diag_debug(1, "%s refused: %s",
			   *rung == PROBE_RUNG_ANY ? "fentry" : probe_rung_name(*rung, false),
			   strerror(-err));
	}
	return err;
}

/* --rung leaves one only. */
static void ladder_choose(struct session *s)
{
	static enum probe_rung asked[] = { PROBE_RUNG_ANY, PROBE_RUNG_END };

	asked[0] = s->options.rung;
	if (asked[0] != PROBE_RUNG_ANY)
		s->ladder = asked;
	else if (!s->ladder)
		s->ladder = ladder_usual;
}

/* Says which hook is missing. */
static int plan_explain(const struct session *s)
{
	for (size_t i = 0; i < s->plan.count; i++) {
		const struct hook_plan *hp = &s->plan.hooks[i];

		if (hp->rung == PROBE_RUNG_ANY && hp->needed && !hp->hook->optional)
			diag_error("%s: %s: %s", hp->hook->name, hp->hook->functions, hp->why);
	}
	diag_hint("coretap doctor says what works on this kernel");
	return EXIT_CANNOT;
}

static int session_attach(struct session *s)
{
	int err;

	if (s->applet->attach)
		return s->applet->attach(s);
	ladder_choose(s);
	err = ladder_climb(s);
	if (!err)
		return EXIT_FINE;
	if (err == -ENOENT)
		return plan_explain(s);
	session_types_open(s);
	return probe_explain(s->plan.failed, s->btf, err);
}

static void plan_tell(const struct session *s)
{
	for (size_t i = 0; i < s->plan.count; i++) {
		const struct hook_plan *hp = &s->plan.hooks[i];

		if (hp->rung == PROBE_RUNG_ANY && hp->needed && hp->hook->without)
			diag_note("not seen on this kernel: %s (%s: %s)", hp->hook->without,
				  hp->hook->functions, hp->why);
	}
}

/* The first rung that would be gone on with. */
static int plan_only(struct session *s)
{
	int err = -ENOENT;

	for (const enum probe_rung *rung = s->ladder; *rung != PROBE_RUNG_END; rung++) {
		err = probe_plan_make(&s->plan, s->applet->hooks, s->btf, *rung);
		if (!session_rung_misses(s))
			break;
	}
	return err;
}

static int dry_run(struct session *s)
{
	int code = EXIT_FINE;

	if (s->applet->plan) {
		code = s->applet->plan(s);
	} else {
		ladder_choose(s);
		if (plan_only(s))
			code = EXIT_CANNOT;
		probe_plan_print(&s->plan, &s->out);
	}
	return out_flush(&s->out) ? EXIT_FAILED : code;
}

/* ---- the family, the ring, the end ---- */

static int family_open(struct session *s)
{
	uint32_t pid = s->options.pid;
	int err;

	if (!session_family_wanted(s))
		return EXIT_FINE;
	if (s->options.command) {
		err = command_start(&s->command, s->options.command, &s->files);
		if (err) {
			diag_error("cannot start '%s': %s", s->options.command[0], strerror(-err));
			return EXIT_FAILED;
		}
		pid = s->command.pid;
	}
	err = follow_open(&s->follow, pid, s->followed_fd, s->losses_fd);
	if (!err)
		return EXIT_FINE;
	diag_error("cannot follow forks of process %u: %s", pid, strerror(-err));
	return EXIT_CANNOT;
}

static int reading_begin(struct session *s)
{
	int err = s->report ? 0 : ring_open(&s->ring, s->ring_fd, s->options.buffer);

	if (err) {
		diag_error("cannot map the ring buffer: %s", strerror(-err));
		return EXIT_FAILED;
	}
	s->losses.map_fd = s->losses_fd;
	if (!s->report)
		sink_header(&s->sink);
	out_flush(&s->out);
	if (s->applet->settle)
		s->applet->settle(s);
	if (!s->command.pid)
		return EXIT_FINE;
	err = command_go(&s->command);
	if (!err)
		return EXIT_FINE;
	diag_error("cannot run '%s': %s", s->options.command[0], strerror(-err));
	return EXIT_USAGE;
}

/* Kernel's own miss counters of the skeleton's programs, once at the end. */
static void programs_account(struct session *s)
{
	struct bpf_program *prog;

	if (!s->object)
		return;
	bpf_object__for_each_program(prog, s->object)
		losses_add_program(&s->losses, bpf_program__fd(prog));
}

static int exit_code(struct session *s, int err)
{
	if (s->out.error && s->out.error != -EPIPE) {
		diag_error("cannot write to '%s': %s",
			   s->options.output ? s->options.output : "stdout",
			   strerror(-s->out.error));
		return EXIT_FAILED;
	}
	if (err) {
		diag_error("tracing failed: %s", strerror(-err));
		return EXIT_FAILED;
	}
	if (s->command.pid)
		return command_exit_code(&s->command);
	return losses_gone(&s->losses) ? EXIT_LOST : EXIT_FINE;
}

/* Records that were formatted, but could not be written. Nobody misses them at a closed pipe. */
static void output_account(struct session *s)
{
	if (s->out.error && s->out.error != -EPIPE)
		s->losses.local[LOSS_OUTPUT] += s->out.unit_count;
}

static int reading_end(struct session *s, int err)
{
	if (s->folded)
		folded_put(s->folded, &s->out);
	programs_account(s);
	output_account(s);
	losses_read(&s->losses);
	losses_tell(&s->losses, s->options.json ? &s->out : NULL, s->sink.rows, true);
	out_flush(&s->out);
	return exit_code(s, err);
}

static void session_close(struct session *s)
{
	command_close(&s->command);
	follow_close(s->follow);
	if (s->applet->close)
		s->applet->close(s);
	ring_close(s->ring);
	session_unload(s);
	probe_plan_free(&s->plan);
	session_types_close(s);
	if (s->cgroup_fd >= 0)
		close(s->cgroup_fd);
	sink_free(&s->sink);
	folded_free(s->folded);
	out_free(&s->out);
	free(s->args);
}

static int session_trace(struct session *s)
{
	int code = output_open(s);

	if (!code)
		code = session_types_open(s);
	if (!code)
		code = cgroup_open(s);
	if (!code && s->options.dry_run)
		return dry_run(s);
	if (!code)
		code = stacks_prepare(s);
	if (!code)
		code = session_attach(s);
	if (code)
		return code;
	plan_tell(s);
	schema_set(s);
	code = family_open(s);
	if (!code)
		code = reading_begin(s);
	if (!code)
		code = reading_end(s, session_poll(s));
	return code;
}

int session_main(const struct applet *applet, int argc, char **argv)
{
	struct session s = SESSION_INIT(applet);
	int code = EXIT_FINE;

	getrlimit(RLIMIT_NOFILE, &s.files);
	diag_name(applet->name);
	options_parse(applet, argc, argv, &s.options, &s.args, &s.arg_count);
	diag_verbose(s.options.verbose);
	diag_quiet(s.options.quiet);
	libbpf_set_print(libbpf_say);
	if (applet->args_set && applet->args_set(&s, s.arg_count, s.args))
		code = EXIT_USAGE;
	if (!code)
		code = applet->run ? applet->run(&s) : session_trace(&s);
	session_close(&s);
	return code;
}
