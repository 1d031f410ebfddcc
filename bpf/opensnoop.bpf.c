/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opensnoop.bpf.c - every file that is opened, and every open that fails.
 *
 * All system calls that open a file by name reach do_sys_openat2. Its entry stores the call by thread; do_filp_open
 * (do_file_open from 7.0) gets the kernel's own copy of the name, so that no caller can show us one name and the
 * kernel another; the return sends the record. io_uring does the same around io_openat2. Other calls of do_filp_open
 * are the kernel's own.
 *
 * If nothing is shown that only the entry knows, there is no program at the entry: attaching a second one to a
 * function takes 14 ms. The call then begins with its name, see name_begin.
 */
#include "lib/session.bpf.h"
#include "opensnoop/call.bpf.h"
#include "opensnoop/io.bpf.h"
#include "opensnoop/refused.bpf.h"

#define OPEN_FMODE_EXEC 0x20 /* FMODE_EXEC, linux/fs.h */

/* --all */
const volatile bool want_kernel = false;
/* True if a program also runs at the entry of do_sys_openat2. */
const volatile bool entry_seen = true;

CALLS(kernel_calls, __u32, struct call, 1024);

/* ---- system calls ---- */

/* Returns true if the call's return is wanted. */
static __always_inline bool open_enter(int dfd, const char *uname, const struct how *how)
{
	struct call *c = call_begin(call_find(), OPENSNOOP_OPEN);

	if (!c)
		return false;
	c->uname = (__u64)uname;
	if (want_details) {
		call_how(c, dfd, how);
		c->start = bpf_ktime_get_ns();
	}
	return true;
}

static __always_inline bool open_enter_regs(struct pt_regs *ctx)
{
	struct how how = {};

	if (want_details)
		bpf_probe_read_kernel(&how, sizeof(how), (void *)PT_REGS_PARM3(ctx));
	return open_enter(PT_REGS_PARM1(ctx), (const char *)PT_REGS_PARM2(ctx), &how);
}

/* True if the name begins a call: it must have the caller's address of the name, which exists up to 6.19. */
static __always_inline bool name_begins(void)
{
	struct filename *filename = NULL;

	return !entry_seen && bpf_core_field_exists(filename->uptr);
}

/*
 * True for errors that occur before do_filp_open. With any other result do_filp_open was called. If its program did
 * not see that, the kernel did not run the program: a kernel that preempts programs never runs one on a CPU where the
 * same one is preempted. It counts this as a lost record (LOSS_RECURSION), so we must not send one.
 */
static __always_inline bool is_early(int ret)
{
	switch (-ret) {
	case 2:	 /* ENOENT: no name at all */
	case 12: /* ENOMEM */
	case 14: /* EFAULT */
	case 22: /* EINVAL */
	case 23: /* ENFILE */
	case 24: /* EMFILE */
	case 36: /* ENAMETOOLONG */ return true;
	default: return false;
	}
}

static __always_inline bool name_never_came(const struct call *c, int ret)
{
	return is_early(ret) && (ret != -2 || c->name_len == 1);
}

/*
 * Finds a call that began with its name, at its return. If it failed before the name was read, there is no entry, or
 * that of a file that the kernel opened earlier for the task (swapon, acct), perhaps with a name at the same address.
 * The entry is looked up again, so that the verifier sees a single path.
 */
static __always_inline struct call *call_named(struct call *c, const char *uname, int ret)
{
	if (!is_early(ret))
		return c;
	/* ENOENT, ENAMETOOLONG: most occur after the name was read */
	if (c && (ret == -2 || ret == -36) && c->uname == (__u64)uname)
		return c;
	c = call_begin(c, OPENSNOOP_OPEN);
	if (c)
		c->uname = (__u64)uname;
	return c;
}

/* do_sys_openat2 returned a long until 6.12, and an int since: then the register's upper half is undefined. */
static __always_inline int open_leave(const char *uname, int ret, const bool full)
{
	struct call *c = call_find();

	if (name_begins())
		c = call_named(c, uname, ret);
	if (!c) {
		calls_missing();
		return 0;
	}
	if (!c->filename)
		name_read_user(c, full);
	if (c->filename || name_never_came(c, ret))
		call_end(c, ret, SLOT_OPEN, full);
	call_drop(c);
	return 0;
}

/* ---- do_filp_open: names; with --all the kernel's own opens ---- */

static __always_inline int kernel_enter(int dfd, struct filename *filename, const char *name,
					struct open_flags *op)
{
	struct call *c = call_fresh(SLOT_KERNEL);
	struct how how = {};

	if (!c)
		return 0;
	how.flags = (__u32)BPF_CORE_READ(op, open_flag);
	how.mode = BPF_CORE_READ(op, mode);
	call_how(c, dfd, &how);
	c->start = bpf_ktime_get_ns();
	c->e.kind = how.flags & OPEN_FMODE_EXEC ? OPENSNOOP_EXEC : OPENSNOOP_KERNEL;
	name_read(c, filename, name, true);
	/* if opens are nested, the outer one counts as missed */
	beside_store(&kernel_calls, c);
	return 0;
}

/* Returns of opens by exec and by the kernel itself are not traced, so these opens are not stored. */
static __always_inline int name_begin(struct filename *filename, const char *name,
				      struct open_flags *op)
{
	struct call *c;

	if (!filename->uptr || op->open_flag & OPEN_FMODE_EXEC)
		return 0;
	c = call_find();
	if (c && c->e.kind == OPENSNOOP_IO_URING && c->filename == (__u64)filename)
		return 0;
	c = call_begin(c, OPENSNOOP_OPEN);
	if (!c)
		return 0;
	c->uname = (__u64)filename->uptr;
	name_read(c, filename, name, false);
	return 0;
}

