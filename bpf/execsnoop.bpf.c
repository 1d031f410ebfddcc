/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.bpf.c - programs that were executed, and those that could not be.
 *
 * Success: tracepoint sched_process_exec, when the new address space has argv as the kernel placed
 * it, or finalize_exec. Failure: the return of the system calls, when the caller's own
 * argv is still in its memory. The return and not the entry, because a freshly forked child may not
 * yet have touched the page of a constant string, and we must not fault. By the return, the kernel
 * has touched at least the page of the file name, and faulted in those around it (fault-around,
 * mm/memory.c).
 */
#define AT_FDCWD (-100) /* from linux/fcntl.h, which would define another struct open_how */

#include "execsnoop/end.bpf.h"
#include "execsnoop/words.bpf.h"

/* ---- an exec that succeeded ---- */

/* The N of "/dev/fd/N…". */
static __always_inline __s32 fdpath_number(const char *name)
{
	__u32 n = 0;

	for (int i = 8; i < 18 && name[i] >= '0' && name[i] <= '9'; i++)
		n = n * 10 + name[i] - '0';
	return n;
}

static __always_inline __u64 names_add(struct execsnoop_scratch *s, __u64 at,
				       struct linux_binprm *bprm)
{
	struct execsnoop_event *e = &s->event;
	const char *filename, *interp;
	long n;

	filename = BPF_CORE_READ(bprm, filename);
	interp = BPF_CORE_READ(bprm, interp);
	e->argc = BPF_CORE_READ(bprm, argc);
	n = bpf_probe_read_kernel_str(s->bytes + at, FDNAME_ROOM, filename);
	e->dirfd = BPF_CORE_READ(bprm, fdpath) ? fdpath_number(s->bytes + at) : AT_FDCWD;
	at = string_end(&e->path, at, n, FDNAME_ROOM);
	string_none(&e->interp, EVENT_NONE);
	if (interp == filename)
		return at;
	n = bpf_probe_read_kernel_str(s->bytes + at, INTERP_ROOM, interp);
	return string_end(&e->interp, at, n, INTERP_ROOM);
}

static __always_inline __u64 args_add(struct execsnoop_scratch *s, __u64 at, __u64 start,
				      __u64 size)
{
	struct event_words *args = &s->event.args;
	__u64 kept = size < EXECSNOOP_ARGS ? size : EXECSNOOP_ARGS;

	args->unreadable = 0;
	args->str.off = at;
	args->str.len = kept;
	args->str.left_out = size - kept;
	args->str.status = size == kept ? EVENT_OK : EVENT_CUT;
	if (size != kept)
		loss_count(LOSS_CUT, 1);
	OPAQUE(at);
	OPAQUE(kept);
	if (at <= ARGS_AT_MOST && kept <= EXECSNOOP_ARGS &&
	    !bpf_probe_read_user(s->bytes + at, kept, (void *)start))
		return at + kept;
	string_none(&args->str, EVENT_FAULT);
	return at;
}

static __always_inline bool parent_pass(__u32 ppid)
{
	return id_pass(&parents, ppid) && ids_have(&parents, ppid);
}

/* Shared by the two programs. tid: the id that the calling thread had; by now its id is that of the
 * process (de_thread). */
__attribute__((noinline)) int execsnoop_put(__u32 tid)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct execsnoop_scratch *s = scratch_get();
	__u64 at, args;

	if (!s || !filter_pass_as((bpf_get_current_pid_tgid() >> 32 << 32) | tid))
		return 0;
	s->event.ppid = parent_number(task);
	if (!parent_pass(s->event.ppid))
		return 0;
	header_fill(&s->event.header);
	task_fill(&s->event.task);
	if (!filter.numbers.ns) /* in a namespace the thread has lost its old id, too */
		s->event.header.tid = tid;
	s->event.ret = 0;
	if (want_exit)
		begun_keep(s);
	if (filter.failed_only)
		return 0;
	at = more_begin(s);
	string_none(&s->event.path, EVENT_NONE);
	if (want_paths)
		at = execsnoop_places(SLOT_DONE, names_add(s, at, (void *)s->bprm), true);
	args = BPF_CORE_READ(task, mm, arg_start);
	at = args_add(s, at, args, BPF_CORE_READ(task, mm, arg_end) - args);
	at = more_add(s, SLOT_DONE, at);
	OPAQUE(at);
	if (at <= sizeof(s->bytes))
		record_output(s, at);
	return 0;
}

