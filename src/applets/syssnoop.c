/* SPDX-License-Identifier: GPL-2.0-only */
/* syssnoop.c - every system call, with its arguments and its result, without stopping a process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <sys/mman.h>

#include "applets/syssnoop/parts.h"
#include "cli/applet.h"
#include "output/field/value_json.h"
#include "run/reporting.h"
#include "run/session.h"
#include "util/log.h"
#include "syssnoop.skel.h"

/* ---- options of strace that syssnoop has not, and what to do instead ---- */

/* clang-format off */
static const struct option_habit syssnoop_habits[] = {
	{ 'i', "instruction-pointer", "argdump -U s:openat prints the callers of a call" },
	{ 'k', "stack-traces", "argdump -U s:openat prints the callers of a call" },
	{ 'A', "output-append-mode", "append by the shell: syssnoop … >>FILE" },
	{ 'b', "detach-on", "nobody is attached to: -n or -d end the tracing" },
	{ 'D', "daemonize", "the command's parent need not be hidden: nobody stops it" },
	{ 'E', "env", "set it by env(1): -- env NAME=VALUE COMMAND" },
	{ 'F', NULL, "it is -f: children are followed, also of vfork(2)" },
	{ 'U', "summary-columns", "-j has all columns for jq(1)" },
	{ 'w', "summary-wall-clock", "leave it out: the times of -c are durations, from call to return" },
	{ 'X', "const-print-style", "constants are printed by their names" },
	{ 0, "trace", "-e trace=SET" },
	{ 0, "signal", "-e signal=SET" },
	{ 0, "status", "-e status=SET" },
	{ 0, "inject", "calls are watched, not changed" },
	{ 0, "fault", "calls are watched, not changed" },
	{ 0, "output-separately", "one file has all; sort it by the [pid N] of its lines" },
	{ 0 },
};
/* clang-format on */

/* ---- the tool ---- */

static struct option_list what;
static struct show_options how = { .text = { .strings = 32 } };
static uint64_t longer;
static int fd_paths; /* -y */
static bool only_failed, only_success;
static bool counts_only, counts_too; /* -c, -C */
static bool prints, has_command, by_function;
static struct selection chosen = {
	.all = true, .signals = ~0ull, .success = true, .failure = true
};

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "expr", .letter = 'e', .type = OPTION_LIST, .arg = "EXPR", .value = &what,
	  .help = "which calls: trace=openat,read or openat,read or classes (%file, %network, "
		  "%process, %desc …); !read: all but these; ?open: if it exists; "
		  "signal=SIGCHLD,none: which signals; status=successful,failed: which results; "
		  "fd=3,4: calls with one of these descriptors as an argument; quiet=exit: no ends of threads",
	  .complete = select_words },
	{ .name = "trace-path", .letter = 'P', .type = OPTION_LIST, .arg = "PATH", .value = &chosen.has.paths,
	  .help = "only calls about this file: an argument is this path, as given or as resolved by "
		  "realpath(3), or a descriptor, passed or returned, refers to the file" },
	{ .name = "syscall-times", .letter = 'T', .type = OPTION_FLAG, .value = &how.latency,
	  .help = "print how long each call took, in seconds" },
	{ .name = "absolute-timestamps", .letter = 't', .type = OPTION_COUNT, .value = &how.times,
	  .help = "print when each call began; -tt: with microseconds, -ttt: in seconds since 1970" },
	{ .name = "relative-timestamps", .letter = 'r', .type = OPTION_FLAG, .value = &how.relative,
	  .help = "print the time since the previous line" },
	{ .name = "string-limit", .letter = 's', .type = OPTION_UINT, .arg = "N", .value = &how.text.strings,
	  .help = "print at most N bytes of a string that is not a path (default: 32, at most 4096)" },
	{ .name = "no-abbrev", .letter = 'v', .type = OPTION_FLAG, .value = &how.text.verbose,
	  .help = "print all members of structs, and the environment of exec" },
	{ .name = "decode-fds", .letter = 'y', .type = OPTION_COUNT, .value = &fd_paths,
	  .help = "print the paths of descriptors, also of returned ones: 3</etc/passwd>; -yy: also "
		  "the numbers of devices, protocols and addresses of sockets" },
	{ .name = "columns", .letter = 'a', .type = OPTION_UINT, .arg = "N", .value = &how.text.column,
	  .help = "print results at column N (default: 40)" },
	{ .name = "successful-only", .letter = 'z', .type = OPTION_FLAG, .value = &only_success,
	  .help = "only calls that succeeded" },
	{ .name = "failed-only", .letter = 'Z', .type = OPTION_FLAG, .value = &only_failed,
	  .help = "only calls that failed, as -x" },
	{ .name = "no-follow", .type = OPTION_FLAG, .value = &how.alone,
	  .help = "with -- COMMAND: only its first thread, as strace without -f" },
	{ .name = "longer", .type = OPTION_SECONDS, .arg = "SEC", .value = &longer,
	  .help = "only calls that took at least this long: 0.01" },
	{ .name = "summary-only", .letter = 'c', .type = OPTION_FLAG, .value = &counts_only,
	  .help = "count calls, errors and durations in the kernel instead of printing calls" },
	{ .name = "summary", .letter = 'C', .type = OPTION_FLAG, .value = &counts_too,
	  .help = "print calls, and the counts of -c at the end" },
	{ .name = "summary-sort-by", .letter = 'S', .type = OPTION_CHOICE, .arg = "COLUMN",
	  .value = &counts_sorted, .choices = counts_orders,
	  .help = "with -c and -C: the order of the calls: time, avg-time, p50, p99, calls, errors, name (default: "
		  "time)" },
	{ 0 },
};
/* clang-format on */

