/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_loader_random.c - random programs (tests/lib/script_random.h) at probes of all kinds, loaded. Each one that
 * compiles has to load: those that the kernel refuses are printed, with their seed and the verifier's last lines, and make
 * the command fail. Of those that the compiler refuses it counts the reasons. FIRST=NUMBER in the environment begins at
 * that program, SHOW=1 prints each.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/script_random.h"
#include "script_loader.h"
#include "script_points.h"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Members that all kernels since 5.10 have. */
static const struct random_place common = {
	.numbers = LIST("pid", "tid", "uid", "gid", "cpu", "nsecs", "elapsed", "rand", "jiffies",
			"cgroup", "ncpus", "numaid", "ppid", "nsecs(monotonic)", "curtask->pid",
			"curtask->prio", "curtask->flags", "curtask->real_parent->tgid",
			"curtask->mm->arg_start", "curtask->sched_reset_on_fork",
			"curtask->se.sum_exec_runtime", "curtask->in_iowait", "(uint8)nsecs",
			"len(kstack(3))", "*(uint32 *)kaddr(\"jiffies\")",
			"((struct task_struct *)nsecs)->tgid"),
	.texts = LIST("comm", "pcomm", "curtask->comm", "curtask->group_leader->comm", "probetype",
		      "str(curtask->mm->arg_start)", "((struct task_struct *)nsecs)->comm"),
	.images = LIST("kstack", "ustack", "kstack(3)", "ustack(perf, 4)", "username",
		       "strftime(\"%H\", nsecs)", "ntop(0x0100007f)", "macaddr((uint8[6])0)",
		       "strerror(2)", "syscall_name(0)", "probe", "ksym(kaddr(\"schedule\"))",
		       "buf(\"abc\", 3)", "buf(curtask->comm, 8)", "(uint8[8])nsecs",
		       "(int16[4])nsecs", "pton(\"::1\")", "cgroup_path(cgroup)",
		       "buf(curtask->mm->arg_start, 40)", "*curtask->real_parent->cred",
		       "usym(nsecs)"),
	.addresses = LIST("curtask", "curtask->mm", "curtask->real_parent->group_leader",
			  "curtask->mm->arg_start", "kaddr(\"jiffies\")", "(uint8 *)nsecs",
			  "percpu_kaddr(\"runqueues\")"),
};

#define FILE_OF_ARGS                                                                               \
	"args.file->f_flags", "args.file->f_inode->i_ino", "args.file->f_inode->i_sb->s_dev",      \
		"args.file->f_path.dentry->d_parent->d_inode->i_mode",                             \
		"args.file->f_path.dentry->d_name.len", "(uint64)args.file", "args.count",         \
		"*args.pos", "args.file->f_inode->i_sb->s_type->fs_flags", "arg2"
#define FILE_TEXTS                                                                                 \
	"str(args.file->f_path.dentry->d_name.name)", "str(args.buf, 20)",                         \
		"path(args.file->f_path)", "args.file->f_inode->i_sb->s_id",                       \
		"str(args.file->f_inode->i_sb->s_type->name, 90)"
#define FILE_IMAGES                                                                                \
	"args.file->f_path", "*args.file->f_inode->i_sb->s_type",                                  \
		"args.file->f_inode->i_sb->s_id", "args.file->f_inode->i_sb->s_uuid.b",            \
		"buf(args.buf, args.count)", "buf(args.buf, 16)", "ksym(args.file->f_op->read)",   \
		"args.file->f_path.dentry->d_name", "args"
#define FILE_PLACES                                                                                \
	"args.file", "args.buf", "args.pos", "args.file->f_path.dentry", "args.file->f_inode->i_sb"

