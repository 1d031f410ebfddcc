/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.c - every program that is executed, and every failed attempt.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "applets/execsnoop/more.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/flag_names.h"
#include "output/field/shared_fields.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "run/session.h"
#include "execsnoop.h"
#include "execsnoop.skel.h"

static bool no_success;		 /* -x without --exit; it selects the hooks */
static struct event_ids parents; /* --ppid */
static bool ends;		 /* --exit */
static bool ancestors;		 /* --tree */
static struct option_list env;	 /* --env */

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "ppid", .type = OPTION_IDS, .arg = "PID", .value = &parents,
	  .help = "only children of these processes, at the time of the exec" },
	{ .name = "exit", .type = OPTION_FLAG, .value = &ends,
	  .help = "also print a row when a traced program exits: its exit status or signal, how long "
		  "it ran, CPU time, peak memory. With -x only failed ones" },
	{ .name = "tree", .type = OPTION_FLAG, .value = &ancestors,
	  .help = "print the parent, its parent and so on at the time of the exec, at most 16" },
	{ .name = "env", .type = OPTION_LIST, .arg = "NAME[,NAME]", .value = &env,
	  .help = "print the values of these variables in the environment of the new program, or in "
		  "the one passed to a failed exec. Only the first 64 KiB are searched",
	  .brief = "print these variables of the environment" },
	{ 0 },
};
/* clang-format on */

static const struct field_name dirfd_names[] = {
	{ (__u32)AT_FDCWD, "AT_FDCWD" },
	{ 0 },
};

/* The file of a failed exec, unless it equals argv[0], which is already in the row. */
static int other_path_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	static const struct field args = { FIELD_AT(struct execsnoop_event, args),
					   .type = FIELD_ARGV };
	const struct execsnoop_event *e = record;
	const char *word;
	struct value words;
	size_t len;

	if (size >= sizeof(*e) && e->path.status == EVENT_NONE) { /* the usual case */
		*v = (struct value){ .status = EVENT_NONE };
		return 0;
	}
	if (load_str(f, record, size, v))
		return -EBADMSG;
	if (v->status != EVENT_OK) /* the exec succeeded */
		return 0;
	if (field_load(&args, record, size, &words))
		return -EBADMSG;
	if (!value_word_unreadable(&words, 0) && value_pop_first(&words, &word, &len) &&
	    len == v->len && !memcmp(word, v->bytes, len))
		v->status = EVENT_NONE;
	return 0;
}

static const struct field_kind other_path = { "string", 0, .load = other_path_load,
					      .text = text_string };

static const struct field_name event_names[] = { { 0, "exec" }, { 1, "exit" }, { 0 } };