/* One program serves both. What signals' tracepoints have, their events have not; they fire under a
 * lock, where nothing is preempted. */
#define EITHER(program_) BY(TRACEPOINT) = program_, BY(EVENT) = program_
/* clang-format off */
static const struct hook hooks[] = {
	{ .name = "system calls, entry", .functions = "sys_enter", EITHER("syssnoop_enter"),
	  .event = "raw_syscalls/sys_enter", .unless = &by_function },
	{ .name = "system calls, return", .functions = "sys_exit", EITHER("syssnoop_exit"),
	  .event = "raw_syscalls/sys_exit", .unless = &by_function },
	{ .name = "end of a thread", .functions = "sched_process_exit", EITHER("syssnoop_end"),
	  .event = "sched/sched_process_exit" },
	{ .name = "exec of the command", .functions = "sched_process_exec", EITHER("syssnoop_exec"),
	  .event = "sched/sched_process_exec", .only_if = &has_command },
	{ .name = "signals", .functions = "signal_deliver", BY(TRACEPOINT) = "syssnoop_signal",
	  .only_if = &prints },
	{ .name = "signals that end or are ignored", .functions = "signal_generate",
	  BY(TRACEPOINT) = "syssnoop_ignored", .only_if = &prints },
	{ 0 },
};

static const struct example examples[] = {
	{ "syssnoop -- ls", "the system calls of a command and its children" },
	{ "syssnoop -p 1234 -f -T", "of a process and its children from now on, with durations" },
	{ "syssnoop -e openat,execve -x", "of all processes, opens and execs that fail" },
	{ "syssnoop -yy -e %network -p 1234", "what a process does with sockets, and with which" },
	{ "syssnoop --attach kprobe.multi -e mount,umount2",
	  "rare calls, on a busy system: others cost nothing" },
	{ "syssnoop -P /etc/passwd", "of all processes, what concerns one file" },
	{ "syssnoop -c -d 10", "counts of all calls of the system within ten seconds" },
	{ "syssnoop -c --sort errors -d 10", "the same, those that fail most first" },
	{ "syssnoop -C -S calls -- ls", "each call, and at the end how often each was made" },
	{ "syssnoop --longer 0.1 -e '!futex,?poll,ppoll,?epoll_wait,epoll_pwait'",
	  "calls that take 100 ms or longer, but not those that are meant to wait" },
	{ 0 },
};
/* clang-format on */

static void syssnoop_prepare(const struct options *o)
{
	has_command = o->child.command;
	by_function = o->attach.method == ATTACH_KPROBE_MULTI;
	prints = !counts_only;
	how.has_comm = !o->child.command && !o->tasks.pids.count && !o->tasks.tids.count;
	how.has_pids = !o->child.command && !(o->tasks.pids.count == 1 && !o->tasks.follow) &&
		       o->tasks.tids.count != 1;
}

/* Its TIME is when it began, but it is shown when it has returned. */
static uint64_t syssnoop_time(const void *record, size_t size)
{
	const struct syssnoop_event *e = record;

	if (size < sizeof(*e) || e->flags & SYSSNOOP_UNFINISHED)
		return 0;
	return e->header.ts + (e->latency == SYSSNOOP_NO_LATENCY ? 0 : e->latency);
}

static bool chooses(void)
{
	return chosen.has.paths.count || chosen.has.by_fds;
}

