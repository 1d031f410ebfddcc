/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opensnoop.c - every file that is opened, and every failed attempt.
 */
#include <errno.h>
#include <string.h>

#include "applets/opensnoop/also.h"
#include "applets/opensnoop/hooks.h"
#include "applets/opensnoop/options.h"
#include "output/field/flag_names.h"
#include "output/field/shared_fields.h"
#include "run/session.h"
#include "cli/complete.h"
#include "symbols/user/usyms.h"
#include "util/log.h"
#include "opensnoop.h"
#include "opensnoop.skel.h"

static bool full_path; /* -F */
static bool base;      /* walk directories: -F or JSON */
static bool callers;   /* --caller */
static bool details;   /* print more than the return value and the name */
static struct opensnoop_wanted wanted;
static const char *count; /* --count */
static enum opensnoop_count counting;
static struct skeleton_source objects[3];

static void flags_words(struct completion *c, const char *begin)
{
	(void)begin;
	completion_list(c);
	completion_names(c, flags_open);
}

/* clang-format off */
static const struct option_spec options[] = {
	{ .name = "full-path", .letter = 'F', .type = OPTION_FLAG, .value = &full_path,
	  .help = "print absolute paths, resolving directory descriptor, working directory, mounts and "
		  "chroot (JSON has both)" },
	{ .name = "all", .letter = 'a', .type = OPTION_FLAG, .value = &opensnoop_all,
	  .help = "also show opens by exec and by the kernel itself, and calls of openat2 that the "
		  "kernel refuses because of their struct open_how" },
	{ .name = "caller", .type = OPTION_FLAG, .value = &callers,
	  .help = "also show the function that opened it: the first one outside the C library; in a "
		  "statically linked program, the caller of open" },
	{ .name = "path", .type = OPTION_LIST, .arg = "GLOB", .value = &wanted.paths,
	  .help = "only paths that match, as the caller gave them, even with -F: a relative path has "
		  "no directory. * matches any bytes, including slashes; ? [a-z] [!a-z] \\ as in a "
		  "shell" },
	{ .name = "flags", .type = OPTION_LIST, .arg = "FLAG[,FLAG]", .value = &wanted.flags,
	  .help = "only opens with any of these flags: O_CREAT,O_TRUNC", .complete = flags_words },
	{ .name = "write", .type = OPTION_FLAG, .value = &wanted.writes,
	  .help = "only opens for writing: O_WRONLY or O_RDWR" },
	{ .name = "also", .type = OPTION_LIST, .arg = "WHAT[,WHAT]", .value = &also.words,
	  .help = "also show deletes and renames; WHAT is unlink (files and directories) or rename. "
		  "--path matches either name of a rename; --flags and --write do not apply to them" },
	{ .name = "count", .type = OPTION_STRING, .arg = "WHAT", .value = &count, .bare = "path",
	  .help = "count opens by path, as given, or by command name: path or comm. Each error has "
		  "its own row. At most 16384 rows; further ones are counted as lost. Only the first "
		  "255 bytes of a path are compared", .complete = counts_words },
	{ 0 },
};
/* clang-format on */

static const struct field_name kinds[] = {
	{ OPENSNOOP_OPEN, "open" },	{ OPENSNOOP_IO_URING, "io_uring" },
	{ OPENSNOOP_EXEC, "exec" },	{ OPENSNOOP_KERNEL, "kernel" },
	{ OPENSNOOP_UNLINK, "unlink" }, { OPENSNOOP_RMDIR, "rmdir" },
	{ OPENSNOOP_RENAME, "rename" }, { 0 },
};

