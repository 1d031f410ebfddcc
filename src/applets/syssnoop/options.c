/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.c - the command line, which is strace's: the same letters and long names with the same meaning.
 *
 * Options that need ptrace(2) are refused, with the nearest alternative; options without effect here are accepted
 * with a note. Options of all applets keep their long names if strace uses the letter.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/given.h"
#include "applets/syssnoop/parts.h"
#include "attach/method.h"
#include "cli/applet.h"
#include "run/session.h"
#include "util/log.h"

struct settings settings = {
	.chosen = { .all = true, .signals = ~0ull, .statuses = STATUS_ALL },
};
struct show_options how = { .text = { .strings = 32 }, .column = 40 };

struct given given;
static int paths_level, quiet_level, times_level;

/* ---- arguments ---- */

static const char *number_add(const struct option_spec *spec, const char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	if (!isdigit((unsigned char)*arg) || *end || n > INT32_MAX)
		return "expected a number from 0 to 2147483647";
	*(uint32_t *)spec->value = (uint32_t)n;
	return NULL;
}

static bool unit_digits(const char *text, size_t len, uint8_t *digits)
{
	static const char *const units[] = { "s", "ms", "us", "ns" };

	for (size_t i = 0; i < 4; i++)
		if (strlen(units[i]) == len && !strncmp(text, units[i], len)) {
			*digits = (uint8_t)(3 * i);
			return true;
		}
	return false;
}

/* Parses the precision of -r and -T. */
static const char *precision_add(const struct option_spec *spec, const char *arg)
{
	*(bool *)spec->value = true;
	return unit_digits(arg, strlen(arg),
			   spec->value == &how.relative ? &how.relative_digits :
							  &how.latency_digits) ?
		       NULL :
		       "the choices are s, ms, us, ns";
}

/* -t, -tt, -ttt; or [format:]none|time|unix,[precision:]s|ms|us|ns, either alone */
static const char *times_add(const struct option_spec *spec, const char *arg)
{
	size_t len;

	if (arg == spec->bare) {
		times_level++;
		how.times_digits = times_level > 1 ? 6 : 0;
		how.times = times_level > 2 ? TIMES_UNIX : TIMES_CLOCK;
		return NULL;
	}
	if (!how.times)
		how.times = TIMES_CLOCK;
	for (; *arg; arg += len + (arg[len] == ',')) {
		if (!strncmp(arg, "format:", 7))
			arg += 7;
		else if (!strncmp(arg, "precision:", 10))
			arg += 10;
		len = strcspn(arg, ",");
		if (len == 4 && !strncmp(arg, "none", len))
			how.times = TIMES_NONE;
		else if (len == 4 && !strncmp(arg, "unix", len))
			how.times = TIMES_UNIX;
		else if (len == 4 && !strncmp(arg, "time", len))
			how.times = TIMES_CLOCK;
		else if (!unit_digits(arg, len, &how.times_digits))
			return "expected none, time or unix, and s, ms, us or ns: unix,us";
	}
	return NULL;
}

static const char *hex_add(const struct option_spec *spec, const char *arg)
{
	static const char *const words[] = { "none", "non-ascii-chars", "non-ascii", "all" };

	(void)spec;
	for (uint8_t i = 0; i < 4; i++)
		if (!strcmp(arg, words[i])) {
			how.text.hex = i;
			return NULL;
		}
	return "the choices are none, non-ascii-chars, non-ascii, all";
}

static const char *pids_add(const char *arg)
{
	static const char between[] = ", \t\n";
	char *end;

	for (arg += strspn(arg, between); *arg; arg = end + strspn(end, between)) {
		unsigned long id = strtoul(arg, &end, 10);

		if (!isdigit((unsigned char)*arg) || !id || id > INT32_MAX ||
		    (*end && !strchr(between, *end)))
			return "expected numbers of processes: 17, or 17,18 or '17 18'";
		if (given.pids.count == EVENT_IDS_MAX)
			return "at most 32 are allowed";
		given.pids.ids[given.pids.count++] = (uint32_t)id;
	}
	return given.pids.count ? NULL : "it is empty";
}