/* Any exec returns as any other may. */
static void execs_return_set(uint64_t *bits)
{
	static const char *const names[] = { "execve", "execveat" };
	bool any = false;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < 2 * SYSCALL_ABIS; i++) {
			int nr = syscall_number(i / 2, names[i % 2], strlen(names[i % 2]));

			if (nr < 0)
				continue;
			any |= chosen.wanted[i / 2][nr / 64] >> nr % 64 & 1;
			bits[nr / 64] |= (uint64_t)(pass && any) << nr % 64;
		}
}

static int syssnoop_open(struct skeleton *sk, const void *param)
{
	struct syssnoop_bpf *skel = SKELETON_OPEN(sk, syssnoop);
	const struct options *o = param;

	if (!skel)
		return -errno;
	skel->rodata->by_event = sk->method == ATTACH_EVENT;
	skel->rodata->all_wanted = chosen.all;
	memcpy((void *)skel->rodata->wanted, chosen.wanted, sizeof(chosen.wanted));
	for (size_t i = 0; i < SYSCALL_NUMBERS / 64; i++)
		((uint64_t *)skel->rodata->any_wanted)[i] = chosen.wanted[0][i] |
							    chosen.wanted[1][i];
	memcpy((void *)skel->rodata->any_returned, (void *)skel->rodata->any_wanted,
	       sizeof(skel->rodata->any_wanted));
	execs_return_set((uint64_t *)skel->rodata->any_returned);
	skel->rodata->records = prints;
	skel->rodata->counts = counts_only || counts_too;
	skel->rodata->want_comm = how.has_comm || options_want_all(o);
	skel->rodata->want_success = chosen.success;
	skel->rodata->want_failure = chosen.failure;
	skel->rodata->want_longer = longer;
	skel->rodata->want_signals = chosen.signals;
	skel->rodata->after_exec = has_command;
	skel->rodata->want_special = fd_paths > 1;
	skel->rodata->by_paths = chosen.has.paths.count;
	skel->rodata->by_fds = chosen.has.by_fds;
	skel->rodata->chooses = chooses();
	skel->rodata->higher_fds = chosen.has.higher_fds;
	memcpy((void *)skel->rodata->wanted_fds, chosen.has.fds, sizeof(chosen.has.fds));
	if (chosen.has.paths.count)
		bpf_map__set_max_entries(skel->maps.wanted_paths, chosen_forms(&chosen.has.paths));
	if (counts_only || counts_too)
		bpf_map__set_max_entries(skel->maps.counted, SYSCALL_ROWS);
	return 0;
}

static int row_set(int fd, uint32_t row)
{
	struct syscall_capture c;

	syscall_capture_of(row / SYSCALL_NUMBERS, row % SYSCALL_NUMBERS, &how.text, &c);
	for (unsigned i = 0; i < SYSCALL_VALUES; i++) {
		unsigned when = c.values[i].kind ? c.values[i].when : 0;

		c.at_entry |= (when & TAKE_AT_ENTRY ? 1 : 0) << i;
		c.at_return |= (when & (TAKE_AT_RETURN | TAKE_AT_SUCCESS | TAKE_AT_FAILURE) ? 1 : 0)
			       << i;
		c.unread |= (when & TAKE_UNREAD ? 1 : 0) << i;
	}
	return bpf_map_update_elem(fd, &row, &c, BPF_ANY) ? -errno : 0;
}

static int syssnoop_loaded(struct skeleton *sk)
{
	struct syssnoop_bpf *skel = sk->skel;
	int err = 0;

	for (uint32_t row = 0; row < SYSCALL_ROWS && !err && (prints || chooses()); row++)
		err = row_set(bpf_map__fd(skel->maps.rows), row);
	return err ?: chosen_paths_write(&chosen.has.paths, bpf_map__fd(skel->maps.wanted_paths));
}

static const enum attach_method_id order_preempted[] = { ATTACH_EVENT, ATTACH_ANY, ATTACH_END };

static struct skeleton_source objects[] = {
	{ .hooks = hooks,
	  .order_preempted = order_preempted,
	  .open = syssnoop_open,
	  .loaded = syssnoop_loaded },
	{ 0 },
};

static int functions_set(struct session *s)
{
	struct hook *all = NULL;
	int err = functions_add(s, &chosen, hooks, &all);

	if (!err)
		objects[0].hooks = all;
	return err;
}

