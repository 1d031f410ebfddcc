/* SPDX-License-Identifier: GPL-2.0-only */
/* syssnoop.c - prints every system call, with its arguments and its result, without stopping any process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <sys/mman.h>

#include "applets/syssnoop/parts.h"
#include "cli/applet.h"
#include "run/reporting.h"
#include "run/session.h"
#include "syssnoop.skel.h"

/* ---- the tool ---- */

static bool prints, has_command, by_function;

/* Serves both methods with one program. The tracepoints of signals have data that their events lack; they fire under
 * a lock, where nothing is preempted. */
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
	{ "syssnoop -f -o log make", "the system calls of a command and its children, as strace writes them" },
	{ "syssnoop -p 1234 -f -T", "of a process and its children from now on, with durations" },
	{ "syssnoop -e openat,execve -Z", "of all processes, opens and execs that fail" },
	{ "syssnoop -yy -e %network -p 1234", "what a process does with sockets, and with which" },
	{ "syssnoop --attach kprobe.multi -e mount,umount2",
	  "rare calls, on a busy system: others cost nothing" },
	{ "syssnoop -P /etc/passwd", "of all processes, what concerns one file" },
	{ "syssnoop -c -d 10", "counts of all calls of the system within ten seconds" },
	{ "syssnoop -c --sort errors -d 10", "the same, those that fail most first" },
	{ "syssnoop -C -S calls ls", "each call, and at the end how often each was made" },
	{ "syssnoop --longer 0.1 -e '!futex,?poll,ppoll,?epoll_wait,epoll_pwait'",
	  "calls that take 100 ms or longer, but not those that are meant to wait" },
	{ 0 },
};
/* clang-format on */

static void syssnoop_prepare(const struct options *o)
{
	has_command = o->child.command;
	by_function = o->attach.method == ATTACH_KPROBE_MULTI;
	prints = !settings.counts_only;
}

/* TIME is when the call began, but the row is printed when it has returned. */
static uint64_t syssnoop_time(const void *record, size_t size)
{
	const struct syssnoop_event *e = record;

	if (size < sizeof(*e) || e->flags & SYSSNOOP_UNFINISHED)
		return 0;
	return e->header.ts + (e->latency == SYSSNOOP_NO_LATENCY ? 0 : e->latency);
}

static bool chooses(void)
{
	return settings.chosen.has.paths.count || settings.chosen.has.fds.any;
}

/* Any exec may return as any other one. */
static void execs_return_set(uint64_t *bits)
{
	static const char *const names[] = { "execve", "execveat" };
	bool any = false;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < 2 * SYSCALL_ABIS; i++) {
			int nr = syscall_number(i / 2, names[i % 2], strlen(names[i % 2]));

			if (nr < 0)
				continue;
			any |= settings.chosen.wanted.bits[i / 2][nr / 64] >> nr % 64 & 1;
			bits[nr / 64] |= (uint64_t)(pass && any) << nr % 64;
		}
}

static void wanted_set(struct syssnoop_bpf *skel)
{
	skel->rodata->all_wanted = settings.chosen.all;
	memcpy((void *)skel->rodata->wanted, settings.chosen.wanted.bits,
	       sizeof(settings.chosen.wanted.bits));
	for (size_t i = 0; i < SYSCALL_NUMBERS / 64; i++)
		((uint64_t *)skel->rodata->any_wanted)[i] = settings.chosen.wanted.bits[0][i] |
							    settings.chosen.wanted.bits[1][i];
	memcpy((void *)skel->rodata->any_returned, (void *)skel->rodata->any_wanted,
	       sizeof(skel->rodata->any_wanted));
	execs_return_set((uint64_t *)skel->rodata->any_returned);
}

static void counts_set(struct syssnoop_bpf *skel)
{
	skel->rodata->counts = settings.counts_only || settings.counts_too;
	if (!skel->rodata->counts)
		return;
	skel->rodata->counts_cpu = !counts_wall;
	skel->rodata->counts_extremes = counts_have_extremes();
	bpf_map__set_max_entries(skel->maps.counted, SYSCALL_ROWS);
}

/* ---- what is to be captured ---- */

static struct {
	struct syssnoop_key *keys;
	struct syssnoop_variant *values;
	uint32_t count, room, row;
} variants;