/* --attach=PID as in strace, or --attach of all applets. */
static const char *attach_add(const struct option_spec *spec, const char *arg)
{
	static char wrong[128];
	size_t len;

	if (spec->setting || !*arg || strspn(arg, "0123456789, \t\n"))
		return pids_add(arg);
	for (given.method = 0; attach_method_choices[given.method]; given.method++)
		if (!strcmp(arg, attach_method_choices[given.method]))
			return NULL;
	len = (size_t)snprintf(wrong, sizeof(wrong), "expected a PID, or one of");
	for (int i = 0; attach_method_choices[i] && len < sizeof(wrong); i++)
		len += (size_t)snprintf(wrong + len, sizeof(wrong) - len, " %s",
					attach_method_choices[i]);
	return wrong;
}

/* -q, -qq, -qqq; or a set, as that of -e quiet= */
static const char *quiet_add(const struct option_spec *spec, const char *arg)
{
	static struct option_spec quiet = { .name = "quiet" };

	if (arg == spec->bare && ++quiet_level > 1)
		arg = quiet_level > 2 ? "all" : "attach,personality,exit";
	if (given.what.count == OPTION_LIST_MAX)
		return "too many";
	given.what.items[given.what.count++] = (struct option_item){ .spec = &quiet, .text = arg };
	return NULL;
}

/* -y, -yy; or a set, as that of -e decode-fds= */
static const char *decode_add(const struct option_spec *spec, const char *arg)
{
	if (arg == spec->bare && !strcmp(spec->name, "decode-fds") && ++paths_level > 1)
		arg = "all";
	if (given.what.count == OPTION_LIST_MAX)
		return "too many";
	given.what.items[given.what.count++] = (struct option_item){ .spec = spec, .text = arg };
	return NULL;
}

/* A set as for -e verbose=, or the --verbose of all applets. */
static const char *verbose_add(const struct option_spec *spec, const char *arg)
{
	how.debugs |= !arg;
	if (!arg)
		return NULL;
	if (given.what.count == OPTION_LIST_MAX)
		return "too many";
	given.what.items[given.what.count++] = (struct option_item){ .spec = spec, .text = arg };
	return NULL;
}

/* -k, -kk; or symbol, source */
static const char *stack_add(const struct option_spec *spec, const char *arg)
{
	how.lines |= how.stack && arg == spec->bare;
	how.stack = true;
	if (!strcmp(arg, "source"))
		how.lines = true;
	return strcmp(arg, "source") && strcmp(arg, "symbol") ? "the choices are symbol, source" :
								NULL;
}

/* ---- the table ---- */

/* Sets of -e by their own names. */
#define SET(name_, help_)                                                                          \
	{                                                                                          \
		.name = name_, .type = OPTION_LIST, .arg = "SET", .value = &given.what,            \
		.rank = RANK_NEVER, .help = help_                                                  \
	}

/* clang-format off */
const struct option_habit syssnoop_habits[] = {
	{ .letter = 'b', .name = "detach-on", .hint = "nobody is attached to: --events or --duration end the tracing" },
	{ .letter = 'D', .name = "daemonize",
	  .hint = "syssnoop need not hide: the command is not stopped, and TracerPid in its /proc/PID/status stays 0" },
	{ .name = "daemonised", .hint = "the command is not stopped, and TracerPid in its /proc/PID/status stays 0" },
	{ .name = "daemonized", .hint = "the command is not stopped, and TracerPid in its /proc/PID/status stays 0" },
	{ .letter = 'F', .hint = "it is -f: children are followed, also of vfork(2)" },
	{ .name = "inject", .hint = "calls are watched, not changed" },
	{ .name = "fault", .hint = "calls are watched, not changed" },
	{ .name = "kvm", .hint = "argdump t:kvm:kvm_exit shows exits of virtual processors" },
	{ .name = "namespace", .hint = "-y shows the files of namespaces that setns gets" },
	{ .name = "secontext", .hint = "contexts of files and processes are shown by ls -Z and ps -Z" },
	{ .name = "tips", .hint = "--help=examples has some" },
	{ .letter = 'I', .name = "interruptible", .arg = "N", .is_taken = true,
	  .hint = "a signal ends the tracing at any time, and leaves no process stopped" },
	{ .name = "seccomp-bpf", .is_taken = true, .hint = "no call stops its process" },
	{ .name = "kill-on-exit", .is_taken = true, .hint = "COMMAND is ended with the tracing, unless --keep is given" },
	{ 0 },
};