#define MORE(member) FIELD_AT(struct execsnoop_more, member)
#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct execsnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field fields[] = {
	{ .name = "comm", .title = "PCOMM", FIELD_AT(struct execsnoop_event, header.comm),
	  .type = FIELD_CSTR, .width = 16,
	  .help = "command name after the exec; the caller's if the exec failed" },
	{ .name = "pid", FIELD_AT(struct execsnoop_event, header.pid), .type = FIELD_UINT,
	  .width = 7, .help = "process" },
	{ .name = "event", MORE(ended), .type = FIELD_ENUM, .width = 5, .names = event_names,
	  .flags = FIELD_OPTIONAL, .help = "--exit: exec, or exit when the process exits" },
	{ .name = "tid", FIELD_AT(struct execsnoop_event, header.tid), .type = FIELD_UINT,
	  .width = 7, .flags = FIELD_EXTENDED, .help = "thread that called exec" },
	TASK_CONTAINER_FIELD(struct execsnoop_event, task),
	TASK_INNER_FIELD(struct execsnoop_event, header),
	EVENT(ppid, FIELD_UINT, 7, "parent process"),
	EVENT(uid, FIELD_UINT, 5, "real user", .flags = FIELD_EXTENDED),
	EVENT(gid, FIELD_UINT, 5, "real group", .flags = FIELD_JSON_ONLY),
	TASK_CGROUP_FIELD(struct execsnoop_event, task),
	EVENT(ret, FIELD_RET, 8, "0, or a negative errno; in text its name; none for an exit",
	      .flags = FIELD_MAYBE | FIELD_FEW),
	{ .name = "errno", FIELD_AT(struct execsnoop_event, ret), .type = FIELD_ERRNO,
	  .flags = FIELD_JSON_ONLY, .help = "name of the error, null for none" },
	EVENT(dirfd, FIELD_ENUM, 8, "directory (or file) descriptor of execveat, or AT_FDCWD",
	      .names = dirfd_names, .flags = FIELD_EXTENDED),
	EVENT(interp, FIELD_STR, 0, "interpreter named in the first line of a script; null for a "
	      "binary", .flags = FIELD_JSON_ONLY),
	EVENT(exe, FIELD_PATH, 32, "absolute path of the file that runs now: the binary, or the "
	      "interpreter of a script; null if the exec failed", .flags = FIELD_EXTENDED),
	EVENT(cwd, FIELD_PATH, 24, "working directory", .flags = FIELD_EXTENDED),
	{ .name = "status", MORE(status), .kind = &end_status, .width = 8,
	  .flags = FIELD_OPTIONAL | FIELD_TEXT_ONLY },
	{ .name = "code", .type = FIELD_UINT, .value = end_code,
	  .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,
	  .help = "exit: what the process passed to exit(2), null if a signal killed it; in text STATUS" },
	{ .name = "signal", .type = FIELD_ENUM, .names = flags_signal, .size = 8, .value = end_signal,
	  .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,
	  .help = "exit: the signal that killed it; in text STATUS" },
	{ .name = "core", .type = FIELD_BOOL, .value = end_core,
	  .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,
	  .help = "exit: true if it dumped core; in text after STATUS" },
	{ .name = "lived", MORE(lived), .type = FIELD_NS, .width = 7, .role = FIELD_ROLE_LASTED_BESIDE,
	  .flags = FIELD_OPTIONAL | FIELD_MAYBE, .help = "exit: time since the exec" },
	{ .name = "age", MORE(age), .type = FIELD_NS, .flags = FIELD_OPTIONAL | FIELD_MAYBE | FIELD_JSON_ONLY,
	  .help = "exit: time since the fork" },
	{ .name = "cpu", MORE(times.runtime), .type = FIELD_NS, .width = 7,
	  .flags = FIELD_OPTIONAL | FIELD_MAYBE,
	  .help = "exit: CPU time of all its threads since the fork" },
	{ .name = "user", .type = FIELD_NS, .value = end_user, .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY,
	  .help = "exit: the user part of that CPU time, split by clock ticks" },
	{ .name = "system", .type = FIELD_NS, .value = end_system,
	  .flags = FIELD_OPTIONAL | FIELD_JSON_ONLY, .help = "exit: the kernel part of that CPU time" },
	{ .name = "max_rss_kib", .title = "RSS-KIB", .type = FIELD_UINT, .value = end_rss, .width = 7,
	  .flags = FIELD_OPTIONAL,
	  .help = "exit: peak memory since the fork, in KiB" },
	{ .name = "ancestors", MORE(ancestors), .kind = &ancestors_kind, .width = 32,
	  .flags = FIELD_OPTIONAL, .help = "--tree: PIDs and names of its ancestors, the oldest first" },
	{ .name = "env", MORE(env), .kind = &env_kind, .context = &env, .width = 24,
	  .flags = FIELD_OPTIONAL, .help = "--env: variables, null for one that is not set; in text "
	      "quoted for a shell" },
	EVENT(argc, FIELD_UINT, 0, "number of arguments; null for an exit",
	      .flags = FIELD_JSON_ONLY | FIELD_MAYBE),
	{ .name = "argv", .title = "ARGS", FIELD_AT(struct execsnoop_event, args),
	  .type = FIELD_ARGV, .help = "all arguments including argv[0]; in text quoted for a shell" },
	EVENT(path, FIELD_STR, 0,
	      "path as the caller gave it; in text after a # if the exec failed and argv[0] is another",
	      .flags = FIELD_JSON_ONLY),
	EVENT(path, FIELD_STR, 0, NULL, .flags = FIELD_REMARK | FIELD_TEXT_ONLY, .kind = &other_path),
};
/* clang-format on */