/* No loads through typed pointers: for each that leads to another pointer, the kernel searches the
 * names of all its types, and loading the program took 30 ms. */
static __always_inline int done(__u32 tid, struct linux_binprm *bprm)
{
	struct execsnoop_scratch *s = scratch_get();

	if (s)
		s->bprm = (__u64)bprm;
	return execsnoop_put(tid);
}

/* The ids of threads that are about to take over those of their process: by task. Such a thread that
 * ends instead of executing leaves its entry behind; tgid tells it from the next task at that address. */
struct moved {
	__u32 tid, tgid;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct moved);
} moved SEC(".maps");

/* Nearly all execs are by the first thread: no entry was ever made, and nothing is looked up. */
bool any_moved = false;

/* de_thread, fs/exec.c: the thread still has its own id. */
SEC("kprobe.multi")
int BPF_KPROBE(execsnoop_move)
{
	__u64 key = bpf_get_current_task(), pid_tgid = bpf_get_current_pid_tgid();
	struct moved ids = { pid_tgid, pid_tgid >> 32 };

	any_moved = true;
	if (bpf_map_update_elem(&moved, &key, &ids, BPF_ANY))
		loss_count(LOSS_FAULT, 1);
	return 0;
}

/* The id that the calling thread had before its exec. */
static __always_inline __u32 thread_before(void)
{
	__u32 tgid = bpf_get_current_pid_tgid() >> 32, tid = tgid;
	__u64 key = bpf_get_current_task();
	struct moved *ids;

	if (!any_moved)
		return tid;
	ids = bpf_map_lookup_elem(&moved, &key);
	if (ids && ids->tgid == tgid)
		tid = ids->tid;
	if (ids)
		bpf_map_delete_elem(&moved, &key);
	return tid;
}

SEC("tp_btf")
int BPF_PROG(execsnoop_done, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	return done(old_pid, bprm);
}

/*
 * By kprobe.multi, which runs with preemption off, on kernels that preempt programs of tp_btf and
 * fexit (preempt.h): with 200 processes at once, 7.3 lost every tenth exec.
 *
 * finalize_exec is the last that can be probed in an exec that succeeds, and no other exec comes there: every
 * format calls it when the new stack is filled, just before it returns 0. One probe of an entry costs a
 * third of what the entry and the return of bprm_execve did.
 */
SEC("kprobe.multi")
int BPF_KPROBE(execsnoop_final, struct linux_binprm *bprm)
{
	return done(thread_before(), bprm);
}

/* ---- an exec that failed ---- */

/*
 * If the exec fails after the point of no return, the caller's memory is gone, and the new address
 * space has no argv yet; but it has a file.
 */
static __always_inline void memory_gone(struct execsnoop_scratch *s)
{
	s->event.argc = 0;
	s->event.args.unreadable = 0;
	string_none(&s->event.args.str, EVENT_FAULT);
	string_none(&s->event.path, EVENT_FAULT);
}

static __always_inline __u64 call_add(struct execsnoop_scratch *s, __u64 at, __u64 filename,
				      __u64 argv, int pointer)
{
	long n;

	OPAQUE(at);
	if (at > ARGS_AT_MOST - FILENAME_ROOM)
		return at;
	n = bpf_probe_read_user_str(s->bytes + at, FILENAME_ROOM, (void *)filename);
	at = string_end(&s->event.path, at, n, FILENAME_ROOM);
	return words_add(s, at, argv, pointer);
}

