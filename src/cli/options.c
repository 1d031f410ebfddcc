/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - the common options, and which of them an applet has.
 *
 * It does not know how the command line (options_parse.c) or an argument (option_read.h) is parsed, or the purpose of
 * an option.
 */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/habits.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/terminal.h"

#define COMMON(name_, letter_, type_, arg_, member_, group_, help_, ...)                           \
	{                                                                                          \
		.name = name_, .letter = letter_, .type = type_, .arg = arg_, .help = help_,       \
		.offset = offsetof(struct options, member_), .group = OPTION_GROUP_##group_,       \
		##__VA_ARGS__                                                                      \
	}

/* By enum color_when. */
static const char *const color_choices[] = { "auto", "always", "never", NULL };

const struct option_spec options_common[] = {
	COMMON("pid", 'p', OPTION_IDS, "PID", tasks.pids, TASK,
	       "trace only these processes, with all their threads: 17 or 17,18",
	       .brief = "only these processes: 17 or 17,18"),
	COMMON("tid", 't', OPTION_IDS, "TID", tasks.tids, TASK,
	       "trace only these threads: 17 or 17,18", .brief = "only these threads",
	       .rank = RANK_ROOM),
	COMMON("uid", 'u', OPTION_USERS, "USER", tasks.uids, TASK,
	       "trace only these users: names or numbers",
	       .brief = "only these users: names or numbers"),
	COMMON("comm", 'c', OPTION_NAMES, "NAME", tasks.names, TASK,
	       "trace only tasks with these command names (at most 15 bytes) or patterns: "
	       "'kworker/*,cat'",
	       .brief = "only these command names or patterns"),
	COMMON("host-pids", 0, OPTION_FLAG, NULL, tasks.host_pids, TASK,
	       "in a container: show and accept the host's PIDs and TIDs, not those of coretap's own "
	       "pid namespace",
	       .rank = RANK_NEVER),
	COMMON("cgroup", 0, OPTION_LIST, "PATH", tasks.cgroups, TASK,
	       "trace only tasks in this cgroup (v2) or below it",
	       .brief = "only in this cgroup (v2) or below it"),
	COMMON("container", 0, OPTION_LIST, "ID|NAME", tasks.containers, TASK,
	       "trace only tasks in this container, which must be running: of docker, podman, "
	       "Kubernetes, LXC …; the first digits of its id are enough",
	       .brief = "only in this container: its name or id", .rank = RANK_ROOM),
	COMMON("cgroupmap", 0, OPTION_LIST, "FILE", tasks.cgroup_maps, TASK,
	       "trace only tasks in the cgroups whose ids are the keys of a pinned BPF map, as it "
	       "is at the start, or below them: /sys/fs/bpf/NAME",
	       .rank = RANK_NEVER),
	COMMON("mntnsmap", 0, OPTION_LIST, "FILE", tasks.mount_maps, MOUNTS, OPTION_MNTNSMAP_HELP,
	       .rank = RANK_NEVER),
	COMMON("with-container", 0, OPTION_FLAG, NULL, rows.with_container, TASK,
	       "add a column with the container of each task; in JSON \"container\"",
	       .rank = RANK_NEVER),
	COMMON("inner-pids", 0, OPTION_FLAG, NULL, rows.inner_pids, TASK,
	       "show processes of another pid namespace as HOST/INNER: their PIDs here, and in their "
	       "own namespace; in JSON \"inner_pid\"",
	       .rank = RANK_NEVER),
	COMMON("follow", 'f', OPTION_FLAG, NULL, tasks.follow, TASK,
	       "with -p: also trace child processes created from now on",
	       .brief = "with -p: also trace child processes from now on"),
	COMMON("as", 0, OPTION_STRING, "USER", rights.as_user, TASK,
	       "with -- COMMAND: run it as this user, with its groups and home; under sudo, --as "
	       "\"$SUDO_USER\" is the user who called sudo",
	       .brief = "run COMMAND as this user", .rank = RANK_ROOM),
	COMMON("keep", 0, OPTION_FLAG, NULL, rights.keep, TASK,
	       "with -- COMMAND: do not terminate it if tracing ends first", .rank = RANK_NEVER),
	COMMON("failed", 'x', OPTION_FLAG, NULL, rows.failed_only, FAILED,
	       "show only failed events"),
	COMMON("csv", 0, OPTION_FLAG, NULL, rows.csv, RECORDS,
	       "print comma-separated values: the columns, with the numbers and texts of -j",
	       .brief = "print comma-separated values", .section = SECTION_OUTPUT,
	       .rank = RANK_NEVER),
	COMMON("events", 'n', OPTION_UINT, "N", limits.events, RECORDS, "stop after N records",
	       .section = SECTION_LIMITS),
	COMMON("ring", 0, OPTION_UINT, "N", limits.ring, RING,
	       "keep the last N records in memory, as a flight recorder (at most 1000000, and 256 "
	       "MiB), and write them on SIGUSR1 and at the end; --until, and argdump's --stop-if, "
	       "end the run by a condition",
	       .brief = "keep the last N records, written on SIGUSR1 and at the end",
	       .rank = RANK_ROOM),
	COMMON("until", 0, OPTION_STRING, "EXPR", limits.until, UNTIL,
	       "stop at the first record for which EXPR is true: compares keys of -j with values by "
	       "== != < <= > >=, or with patterns by ~ !~; && joins comparisons: 'errno == EIO', "
	       "'latency > 10ms && comm ~ \"cat*\"'",
	       .brief = "stop at the first record for which EXPR is true",
	       .section = SECTION_LIMITS, .rank = RANK_ROOM),
	COMMON("where", 0, OPTION_LIST, "EXPR", rows.where, UNTIL,
	       "print only records for which EXPR is true, with EXPR as for --until: 'argv ~ \"*--force*\"'; they are "
	       "recorded anyway, so the tool's own filters cost less",
	       .brief = "print only records for which EXPR is true", .section = SECTION_FILTERS,
	       .rank = RANK_NEVER),
	COMMON("contains", 0, OPTION_STRING, "TEXT", rows.contains, RING,
	       "print only records that have TEXT in one of the values name=value, or without such values in a column",
	       .brief = "print only records that have TEXT in a value", .section = SECTION_FILTERS,
	       .rank = RANK_NEVER),
	COMMON("duration", 'd', OPTION_SECONDS, "SEC", limits.duration_ns, TRACE,
	       "stop after this time: 5 (seconds), 0.5, 2m, 1h", .section = SECTION_LIMITS),
	COMMON("json", 'j', OPTION_FLAG, NULL, rows.json, JSON,
	       "print JSON, one object per line; without --output, COMMAND's stdout goes to stderr"),
	COMMON("meta", 0, OPTION_FLAG, NULL, rows.meta, JSON,
	       "with -j: add host_name, boot_id, kernel_release and applet to each line, to "
	       "distinguish machines in collected output",
	       .rank = RANK_NEVER),
	COMMON("trace-json", 0, OPTION_STRING, "FILE", files.trace_json, RECORDS,
	       "write the records to FILE as trace events, for Perfetto or chrome://tracing: records "
	       "with a duration as spans, all others as instants",
	       .not_in_files = true, .brief = "write trace events, for Perfetto",
	       .section = SECTION_OUTPUT, .rank = RANK_ROOM),
	{ .name = "json-strings",
	  .type = OPTION_FLAG,
	  .value = &buf_json_strings,
	  .group = OPTION_GROUP_JSON,
	  .rank = RANK_NEVER,
	  .help = "with -j: print numbers beyond 2^53 as strings, for readers that round them (jq "
		  "before 1.7, JavaScript)" },
	COMMON("output", 'o', OPTION_STRING, "FILE", files.output, TRACE,
	       "write to FILE, replacing it, instead of stdout", .not_in_files = true,
	       .section = SECTION_OUTPUT),
	COMMON("rotate", 0, OPTION_STRING, "SIZE[,N]", files.rotate, RING,
	       "with -o: start a new FILE after the record with which it reaches SIZE bytes (10M); "
	       "the previous N files (default: 5) are FILE.1, FILE.2 …, from the newest to the oldest",
	       .not_in_files = true, .rank = RANK_NEVER, .section = SECTION_OUTPUT),
	COMMON("openmetrics", 0, OPTION_STRING, "FILE", files.openmetrics, TRACE,
	       "write counts, histograms and losses as metrics to FILE, every 10 s, or --interval, "
	       "and at the end; for node_exporter's textfile collector, FILE must end in .prom",
	       .not_in_files = true, .rank = RANK_NEVER, .section = SECTION_OUTPUT),
	COMMON("listen", 0, OPTION_STRING, "[ADDRESS:]PORT", files.listen, TRACE,
	       "show the run live in a browser, at http://localhost:PORT/, and serve the same metrics "
	       "to Prometheus, at /metrics; without ADDRESS only to this machine",
	       .not_in_files = true, .rank = RANK_NEVER, .section = SECTION_OUTPUT),
	COMMON("timestamp", 'T', OPTION_TIME, "FORM", rows.timestamp, TRACE,
	       "print the time of each record: clock (HH:MM:SS, the default), iso, rel (since the "
	       "first record), mono, unix or utc",
	       .brief = "print times: clock, iso, rel, mono, unix or utc",
	       .section = SECTION_OUTPUT),
	COMMON("extended", 'e', OPTION_FLAG, NULL, rows.extended, EXTENDED, "print more columns"),
	COMMON("columns", 0, OPTION_STRING, "NAME,...", rows.columns, EXTENDED,
	       "print only these columns, in this order: keys of -j"),
	COMMON("wide", 'w', OPTION_FLAG, NULL, rows.wide, TRACE,
	       "on a terminal: print texts whole, also in rows that are longer than its lines",
	       .rank = RANK_NEVER, .section = SECTION_OUTPUT),
	{ .name = "color",
	  .type = OPTION_CHOICE,
	  .arg = "WHEN",
	  .value = &terminal_color_when,
	  .choices = color_choices,
	  .bare = "always",
	  .group = OPTION_GROUP_BASIC,
	  .section = SECTION_OUTPUT,
	  .rank = RANK_NEVER,
	  .help = "print titles, names of processes and errors in colors: auto (the default: on a terminal, "
		  "unless NO_COLOR is set), always or never" },
	COMMON("kernel-stack", 'k', OPTION_FLAG, NULL, stacks.kernel, STACK,
	       "print the kernel stack of each event"),
	COMMON("user-stack", 'U', OPTION_FLAG, NULL, stacks.user, STACK,
	       "print the user stack of each event (without --dwarf, incomplete for programs without "
	       "frame pointers)",
	       .brief = "print the user stack of each event"),
	COMMON("ftrace", 0, OPTION_FLAG, NULL, rows.ftrace, STACK,
	       "print records in the format of the kernel's trace file, for KernelShark, Perfetto "
	       "and others: with CPU, time by CLOCK_MONOTONIC (trace_clock mono), and the flags of "
	       "$ctx, if it is one of the EXPRs",
	       .rank = RANK_NEVER, .section = SECTION_OUTPUT),
	COMMON("dwarf", 0, OPTION_BYTES, "SIZE", stacks.dwarf, STACK,
	       "find frames of user stacks by unwind tables (.eh_frame) instead of frame pointers, for "
	       "-U, and counted by '$ustack' or --folded: copies SIZE bytes of each stack, at most "
	       "28K (default: 8K)",
	       .bare = "8K", .brief = "find frames of user stacks by unwind tables",
	       .rank = RANK_ROOM),
	COMMON("lines", 0, OPTION_FLAG, NULL, stacks.lines, STACK,
	       "in user stacks, print FILE:LINE of the source, for programs with debug information "
	       "in the file, in /usr/lib/debug or next to the file",
	       .rank = RANK_NEVER),
	COMMON("stack-depth", 0, OPTION_UINT, "N", stacks.depth, STACK,
	       "record at most N frames per stack (default: 127)", .rank = RANK_NEVER),
	COMMON("folded", 0, OPTION_FLAG, NULL, stacks.folded, STACK,
	       "count calls by stack, in the kernel, and print one line per stack at the end, for "
	       "flame graph scripts; both stacks unless -k or -U is given",
	       .brief = "count calls by stack, for flame graphs"),
	COMMON("top", 0, OPTION_UINT, "N", report.top, AGGREGATE, "print only the N largest",
	       .is_saved = true),
	COMMON("sort", 0, OPTION_STRING, "COLUMN", report.sort, AGGREGATE,
	       "sort by this column, a key of -j: numbers in descending order, strings from A to Z; "
	       "COLUMN:asc and COLUMN:desc set the order, -COLUMN is COLUMN:desc",
	       .is_saved = true, .brief = "sort by this column, a key of -j", .rank = RANK_ROOM),
	COMMON("interval", 0, OPTION_SECONDS, "SEC", report.interval_ns, AGGREGATE,
	       "print the counts every SEC seconds, not only at the end",
	       .brief = "print the counts every SEC seconds", .rank = RANK_ROOM),
	COMMON("clear", 0, OPTION_FLAG, NULL, report.clear, AGGREGATE,
	       "reset the counts after each interval", .rank = RANK_NEVER),
	COMMON("screen", 0, OPTION_FLAG, NULL, report.screen, AGGREGATE,
	       "on a terminal: redraw the report in place; q quits, < and > choose the column to sort by",
	       .rank = RANK_NEVER),
	COMMON("svg", 0, OPTION_STRING, "FILE", report.svg, AGGREGATE,
	       "draw a picture to FILE instead of printing: a flame graph for --folded, and for a "
	       "--count or --sum by $kstack or $ustack; bars for histograms, with --interval a heat "
	       "map (redrawn each time)",
	       .not_in_files = true, .brief = "draw a flame graph, bars or a heat map",
	       .rank = RANK_ROOM),
	COMMON("heatmap", 0, OPTION_FLAG, NULL, report.heatmap, AGGREGATE,
	       "print histograms as a heat map: one line per --interval (default: 1 second), one "
	       "column per bucket",
	       .rank = RANK_NEVER),
	COMMON("quiet", 'q', OPTION_FLAG, NULL, quiet, BASIC,
	       "print only warnings and errors on stderr, no notes", .rank = RANK_NEVER),
	COMMON("verbose", 'v', OPTION_COUNT, NULL, verbose, BASIC,
	       "report what is attached and how (-vv: also libbpf's messages)",
	       .section = SECTION_ATTACH, .rank = RANK_ROOM),
	COMMON("btf", 0, OPTION_STRING, "FILE", attach.btf, BTF,
	       "read the kernel's types from FILE (raw BTF, a vmlinux or vmlinuz) instead of "
	       "/sys/kernel/btf/vmlinux; to trace, they must be the running kernel's",
	       .not_in_files = true, .brief = "read the kernel's types from FILE",
	       .rank = RANK_ROOM),
	COMMON("btf-force", 0, OPTION_FLAG, NULL, attach.btf_force, PROBES,
	       "trace with the types of --btf even if they are not the running kernel's",
	       .not_in_files = true, .rank = RANK_NEVER),
	COMMON("buffer", 0, OPTION_SIZE, "SIZE", attach.buffer, RECORDS,
	       "size of the ring buffer, a power of two: 64K to 1G", .rank = RANK_NEVER),
	COMMON("run-as", 0, OPTION_STRING, "USER", rights.run_as, TRACE,
	       "switch to this user once the probes are attached; the user owns FILE of --output and "
	       "files created later; a COMMAND keeps its own user (--as)",
	       .not_in_files = true, .rank = RANK_NEVER),
	COMMON("attach", 0, OPTION_CHOICE, "KIND", attach.method, PROBES,
	       "attach only by fentry, kprobe.multi or kprobe; in argdump also fentry.multi or "
	       "fsession; in syssnoop kprobe.multi (default: the cheapest that works)",
	       .choices = attach_method_choices, .alias = "rung",
	       .brief = "attach only by fentry, kprobe.multi or kprobe"),
	COMMON("dry-run", 0, OPTION_FLAG, NULL, attach.dry_run, TRACE,
	       "print what would be attached and how, then exit", .rank = RANK_ROOM),
	COMMON("load-only", 0, OPTION_FLAG, NULL, attach.load_only, PROBES,
	       "check whether this kernel accepts the programs: load them as a run does, attach none, "
	       "and exit",
	       .not_in_files = true, .rank = RANK_NEVER),
	{ 0 },
};

