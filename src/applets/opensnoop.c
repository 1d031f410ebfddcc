/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opensnoop.c - every file that is opened, and every one that could not be.
 */
#include <errno.h>

#include "output/flag_names.h"
#include "session/applet.h"
#include "opensnoop.h"
#include "opensnoop.skel.h"

static bool full_path; /* -F */
static bool all;       /* --all */
static bool base;      /* walk directories: -F or JSON */
static bool details;   /* shows more than the return value and the name */

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "full-path", .letter = 'F', .type = OPTION_FLAG, .value = &full_path,
	  .help = "the path absolute, through directory descriptor, working directory, mounts and "
		  "chroot (JSON has both)" },
	{ .name = "all", .letter = 'a', .type = OPTION_FLAG, .value = &all,
	  .help = "also what yields no descriptor: files opened by exec and by the kernel itself" },
	{ 0 },
};
/* clang-format on */

static const struct field_name kinds[] = {
	{ OPENSNOOP_OPEN, "open" },
	{ OPENSNOOP_IO_URING, "io_uring" },
	{ OPENSNOOP_EXEC, "exec" },
	{ OPENSNOOP_KERNEL, "kernel" },
	{ 0 },
};

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct opensnoop_event, member, type, width, help, ##__VA_ARGS__)

enum { COLUMN_KIND = 6, COLUMN_PATH = 14, COLUMN_FULL_PATH = 15 };

/* Not const: --all and -F change the columns. */
/* clang-format off */
static struct field fields[] = {
	{ .name = "pid", FIELD_AT(struct opensnoop_event, header.pid), .type = FIELD_UINT,
	  .width = 7, .help = "process" },
	{ .name = "tid", FIELD_AT(struct opensnoop_event, header.tid), .type = FIELD_UINT,
	  .width = 7, .flags = FIELD_EXTENDED, .help = "thread" },
	{ .name = "comm", FIELD_AT(struct opensnoop_event, header.comm), .type = FIELD_CSTR,
	  .width = 15, .help = "command name of the thread" },
	{ .name = "fd", FIELD_AT(struct opensnoop_event, ret), .type = FIELD_FD, .width = 4,
	  .flags = FIELD_MAYBE,
	  .help = "file descriptor; -1: it failed; none for exec, the kernel's own, and files of "
		  "an io_uring's own table" },
	{ .name = "err", FIELD_AT(struct opensnoop_event, ret), .type = FIELD_ERRNO, .width = 7,
	  .flags = FIELD_TEXT_ONLY | FIELD_LEFT, .help = "the error, or 0" },
	{ .name = "error", FIELD_AT(struct opensnoop_event, ret), .type = FIELD_ERRNO,
	  .flags = FIELD_JSON_ONLY, .help = "name of the error, null for none" },
	[COLUMN_KIND] = EVENT(kind, FIELD_ENUM, 8, "who opens: open (a system call), io_uring, exec, "
	      "kernel", .names = kinds, .flags = FIELD_EXTENDED),
	EVENT(uid, FIELD_UINT, 5, "real user", .flags = FIELD_EXTENDED),
	EVENT(cgroup, FIELD_UINT, 0, "number of its cgroup (v2)", .flags = FIELD_JSON_ONLY),
	EVENT(latency, FIELD_NS, 7, "time that the open took", .flags = FIELD_EXTENDED),
	EVENT(dirfd, FIELD_ENUM, 0, "descriptor of the directory that a relative path begins at, or "
	      "AT_FDCWD", .names = flags_dirfd, .flags = FIELD_JSON_ONLY),
	EVENT(mode, FIELD_OCT, 5, "mode for a file that is created, before the umask; none where the "
	      "flags do not create", .flags = FIELD_EXTENDED | FIELD_MAYBE),
	EVENT(flags, FIELD_FLAGS, 20, "how it is opened", .names = flags_open,
	      .flags = FIELD_EXTENDED),
	EVENT(resolve, FIELD_FLAGS, 0, "how openat2 is told to walk the path",
	      .names = flags_resolve, .flags = FIELD_JSON_ONLY),
	[COLUMN_PATH] = EVENT(path, FIELD_STR, 0, "path as the caller gave it"),
	[COLUMN_FULL_PATH] = EVENT(full_path, FIELD_PATH, 0, "the same from the root of the mount "
	      "namespace on: .. and symbolic links as given", .title = "PATH",
	      .flags = FIELD_JSON_ONLY),
};
/* clang-format on */