const struct option_spec syssnoop_options[] = {
	{ .name = "expr", .letter = 'e', .type = OPTION_LIST, .arg = "EXPR", .value = &given.what,
	  .help = "which calls: trace=openat,read or classes (%file, %network, %process, %desc …), /REGEX, numbers; "
		  "!read: all but these; ?open: if it exists; read@32: of 32-bit programs. signal=SIGCHLD,none: which "
		  "signals; status=successful,failed,unfinished: which results; fd=3,4: calls with one of these descriptors "
		  "as an argument; quiet=exit: no ends of threads; read=3, write=1: all data of these descriptors as "
		  "hexadecimal numbers; raw=, abbrev=, verbose= with calls: only numbers, all members of structs unless "
		  "named, addresses of structs unless named; decode-fds= and decode-pids= as --decode-fds, --decode-pids",
	  .complete = select_words },
	{ .name = "trace-path", .letter = 'P', .type = OPTION_LIST, .arg = "PATH", .value = &settings.chosen.has.paths,
	  .help = "only calls about this file: an argument is this path, as given or as resolved by "
		  "realpath(3), or a descriptor, passed or returned, refers to the file" },
	{ .name = "attach", .letter = 'p', .type = OPTION_LIST, .arg = "PID|KIND", .add = attach_add, .alias = "rung",
	  .help = "only these threads: 17, or 17,18 or '17 18'; with -f all threads of their processes, and their "
		  "children. --attach KIND: as in all tools, attach only by kprobe.multi (default: the cheapest "
		  "that works)", .brief = "only these threads; with -f processes and children" },
	{ .name = "follow-forks", .letter = 'f', .type = OPTION_COUNT, .value = &given.follows,
	  .help = "also trace children from now on, and all threads; -ff: with -o, a FILE.TID for each",
	  .brief = "also trace children, and all threads" },
	{ .name = "output-separately", .type = OPTION_FLAG, .value = &given.splits, .rank = RANK_NEVER,
	  .help = "with -o: a FILE.TID for each thread" },
	{ .name = "output-append-mode", .letter = 'A', .type = OPTION_FLAG, .value = &how.appends, .rank = RANK_NEVER,
	  .help = "with -o: append to FILE" },
	{ .name = "syscall-times", .letter = 'T', .letter_is_bare = true, .type = OPTION_LIST, .arg = "UNIT", .bare = "us",
	  .add = precision_add, .value = &how.latency,
	  .help = "print how long each call took, in seconds, as exact as s, ms, us (the default) or ns" },
	{ .name = "absolute-timestamps", .letter = 't', .letter_is_bare = true, .type = OPTION_LIST, .arg = "FORM",
	  .bare = "time", .add = times_add, .alias = "timestamps",
	  .help = "print when each call began; -tt: with microseconds, -ttt: in seconds since 1970; FORM: none, time or "
		  "unix, and s, ms, us or ns: unix,ns" },
	{ .name = "relative-timestamps", .letter = 'r', .letter_is_bare = true, .type = OPTION_LIST, .arg = "UNIT",
	  .bare = "us", .add = precision_add, .value = &how.relative,
	  .help = "print the time since the previous line, as exact as s, ms, us (the default) or ns" },
	{ .name = "string-limit", .letter = 's', .type = OPTION_LIST, .arg = "N", .add = number_add,
	  .value = &how.text.strings, .help = "print at most N bytes of strings (default: 32); paths are printed whole" },
	{ .name = "no-abbrev", .letter = 'v', .type = OPTION_FLAG, .value = &given.no_abbrev,
	  .help = "print all members of structs, and the environment of exec" },
	{ .name = "hex", .letter = 'x', .rank = RANK_ROOM, .type = OPTION_COUNT, .value = &given.hex,
	  .help = "print strings with bytes that are not ASCII as hexadecimal numbers; -xx: all strings" },
	{ .name = "strings-in-hex", .type = OPTION_LIST, .arg = "WHICH", .bare = "all", .add = hex_add, .rank = RANK_NEVER,
	  .help = "which bytes of strings are hexadecimal numbers: none, non-ascii-chars (instead of octal ones), "
		  "non-ascii (strings with such bytes), all" },
	{ .name = "const-print-style", .letter = 'X', .rank = RANK_ROOM, .type = OPTION_CHOICE, .arg = "STYLE", .value = &how.style,
	  .choices = (const char *const[]){ "abbrev", "raw", "verbose", NULL },
	  .help = "print constants and flags by name (abbrev, the default), as numbers (raw) or both (verbose)" },
	{ .name = "decode-fds", .letter = 'y', .letter_is_bare = true, .type = OPTION_LIST, .arg = "SET", .bare = "path",
	  .add = decode_add,
	  .help = "print the paths of descriptors, also of returned ones: 3</etc/passwd>; -yy: also "
		  "the numbers of devices, protocols and addresses of sockets; SET: path, socket, dev, eventfd, pidfd, "
		  "signalfd, all" },
	{ .name = "decode-pids", .letter = 'Y', .rank = RANK_ROOM, .letter_is_bare = true, .type = OPTION_LIST, .arg = "SET", .bare = "comm",
	  .add = decode_add,
	  .help = "print names of processes after their numbers: 17<bash>; pidns: numbers in other pid namespaces are "
		  "followed by those in coretap's own" },
	{ .name = "pidns-translation", .type = OPTION_FLAG, .value = &given.translates, .rank = RANK_NEVER,
	  .help = "print numbers of processes also in coretap's own pid namespace" },
	{ .name = "arg-names", .letter = 'N', .type = OPTION_FLAG, .value = &how.text.arg_names, .rank = RANK_ROOM,
	  .help = "print the names of arguments" },
	{ .name = "syscall-number", .letter = 'n', .type = OPTION_FLAG, .value = &how.has_numbers,
	  .with_number = "events", .rank = RANK_ROOM, .help = "print the number of each call; -n N is --events=N" },
	{ .name = "instruction-pointer", .letter = 'i', .type = OPTION_FLAG, .value = &how.has_addresses,
	  .rank = RANK_ROOM, .help = "print the address after the instruction that made the call" },
	{ .name = "stack-trace", .letter = 'k', .letter_is_bare = true, .type = OPTION_LIST, .arg = "KIND", .bare = "symbol",
	  .add = stack_add, .alias = "stack-traces", .rank = RANK_ROOM,
	  .help = "print the stack of the caller, by the programs' unwind tables; KIND: symbol; source (-kk): with files and "
		  "lines" },
	{ .name = "stack-trace-frame-limit", .type = OPTION_UINT, .arg = "N", .value = &how.stack_frames,
	  .rank = RANK_NEVER, .help = "with -k: print at most N frames (default: 256)" },
	{ .name = "dwarf", .type = OPTION_BYTES, .arg = "SIZE", .value = &given.stack_bytes, .rank = RANK_NEVER,
	  .help = "with -k: copy SIZE bytes of the stack, at most 28K (default: 8K)" },
	{ .name = "columns", .letter = 'a', .rank = RANK_ROOM, .type = OPTION_LIST, .arg = "N", .add = number_add, .value = &how.column,
	  .help = "print results at column N (default: 40)" },
	{ .name = "always-show-pid", .type = OPTION_FLAG, .value = &how.is_bare, .rank = RANK_NEVER,
	  .help = "print the thread in each line, even if there is only one" },
	{ .name = "successful-only", .letter = 'z', .type = OPTION_FLAG, .value = &given.only_success,
	  .help = "only calls that succeeded" },
	{ .name = "failed-only", .letter = 'Z', .type = OPTION_FLAG, .value = &given.only_failed, .alias = "failing-only",
	  .help = "only calls that failed" },
	{ .name = "no-follow", .type = OPTION_FLAG, .value = &how.alone,
	  .help = "with -- COMMAND: only its first thread, as with COMMAND without -f" },
	{ .name = "longer", .type = OPTION_SECONDS, .arg = "SEC", .value = &settings.longer,
	  .help = "only calls that took at least this long: 0.01" },
	{ .name = "quiet", .letter = 'q', .letter_is_bare = true, .type = OPTION_LIST, .arg = "SET",
	  .bare = "attach,personality", .add = quiet_add, .alias = "silence", .section = SECTION_OUTPUT, .rank = RANK_ROOM,
	  .help = "print no notes on stderr; -qq: nor the ends of threads, as exit in SET; -qqq: all" },
	{ .name = "silent", .type = OPTION_LIST, .arg = "SET", .bare = "attach,personality", .add = quiet_add,
	  .rank = RANK_NEVER, .help = "as --quiet" },
	{ .name = "env", .letter = 'E', .type = OPTION_LIST, .arg = "NAME[=VALUE]", .value = &given.environment,
	  .rank = RANK_ROOM, .help = "run COMMAND with this variable, or without it" },
	{ .name = "user", .letter = 'u', .type = OPTION_STRING, .arg = "USER", .value = &given.user,
	  .help = "run COMMAND as this user, as --as; without COMMAND: trace only this user, as --uid" },
	{ .name = "argv0", .type = OPTION_STRING, .arg = "NAME", .value = &how.argv0, .rank = RANK_NEVER,
	  .help = "run COMMAND with this name as its first argument" },
	{ .name = "syscall-limit", .type = OPTION_UINT, .arg = "N", .value = &given.limit, .rank = RANK_NEVER,
	  .help = "stop after N lines, as --events" },
	{ .name = "debug", .letter = 'd', .type = OPTION_FLAG, .value = &how.debugs, .with_number = "duration",
	  .section = SECTION_ATTACH,
	  .help = "report what is attached and how; -d SEC is --duration=SEC" },
	SET("trace", "which calls, as -e trace=SET"),
	SET("trace-fds", "calls with one of these descriptors, as -e fd=SET"),
	SET("signals", "which signals, as -e signal=SET"),
	SET("status", "which results, as -e status=SET"),
	SET("raw", "calls whose arguments are shown as numbers, as -e raw=SET"),
	SET("abbrev", "calls whose structs are abbreviated, as -e abbrev=SET"),
	{ .name = "verbose", .type = OPTION_LIST, .arg = "SET", .may_be_bare = true, .add = verbose_add, .rank = RANK_NEVER,
	  .help = "calls whose structs are shown, as -e verbose=SET; without SET: as --debug" },
	SET("read", "descriptors of which all data read are shown, as -e read=SET"),
	SET("write", "descriptors of which all data written are shown, as -e write=SET"),
	{ .name = "summary-only", .letter = 'c', .type = OPTION_FLAG, .value = &settings.counts_only,
	  .section = SECTION_COUNT,
	  .help = "count calls, errors and their time in the kernel, which is time on the processor, instead of printing calls",
	  .brief = "count calls, errors and time instead of printing" },
	{ .name = "summary", .letter = 'C', .type = OPTION_FLAG, .value = &settings.counts_too, .section = SECTION_COUNT,
	  .help = "print calls, and the counts of -c at the end" },
	{ .name = "summary-wall-clock", .letter = 'w', .type = OPTION_FLAG, .value = &counts_wall, .section = SECTION_COUNT,
	  .help = "with -c and -C: the time from call to return" },
	{ .name = "summary-sort-by", .letter = 'S', .type = OPTION_LIST, .arg = "COLUMN", .section = SECTION_COUNT,
	  .add = counts_order_add, .rank = RANK_ROOM,
	  .help = "with -c and -C: the order of the calls: time, min-time, max-time, avg-time, calls, errors, name, none; p50, "
		  "p99 (default: time)" },
	{ .name = "summary-columns", .letter = 'U', .type = OPTION_LIST, .arg = "COLUMN,...", .section = SECTION_COUNT,
	  .add = counts_columns_add, .rank = RANK_ROOM,
	  .help = "with -c and -C: which columns: time-percent, total-time, min-time, max-time, avg-time, wall-total, wall-min, "
		  "wall-max, wall-avg, calls, errors, p50, p99, name" },
	{ .name = "summary-syscall-overhead", .letter = 'O', .type = OPTION_LIST, .arg = "TIME", .section = SECTION_COUNT,
	  .add = counts_overhead_add, .rank = RANK_NEVER,
	  .help = "with -c and -C: subtract this from the time of each call: 1 (microseconds), 0.5ms" },
	{ 0 },
};
/* clang-format on */