static void variant_add(void *ctx, uint32_t value, const struct syssnoop_variant *v)
{
	uint32_t i = variants.count;
	void *p;

	(void)ctx;
	if (i == variants.room) {
		variants.room = variants.room ? variants.room * 2 : 256;
		p = realloc(variants.keys, variants.room * sizeof(*variants.keys));
		variants.keys = p ?: variants.keys;
		if (p)
			p = realloc(variants.values, variants.room * sizeof(*variants.values));
		if (!p) {
			variants.room = i;
			return;
		}
		variants.values = p;
	}
	variants.keys[i] = (struct syssnoop_key){ variants.row, value };
	variants.values[i] = *v;
	variants.count++;
}

static bool row_varies(const struct syscall_capture *c)
{
	bool any = false;

	for (unsigned i = 0; i < SYSCALL_ARGS; i++)
		any |= c->values[i].kind == TAKE_VARIES;
	return any;
}

/* Collects the variants of all wanted calls, once. */
static void variants_collect(void)
{
	for (; variants.row < SYSCALL_ROWS; variants.row++) {
		unsigned abi = variants.row / SYSCALL_NUMBERS, nr = variants.row % SYSCALL_NUMBERS;
		struct syscall_capture c;

		if (!settings.chosen.all && !syscall_set_has(&settings.chosen.wanted, abi, nr))
			continue;
		syscall_capture_of(abi, nr, &how.text, &c);
		if (row_varies(&c) || (chooses() && c.key < SYSCALL_ARGS))
			syscall_capture_variants(abi, nr, &how.text, variant_add, NULL);
	}
}

static int variants_write(int fd)
{
	int err = 0;

	for (uint32_t i = 0; i < variants.count && !err; i++)
		if (bpf_map_update_elem(fd, &variants.keys[i], &variants.values[i], BPF_ANY))
			err = -errno;
	return err;
}

static int syssnoop_open(struct skeleton *sk, const void *param)
{
	struct syssnoop_bpf *skel = SKELETON_OPEN(sk, syssnoop);
	const struct options *o = param;

	if (!skel)
		return -errno;
	skel->rodata->by_event = sk->method == ATTACH_EVENT;
	wanted_set(skel);
	skel->rodata->records = prints;
	counts_set(skel);
	skel->rodata->want_comm = how.has_comm || settings.chosen.pid_parts & PIDS_COMM ||
				  options_fill_all(o);
	skel->rodata->want_success = settings.chosen.statuses & STATUS_SUCCESSFUL;
	skel->rodata->want_failure = settings.chosen.statuses & STATUS_FAILED;
	skel->rodata->want_unfinished = settings.chosen.statuses & STATUS_UNFINISHED;
	skel->rodata->want_longer = settings.longer;
	skel->rodata->want_signals = settings.chosen.signals;
	skel->rodata->after_exec = has_command;
	skel->rodata->leaders_only = o->child.is_alone;
	skel->rodata->all_entries = prints && show_wants_entries();
	skel->rodata->want_ip = prints && how.has_addresses;
	skel->rodata->want_stack = prints && how.stack ? (uint32_t)o->stacks.dwarf : 0;
	skel->rodata->want_files = how.text.fd_paths;
	skel->rodata->want_special = how.text.fd_parts & SYSCALL_FD_SPECIAL;
	skel->rodata->want_pids = prints && how.text.pid_here;
	if (prints && how.text.pid_here)
		bpf_map__set_max_entries(skel->maps.pids_seen, SYSSNOOP_PIDS_MAX);
	skel->rodata->by_paths = settings.chosen.has.paths.count;
	skel->rodata->by_fds = settings.chosen.has.fds.any;
	skel->rodata->chooses = chooses();
	skel->rodata->higher_fds = settings.chosen.has.fds.set.higher;
	memcpy((void *)skel->rodata->wanted_fds, settings.chosen.has.fds.set.bits,
	       sizeof(settings.chosen.has.fds.set.bits));
	if (prints)
		variants_collect();
	bpf_map__set_max_entries(skel->maps.variants, variants.count ?: 1);
	if (settings.chosen.has.paths.count)
		bpf_map__set_max_entries(skel->maps.wanted_paths,
					 chosen_forms(&settings.chosen.has.paths));
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
	pids_use(how.text.pid_here ? bpf_map__fd(skel->maps.pids_seen) : -1);
	if (!err && prints)
		err = variants_write(bpf_map__fd(skel->maps.variants));
	return err   ?:
		       chosen_paths_write(&settings.chosen.has.paths,
					  bpf_map__fd(skel->maps.wanted_paths));
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
	int err = functions_add(s, &settings.chosen, hooks, &all);

	if (!err)
		objects[0].hooks = all;
	return err;
}