static const struct random_place places[] = {
	{ "BEGIN" },
	{ "END" },
	{ "interval:s:1" },
	{ "fentry:vfs_read", LIST(FILE_OF_ARGS), LIST(FILE_TEXTS), LIST(FILE_IMAGES, "func"),
	  LIST(FILE_PLACES) },
	{ "fexit:vfs_read", LIST(FILE_OF_ARGS, "retval", "-retval"), LIST(FILE_TEXTS),
	  LIST(FILE_IMAGES, "func"), LIST(FILE_PLACES) },
	{ "fentry:do_sys_openat2",
	  LIST("args.dfd", "args.how->flags", "args.how->mode", "(uint64)args.filename", "arg0"),
	  LIST("str(args.filename)", "str(args.filename, 200)", "str(args.filename, 8)"),
	  LIST("*args.how", "buf(args.filename, 10)", "args"), LIST("args.how", "args.filename"),
	  LIST("join(args.filename);") },
	{ "fentry:tcp_v4_connect",
	  LIST("args.sk->__sk_common.skc_dport", "args.sk->__sk_common.skc_family",
	       "((struct inet_sock *)args.sk)->inet_sport", "socket_cookie(args.sk)",
	       "args.sk->__sk_common.skc_reuse", "args.addr_len", "args.sk->sk_protocol",
	       "args.sk->sk_rcvbuf"),
	  LIST("comm"),
	  LIST("ntop(args.sk->__sk_common.skc_daddr)",
	       "ntop(args.sk->__sk_common.skc_v6_daddr.in6_u.u6_addr8)",
	       "args.sk->__sk_common.skc_v6_daddr", "*args.uaddr"),
	  LIST("args.sk", "args.uaddr") },
	{ "kprobe:vfs_read",
	  LIST("arg0", "arg2", "((struct file *)arg0)->f_flags",
	       "((struct file *)arg0)->f_inode->i_ino", "reg(\"sp\")", "sarg1", "*(int64 *)arg3"),
	  LIST("str(((struct file *)arg0)->f_path.dentry->d_name.name)", "str(arg1, arg2)",
	       "path(((struct file *)arg0)->f_path)"),
	  LIST("((struct file *)arg0)->f_path", "buf(arg1, arg2)", "func", "ksym(reg(\"ip\"))",
	       "*((struct file *)arg0)->f_inode->i_sb->s_type"),
	  LIST("arg0", "(struct file *)arg0", "ctx") },
	{ "kretprobe:vfs_read", LIST("retval", "(int32)retval", "-retval", "reg(\"ax\")"),
	  LIST("comm"), LIST("func"), LIST("retval") },
	{ "tracepoint:sched:sched_switch",
	  LIST("args.prev_pid", "args.next_pid", "args.prev_prio", "args.prev_state",
	       "args.next_prio"),
	  LIST("args.prev_comm", "args.next_comm", "str(args.prev_comm, 5)"),
	  LIST("args", "buf(args.prev_comm, 4)"), LIST("curtask") },
	{ "tracepoint:syscalls:sys_enter_openat",
	  LIST("args.dfd", "args.flags", "args.mode", "(uint64)args.filename"),
	  LIST("str(args.filename)", "str(args.filename, 100)"),
	  LIST("args", "buf(args.filename, 9)"), LIST("args.filename") },
	{ "rawtracepoint:sched_process_fork",
	  LIST("args.parent->pid", "args.child->prio", "args.child->flags", "arg0"),
	  LIST("args.parent->comm", "str(args.child->comm)"), LIST("*args.child->cred", "args"),
	  LIST("args.parent", "args.child") },
	{ "uprobe:/bin/busybox:main",
	  LIST("arg0", "*(uint64 *)arg1", "((int32 *)arg1)[2]", "reg(\"ip\")", "sarg0",
	       "*(uint8 *)(arg1 + 3)"),
	  LIST("str(*(uint64 *)arg1)", "str(arg1, arg0)", "str(uptr(arg1))"),
	  LIST("buf(arg1, 12)", "usym(reg(\"ip\"))"),
	  LIST("arg1", "(int32 *)arg1", "(uint64 *)arg1"), LIST("join(arg1);") },
	{ "uretprobe:/bin/busybox:main", LIST("retval", "(int8)retval"), LIST("str(retval)"),
	  LIST("buf(retval, 7)"), LIST("retval") },
	{ "profile:hz:99", LIST("reg(\"ip\")", "usermode"), LIST("comm"),
	  LIST("ksym(reg(\"ip\"))", "kstack"), LIST("ctx") },
	{ "software:page-faults:1", LIST("cpu"), LIST("comm"), LIST("ustack"), LIST("curtask") },
};