static __always_inline void failed_put(struct execsnoop_scratch *s, __u64 filename, __u64 argv,
				       __u64 envp, __u32 pointer)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	bool gone = !BPF_CORE_READ(task, mm, arg_end);
	__u64 at = more_begin(s);

	s->event.ppid = parent_number(task);
	if (!parent_pass(s->event.ppid))
		return;
	header_fill(&s->event.header);
	task_fill(&s->event.task);
	string_none(&s->event.interp, EVENT_NONE);
	string_none(&s->event.exe, EVENT_NONE);
	if (want_paths)
		at = execsnoop_places(SLOT_FAILED, at, gone);
	if (gone)
		memory_gone(s);
	else
		at = call_add(s, at, filename, argv, pointer);
	at = more_add(s, SLOT_FAILED, at);
	if (want_env && gone)
		string_none(&s->more.env, EVENT_FAULT);
	else if (want_env)
		at = env_words_add(s, at, envp, pointer);
	OPAQUE(at);
	if (at <= sizeof(s->bytes))
		record_output(s, at);
}

/* Where a name starts, and the size of a pointer in the caller's memory, 0: the start of the call was
 * not seen. One number, as a function has five at most. */
#define CALLER(dirfd, pointer) ((__u64)(__u32)(dirfd) << 32 | (pointer))

/* Global, so that the programs below contain only a call of it. */
__attribute__((noinline)) int execsnoop_failed(__u64 filename, __u64 argv, __u64 envp, __u64 caller,
					       int ret)
{
	struct execsnoop_scratch *s;
	__u32 pointer = caller;

	/* ERESTARTSYS … ERESTART_RESTARTBLOCK: not the end, the kernel restarts the call */
	if ((ret <= -512 && ret >= -516) || !filter_pass())
		return 0;
	if (!pointer)
		loss_count(LOSS_NO_ENTRY, 1);
	s = pointer ? scratch_failed_get() : NULL;
	if (!s || !scratch_claim(&s->users))
		return 0;
	s->event.ret = ret;
	s->event.dirfd = caller >> 32;
	failed_put(s, filename, argv, envp, pointer);
	scratch_release(&s->users);
	return 0;
}

/* ---- the end of a process ---- */

SEC("kprobe")
int BPF_KPROBE(execsnoop_end, struct task_struct *leader)
{
	return process_end(leader);
}

/* ---- the four system calls, by fexit, kretprobe.multi, or kprobe and kretprobe ---- */

/*
 * Their only argument is the caller's registers (ARCH_HAS_SYSCALL_WRAPPER), which still hold the
 * arguments when the call has failed. A 32-bit caller on x86 passes them in other registers.
 */
#ifdef __TARGET_ARCH_x86
#define COMPAT_PARM1(regs) ((regs)->rbx)
#define COMPAT_PARM2(regs) ((regs)->rcx)
#define COMPAT_PARM3(regs) ((regs)->rdx)
#define COMPAT_PARM4(regs) ((regs)->rsi)
#else
#define COMPAT_PARM1(regs) FIRST_PARM(regs)
#define COMPAT_PARM2(regs) PT_REGS_PARM2(regs)
#define COMPAT_PARM3(regs) PT_REGS_PARM3(regs)
#define COMPAT_PARM4(regs) PT_REGS_PARM4(regs)
#endif

#define REGS_READ(place)                                                                           \
	({                                                                                         \
		__u64 value_ = 0;                                                                  \
		bpf_probe_read_kernel(&value_, sizeof(value_), &(place));                          \
		value_;                                                                            \
	})

#ifdef __TARGET_ARCH_riscv
#define FIRST_PARM(regs) (((const __u64 *)(regs))[35]) /* orig_a0: a0 is the result by then */
#else
#define FIRST_PARM(regs) PT_REGS_PARM1(regs)
#endif

#define EXECVE(regs)                                                                               \
	REGS_READ(FIRST_PARM(regs)), REGS_READ(PT_REGS_PARM2(regs)),                               \
		REGS_READ(PT_REGS_PARM3(regs)), CALLER(AT_FDCWD, 8)
