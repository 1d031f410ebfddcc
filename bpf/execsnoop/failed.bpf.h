/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * failed.bpf.h - an exec that failed, at the return of its system call.
 */
#ifndef CORETAP_EXECSNOOP_FAILED_BPF_H
#define CORETAP_EXECSNOOP_FAILED_BPF_H

#include "execsnoop/more.bpf.h"
#include "execsnoop/words.bpf.h"
#include "lib/syscall_regs.bpf.h"

/*
 * If the exec fails after the point of no return, the caller's memory is gone, and the new address space has no argv
 * yet, but it has a file.
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

static __always_inline void failed_write(struct execsnoop_scratch *s, __u64 filename, __u64 argv,
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
		at = execsnoop_paths_add(SLOT_FAILED, at, gone);
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

/* Packs where a name starts, and the size of a pointer in the caller's memory (0: the start of the call was not
 * seen), into one number, because a function takes at most five. */
#define CALLER(dirfd, pointer) ((__u64)(__u32)(dirfd) << 32 | (pointer))

/* Global, so that the programs below contain only a call of it. */
__attribute__((noinline)) int execsnoop_failed(__u64 filename, __u64 argv, __u64 envp, __u64 caller,
					       int ret)
{
	struct execsnoop_scratch *s;
	__u32 pointer = caller;

	/* ERESTARTSYS … ERESTART_RESTARTBLOCK: the kernel restarts the call */
	if ((ret <= -512 && ret >= -516) || !filter_pass())
		return 0;
	if (!pointer)
		loss_count(LOSS_NO_ENTRY, 1);
	s = pointer ? scratch_failed_get() : NULL;
	if (!s || !scratch_claim(&s->users))
		return 0;
	s->event.ret = ret;
	s->event.dirfd = caller >> 32;
	failed_write(s, filename, argv, envp, pointer);
	scratch_release(&s->users);
	return 0;
}

/* ---- the four system calls, by fexit, kretprobe.multi, or kprobe and kretprobe ---- */

/* The caller's registers still hold the arguments after the call has failed. */
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

/* Address of the registers by task, because a thread that calls exec changes its id. */
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

/* Returns the registers of the call that returns; NULL if it began before the tracing. */
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
 * Returns the only argument of an fexit program's function, read as memory: on 5.10, BTF only declares the struct
 * pt_regs of some of these functions, and the verifier rejects a load.
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
	}

FAILED(execsnoop_execve, EXECVE)
FAILED(execsnoop_execveat, EXECVEAT)
FAILED(execsnoop_compat, COMPAT_EXECVE)
FAILED(execsnoop_compatat, COMPAT_EXECVEAT)

/* For all four: the cookie is the hook's index in the table of hooks (src/applets/execsnoop.c). */
SEC("kretprobe.multi")
int BPF_KRETPROBE(execsnoop_multi, int ret)
{
	const struct pt_regs *regs;

	if (ret >= 0)
		return 0;
	regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	switch (bpf_get_attach_cookie(ctx)) {
	case 0: return CALL(EXECVE(regs), ret);
	case 1: return CALL(EXECVEAT(regs), ret);
	case 2: return CALL(COMPAT_EXECVE(regs), ret);
	default: return CALL(COMPAT_EXECVEAT(regs), ret);
	}
}

#endif