enum {
	HOOK_ENTER,
	HOOK_NAME,
	HOOK_LEAVE,
	HOOK_KERNEL,
	HOOK_IO_ENTER,
	HOOK_IO_DONE,
	HOOK_IO_LEAVE,
	HOOK_IO_REFUSED,
	HOOK_THREAD_END,
	HOOK_END
};

/* Not const: see hooks_walk and hooks_multi. The io_uring hooks are kprobes even with fentry
 * (opensnoop.bpf.c). */
/* clang-format off */
static struct hook hooks[] = {
	[HOOK_ENTER] = { .name = "open, entry", .functions = "do_sys_openat2",
		BY(FENTRY) = "open_enter_fentry", BY(KPROBE) = "open_enter_kprobe",
		.unless_field = "filename.uptr" },
	[HOOK_NAME] = { .name = "open, name", .functions = "do_file_open do_filp_open",
		BY(FENTRY) = "name_fentry", BY(KPROBE) = "name_kprobe" },
	[HOOK_LEAVE] = { .name = "open, return", .functions = "do_sys_openat2",
		BY(FENTRY) = "open_leave_fexit", BY(KPROBE) = "open_leave_kprobe", .is_return = true },
	[HOOK_KERNEL] = { .name = "exec's and the kernel's own, return",
		.functions = "do_file_open do_filp_open", BY(FENTRY) = "kernel_leave_fexit",
		BY(KPROBE) = "kernel_leave_kprobe", .is_return = true, .only_if = &all },
	[HOOK_IO_ENTER] = { .name = "io_uring, entry", .functions = "io_openat2",
		BY(KPROBE) = "io_enter_kprobe", .optional = true, .without = "opens by io_uring" },
	[HOOK_IO_DONE] = { .name = "io_uring, result before 5.19",
		.functions = "io_req_complete_post", BY(KPROBE) = "io_done_kprobe", .optional = true },
	[HOOK_IO_LEAVE] = { .name = "io_uring, return", .functions = "io_openat2",
		BY(KPROBE) = "io_leave_kprobe", .is_return = true, .optional = true,
		.without = "opens by io_uring" },
	[HOOK_IO_REFUSED] = { .name = "io_uring, refused", .functions = "io_uring_req_failed",
		BY(TRACEPOINT) = "io_refused_tp", .optional = true },
	/* Only kretprobes can miss a return: their pool has 10 entries, or 2 per CPU. */
	[HOOK_THREAD_END] = { .name = "end of a thread", .functions = "do_exit",
		BY(KPROBE) = "thread_end_kprobe",
		.methods = 1u << ATTACH_KPROBE | 1u << ATTACH_KPROBE_MULTI },
	[HOOK_END] = { 0 },
};
/* clang-format on */

static const struct example examples[] = {
	{ "opensnoop", "every open until Ctrl-C" },
	{ "opensnoop -x", "only those that failed: missing libraries, configuration, rights" },
	{ "opensnoop -F -p 1234 -f", "absolute paths of process 1234 and its children to come" },
	{ "opensnoop -- make", "what make and its children open; exits as make does" },
	{ "opensnoop --extended -T -c sshd", "flags, mode, latency and time of sshd's" },
	{ "opensnoop --all -d 10", "ten seconds, with the files that exec and the kernel open" },
	{ "opensnoop -j | jq -r 'select(.error == \"EACCES\") | .full_path'",
	  "absolute paths that were denied" },
	{ 0 },
};

static void columns_choose(void)
{
	if (all)
		fields[COLUMN_KIND].flags = 0;
	if (!full_path)
		return;
	fields[COLUMN_PATH].flags = FIELD_JSON_ONLY;
	fields[COLUMN_FULL_PATH].flags = 0;
}

/* Separate programs walk the directories, because they take longer to load. */
static void hooks_walk(void)
{
	hooks[HOOK_NAME].program[ATTACH_FENTRY] = "name_full_fentry";
	hooks[HOOK_NAME].program[ATTACH_KPROBE] = "name_full_kprobe";
	hooks[HOOK_LEAVE].program[ATTACH_FENTRY] = "open_leave_full_fexit";
	hooks[HOOK_LEAVE].program[ATTACH_KPROBE] = "open_leave_full_kprobe";
	hooks[HOOK_IO_ENTER].program[ATTACH_KPROBE] = "io_enter_full_kprobe";
	hooks[HOOK_IO_LEAVE].program[ATTACH_KPROBE] = "io_leave_full_kprobe";
	hooks[HOOK_IO_REFUSED].program[ATTACH_TRACEPOINT] = "io_refused_full_tp";
}

