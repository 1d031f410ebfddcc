/* SPDX-License-Identifier: GPL-2.0-only */
/* applet_bcc.c - the applets trace and argdist: the command lines of bcc's tools of these names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/front.h"
#include "front/notation/notation.h"
#include "probe/argdump.h"
#include "run/session.h"
#include "util/array.h"
#include "util/log.h"

/* ---- shared by both ---- */

static const char blind_spots[] =
	"Those of argdump(8). Probes that argdump cannot run are refused, with the reason.";

/* Prints notes about the text, or the error with a caret below it. Returns 0 or -EINVAL. */
static int mistake_report(const struct notation *n)
{
	for (size_t i = 0; i < n->note_count && !n->failed; i++)
		log_note("%s", n->notes[i]);
	if (!n->failed)
		return 0;
	log_error("%s", n->error.message);
	log_caret_line(n->text, n->error.start, n->error.end);
	if (n->error.hint[0])
		log_hint("%s", n->error.hint);
	return -EINVAL;
}

int notation_absent_report(const struct notation_absent *list)
{
	for (; list->option; list++) {
		if (!list->is_given)
			continue;
		if (!list->is_harmless) {
			log_error("%s is not supported", list->option);
			log_hint("%s", list->hint);
			return -EINVAL;
		}
		log_note("%s is not needed: %s", list->option, list->hint);
	}
	return 0;
}

/* ---- trace ---- */

static struct {
	const char *bytes, *name, *pages, *symbols, *header;
	bool self, relative, unix_time, clock, cpu, compare, address, aggregate;
} trace_given;

/* clang-format off */
static const struct option_spec trace_options[] = {
	{ .name = "tid", .letter = 'L', .type = OPTION_IDS, .arg = "TID",
	  .offset = offsetof(struct options, tasks.tids), .help = "trace only these threads" },
	{ .name = "string-size", .letter = 'Z', .type = OPTION_STRING, .arg = "BYTES", .value = &trace_given.bytes,
	  .help = "maximum string size in bytes (argdump -s)" },
	{ .name = "max-events", .letter = 'M', .type = OPTION_UINT, .arg = "N",
	  .offset = offsetof(struct options, limits.events), .help = "stop after N records (argdump -n)" },
	{ .name = "relative-time", .letter = 't', .type = OPTION_FLAG, .value = &trace_given.relative,
	  .help = "print the time since the first record (argdump -Trel)" },
	{ .name = "unix-timestamp", .letter = 'u', .type = OPTION_FLAG, .value = &trace_given.unix_time,
	  .help = "print the time in seconds since 1970 (argdump -Tunix)" },
	{ .name = "time", .letter = 'T', .type = OPTION_FLAG, .value = &trace_given.clock,
	  .help = "print the time of each record (argdump -T)" },
	{ .name = "print_cpu", .letter = 'C', .type = OPTION_FLAG, .value = &trace_given.cpu,
	  .help = "print the number of the CPU" },
	{ .name = "cgroup-path", .letter = 'c', .type = OPTION_LIST, .arg = "PATH",
	  .offset = offsetof(struct options, tasks.cgroups),
	  .help = "trace only tasks in this cgroup (v2) or below it (argdump --cgroup)" },
	{ .name = "name", .letter = 'n', .type = OPTION_STRING, .arg = "NAME", .value = &trace_given.name,
	  .help = "trace only tasks whose command name contains NAME (argdump -c '*NAME*')" },
	{ .name = "kernel-stack", .letter = 'K', .type = OPTION_FLAG,
	  .offset = offsetof(struct options, stacks.kernel), .help = "print the kernel stack of each event" },
	{ .name = "include-self", .letter = 'S', .type = OPTION_FLAG, .value = &trace_given.self,
	  .help = "not supported: coretap's own calls are never traced" },
	{ .name = "msg-filter", .letter = 'f', .type = OPTION_STRING, .arg = "TEXT",
	  .offset = offsetof(struct options, rows.contains), .help = "print only events that have TEXT in a value" },
	{ .name = "bin_cmp", .letter = 'B', .type = OPTION_FLAG, .value = &trace_given.compare,
	  .help = "STRCMP(\"{0x6C, 0x00}\", arg1) compares these bytes" },
	{ .name = "aggregate", .letter = 'A', .type = OPTION_FLAG, .value = &trace_given.aggregate,
	  .help = "not supported: argdist counts" },
	{ .name = "buffer-pages", .letter = 'b', .type = OPTION_STRING, .arg = "N", .value = &trace_given.pages,
	  .help = "ignored: use --buffer SIZE" },
	{ .name = "sym_file_list", .letter = 's', .type = OPTION_STRING, .arg = "FILES",
	  .value = &trace_given.symbols, .help = "ignored: symbols are read from the mapped files" },
	{ .name = "address", .letter = 'a', .type = OPTION_FLAG, .value = &trace_given.address,
	  .help = "ignored: stacks always show names" },
	{ .name = "include", .letter = 'I', .type = OPTION_STRING, .arg = "HEADER", .value = &trace_given.header,
	  .help = "ignored: types come from the kernel's BTF" },
	{ 0 },
};
/* clang-format on */