#define METHOD(name_) (1u << ATTACH_##name_)

/* The return of a system call; with a kretprobe, its entry as well. */
#define CALL(name_, functions_, program, ...)                                                      \
	{ .name = name_ ", failed",                                                                \
	  .functions = functions_,                                                                 \
	  BY(FENTRY) = program "_fexit",                                                           \
	  BY(KPROBE_MULTI) = "execsnoop_multi",                                                    \
	  BY(KPROBE) = program "_leave",                                                           \
	  .is_return = true,                                                                       \
	  ##__VA_ARGS__ },                                                                         \
	{                                                                                          \
		.name = name_ ", entry", .functions = functions_, BY(KPROBE) = "execsnoop_enter",  \
		.methods = METHOD(KPROBE), ##__VA_ARGS__                                           \
	}

/* clang-format off */
static const struct hook hooks[] = {
	{ .name = "exec, done", .functions = "sched_process_exec", BY(TRACEPOINT) = "execsnoop_done",
	  .unless = &no_success, .methods = METHOD(FENTRY) | METHOD(KPROBE) },
	{ .name = "exec, done", .functions = "finalize_exec", BY(KPROBE_MULTI) = "execsnoop_final",
	  .unless = &no_success, .methods = METHOD(KPROBE_MULTI) },
	{ .name = "exec, by a thread", .functions = "exchange_tids",
	  BY(KPROBE_MULTI) = "execsnoop_move", .unless = &no_success,
	  .methods = METHOD(KPROBE_MULTI) },
	{ .name = "end of a process", .functions = "do_notify_parent", BY(KPROBE) = "execsnoop_end",
	  BY(KPROBE_MULTI) = "execsnoop_end", .only_if = &ends },
	CALL("execve", "__x64_sys_execve __arm64_sys_execve __riscv_sys_execve sys_execve", "execsnoop_execve"),
	CALL("execveat", "__x64_sys_execveat __arm64_sys_execveat __riscv_sys_execveat sys_execveat", "execsnoop_execveat"),
	CALL("execve of 32-bit callers", "__ia32_compat_sys_execve __arm64_compat_sys_execve",
	     "execsnoop_compat", .optional = true, .without = "failed execve of 32-bit callers",
	     .feature = "compat_arch_ptrace"),
	CALL("execveat of 32-bit callers", "__ia32_compat_sys_execveat __arm64_compat_sys_execveat",
	     "execsnoop_compatat", .optional = true,
	     .without = "failed execveat of 32-bit callers", .feature = "compat_arch_ptrace"),
	{ 0 },
};
/* clang-format on */

static const struct example examples[] = {
	{ "execsnoop", "every exec until Ctrl-C" },
	{ "execsnoop -- make", "every program that make and its descendants run" },
	{ "execsnoop -x", "only failed execs, and why they failed" },
	{ "execsnoop -u 1000 -T", "programs run by user 1000, with the time" },
	{ "execsnoop -c sh -n 10", "the next ten shells" },
	{ "execsnoop --ppid 1", "what init, or systemd, starts itself, and orphans" },
	{ "execsnoop -j | jq -r .exe", "the absolute path of each program" },
	{ "execsnoop -j --meta", "for where lines of many machines come together" },
	{ "execsnoop --inner-pids", "processes of containers by both their numbers, as 4711/1" },
	{ "execsnoop --exit -- make",
	  "also how each program ended, how long it ran, its CPU time and memory" },
	{ "execsnoop -x --exit",
	  "execs that failed, and programs that end with an error or by a signal" },
	{ "execsnoop --tree --env PATH,LD_PRELOAD",
	  "which processes an exec comes from, and two of its variables" },
	{ 0 },
};

/* Where BPF programs can be preempted, fentry misses calls that kprobe.multi sees. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_ANY,
							 ATTACH_KPROBE, ATTACH_END };

static bool has_more(void)
{
	return ends || ancestors || env.count;
}

static void execsnoop_prepare(const struct options *o)
{
	no_success = o->rows.failed_only && !ends;
	env_check(&env);
}

/* Selects the optional fields by the options. */
static int execsnoop_args(struct session *s, int argc, char **argv)
{
	const struct applet *a = s->applet;

	(void)argc, (void)argv;
	s->rows.schema = (struct schema){ .fields = a->fields,
					  .count = a->field_count,
					  .record_min = has_more() ? sizeof(struct execsnoop_more) :
								     a->record_min };
	for (size_t i = 0; i < a->field_count; i++) {
		const struct field *f = &a->fields[i];
		bool shown = f->kind == &ancestors_kind ? ancestors :
			     f->kind == &env_kind	? env.count :
							  ends && f->type != FIELD_CONTAINER;

		if (f->flags & FIELD_OPTIONAL && shown)
			s->rows.schema.optional |= 1ull << i;
	}
	return 0;
}

static int execsnoop_open(struct skeleton *sk, const void *options)
{
	struct execsnoop_bpf *skel = SKELETON_OPEN(sk, execsnoop);
	const struct options *o = options;

	if (!skel)
		return -errno;
	skel->rodata->want_paths = options_fill_all(o) || o->rows.extended;
	skel->rodata->want_more = has_more();
	skel->rodata->want_exit = ends;
	skel->rodata->want_ancestors = ancestors;
	skel->rodata->want_env = env.count;
	if (!ends)
		bpf_map__set_max_entries(skel->maps.begun_execs, 1);
	/* keep entries only where the programs at the returns need them */
	if (sk->method != ATTACH_KPROBE)
		bpf_map__set_max_entries(skel->maps.calls, 1);
	if (sk->method != ATTACH_KPROBE_MULTI)
		bpf_map__set_max_entries(skel->maps.moved, 1);
	memcpy((void *)&skel->rodata->parents, &parents, sizeof(parents));
	return 0;
}

static const struct skeleton_source objects[] = {
	{ .hooks = hooks, .order_preempted = order_preempted, .open = execsnoop_open },
	{ 0 },
};

static const char *const parts[] = { "--exit", "--tree", "--env HOME", NULL };

const struct applet execsnoop_applet = {
	.name = "execsnoop",
	.summary = "trace program execution (exec), failures included",
	.description =
		"Shows each execve and execveat, including those of 32-bit programs. The arguments of "
		"a successful exec are those that the kernel passed to the new program. A failed exec "
		"is shown with its error when it returns, and its arguments are read from the "
		"caller's memory at that time. Arguments of more than 128 KiB are cut, and marked.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_RING | OPTION_GROUP_UNTIL | OPTION_GROUP_FAILED |
		  OPTION_GROUP_EXTENDED,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct execsnoop_event),
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.overhead =
		"On 6.12 an exec costs 4030 instructions more, 1620 of them in the traced task; nothing "
		"else is slowed down. On kernels that preempt (lazy, full) kprobe.multi replaces fexit.",
	.blind_spots =
		"Processes and threads that fork but do not exec. Execs by the kernel itself "
		"(modprobe, core dump helpers) are shown only if they succeed. Arguments of a failed "
		"exec are shown as <fault> if they are not in memory when it returns, or were lost "
		"with the old address space. In a container, the TID of a thread before its exec is "
		"unknown.\n\n"
		"--exit: CPU time lacks the time of the last thread since the kernel last counted it, "
		"at most since the last clock tick.",
	.prepare = execsnoop_prepare,
	.args_set = execsnoop_args,
};