/* ---- reasons ---- */

enum { REASONS_MAX = 400, REASON_SIZE = 80 };
static struct reason {
	char text[REASON_SIZE];
	unsigned long count, seed;
} reasons[REASONS_MAX];
static size_t reason_count;

/* Numbers and names in a message make no other reason. */
static void reason_note(const char *message, unsigned long number)
{
	char text[REASON_SIZE];
	size_t n = 0;

	for (const char *c = message; *c && n < sizeof(text) - 1; c++)
		if ((unsigned char)(*c - '0') > 9)
			text[n++] = *c;
	text[n] = '\0';
	for (n = 0; n < reason_count && strcmp(reasons[n].text, text); n++)
		;
	if (n == REASONS_MAX)
		return;
	if (n == reason_count) {
		strcpy(reasons[n].text, text);
		reasons[reason_count++].seed = number;
	}
	reasons[n].count++;
}

static int more_often(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

static void reasons_print(void)
{
	qsort(reasons, reason_count, sizeof(*reasons), more_often);
	for (size_t i = 0; i < reason_count; i++)
		printf("# %6lu %s (program %lu)\n", reasons[i].count, reasons[i].text,
		       reasons[i].seed);
}

/* ---- programs ---- */

static int random_load(const char *text, const struct way *way, struct script_error *error)
{
	struct script *s = NULL;
	int err = script_parse(text, NULL, &s, error);

	if (!err)
		err = points_load(s, way, error, NULL);
	script_free(s);
	return err;
}

/* 1: loaded, 0: the compiler refused it, -1: the kernel did. */
static int random_one(unsigned long seed, unsigned long i)
{
	static const unsigned sizes[] = { 3, 6, 6, 12 };
	struct chance c = chance_of(seed, i);
	struct random_world w = { &common, places, sizeof(places) / sizeof(places[0]) };
	const struct way *way = &ways[chance_below(&c, WAYS)];
	struct script_error error = { 0 };
	struct buf text;
	int err;

	w.size = sizes[chance_below(&c, 4)];
	buf_init(&text, -1);
	script_random(&c, &w, &text);
	buf_char(&text, '\0');
	if (getenv("SHOW"))
		printf("%s\n", text.data);
	err = random_load(text.data, way, &error);
	if (err == -EACCES && points_too_long()) {
		err = -E2BIG;
		snprintf(error.message, sizeof(error.message), "too long for this kernel");
	}
	if (err == -EACCES)
		printf("refused: program %lu of seed %lu, %s, error %d\n%s\n%s\n", i, seed,
		       way->name, points_errno, text.data, points_log_end());
	else if (err)
		reason_note(error.message, i);
	fflush(stdout);
	buf_free(&text);
	return err == -EACCES ? -1 : !err;
}

int run_random(unsigned long count, unsigned long seed)
{
	unsigned long first = getenv("FIRST") ? strtoul(getenv("FIRST"), NULL, 0) : 0;
	unsigned long loaded = 0, refused = 0;

	for (unsigned long i = first; i < first + count; i++) {
		int result = random_one(seed, i);

		loaded += result > 0;
		refused += result < 0;
	}
	reasons_print();
	printf("# %lu loaded, %lu refused, %lu not compiled\n", loaded, refused,
	       count - loaded - refused);
	return refused ? 1 : 0;
}