static int absent_report(void)
{
	const struct notation_absent list[] = {
		{ trace_given.self, "-S", "coretap's own calls are never traced" },
		{ trace_given.aggregate, "-A", "count with argdist -C 'PROBE:TYPE:VALUE'" },
		{ trace_given.pages, "-b", "--buffer SIZE is the size of the ring buffer", true },
		{ trace_given.symbols, "-s", "symbols are read from the mapped files", true },
		{ trace_given.address, "-a", "stacks always show names", true },
		{ trace_given.header, "-I", "types come from the kernel's BTF", true },
		{ 0 },
	};

	return notation_absent_report(list);
}

static int options_add(struct session *s)
{
	static char pattern[64];
	bool has_time = trace_given.relative || trace_given.unix_time || trace_given.clock;
	int err = 0;

	if (trace_given.bytes)
		err = argdump_option_add("string", trace_given.bytes);
	if (!err && has_time && !s->options.rows.json) /* every record has its times */
		err = argdump_option_add("timestamp", trace_given.unix_time ? "unix" :
						      trace_given.relative  ? "rel" :
									      NULL);
	if (err || !trace_given.name)
		return err;
	snprintf(pattern, sizeof(pattern), "*%s*", trace_given.name);
	return argdump_option_add("comm", pattern);
}

static int trace_args(struct session *s, int argc, char **argv)
{
	struct notation *probes = calloc(argc + 1, sizeof(*probes)); /* owned by the run */
	int err = absent_report();

	if (!argc && !err) {
		log_error("missing probe; usage: trace PROBE...");
		log_hint("for example: trace 'p::vfs_read (arg3 > 4096) \"bytes=%%d\", arg3'");
		err = -EINVAL;
	}
	if (!probes)
		return -ENOMEM;
	if (!err)
		err = options_add(s);
	for (int i = 0; i < argc && !err; i++) {
		notation_init(&probes[i], argv[i], argdump_model());
		probes[i].by_bytes = trace_given.compare;
		notation_trace(&probes[i], trace_given.cpu);
		err = mistake_report(&probes[i]);
	}
	return err ?: argdump_filled_run(s, log_command);
}

static const struct example trace_examples[] = {
	{ "trace 'p::vfs_read (arg3 > 4096) \"bytes=%d\", arg3'", "reads of more than a page" },
	{ "trace 'r::vfs_read (retval < 0) \"%d\", retval'", "reads that fail" },
	{ "trace -K -M 3 'p::submit_bio'", "who sends requests to disks: three stacks" },
	{ "trace 'p:c:open \"%s %d\", arg1, arg2'", "calls of a function of libc" },
	{ 0 },
};

const struct applet trace_applet = {
	.name = "trace",
	.summary = "run probes of bcc's trace, translated to argdump",
	.description =
		"PROBE is [p|r|t|u:][LIBRARY|CATEGORY:]FUNCTION[(SIGNATURE)] [(CONDITION)] "
		"[\"FORMAT\", VALUE...], as in bcc's trace. Each is translated to an argdump command "
		"line, which is printed (not with -q) and run. A value of the FORMAT becomes "
		"NAME=VALUE: the name comes from the text (\"sectors=%d\"), else from the member. "
		"Values are shown by type, with %x and %p as numbers in that form. PID, TID and COMM "
		"are always shown.",
	.buffer = 2 << 20,
	.args = "PROBE...",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_RING |
		  OPTION_GROUP_STACK,
	.options = trace_options,
	.examples = trace_examples,
	.blind_spots = blind_spots,
	.args_set = trace_args,
	.tracer = &argdump_tracer,
};

/* ---- argdist ---- */

/* A SPEC, and how it is counted. */
struct argdist_spec {
	const char *text;
	bool is_histogram;
};

static struct {
	struct argdist_spec *specs;
	size_t count, room;
	bool is_early; /* a word preceded them */
	const char *bytes, *header;
	uint32_t number;
	bool cumulative;
} argdist_given;

static const char *spec_add(const char *text, bool is_histogram)
{
	if (!ARRAY_RESERVE(argdist_given.specs, argdist_given.count, argdist_given.room, 8))
		return "out of memory";
	argdist_given.specs[argdist_given.count++] = (struct argdist_spec){ text, is_histogram };
	return NULL;
}

static const char *count_add(const struct option_spec *spec, const char *text)
{
	(void)spec;
	return spec_add(text, false);
}

static const char *histogram_add(const struct option_spec *spec, const char *text)
{
	(void)spec;
	return spec_add(text, true);
}

/* Adds a word: bcc's -C and -H take all words that follow. */
static const char *word_add(const char *word, bool is_behind)
{
	(void)is_behind;
	argdist_given.is_early |= !argdist_given.count;
	if (argdist_given.is_early)
		return NULL;
	return spec_add(word, argdist_given.specs[argdist_given.count - 1].is_histogram);
}