/* True if the applet has this common option. An applet that speaks another tool's language may redefine it, by its
 * name … */
static bool option_is_common(const struct applet *applet, const struct option_spec *common)
{
	for (const struct option_spec *s = applet->options; s && s->name; s++)
		if (!strcmp(s->name, common->name))
			return false;
	return common->group & applet->common;
}

const struct option_spec *option_next(const struct applet *applet, const struct option_spec *s)
{
	const size_t count = sizeof(options_common) / sizeof(options_common[0]);

	s = s ? s + 1 : applet->options ?: options_common;
	if (!s->name)
		s = s < options_common || s >= options_common + count ? options_common : s;
	if (s >= options_common && s < options_common + count)
		while (s->name && !option_is_common(applet, s))
			s++;
	return s->name ? s : NULL;
}

/* ---- lists of expressions ---- */

/* Returns the end of the first expression: a comma outside of parentheses and string literals. */
static char *expr_end(char *text)
{
	int depth = 0;
	char quote = 0;

	for (; *text; text++) {
		if (*text == '\\' && quote && text[1])
			text++;
		else if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else if (*text == '(' || *text == '[')
			depth++;
		else if (*text == ')' || *text == ']')
			depth--;
		else if (*text == ',' && depth <= 0)
			break;
	}
	return text;
}

int option_list_split(const char *option, char *text, const char **items, size_t room,
		      size_t *count)
{
	char *end;

	do {
		end = expr_end(text);
		if (*count == room || end == text) {
			log_error(end == text ? "--%s '%s': an expression is empty" :
						"--%s '%s': too many expressions",
				  option, text);
			return -EINVAL;
		}
		items[(*count)++] = text;
		text = end + (*end == ',');
		if (*end)
			*end = '\0';
		else
			return 0;
	} while (1);
}

static const struct option_spec *search(const struct option_spec *o, const char *name)
{
	for (; o->name; o++)
		if (name[0] != '-' ? !strcmp(o->name, name) : name[1] == o->letter && !name[2])
			return o;
	return NULL;
}

bool option_is_shared(const char *name)
{
	return *name != '-' && search(options_common, name);
}

const struct option_spec *option_find(const struct applet *applet, const char *name)
{
	const struct option_spec *common = search(options_common, name);

	return search(applet->options, name)			  ?:
		       common && (common->group & applet->common) ? common :
								    NULL;
}