static __always_inline int name_enter(int dfd, struct filename *filename, const char *name,
				      struct open_flags *op, const bool full)
{
	struct call *c = call_find();

	if (c && !c->filename)
		name_read(c, filename, name, full);
	else if (full && want_kernel && !(c && c->filename == (__u64)filename))
		kernel_enter(dfd, filename, name, op);
	return 0;
}

static __always_inline bool is_error(const void *p)
{
	return (__u64)p >= -4095ull;
}

static __always_inline int kernel_leave(long file)
{
	struct call *c = beside_find(&kernel_calls);

	if (!c)
		return 0;
	call_end(c, is_error((void *)file) ? file : OPENSNOOP_NO_FD, SLOT_KERNEL, true);
	beside_drop(&kernel_calls, c);
	return 0;
}

/* ---- the exit of a thread ---- */

/* A kprobe, because kernels that preempt programs may refuse to run one of a tracepoint, and count that as a lost
 * record. */
SEC("kprobe")
int BPF_KPROBE(thread_end_kprobe)
{
	struct call *c = call_find();

	if (c) {
		call_missed(c);
		call_drop(c);
	}
	if (!want_kernel)
		return 0;
	c = beside_find(&kernel_calls);
	if (c) {
		call_missed(c);
		beside_drop(&kernel_calls, c);
	}
	return 0;
}

/* ---- the attach methods, each without and with the directory's path (and --all); programs for kprobe are also
 * loaded for kprobe.multi ---- */

#define PROGRAMS(variant, full)                                                                    \
	SEC("fexit")                                                                               \
	int BPF_PROG(open_leave_##variant##fexit, int dfd, const char *uname, struct how *how,     \
		     int ret)                                                                      \
	{                                                                                          \
		return open_leave(uname, ret, full);                                               \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int BPF_KRETPROBE(open_leave_##variant##kprobe, int ret)                                   \
	{                                                                                          \
		return open_leave(NULL, ret, full);                                                \
	}                                                                                          \
	SEC("fentry")                                                                              \
	int BPF_PROG(name_##variant##fentry, int dfd, struct filename *filename,                   \
		     struct open_flags *op)                                                        \
	{                                                                                          \
		/* do_file_open is also called with an error of getname */                         \
		if (is_error(filename))                                                            \
			return 0;                                                                  \
		if (name_begins())                                                                 \
			return name_begin(filename, filename->name, op);                           \
		return name_enter(dfd, filename, filename->name, op, full);                        \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int BPF_KPROBE(name_##variant##kprobe, int dfd, struct filename *filename,                 \
		       struct open_flags *op)                                                      \
	{                                                                                          \
		if (is_error(filename))                                                            \
			return 0;                                                                  \
		return name_enter(dfd, filename, BPF_CORE_READ(filename, name), op, full);         \
	}                                                                                          \
	/* returns 1 to skip the return of a call that is not wanted */                            \
	SEC("kprobe")                                                                              \
	int open_##variant##session(struct pt_regs *ctx)                                           \
	{                                                                                          \
		if (is_entry(ctx))                                                                 \
			return !open_enter_regs(ctx);                                              \
		return open_leave(NULL, PT_REGS_RC(ctx), full);                                    \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int io_##variant##session(struct pt_regs *ctx)                                             \
	{                                                                                          \
		if (is_entry(ctx))                                                                 \
			return !io_enter((struct io_kiocb *)PT_REGS_PARM1(ctx), full);             \
		return io_leave(PT_REGS_RC(ctx), full);                                            \
	}                                                                                          \
	/* no fentry: the calls are rare, and kprobes attach in half the time */                   \
	SEC("kprobe")                                                                              \
	int BPF_KPROBE(io_enter_##variant##kprobe, struct io_kiocb *req)                           \
	{                                                                                          \
		io_enter(req, full);                                                               \
		return 0;                                                                          \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int BPF_KRETPROBE(io_leave_##variant##kprobe, int ret)                                     \
	{                                                                                          \
		return io_leave(ret, full);                                                        \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int BPF_KRETPROBE(refused_leave_##variant##kprobe, int ret)                                \
	{                                                                                          \
		return refused_leave(ret, full);                                                   \
	}                                                                                          \
	SEC("kprobe")                                                                              \
	int refused_##variant##session(struct pt_regs *ctx)                                        \
	{                                                                                          \
		if (is_entry(ctx))                                                                 \
			return !refused_enter((struct pt_regs *)PT_REGS_PARM1(ctx));               \
		return refused_leave(PT_REGS_RC(ctx), full);                                       \
	}                                                                                          \
	SEC("tp_btf")                                                                              \
	int BPF_PROG(io_refused_##variant##tp, const struct sqe *sqe, void *req, int error)        \
	{                                                                                          \
		return io_refused(sqe, error, full);                                               \
	}

PROGRAMS(, false)
PROGRAMS(full_, true)

SEC("fentry")
int BPF_PROG(open_enter_fentry, int dfd, const char *uname, struct how *how)
{
	open_enter(dfd, uname, how);
	return 0;
}

SEC("kprobe")
int open_enter_kprobe(struct pt_regs *ctx)
{
	open_enter_regs(ctx);
	return 0;
}

SEC("fexit")
int BPF_PROG(kernel_leave_fexit, int dfd, struct filename *filename, struct open_flags *op,
	     long file)
{
	return kernel_leave(file);
}

SEC("kretprobe")
int BPF_KRETPROBE(kernel_leave_kprobe, long file)
{
	return kernel_leave(file);
}

char LICENSE[] SEC("license") = "GPL";