#define EXECVEAT(regs)                                                                             \
	REGS_READ(PT_REGS_PARM2(regs)), REGS_READ(PT_REGS_PARM3(regs)),                            \
		REGS_READ(PT_REGS_PARM4_SYSCALL(regs)), CALLER(REGS_READ(FIRST_PARM(regs)), 8)
#define COMPAT_EXECVE(regs)                                                                        \
	(__u32) REGS_READ(COMPAT_PARM1(regs)), (__u32)REGS_READ(COMPAT_PARM2(regs)),               \
		(__u32)REGS_READ(COMPAT_PARM3(regs)), CALLER(AT_FDCWD, 4)
#define COMPAT_EXECVEAT(regs)                                                                      \
	(__u32) REGS_READ(COMPAT_PARM2(regs)), (__u32)REGS_READ(COMPAT_PARM3(regs)),               \
		(__u32)REGS_READ(COMPAT_PARM4(regs)), CALLER(REGS_READ(COMPAT_PARM1(regs)), 4)

/* The address of the registers by task, because the thread that calls exec changes its id. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, __u64);
} calls SEC(".maps");

SEC("kprobe")
int BPF_KPROBE(execsnoop_enter, const struct pt_regs *regs)
{
	__u64 task = bpf_get_current_task(), at = (__u64)regs;

	if (bpf_map_update_elem(&calls, &task, &at, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	return 0;
}

/* The registers of the call that returns; NULL if it began before the tracing. */
static __always_inline const struct pt_regs *call_leave(void)
{
	__u64 task = bpf_get_current_task();
	__u64 *at = bpf_map_lookup_elem(&calls, &task);
	const struct pt_regs *regs = at ? (const void *)*at : NULL;

	if (at)
		bpf_map_delete_elem(&calls, &task);
	return regs;
}

/*
 * The only argument of an fexit program's function, read as memory: 5.10 has such functions whose
 * struct pt_regs is only declared in their BTF, and its verifier rejects a load.
 */
static __always_inline const struct pt_regs *fexit_regs(void *ctx)
{
	const struct pt_regs *regs = NULL;

	bpf_probe_read_kernel(&regs, sizeof(regs), ctx);
	return regs;
}

#define CALL(args, ret) CALL_(args, ret)
#define CALL_(...)	execsnoop_failed(__VA_ARGS__)
#define FAILED(name, ARGS)                                                                         \
	SEC("fexit")                                                                               \
	int name##_fexit(__u64 *ctx)                                                               \
	{                                                                                          \
		const struct pt_regs *regs;                                                        \
		int ret = ctx[1];                                                                  \
                                                                                                   \
		if (ret >= 0)                                                                      \
			return 0;                                                                  \
		regs = fexit_regs(ctx);                                                            \
		return CALL(ARGS(regs), ret);                                                      \
	}                                                                                          \
	SEC("kretprobe")                                                                           \
	int BPF_KRETPROBE(name##_leave, int ret)                                                   \
	{                                                                                          \
		const struct pt_regs *regs = call_leave();                                         \
                                                                                                   \
		if (ret >= 0)                                                                      \
			return 0;                                                                  \
		return regs ? CALL(ARGS(regs), ret) : execsnoop_failed(0, 0, 0, 0, ret);           \
	}                                                                                          \
	SEC("kretprobe.multi")                                                                     \
	int BPF_KRETPROBE(name##_multi, int ret)                                                   \
	{                                                                                          \
		const struct pt_regs *regs;                                                        \
                                                                                                   \
		if (ret >= 0)                                                                      \
			return 0;                                                                  \
		regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());                       \
		return CALL(ARGS(regs), ret);                                                      \
	}

FAILED(execsnoop_execve, EXECVE)
FAILED(execsnoop_execveat, EXECVEAT)
FAILED(execsnoop_compat, COMPAT_EXECVE)
FAILED(execsnoop_compatat, COMPAT_EXECVEAT)

char LICENSE[] SEC("license") = "GPL";