/* clang-format off */
static const struct option_spec argdist_options[] = {
	{ .name = "count", .letter = 'C', .type = OPTION_LIST, .arg = "SPEC",
	  .add = count_add, .help = "count calls for each value" },
	{ .name = "histogram", .letter = 'H', .type = OPTION_LIST, .arg = "SPEC",
	  .add = histogram_add, .help = "print a histogram of the value" },
	{ .name = "string-size", .letter = 'z', .type = OPTION_STRING, .arg = "BYTES", .value = &argdist_given.bytes,
	  .help = "maximum string size in bytes (argdump -s)" },
	{ .name = "interval", .letter = 'i', .type = OPTION_SECONDS, .arg = "SEC",
	  .offset = offsetof(struct options, report.interval_ns), .help = "print every SEC seconds (default: 1)" },
	{ .name = "number", .letter = 'n', .type = OPTION_UINT, .arg = "N", .value = &argdist_given.number,
	  .help = "end after N intervals (argdump -d)" },
	{ .name = "cumulative", .letter = 'c', .type = OPTION_FLAG, .value = &argdist_given.cumulative,
	  .help = "do not reset the counts after each interval" },
	{ .name = "top", .letter = 'T', .type = OPTION_UINT, .arg = "N",
	  .offset = offsetof(struct options, report.top), .help = "print only the N largest" },
	{ .name = "include", .letter = 'I', .type = OPTION_STRING, .arg = "HEADER", .value = &argdist_given.header,
	  .help = "ignored: types come from the kernel's BTF" },
	{ 0 },
};
/* clang-format on */

static int specs_add(void)
{
	size_t count = argdist_given.count;
	struct notation *specs = calloc(count, sizeof(*specs)); /* owned by the run */
	int err = specs ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !err; i++) {
		const struct argdist_spec *spec = &argdist_given.specs[i];

		notation_init(&specs[i], spec->text, argdump_model());
		notation_argdist(&specs[i], spec->is_histogram, i, count == 1);
		err = mistake_report(&specs[i]);
	}
	return err;
}

/* argdist prints and clears at intervals, and ends after a number of them. */
static int interval_add(const struct options *o)
{
	uint64_t ns = o->report.interval_ns ?: 1000000000;
	char duration[32];
	int err = o->report.interval_ns ? 0 : argdump_option_add("interval", "1");

	if (!err && !argdist_given.cumulative && !options_want_metrics(o))
		err = argdump_option_add("clear", NULL);
	if (err || !argdist_given.number || o->limits.duration_ns)
		return err;
	snprintf(duration, sizeof(duration), "%.9g", ns / 1e9 * argdist_given.number);
	return argdump_option_add("duration", duration);
}

static int specs_check(void)
{
	if (!argdist_given.count || argdist_given.is_early) {
		log_error("missing probe; usage: argdist -C SPEC or -H SPEC");
		log_hint("for example: argdist -H 'p::vfs_read(void *file, void *buf, size_t "
			 "count):size_t:count'");
		return -EINVAL;
	}
	return 0;
}

static int argdist_args(struct session *s, int argc, char **argv)
{
	const struct notation_absent list[] = {
		{ argdist_given.header, "-I", "types come from the kernel's BTF", true }, { 0 }
	};
	int err = specs_check() ?: notation_absent_report(list);

	(void)argc;
	(void)argv;
	if (!err && argdist_given.bytes)
		err = argdump_option_add("string", argdist_given.bytes);
	if (!err)
		err = interval_add(&s->options) ?: specs_add();
	return err ?: argdump_filled_run(s, log_command);
}

static const struct example argdist_examples[] = {
	{ "argdist -H 'p::vfs_read(void *file, void *buf, size_t count):size_t:count'",
	  "how many bytes are requested" },
	{ "argdist -C 'r::vfs_read():u32:$PID:$latency > 100000'", "slow reads by process" },
	{ "argdist -i 5 -n 2 -C 'p:c:malloc(size_t size):size_t:size:size > 4096#large'",
	  "large allocations by size, twice in ten seconds" },
	{ 0 },
};

const struct applet argdist_applet = {
	.name = "argdist",
	.summary = "run specifiers of bcc's argdist, translated to argdump",
	.description =
		"SPEC is "
		"{p|r|t|u}:[LIBRARY|CATEGORY]:FUNCTION(SIGNATURE)[:TYPES:VALUES[:CONDITION]][#LABEL], "
		"as in bcc's argdist, with $retval, $entry(x), $latency and $PID. Each is translated "
		"to an argdump command line, which is printed (not with -q) and run. Types are the "
		"kernel's own and override those of SPEC; for user functions, the types of the "
		"SIGNATURE are used. Several SPECs are columns of one table.",
	.buffer = 2 << 20,
	.args = "[SPEC...]",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_AGGREGATE,
	.options = argdist_options,
	.examples = argdist_examples,
	.blind_spots = blind_spots,
	.args_set = argdist_args,
	.line.word = word_add,
	.tracer = &argdump_tracer,
};
