/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * execsnoop.bpf.c - programs that were executed, and those that could not be.
 *
 * Success: tracepoint sched_process_exec, when the new address space contains argv, or finalize_exec. Failure: the
 * return of the system calls, when the caller's own argv is still in its memory. Not the entry, because a freshly
 * forked child may not have touched the page of a constant string yet, and we must not fault. By the return, the
 * kernel has touched at least the page of the file name, and mapped those around it (fault-around, mm/memory.c).
 */
#define AT_FDCWD (-100) /* from linux/fcntl.h, which would define another struct open_how */

#include "execsnoop/end.bpf.h"
#include "execsnoop/failed.bpf.h"

/* ---- a successful exec ---- */

/* Returns the N of "/dev/fd/N…". */
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

/* Finds the start and end of the current task's arguments, which are adjacent members in every kernel. */
static __always_inline void args_find(__u64 place[2])
{
	struct task_struct *task;
	struct mm_struct *mm;

	if (types_are_sorted()) {
		mm = bpf_get_current_task_btf()->mm;
		place[0] = mm->arg_start;
		place[1] = mm->arg_end;
		return;
	}
	task = (void *)bpf_get_current_task();
	mm = BPF_CORE_READ(task, mm);
	place[0] = place[1] = 0;
	bpf_core_read(place, 16, &mm->arg_start);
}

/* Shared by the two programs. tid: the id that the calling thread had; by now its id is that of the process
 * (de_thread). */
__attribute__((noinline)) int execsnoop_write(__u32 tid)
{
	struct execsnoop_scratch *s = scratch_get();
	__u64 at, args[2];

	if (!s || !filter_pass_as((bpf_get_current_pid_tgid() >> 32 << 32) | tid))
		return 0;
	s->event.ppid = own_parent_number();
	if (!parent_pass(s->event.ppid))
		return 0;
	header_fill(&s->event.header);
	task_fill(&s->event.task);
	if (!filter.numbers.ns) /* inside a namespace, the thread has also lost its old id */
		s->event.header.tid = tid;
	s->event.ret = 0;
	if (want_exit)
		begun_store(s);
	if (filter.failed_only)
		return 0;
	at = more_begin(s);
	string_none(&s->event.path, EVENT_NONE);
	if (want_paths)
		at = execsnoop_paths_add(SLOT_DONE, names_add(s, at, (void *)s->bprm), true);
	args_find(args);
	at = args_add(s, at, args[0], args[1] - args[0]);
	at = more_add(s, SLOT_DONE, at);
	OPAQUE(at);
	if (at <= sizeof(s->bytes))
		record_output(s, at);
	return 0;
}

/* No loads through the typed pointer: see types_are_sorted. */
static __always_inline int done(__u32 tid, struct linux_binprm *bprm)
{
	struct execsnoop_scratch *s = scratch_get();

	if (s)
		s->bprm = (__u64)bprm;
	return execsnoop_write(tid);
}

/* Ids of threads that are about to take over the id of their process: by task. Such a thread that ends instead of
 * executing leaves its entry behind; tgid distinguishes it from the next task at that address. */
struct moved {
	__u32 tid, tgid;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct moved);
} moved SEC(".maps");

/* Nearly all execs are by the first thread: as long as no entry was created, no lookup is needed. */
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

/* Returns the id that the calling thread had before its exec. */
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
 * By kprobe.multi, which runs with preemption off, on kernels that preempt programs of tp_btf and fexit (preempt.h):
 * with 200 processes at once, 7.3 lost every tenth exec.
 *
 * finalize_exec is the last function in a successful exec that can be probed, and is called by no other: every binary
 * format calls it when the new stack is filled, just before it returns 0. One probe of an entry costs a third of
 * probing the entry and the return of bprm_execve.
 */
SEC("kprobe.multi")
int BPF_KPROBE(execsnoop_final, struct linux_binprm *bprm)
{
	return done(thread_before(), bprm);
}

/* ---- the end of a process ---- */

SEC("kprobe")
int BPF_KPROBE(execsnoop_end, struct task_struct *leader)
{
	return process_end(leader);
}

char LICENSE[] SEC("license") = "GPL";