static int syssnoop_args(struct session *s, int argc, char **argv)
{
	(void)argc, (void)argv;
	if (settings_read(s))
		return -EINVAL;
	syssnoop_prepare(&s->options);
	if (reporting_check_mode(&s->options, !prints, "-c", "call"))
		return -EINVAL;
	if (by_function && functions_set(s))
		return -EINVAL;
	if (!prints) {
		counts_report(s, &counts_form);
		return 0;
	}
	s->rows.schema = (struct schema){ .fields = syssnoop_fields,
					  .count = SYSSNOOP_FIELDS,
					  .record_min = sizeof(struct syssnoop_event),
					  .text = show_text };
	s->record = show_record;
	show_begin(s);
	return 0;
}

/* Removes calls that have not returned when the tracing ends. */
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
	if (settings.chosen.statuses & STATUS_DETACHED)
		unfinished_remove(s);
	show_end();
	if (settings.counts_too)
		counts_write(s, &counts_form);
}

static const char *const parts[] = { "-c", "-yy", "-k", "-i", NULL };

const struct applet syssnoop_applet = {
	.name = "syssnoop",
	.line = { .also = "strace", .takes_words = true },
	.summary = "trace system calls and signals without stopping the process",
	.description =
		"Shows each system call when it returns, in strace's format: of all processes, of "
		"some (-p, with -f also of their children) or of a command. It does not use ptrace, "
		"so no process is stopped, and programs that refuse a tracer are also traced. Signals "
		"and exits of threads are shown as well.\n\n"
		"Options are those of strace(1), with the same letters; a symlink named strace also runs it. A command needs no --: "
		"without -f, only its first thread is traced. After --, as in all tools, its children are also traced. Lines about "
		"a command go to stderr, JSON goes to stdout.\n\n"
		"What a call reads is taken from the caller's memory when it is called, what it "
		"writes when it returns.\n\n"
		"--attach kprobe.multi with -e probes only the kernel's functions for these calls "
		"(from 6.10 on). All other calls then cost nothing, these cost some 500 instructions "
		"more. Calls that seccomp refuses, and calls that began before, are not seen then.\n\n"
		"With -c, calls are counted in the kernel instead; a call that does not return "
		"(exit_group) is not counted. Their time is that on the processor: exact, unless the thread was "
		"interrupted or slept; then it is what the scheduler charged in between, which may be off by a tick.\n\n"
		"With -f, a call during which a line of another thread is printed has two lines, as in strace; its first line is "
		"printed with that line, not when the call begins.",
	.time_of = syssnoop_time,
	.overhead =
		"While any tool traces system calls, the kernel uses its slow entry and exit paths "
		"for all of them: 231 instructions a call on 6.12, 658 on 7.3. In addition, a call "
		"that -e excludes, or of a process that -p excludes, costs its caller 60 to 80 "
		"instructions. A call that -c counts costs 390, of which 85 read the clock.",
	.blind_spots =
		"Memory that is not present when a call begins is read when it returns, when another "
		"thread may have changed it; what is not present then is shown as its address. A "
		"record has at most 56 KiB of data; of a string or buffer, at most 32 KiB are shown, whatever -s is. -k "
		"finds frames in a copy of 8 KiB of the stack (--dwarf SIZE), after the call. -Y reads names of other processes "
		"when the line is printed. --decode-fds shows pidfds, eventfds and signalfds by their path only. -P and fd= do not search lists of descriptors "
		"(poll, select) and paths of sockets. -y has no paths of descriptors in memory: those "
		"that pipe2 returns, or poll and select wait for; a namespace is named by its file "
		"system (nsfs:[N]). For calls that began before tracing only the "
		"return is known; calls that have not returned when it ends are shown without data of "
		"their arguments. The latency of exec, exit and sigreturn is that of the kernel's own "
		"part only.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_FAILED | OPTION_GROUP_AGGREGATE,
	.options = syssnoop_options,
	.fields = syssnoop_fields,
	.field_count = SYSSNOOP_FIELDS,
	.record_min = sizeof(struct syssnoop_event),
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.habits = syssnoop_habits,
	.prepare = syssnoop_prepare,
	.args_set = syssnoop_args,
	.hooks.rest = syssnoop_rest,
};
