/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bps.c - the BPF programs that are loaded, like ps: who loaded and holds them, where they are attached, and how much time
 * they take.
 *
 * Nothing is attached. The kernel counts runs and times of all programs itself while a descriptor of BPF_ENABLE_STATS
 * is open. A report lists the programs anew: those that are loaded during the run are in the next one.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "applets/bps/holders.h"
#include "applets/bps/programs.h"
#include "cli/applet.h"
#include "cli/complete.h"
#include "kernel/bpf_programs.h"
#include "kernel/interface.h"
#include "run/session.h"
#include "util/log.h"

static struct bps_choice choice;
static bool measures;  /* statistics are switched on … */
static int stats = -1; /* … by this descriptor; -1: not yet */
static bool by_process, probes, definitions;

static int bps_report(struct session *s, struct report *out)
{
	const struct bps_row *row;
	int err = bps_programs_read(&choice);

	out->since = 0; /* no total: a program is no call */
	for (size_t i = 0; !err && (row = bps_programs_row(i)); i++)
		err = report_row(out, row, sizeof(*row));
	return err ?: s->options.report.clear && measures ? bps_counts_read() : 0;
}

static int holders_report(struct session *s, struct report *out)
{
	const struct bps_holder_row *row;
	int err = 0;

	out->since = 0;
	bps_holders_read(probes || definitions, definitions ? &s->out : NULL);
	for (size_t i = 0; !err && (row = bps_holders_row(i)); i++)
		err = report_row(out, row, sizeof(*row));
	return err;
}

/* ---- the run ---- */

static int list_fail(int err)
{
	if (err == -EPERM) {
		log_error("cannot read the list of BPF programs: that needs CAP_SYS_ADMIN");
		log_hint("run it as root");
	} else {
		log_error("cannot read the list of BPF programs: %s", strerror(-err));
	}
	return EXIT_CANNOT;
}

static int wanted_check(size_t i)
{
	if (bps_program_exists(&choice, i))
		return EXIT_FINE;
	log_error("this kernel has no BPF program %s", choice.wanted[i]);
	log_hint("bps lists all of them");
	return EXIT_USAGE;
}

/* Switches them on. Returns an exit code after printing any error. */
static int statistics_begin(void)
{
	int err;

	stats = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (stats >= 0) {
		err = bps_counts_read();
		return err ? list_fail(err) : EXIT_FINE;
	}
	log_error("cannot switch the statistics of BPF programs on: %s", strerror(errno));
	log_hint(
		errno == EINVAL ?
			"before Linux 5.8, sysctl kernel.bpf_stats_enabled=1 does it for all programs" :
			"that needs CAP_SYS_ADMIN");
	return EXIT_CANNOT;
}

static int any_found(void *ctx, const struct bpf_program_info *info, int fd)
{
	(void)ctx, (void)info, (void)fd;
	return 1;
}

static int bps_attach(struct session *s)
{
	int err = bpf_programs_each(any_found, NULL), code = EXIT_FINE;

	if (err < 0)
		return list_fail(err);
	choice.kernel = s->btf;
	interfaces_read(); /* later that may be refused */
	for (int i = 0; i < choice.count && !code; i++)
		code = wanted_check(i);
	if (code)
		return code;
	s->needs.programs = s->needs.reads_files = true;
	return measures ? statistics_begin() : EXIT_FINE;
}

static int bps_dry_run(struct session *s)
{
	buf_printf(&s->out, "nothing is attached%s\n",
		   measures ? "; the kernel's statistics are switched on" : "");
	return EXIT_FINE;
}

static void bps_loaded(struct session *s)
{
	(void)s;
}

static void bps_detach(struct session *s)
{
	(void)s;
}

static void bps_close(struct session *s)
{
	(void)s;
	if (stats >= 0)
		close(stats);
	bps_programs_free();
	bps_holders_free();
}

static const struct tracer_ops bps_tracer = {
	.attaches_nothing = true,
	.attach = bps_attach,
	.dry_run = bps_dry_run,
	.loaded = bps_loaded,
	.detach = bps_detach,
	.close = bps_close,
};

