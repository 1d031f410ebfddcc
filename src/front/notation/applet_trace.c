/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applet_trace.c - trace: the command line of bcc's trace, probes and options.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "front/notation/notation.h"
#include "run/session.h"
#include "util/log.h"

static struct {
	const char *bytes, *name, *pages, *message, *symbols, *header;
	bool self, relative, unix_time, clock, cpu, compare, address, aggregate;
} given;

/* clang-format off */
static const struct option_spec trace_options[] = {
	{ .name = "tid", .letter = 'L', .type = OPTION_IDS, .arg = "TID",
	  .offset = offsetof(struct options, tids), .help = "trace only these threads" },
	{ .name = "string-size", .letter = 'Z', .type = OPTION_STRING, .arg = "BYTES", .value = &given.bytes,
	  .help = "maximum string size in bytes (argdump -s)" },
	{ .name = "max-events", .letter = 'M', .type = OPTION_UINT, .arg = "N",
	  .offset = offsetof(struct options, events), .help = "stop after N records (argdump -n)" },
	{ .name = "relative-time", .letter = 't', .type = OPTION_FLAG, .value = &given.relative,
	  .help = "print the time since the first record (argdump -Trel)" },
	{ .name = "unix-timestamp", .letter = 'u', .type = OPTION_FLAG, .value = &given.unix_time,
	  .help = "print the time in seconds since 1970 (argdump -Tunix)" },
	{ .name = "time", .letter = 'T', .type = OPTION_FLAG, .value = &given.clock,
	  .help = "print the time of each record (argdump -T)" },
	{ .name = "print_cpu", .letter = 'C', .type = OPTION_FLAG, .value = &given.cpu,
	  .help = "print the number of the CPU" },
	{ .name = "cgroup-path", .letter = 'c', .type = OPTION_LIST, .arg = "PATH",
	  .offset = offsetof(struct options, cgroups),
	  .help = "trace only tasks in this cgroup (v2) or below it (argdump --cgroup)" },
	{ .name = "name", .letter = 'n', .type = OPTION_STRING, .arg = "NAME", .value = &given.name,
	  .help = "trace only tasks whose command name contains NAME (argdump -c '*NAME*')" },
	{ .name = "kernel-stack", .letter = 'K', .type = OPTION_FLAG,
	  .offset = offsetof(struct options, kernel_stack), .help = "print the kernel stack of each event" },
	{ .name = "include-self", .letter = 'S', .type = OPTION_FLAG, .value = &given.self,
	  .help = "not there: coretap's own calls are never traced" },
	{ .name = "msg-filter", .letter = 'f', .type = OPTION_STRING, .arg = "TEXT", .value = &given.message,
	  .help = "not there: a condition says it, PROBE (CONDITION)" },
	{ .name = "bin_cmp", .letter = 'B', .type = OPTION_FLAG, .value = &given.compare,
	  .help = "not there: texts are compared" },
	{ .name = "aggregate", .letter = 'A', .type = OPTION_FLAG, .value = &given.aggregate,
	  .help = "not there: argdist counts" },
	{ .name = "buffer-pages", .letter = 'b', .type = OPTION_STRING, .arg = "N", .value = &given.pages,
	  .help = "left out: --buffer SIZE" },
	{ .name = "sym_file_list", .letter = 's', .type = OPTION_STRING, .arg = "FILES",
	  .value = &given.symbols, .help = "left out: symbols are read from the files that are mapped" },
	{ .name = "address", .letter = 'a', .type = OPTION_FLAG, .value = &given.address,
	  .help = "left out: stacks have names" },
	{ .name = "include", .letter = 'I', .type = OPTION_STRING, .arg = "HEADER", .value = &given.header,
	  .help = "left out: types come from the kernel's BTF" },
	{ 0 },
};
/* clang-format on */

static int absent_tell(void)
{
	const struct notation_absent list[] = {
		{ given.self, "-S", "coretap's own calls are never traced" },
		{ given.message, "-f",
		  "a condition says it: trace 'PROBE (CONDITION)'; or | grep" },
		{ given.compare, "-B", "STRCMP(\"text\", arg1) compares texts" },
		{ given.aggregate, "-A", "argdist -C counts: argdist -C 'PROBE:TYPE:VALUE'" },
		{ given.pages, "-b", "--buffer SIZE is the size of the ring buffer", true },
		{ given.symbols, "-s", "symbols are read from the files that are mapped", true },
		{ given.address, "-a", "stacks have names", true },
		{ given.header, "-I", "types come from the kernel's BTF", true },
		{ 0 },
	};

	return notation_absent_tell(list);
}

static void options_add(struct notation_run *r)
{
	static char pattern[64];

	if (given.bytes) {
		notation_run_word(r, "-s");
		notation_run_word(r, given.bytes);
	}
	if (given.relative || given.unix_time || given.clock)
		notation_run_word(r, given.relative ? "-Trel" : given.unix_time ? "-Tunix" : "-T");
	if (given.name) {
		snprintf(pattern, sizeof(pattern), "*%s*", given.name);
		notation_run_word(r, "-c");
		notation_run_word(r, pattern);
	}
}

static int trace_args(struct session *s, int argc, char **argv)
{
	struct notation *probes = calloc(argc + 1, sizeof(*probes)); /* the run's */
	static struct notation_run r;
	int err = absent_tell();

	if (!argc && !err) {
		log_error("which probe? usage: trace PROBE...");
		log_hint("for example: trace 'p::vfs_read (arg3 > 4096) \"bytes=%%d\", arg3'");
		err = -EINVAL;
	}
	if (!probes)
		return -ENOMEM;
	if (!err)
		options_add(&r);
	for (int i = 0; i < argc && !err; i++) {
		notation_init(&probes[i], argv[i]);
		notation_trace(&probes[i], i, given.cpu);
		err = notation_run_add(&r, &probes[i]);
	}
	return err ?: notation_run(s, &r);
}

static const struct example trace_examples[] = {
	{ "trace 'p::vfs_read (arg3 > 4096) \"bytes=%d\", arg3'", "reads of more than a page" },
	{ "trace 'r::vfs_read (retval < 0) \"%d\", retval'", "reads that fail" },
	{ "trace -K -M 3 'p::submit_bio'", "who asks the disks for something: three stacks" },
	{ "trace 'p:c:open \"%s %d\", arg1, arg2'", "calls of a function of libc" },
	{ 0 },
};

const struct applet trace_applet = {
	.name = "trace",
	.summary = "run probes of bcc's trace, translated to argdump",
	.description =
		"PROBE is [p|r|t|u:][LIBRARY|CATEGORY:]FUNCTION[(SIGNATURE)] [(CONDITION)] "
		"[\"FORMAT\", VALUE...], as bcc's trace has it. Each is translated to argdump, whose "
		"command line is printed (not with -q) and run. A value of the FORMAT becomes "
		"NAME=VALUE: the name is that in the text (\"sectors=%d\"), else the member's; it is "
		"shown by its type, %x and %p as they say. PID, TID and COMM are always there.",
	.buffer = 2 << 20,
	.args = "PROBE...",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_RING |
		  OPTION_GROUP_STACK,
	.options = trace_options,
	.examples = trace_examples,
	.blind_spots = notation_blind_spots,
	.args_set = trace_args,
	.tracer = &argdump_tracer,
};