/* kprobe.multi runs the same programs as kprobe. */
static void hooks_multi(void)
{
	for (int i = 0; i < HOOK_END; i++)
		if (i != HOOK_IO_DONE)
			hooks[i].program[ATTACH_KPROBE_MULTI] = hooks[i].program[ATTACH_KPROBE];
}

/* On a kernel that preempts BPF programs, a refused fexit would leave a call in the map. A later
 * call could then be shown with that call's name. */
static const enum attach_method_id order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_KPROBE,
							 ATTACH_END };

static void opensnoop_prepare(const struct options *o)
{
	base = o->json || full_path;
	columns_choose();
	details = base || o->extended;
	if (details || all)
		hooks[HOOK_ENTER].unless_field = NULL;
	if (base || all)
		hooks_walk();
	hooks_multi();
}

static bool by_fentry(enum attach_method_id method)
{
	return method == ATTACH_ANY || method == ATTACH_FENTRY;
}

static int opensnoop_open(struct skeleton *sk, const void *options)
{
	struct opensnoop_bpf *skel = SKELETON_OPEN(sk, opensnoop);

	(void)options; /* see opensnoop_prepare */
	if (!skel)
		return -errno;
	skel->rodata->entry_seen = details || all || !by_fentry(sk->method);
	skel->rodata->want_details = details;
	skel->rodata->want_base = base;
	skel->rodata->want_kernel = all;
	if (!all)
		bpf_map__set_max_entries(skel->maps.kernel_calls, 1);
	skel->rodata->returns_counted = by_fentry(sk->method);
	return 0;
}

/* From here on, a return without an entry is expected. */
static void opensnoop_ending(struct skeleton *sk)
{
	struct opensnoop_bpf *skel = sk->skel;

	skel->bss->calls_ended = true;
}

static const struct skeleton_source objects[] = {
	{ .hooks = hooks,
	  .order_preempted = order_preempted,
	  .open = opensnoop_open,
	  .ending = opensnoop_ending },
	{ 0 },
};

const struct applet opensnoop_applet = {
	.name = "opensnoop",
	.summary = "trace file opens: every one, and every one that failed",
	.description =
		"Shows each open, openat, openat2 and creat, of 32-bit callers too, and each open by "
		"io_uring when it returns. The path is the kernel's own copy of the name, taken when "
		"the kernel looks it up, so the caller cannot change it behind our back; only where "
		"the kernel refused before it had one (EFAULT, EINVAL, EMFILE …) is it read from the "
		"caller's memory, when the call returns.\n\n"
		"full_path is the same path from the root of the process's mount namespace on: the "
		"directory where the lookup begins (working directory, directory descriptor, or the "
		"root of a chroot), as it stands when the call returns, and behind it the path as "
		"given. A directory that was removed ends in ' (deleted)'; one that cannot be reached "
		"from that root begins with '(unreachable)'.",
	.common = OPTION_GROUP_BASIC | OPTION_GROUP_TRACE | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_TASK | OPTION_GROUP_FAILED | OPTION_GROUP_JSON | OPTION_GROUP_BTF |
		  OPTION_GROUP_EXTENDED,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct opensnoop_event),
	.objects = objects,
	.examples = examples,
	.overhead =
		"On 6.12 an open costs 3900 instructions more, of them 2500 in the traced task: 5 % to 80 % "
		"of the open itself; another process's open under -p 540. On kernels that preempt (lazy, "
		"full) kprobe.multi replaces fentry.",
	.blind_spots =
		"Descriptors that do not come from a name: open_by_handle_at, memfd_create, open_tree, "
		"pipes, sockets, duplicates, descriptors received or inherited.\n\n"
		"What the kernel opens by other ways than a name of its own (nfsd, the layers of overlayfs), "
		"with --all too. Before 6.0, io_uring requests that are refused before they are issued.\n\n"
		"full_path is put together, not resolved: symbolic links and .. stand as given, and it "
		"begins at the root of the process's mount namespace, which a container's is not the "
		"host's. It is not known (null, <fault>) where another thread changed the directory "
		"during the call.\n\n"
		"An open that a signal interrupts ends in ERESTARTSYS and is shown again when the kernel "
		"restarts it. io_uring's latency is that of the last attempt. O_LARGEFILE, which the "
		"kernel adds itself, is not shown.",
	.prepare = opensnoop_prepare,
};