/* ---- the descriptor ---- */

#define AT(member) FIELD_AT(struct bps_row, member)
enum { COLUMN_MAP_LIST = 14 };
/* clang-format off */
static struct field fields[] = {
	{ .name = "id", AT(id), .type = FIELD_UINT, .help = "number of the program" },
	{ .name = "program_type", .title = "TYPE", AT(type), .type = FIELD_TEXT, .help = "kind of program, by the kernel's name" },
	{ .name = "uid", AT(uid), .type = FIELD_UINT, .help = "user that loaded it" },
	{ .name = "maps", AT(maps), .type = FIELD_UINT, .help = "number of its maps" },
	{ .name = "loaded", AT(loaded), .type = FIELD_TIME, .flags = FIELD_JSON_ONLY, .help = "when it was loaded" },
	{ .name = "load_time", .title = "LOADED", AT(when), .type = FIELD_TEXT, .flags = FIELD_TEXT_ONLY },
	{ .name = "memory", AT(memory), .type = FIELD_UINT, .flags = FIELD_GAUGE, .help = "bytes of locked memory, without its maps" },
	{ .name = "name", AT(name), .type = FIELD_TEXT, .help = "its name, whole if it was loaded with types" },
	{ .name = "tag", AT(tag), .type = FIELD_TEXT, .flags = FIELD_JSON_ONLY, .help = "hash of its instructions" },
	{ .name = "runs", AT(runs), .type = FIELD_UINT, .flags = FIELD_SPARSE | FIELD_COUNTER,
	  .help = "how often it ran while statistics were on" },
	{ .name = "time", AT(time), .type = FIELD_NS, .flags = FIELD_SPARSE | FIELD_SORT | FIELD_COUNTER, .help = "time of all these runs" },
	{ .name = "each", AT(each), .type = FIELD_NS, .flags = FIELD_SPARSE | FIELD_GAUGE, .help = "average time of a run" },
	{ .name = "cpu", AT(cpu), .type = FIELD_HUNDREDTHS, .flags = FIELD_SPARSE | FIELD_GAUGE,
	  .help = "percent of one processor, with -d or --interval" },
	{ .name = "pids", AT(pids), .type = FIELD_TEXT, .help = "processes that hold it, its link or its perf event" },
	[COLUMN_MAP_LIST] = { .name = "map_names", AT(map_list), .type = FIELD_TEXT, .help = "with PROGRAM: number and name of each map" },
	{ .name = "attached", AT(attached), .type = FIELD_TEXT, .help = "where it is attached, if a link or a perf event says so" },
};

#define HOLDS(member) FIELD_AT(struct bps_holder_row, member)
static const struct field holder_fields[] = {
	{ .name = "pid", HOLDS(pid), .type = FIELD_UINT, .help = "process that holds it" },
	{ .name = "comm", HOLDS(comm), .type = FIELD_TEXT, .help = "its command name" },
	{ .name = "kind", .title = "TYPE", HOLDS(kind), .type = FIELD_TEXT, .help = "prog, map, link, kprobe or uprobe" },
	{ .name = "count", HOLDS(count), .type = FIELD_UINT, .flags = FIELD_GAUGE, .help = "how many" },
};

static const struct option_spec options[] = {
	{ .name = "by-process", .type = OPTION_FLAG, .value = &by_process,
	  .help = "print a row for each process and kind of what it holds: programs, maps, links (as bcc's bpflist)",
	  .brief = "print what each process holds, by kind" },
	{ .name = "probes", .type = OPTION_FLAG, .value = &probes,
	  .help = "with --by-process: also count kprobes and uprobes that run its programs",
	  .brief = "with --by-process: also count its kprobes and uprobes" },
	{ .name = "definitions", .type = OPTION_FLAG, .value = &definitions,
	  .help = "with --by-process: also print the kprobes and uprobes, with those of tracefs",
	  .brief = "with --by-process: also print these" },
	{ 0 },
};
/* clang-format on */