static int syssnoop_args(struct session *s, int argc, char **argv)
{
	(void)argc, (void)argv;
	if (select_read(&what, &chosen))
		return -EINVAL;
	if (how.text.strings > SYSSNOOP_TAKE_MAX) {
		log_error("--string-limit takes at most %u", SYSSNOOP_TAKE_MAX);
		return -EINVAL;
	}
	if (chosen_paths_check(&chosen.has.paths))
		return -EINVAL;
	how.text.fd_paths = fd_paths;
	if (only_success && (only_failed || s->options.rows.failed_only)) {
		log_error("-z and -Z exclude each other");
		return -EINVAL;
	}
	chosen.failure &= !only_success;
	chosen.success &= !only_failed && !s->options.rows.failed_only;
	if (how.alone && (!s->options.child.command || counts_only || counts_too)) {
		log_error(s->options.child.command ?
				  "-c counts what children do, too: it excludes --no-follow" :
				  "--no-follow needs -- COMMAND");
		return -EINVAL;
	}
	how.no_exits = chosen.no_exits;
	if (reporting_check_mode(&s->options, !prints, "-c", "call"))
		return -EINVAL;
	if (by_function && functions_set(s))
		return -EINVAL;
	if (!prints) {
		counts_report(s);
		return 0;
	}
	s->rows.schema = (struct schema){ .fields = syssnoop_fields,
					  .count = SYSSNOOP_FIELDS,
					  .record_min = sizeof(struct syssnoop_event),
					  .text = show_text };
	s->record = show_record;
	show_begin(&how);
	return 0;
}

/* Calls that have not returned when the tracing ends. */
static void unfinished_remove(struct session *s)
{
	struct syssnoop_bpf *skel = s->objects->skel;
	size_t size = SYSSNOOP_CALLS * sizeof(struct syssnoop_call);
	void *calls;

	calls = mmap(NULL, size, PROT_READ, MAP_SHARED, bpf_map__fd(skel->maps.calls), 0);
	if (calls == MAP_FAILED)
		return;
	show_unfinished(s, calls);
	munmap(calls, size);
}

static void syssnoop_rest(struct session *s)
{
	if (!prints)
		return;
	if (chosen.success)
		unfinished_remove(s);
	show_end();
	if (counts_too)
		counts_write(s);
}

static const char *const parts[] = { "-c", "-yy", NULL };

const struct applet syssnoop_applet = {
	.name = "syssnoop",
	.summary = "trace system calls and signals without stopping the process",
	.description =
		"Shows each system call when it returns, in strace's format: of all processes, of "
		"some (-p, with -f also of their children) or of a command. It does not use ptrace, "
		"so no process is stopped, and programs that refuse a tracer are also traced. Signals "
		"and exits of threads are shown as well.\n\n"
		"What a call reads is taken from the caller's memory when it is called, what it "
		"writes when it returns.\n\n"
		"--attach kprobe.multi with -e probes only the kernel's functions for these calls "
		"(from 6.10 on). All other calls then cost nothing, these cost some 500 instructions "
		"more. Calls that seccomp refuses, and calls that began before, are not seen then.\n\n"
		"With -c, calls are counted in the kernel instead; a call that does not return "
		"(exit_group) is not counted.",
	.time_of = syssnoop_time,
	.overhead =
		"While any tool traces system calls, the kernel uses its slow entry and exit paths "
		"for all of them: 231 instructions a call on 6.12, 658 on 7.3. In addition, a call "
		"that -e excludes, or of a process that -p excludes, costs its caller 60 to 80 "
		"instructions. A call that -c counts costs 390, of which 85 read the clock.",
	.blind_spots =
		"Memory that is not present when a call begins is read when it returns, when another "
		"thread may have changed it; what is not present then is shown as its address. A "
		"record has at most 56 KiB of data. -P and fd= do not search lists of descriptors "
		"(poll, select) and paths of sockets. -y has no paths of descriptors in memory: those "
		"that pipe2 returns, or poll and select wait for; a namespace is named by its file "
		"system (nsfs:[N]). For calls that began before tracing only the "
		"return is known; calls that have not returned when it ends are shown without data of "
		"their arguments. The latency of exec, exit and sigreturn is that of the kernel's own "
		"part only.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_FAILED |
		  OPTION_GROUP_AGGREGATE,
	.options = options,
	.fields = syssnoop_fields,
	.field_count = SYSSNOOP_FIELDS,
	.record_min = sizeof(struct syssnoop_event),
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.habits = syssnoop_habits,
	.prepare = syssnoop_prepare,
	.args_set = syssnoop_args,
	.rest = syssnoop_rest,
};
