/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.c - every program that is executed, and every one that could not be.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "output/field_load.h"
#include "output/value_text.h"
#include "session/applet.h"
#include "execsnoop.h"
#include "execsnoop.skel.h"

static bool failed_only;	 /* -x; hooks are chosen by it */
static struct event_ids parents; /* --ppid */

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "ppid", .type = OPTION_IDS, .arg = "PID", .value = &parents,
	  .help = "only children of these processes, as they are when they exec" },
	{ 0 },
};
/* clang-format on */

static const struct field_name dirfd_names[] = {
	{ (__u32)AT_FDCWD, "AT_FDCWD" },
	{ 0 },
};

/* The file of a failed exec, unless it is argv[0], which the row has already. */
static int other_path_load(const struct field *f, const void *record, size_t size, struct value *v)
{
	const struct field args = { FIELD_AT(struct execsnoop_event, args), .type = FIELD_ARGV };
	const char *word;
	struct value words;
	size_t len;

	if (load_str(f, record, size, v))
		return -EBADMSG;
	if (v->status != EVENT_OK) /* the exec did not fail */
		return 0;
	if (field_load(&args, record, size, &words))
		return -EBADMSG;
	if (!value_word_unreadable(&words, 0) && value_take_first(&words, &word, &len) &&
	    len == v->len && !memcmp(word, v->bytes, len))
		v->status = EVENT_NONE;
	return 0;
}

static const struct field_kind other_path = { "string", 0, .load = other_path_load,
					      .text = text_string };

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct execsnoop_event, member, type, width, help, ##__VA_ARGS__)

/* clang-format off */
static const struct field fields[] = {
	{ .name = "comm", .title = "PCOMM", FIELD_AT(struct execsnoop_event, header.comm),
	  .type = FIELD_CSTR, .width = 16,
	  .help = "command name after the exec; the caller's if the exec failed" },
	{ .name = "pid", FIELD_AT(struct execsnoop_event, header.pid), .type = FIELD_UINT,
	  .width = 7, .help = "process" },
	{ .name = "tid", FIELD_AT(struct execsnoop_event, header.tid), .type = FIELD_UINT,
	  .width = 7, .flags = FIELD_EXTENDED, .help = "thread that called exec" },
	TASK_CONTAINER_FIELD(struct execsnoop_event, task),
	TASK_INNER_FIELD(struct execsnoop_event, header),
	EVENT(ppid, FIELD_UINT, 7, "parent process"),
	EVENT(uid, FIELD_UINT, 5, "real user", .flags = FIELD_EXTENDED),
	EVENT(gid, FIELD_UINT, 5, "real group", .flags = FIELD_JSON_ONLY),
	TASK_CGROUP_FIELD(struct execsnoop_event, task),
	EVENT(ret, FIELD_RET, 8, "0, or a negative errno; in text its name"),
	{ .name = "errno", FIELD_AT(struct execsnoop_event, ret), .type = FIELD_ERRNO,
	  .flags = FIELD_JSON_ONLY, .help = "name of the error, null for none" },
	EVENT(dirfd, FIELD_ENUM, 8, "directory (or file) descriptor of execveat, or AT_FDCWD",
	      .names = dirfd_names, .flags = FIELD_EXTENDED),
	EVENT(interp, FIELD_STR, 0, "interpreter named in the first line of a script; null for a "
	      "binary", .flags = FIELD_JSON_ONLY),
	EVENT(exe, FIELD_PATH, 32, "absolute path of the file that runs now: the binary, or the "
	      "interpreter of a script; null if the exec failed", .flags = FIELD_EXTENDED),
	EVENT(cwd, FIELD_PATH, 24, "working directory", .flags = FIELD_EXTENDED),
	EVENT(argc, FIELD_UINT, 0, "number of arguments", .flags = FIELD_JSON_ONLY),
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
	  BY(KPROBE_MULTI) = program "_multi",                                                     \
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
	  .unless = &failed_only, .methods = METHOD(FENTRY) | METHOD(KPROBE) },
	{ .name = "exec, done", .functions = "finalize_exec", BY(KPROBE_MULTI) = "execsnoop_final",
	  .unless = &failed_only, .methods = METHOD(KPROBE_MULTI) },
	{ .name = "exec, by a thread", .functions = "exchange_tids",
	  BY(KPROBE_MULTI) = "execsnoop_move", .unless = &failed_only,
	  .methods = METHOD(KPROBE_MULTI) },
	CALL("execve", "__x64_sys_execve __arm64_sys_execve", "execsnoop_execve"),
	CALL("execveat", "__x64_sys_execveat __arm64_sys_execveat", "execsnoop_execveat"),
	CALL("execve of 32-bit callers", "__ia32_compat_sys_execve __arm64_compat_sys_execve",
	     "execsnoop_compat", .optional = true, .without = "failed execve of 32-bit callers"),
	CALL("execveat of 32-bit callers", "__ia32_compat_sys_execveat __arm64_compat_sys_execveat",
	     "execsnoop_compatat", .optional = true,
	     .without = "failed execveat of 32-bit callers"),
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
	{ 0 },
};

/* Where BPF programs can be preempted, fentry misses calls that kprobe.multi sees. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_ANY,
							 ATTACH_KPROBE, ATTACH_END };

static void execsnoop_prepare(const struct options *o)
{
	failed_only = o->failed_only;
}

static int execsnoop_open(struct skeleton *sk, const void *options)
{
	struct execsnoop_bpf *skel = SKELETON_OPEN(sk, execsnoop);
	const struct options *o = options;

	if (!skel)
		return -errno;
	skel->rodata->want_paths = options_want_all(o) || o->extended;
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

const struct applet execsnoop_applet = {
	.name = "execsnoop",
	.summary = "trace program execution (exec), failures included",
	.description =
		"Shows each execve and execveat, including those of 32-bit programs. If it succeeded, the "
		"arguments are those that the kernel gave to the new program. If it failed, it is shown "
		"with its error when it returns, and the arguments are read from the caller's memory at "
		"that time. Arguments of more than 128 KiB are cut off, and marked.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_RECORDS | OPTION_GROUP_RING |
		  OPTION_GROUP_UNTIL | OPTION_GROUP_FAILED | OPTION_GROUP_EXTENDED,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct execsnoop_event),
	.objects = objects,
	.examples = examples,
	.overhead =
		"On 6.12 an exec costs 5300 instructions more, 1600 of them in the traced task; nothing "
		"else is slowed down. On kernels that preempt (lazy, full) kprobe.multi replaces fexit.",
	.blind_spots =
		"Processes and threads that fork but do not exec. Execs by the kernel itself (modprobe, "
		"core dump helpers) are shown only if they succeed. Arguments of a failed exec that are "
		"not in memory when it returns, or that were lost with the old address space, are shown "
		"as <fault>. In a container the TID that a thread had before its exec is unknown.",
	.prepare = execsnoop_prepare,
};