/* Returns 0, or -EINVAL after printing the error. */
static int holders_check(const struct options *o, int argc)
{
	if (!by_process && (probes || definitions))
		log_error("--%s needs --by-process", probes ? "probes" : "definitions");
	else if (by_process && argc)
		log_error("--by-process is about all programs: omit PROGRAM");
	else if (definitions && (o->rows.json || o->rows.csv))
		log_error("--definitions prints text: omit -j and --csv");
	else
		return 0;
	return -EINVAL;
}

static void holders_begin(struct session *s)
{
	s->rows.schema = (struct schema){ .fields = holder_fields,
					  .count = sizeof(holder_fields) / sizeof(holder_fields[0]),
					  .record_min = sizeof(struct bps_holder_row),
					  .bare = true,
					  .noun = "row" };
	s->report = holders_report;
	s->rows.name = "bpf_holders";
}

static int bps_args(struct session *s, int argc, char **argv)
{
	choice.wanted = argv;
	choice.count = argc;
	if (holders_check(&s->options, argc))
		return -EINVAL;
	if (by_process)
		holders_begin(s);
	measures = !by_process && (s->options.limits.duration_ns || s->options.report.interval_ns);
	if (!argc)
		fields[COLUMN_MAP_LIST].flags |= FIELD_OPTIONAL;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && measures; i++)
		fields[i].flags &= ~FIELD_SPARSE;
	if (measures || s->options.limits.duration_ns || s->options.report.interval_ns)
		return 0;
	s->options.limits.duration_ns = 1; /* one report, at once */
	log_quiet(true);
	return 0;
}

static int word_write(void *ctx, const struct bpf_program_info *info, int fd)
{
	(void)fd;
	completion_word(ctx, info->name, "BPF program");
	return 0;
}

/* For the shell: names of programs, if this process may know them. */
static void bps_words(struct completion *c, const char *begin)
{
	(void)begin;
	bpf_programs_each(word_write, c);
}

static const struct example examples[] = {
	{ "bps", "all programs" },
	{ "bps -d 10", "what each costs, in ten seconds" },
	{ "bps --interval 1 --clear --screen",
	  "the same as a table that is renewed each second, like top" },
	{ "bps 'on_*'", "programs by name, with their maps" },
	{ "bps --by-process --probes", "what each process holds" },
	{ "bps -j | jq -r 'select(.program_type == \"XDP\").attached'",
	  "devices with XDP programs" },
	{ 0 },
};

const struct applet bps_applet = {
	.name = "bps",
	.summary = "list the BPF programs that are loaded, and what they cost",
	.description =
		"Prints a row for each BPF program of this kernel: its number, type and name, who loaded it and when, which "
		"processes hold it, and where it is attached. PROGRAM is a number, a name, a tag or a pattern of names; then "
		"the maps are listed, too.\n\n"
		"With -d or --interval it switches the kernel's statistics of BPF programs on, as long as it runs, and shows how "
		"often each program ran and how long. Each run of any program then costs a little more. Without these options "
		"RUNS and TIME are what the kernel has counted, if kernel.bpf_stats_enabled is 1.",
	.args = "[PROGRAM...]",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_JSON | OPTION_GROUP_BTF |
		  OPTION_GROUP_AGGREGATE,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct bps_row),
	.is_bare = true,
	.noun = "program",
	.examples = examples,
	.overhead =
		"Nothing is attached. With statistics the kernel reads a clock twice per run of each program.",
	.blind_spots =
		"The kernel tells the place of a program only through a link, or through a perf event of a process. ATTACHED has "
		"no names of functions for kprobe.multi and uprobe.multi, only their number. A program that is unloaded "
		"before a report is not in it, and neither are its runs.",
	.sees = "all BPF programs that are loaded, also those that no process holds; links, and perf events of processes that it may "
		"read",
	.unseen =
		"programs that were loaded and unloaded between two reports; places without a link (classic tc, XDP by netlink, "
		"cgroups before 5.7); links before 5.8",
	.args_set = bps_args,
	.options = options,
	.complete = bps_words,
	.report = bps_report,
	.tracer = &bps_tracer,
};