#define EVENT(member, type, width, help, ...)                                                      \
	FIELD(struct opensnoop_event, member, type, width, help, ##__VA_ARGS__)

enum { COLUMN_KIND = 8, COLUMN_PATH = 17, COLUMN_FULL_PATH = 18 };

/* Not const: --all and -F change the columns. */
/* clang-format off */
static struct field fields[] = {
	{ .name = "pid", FIELD_AT(struct opensnoop_event, header.pid), .type = FIELD_UINT,
	  .width = 7, .help = "process" },
	{ .name = "tid", FIELD_AT(struct opensnoop_event, header.tid), .type = FIELD_UINT,
	  .width = 7, .flags = FIELD_EXTENDED, .help = "thread" },
	{ .name = "comm", FIELD_AT(struct opensnoop_event, header.comm), .type = FIELD_CSTR,
	  .width = 15, .help = "command name of the thread" },
	TASK_CONTAINER_FIELD(struct opensnoop_event, task),
	TASK_INNER_FIELD(struct opensnoop_event, header),
	{ .name = "fd", FIELD_AT(struct opensnoop_event, ret), .type = FIELD_FD, .width = 4,
	  .flags = FIELD_MAYBE,
	  .help = "file descriptor; -1 if it failed; empty for exec, the kernel, the file table of an "
		  "io_uring, and non-open events" },
	{ .name = "errno", .title = "ERR", FIELD_AT(struct opensnoop_event, ret),
	  .type = FIELD_ERRNO, .width = 7, .help = "name of the error, null for none (in text 0)" },
	EVENT(ret, FIELD_RET, 0, "what the open returned: the descriptor or a negative errno; null if "
	      "fd is", .flags = FIELD_JSON_ONLY | FIELD_MAYBE),
	[COLUMN_KIND] = EVENT(kind, FIELD_ENUM, 8, "who opens: open (a system call), io_uring, exec, "
	      "kernel; or what is done instead: unlink, rmdir, rename", .names = kinds, .flags = FIELD_EXTENDED),
	EVENT(uid, FIELD_UINT, 5, "real user", .flags = FIELD_EXTENDED),
	TASK_CGROUP_FIELD(struct opensnoop_event, task),
	EVENT(latency, FIELD_NS, 7, "duration of the open", .flags = FIELD_EXTENDED,
	      .role = FIELD_ROLE_LASTED),
	EVENT(dirfd, FIELD_ENUM, 0, "descriptor of the directory where a relative path starts, or "
	      "AT_FDCWD", .names = flags_dirfd, .flags = FIELD_JSON_ONLY),
	EVENT(mode, FIELD_OCT, 5, "mode of a file to create, before the umask; none if the flags do "
	      "not create one", .flags = FIELD_EXTENDED | FIELD_MAYBE),
	EVENT(flags, FIELD_FLAGS, 20, "flags of the open; none for other events",
	      .names = flags_open, .flags = FIELD_EXTENDED | FIELD_MAYBE),
	EVENT(resolve, FIELD_FLAGS, 0, "how openat2 is to resolve the path",
	      .names = flags_resolve, .flags = FIELD_JSON_ONLY),
	CALLER_FIELD,
	[COLUMN_PATH] = EVENT(path, FIELD_STR, 0, "path as the caller gave it"),
	[COLUMN_FULL_PATH] = EVENT(full_path, FIELD_PATH, 0, "the path from the root of the mount "
	      "namespace: .. and symbolic links as given", .title = "PATH",
	      .flags = FIELD_JSON_ONLY),
	ALSO_NEW("new_path", &also_new_path, FIELD_JSON_ONLY,
		 "rename: the new path as given; in text after a #"),
	ALSO_NEW("new_full_path", &also_new_full_path, FIELD_JSON_ONLY, "rename: as full_path"),
	ALSO_NEW("new_path", &also_new_path, FIELD_TEXT_ONLY | FIELD_REMARK, NULL),
	ALSO_NEW("new_full_path", &also_new_full_path, FIELD_TEXT_ONLY | FIELD_REMARK, NULL),
};
/* clang-format on */

static const struct example examples[] = {
	{ "opensnoop", "every open until Ctrl-C" },
	{ "opensnoop -x",
	  "only failed opens: missing libraries, configuration files, permissions" },
	{ "opensnoop -F -p 1234 -f",
	  "absolute paths, of process 1234 and children it creates from now on" },
	{ "opensnoop -- make", "what make and its children open; the exit status is make's" },
	{ "opensnoop --extended -T -c sshd", "opens by sshd with flags, mode, latency and time" },
	{ "opensnoop --path '/etc/*' --path '*.conf' --write",
	  "opens for writing of files in /etc, and of those whose name ends in .conf" },
	{ "opensnoop --also unlink,rename --path '/tmp/*'",
	  "also what is deleted in /tmp, and what is moved there or away" },
	{ "opensnoop --caller -p 1234", "which functions of process 1234 open them" },
	{ "opensnoop --ring 1000 --until 'errno == EMFILE'",
	  "the last 1000 opens up to the first for which a process has too many files" },
	{ "opensnoop --flags O_CREAT,O_TRUNC", "opens that may create a file or empty it" },
	{ "opensnoop --count --interval 5 --clear --top 10",
	  "every five seconds, the paths that were opened most often in them" },
	{ "opensnoop --count=comm -x -d 10", "for ten seconds, whose opens fail, and of what" },
	{ "opensnoop --ring 10000",
	  "keep the last 10000 opens, and write them on SIGUSR1 (pkill -USR1 opensnoop) and at the end" },
	{ "opensnoop --all -d 10",
	  "for ten seconds, also files opened by exec and by the kernel itself" },
	{ "opensnoop -j | jq -r 'select(.errno == \"EACCES\") | .full_path'",
	  "absolute paths to which access was denied" },
	{ 0 },
};

static void columns_choose(void)
{
	if (opensnoop_all || also.words.count)
		fields[COLUMN_KIND].flags = 0;
	if (!full_path)
		return;
	fields[COLUMN_PATH].flags = FIELD_JSON_ONLY;
	fields[COLUMN_FULL_PATH].flags = 0;
}

static void opensnoop_prepare(const struct options *o)
{
	wanted_read(&wanted);
	counting = counts_mode(count, o, full_path);
	also_read(counting);
	base = (options_fill_all(o) && !counting) || full_path;
	columns_choose();
	details = base || o->rows.extended || wanted.writes || wanted.flag_count ||
		  wanted.paths.count;
	opensnoop_hooks_choose(details || opensnoop_all,
			       base || opensnoop_all || wanted.paths.count || wanted.writes ||
				       wanted.flag_count || counting || callers);
	also.base = base;
	also.details = details;
	also.wanted = &wanted;
	objects[1] = also.words.count ? also_source : (struct skeleton_source){ 0 };
}

/* Text prints only one field of the new names. */
static bool has_field(const struct field *f)
{
	bool is_remark = f->flags & FIELD_REMARK, is_full = f->kind == &also_new_full_path;

	if (f->kind == &caller_kind)
		return callers;
	return also.words.count && f->type != FIELD_CONTAINER &&
	       (!is_remark || is_full == full_path);
}

static int opensnoop_args(struct session *s, int argc, char **argv)
{
	const struct applet *a = s->applet;

	(void)argc, (void)argv;
	if (callers && (counting || also.words.count)) {
		log_error(
			"--caller is for single opens: it cannot be combined with --count or --also");
		return -EINVAL;
	}
	if (callers) {
		s->names.user = true;
		usyms_want_cfi();
	}
	if (counting) {
		counts_begin(s, counting);
		return 0;
	}
	s->rows.schema = (struct schema){
		.fields = a->fields,
		.count = a->field_count,
		.record_min = a->record_min + (callers ? sizeof(struct opensnoop_caller) : 0)
	};
	for (size_t i = 0; i < a->field_count; i++)
		if (a->fields[i].flags & FIELD_OPTIONAL && has_field(&a->fields[i]))
			s->rows.schema.optional |= 1ull << i;
	return 0;
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
	skel->rodata->entry_seen = details || opensnoop_all || !by_fentry(sk->method);
	skel->rodata->want_details = details;
	skel->rodata->counting = counting;
	if (!counting)
		bpf_map__set_max_entries(skel->maps.counts, 1);
	skel->rodata->want_caller = callers;
	skel->rodata->want_base = base;
	skel->rodata->want_kernel = opensnoop_all;
	skel->rodata->want_paths = wanted.paths.count;
	wanted_size(&wanted, skel->maps.path_rows);
	skel->rodata->want_flags = wanted.writes || wanted.flag_count;
	skel->rodata->want_writes = wanted.writes;
	skel->rodata->flags_wanted = wanted.flag_count;
	memcpy((void *)skel->rodata->flag_masks, wanted.masks, sizeof(wanted.masks));
	memcpy((void *)skel->rodata->flag_values, wanted.values, sizeof(wanted.values));
	if (!opensnoop_all)
		bpf_map__set_max_entries(skel->maps.kernel_calls, 1);
	skel->rodata->returns_counted = by_fentry(sk->method);
	return 0;
}

static int opensnoop_loaded(struct skeleton *sk)
{
	struct opensnoop_bpf *skel = sk->skel;

	return wanted_load(&wanted, skel->maps.path_rows);
}

/* From here on, a return without an entry is expected. */
static void opensnoop_ending(struct skeleton *sk)
{
	struct opensnoop_bpf *skel = sk->skel;

	skel->bss->calls_ended = true;
}

/* opensnoop_prepare adds what --also needs. */
static struct skeleton_source objects[3] = {
	{ .hooks = opensnoop_hooks,
	  .order_preempted = opensnoop_order_preempted,
	  .open = opensnoop_open,
	  .loaded = opensnoop_loaded,
	  .ending = opensnoop_ending },
	{ 0 },
};

static const char *const parts[] = { "-F",	"--all",       "--caller",
				     "--count", "--path '/*'", "--also unlink,rename",
				     NULL };

const struct applet opensnoop_applet = {
	.name = "opensnoop",
	.summary = "trace file opens, failures included",
	.description =
		"Shows each open, openat, openat2 and creat, including those of 32-bit programs, and "
		"each open by io_uring, when it returns. Paths are copied from the kernel, so a racing "
		"caller cannot change them. If the kernel refused the call before it copied the path "
		"(EFAULT, EINVAL, EMFILE …), the path is read from the caller's memory when the call "
		"returns.\n\n"
		"full_path is the path from the root of the process's mount namespace: the directory "
		"where the lookup starts (working directory, directory descriptor, or the root of a "
		"chroot) at the time of the return, followed by the path as given. A directory "
		"that was removed ends in ' (deleted)'; one that cannot be reached from that root "
		"begins with '(unreachable)'.",
	.common = OPTION_GROUPS_TRACER | OPTION_GROUP_MOUNTS | OPTION_GROUP_RECORDS |
		  OPTION_GROUP_RING | OPTION_GROUP_UNTIL | OPTION_GROUP_FAILED |
		  OPTION_GROUP_EXTENDED | OPTION_GROUP_AGGREGATE,
	.options = options,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.record_min = sizeof(struct opensnoop_event),
	.objects = objects,
	.parts = parts,
	.examples = examples,
	.overhead =
		"On 6.12 an open costs 2100 instructions more, 1170 of them in the traced task: 3 % to 50 % "
		"of the open itself. With -p, an open by another process costs 547. On kernels that "
		"preempt (lazy, full) kprobe.multi replaces fentry.",
	.blind_spots =
		"Descriptors that are not opened by name: open_by_handle_at, memfd_create, open_tree, "
		"pipes, sockets, duplicates, received or inherited descriptors. Without --all: openat2 "
		"that is refused because of its struct open_how (too short, unknown members, not "
		"readable).\n\n"
		"Files that the kernel opens without a name (nfsd, the layers of overlayfs), even "
		"with --all. Before 6.0, io_uring requests that are refused before they are "
		"issued.\n\n"
		"full_path is joined, not resolved: symbolic links and .. are kept as given. In a "
		"container it starts at the container's root, not at the host's. It is unknown (null, "
		"<fault>) if another thread changed the directory during the call.\n\n"
		"An open that is interrupted by a signal ends with ERESTARTSYS, and is shown again "
		"when the kernel restarts it. The latency of an io_uring request is that of its last "
		"attempt. O_LARGEFILE, which the kernel adds itself, is not shown.",
	.prepare = opensnoop_prepare,
	.args_set = opensnoop_args,
};
