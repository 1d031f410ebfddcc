/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syssnoop.bpf.c - system calls, as their callers make them and as they return; ends of threads.
 *
 * A call is shown at its return. The entry stores its time and arguments, because some calls change the registers
 * (exec, sigreturn), and sends a separate record with data that the call will change. Each call has a row of `rows`
 * that describes these data; no code here knows a system call.
 *
 * Some kernels preempt programs of raw tracepoints, also by one another, and do not run one on a CPU where the same
 * one is preempted. There the programs of tasks' own events are those of perf's tracepoints (`by_event`), which run
 * with preemption off. Without perf's, a program claims this CPU's scratch; the ledger counts claims that fail, and
 * the kernel counts programs that it did not run.
 */
#include "lib/session.bpf.h"
#include "syssnoop/count.bpf.h"
#include "syssnoop/end.bpf.h"

/* Numbers that are wanted, in either ABI; tested before anything else. */
const volatile bool all_wanted = true;
const volatile __u64 any_wanted[SYSCALL_NUMBERS / 64] = {};
/* And the numbers as which they return: x86 has execve's number at the return of every exec. */
const volatile __u64 any_returned[SYSCALL_NUMBERS / 64] = {};
const volatile __u64 wanted[SYSCALL_ABIS][SYSCALL_NUMBERS / 64] = {};

/* Count only the first thread of a process. */
const volatile bool leaders_only = false;
/* Also send the entry of each call that is wanted. */
const volatile bool all_entries = false;
/* -z, -Z */
const volatile bool want_success = true, want_failure = true, want_unfinished = true;
const volatile __u64 want_longer = 0; /* ns */

static __always_inline bool bit_of(const volatile __u64 *bits, __u64 nr)
{
	return nr < SYSCALL_NUMBERS && BIT_OF(bits, nr, SYSCALL_NUMBERS);
}

/* True if the task is not the only process that is wanted: the cheapest test for all others. */
static __always_inline bool is_of_others(void)
{
	struct task_struct *t;

	if (filter.pids.count != 1 || filter.follow)
		return false;
	if (!bpf_core_field_exists(struct task_struct, bpf_storage))
		return !id_pass(&filter.pids, bpf_get_current_pid_tgid() >> 32);
	t = bpf_get_current_task_btf();
	return !id_pass(&filter.pids, t->tgid);
}

/* In assembly: of two words, clang would select the address, with which 6.12 does not let a program compute. */
static __always_inline __u64 word_of(const __u64 *ctx, const int at)
{
	__u64 word;

	asm volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(word) : "r"(ctx), "i"(at * 8));
	return word;
}

static __always_inline struct pt_regs *regs_now(void)
{
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* Returns the registers of the call, which the record of an event lacks. */
static __always_inline struct pt_regs *regs_of(const __u64 *ctx)
{
	return by_event ? regs_now() : (struct pt_regs *)ctx[0];
}

static __always_inline bool is_left_out(void)
{
	__u64 ids;

	if (!leaders_only)
		return false;
	ids = bpf_get_current_pid_tgid();
	return ids >> 32 != (__u32)ids;
}

/* ---- entry ---- */

static __always_inline void entry_send(struct syssnoop_call *c, __u32 row, __u8 which, __u8 kind,
				       __u8 flags)
{
	struct work *w = scratch_work_get();

	if (!w || !scratch_claim(&w->users))
		return;
	event_fill(&w->e, c, kind, flags);
	w->at = 0;
	w->again = 0;
	c->unread = take_all(w, row, TAKE_AT_ENTRY, which);
	if (want_ip && (w->at || kind != SYSSNOOP_ENTRY || all_entries))
		put_ip(w, c->ip);
	if (want_stack && kind != SYSSNOOP_ENTRY)
		put_stack();
	/* if the entry's data are NULL pointers, there is nothing to send */
	if (w->at || kind != SYSSNOOP_ENTRY || all_entries)
		work_send(w);
	scratch_release(&w->users);
}

/* Returns true if the call's return is wanted. A function has another context; 5.10 has no helper for its call's
 * registers. */
static __always_inline bool call_enter(const __u64 *ctx, __s64 nr, const bool by_function)
{
	struct syscall_capture *cap;
	struct syssnoop_call *c;
	__u64 task;
	__u8 abi;
	__u32 row;

	if (!all_wanted && !bit_of(any_wanted, nr))
		return false;
	if (is_of_others() || !filter_pass() || is_left_out())
		return false;
	task = caller_get(&abi);
	if (!all_wanted && !bit_of(wanted[abi], nr))
		return false;
	c = call_claim(task);
	if (!c)
		return false;
	c->nr = nr;
	c->abi = abi;
	c->has_entry = 0;
	c->unread = 0xff;
	row = row_of(abi, nr);
	cap = NULL;
	if (records || chooses) {
		c->ids = ids_current();
		args_load(c->args, by_function ? regs_now() : regs_of(ctx), abi);
		if (want_ip)
			c->ip = REGS_IP(by_function ? regs_now() : regs_of(ctx));
		cap = bpf_map_lookup_elem(&rows, &row);
		if (cap && cap->flags & SYSCALL_SIGRETURNS)
			c->args[0] = mask_place(by_function ? regs_now() : regs_of(ctx), abi);
	}
	c->is_chosen = !chooses || (cap && choose_by_args(c, cap));
	if (counts_cpu) {
		c->runtime = runtime_get();
		c->switches = switches_get();
	}
	c->start = bpf_ktime_get_ns();
	if (!records || !cap || !may_be_chosen(c, cap))
		return true;
	if (cap->flags & SYSCALL_NO_RETURN) {
		if (want_unfinished && has_begun())
			entry_send(c, row, cap->at_entry, SYSSNOOP_CALL, SYSSNOOP_NO_RETURN);
		call_release(c, task);
		return false;
	}
	if (cap->at_entry || (all_entries && c->is_chosen)) {
		c->has_entry = 1;
		entry_send(c, row, cap->at_entry, SYSSNOOP_ENTRY, 0);
	}
	return true;
}

/* ctx: registers, number; as a record: 8 bytes of common fields, number, arguments */
SEC("tp_btf")
int syssnoop_enter(__u64 *ctx)
{
	call_enter(ctx, ctx[1], false);
	return 0;
}

/* ---- return ---- */

static __always_inline bool is_error(__s64 ret)
{
	return ret < 0 && ret >= -4095;
}

static __always_inline bool result_passes(__s64 ret, __u64 latency)
{
	if (!want_success && !is_error(ret))
		return false;
	if (!want_failure && is_error(ret))
		return false;
	return !want_longer || (latency != SYSSNOOP_NO_LATENCY && latency >= want_longer);
}

static __always_inline void return_send(const struct syssnoop_call *c, __s64 ret, __u64 latency,
					__u8 flags)
{
	__u32 row = row_of(c->abi, c->nr);
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct work *w = scratch_work_get();

	if (!w || !scratch_claim(&w->users))
		return;
	event_fill(&w->e, c, SYSSNOOP_CALL, flags);
	w->e.latency = latency;
	w->e.ret = ret;
	w->at = 0;
	w->again = c->unread;
	if (cap && cap->at_return)
		take_all(w, row, TAKE_AT_RETURN, cap->at_return & (c->unread | ~cap->unread));
	if (want_ip)
		put_ip(w, c->ip);
	if (want_stack)
		put_stack();
	work_send(w);
	scratch_release(&w->users);
}

/* Shows a call that began before the tracing: its registers still contain its arguments. Not for a new task, which
 * begins with the return of its parent's call. */
static __noinline int return_alone(struct pt_regs *regs, __s64 ret)
{
	__u64 nr = (__u32)REGS_NR(regs);
	struct syscall_capture *cap;
	struct syssnoop_call *c;
	struct work *w;
	__u32 row;
	__u8 abi;

	caller_get(&abi);
	if ((__s32)nr < 0 || (!all_wanted && !bit_of(wanted[abi], nr)))
		return 0;
	row = row_of(abi, nr);
	cap = bpf_map_lookup_elem(&rows, &row);
	if (!cap || (cap->flags & SYSCALL_FORKS && !is_error(ret)) ||
	    !result_passes(ret, SYSSNOOP_NO_LATENCY))
		return 0;
	w = scratch_work_get();
	if (!w || !scratch_claim(&w->alone_users))
		return 0;
	c = &w->alone; /* the stack has no room for it next to the calls of take_value */
	c->nr = nr;
	c->abi = abi;
	c->ids = ids_current();
	c->start = bpf_ktime_get_ns();
	c->unread = 0xff;
	args_load(c->args, regs, abi);
	c->ip = REGS_IP(regs);
	c->is_chosen = chooses && choose_by_args(c, cap);
	if (is_chosen(c, ret))
		return_send(c, ret, SYSSNOOP_NO_LATENCY, SYSSNOOP_NO_ENTRY);
	scratch_release(&w->alone_users);
	return 0;
}

static __always_inline void call_exit(struct syssnoop_call *c, __u64 task, __s64 ret)
{
	__u64 latency = bpf_ktime_get_ns() - c->start;
	bool is_cut = records && never_returns(ret);

	if (has_begun() && (is_cut ? want_unfinished : result_passes(ret, latency)) &&
	    is_chosen(c, ret)) {
		if (counts)
			count_add(c, latency, is_error(ret));
		if (records)
			return_send(c, is_cut ? 0 : ret, latency, is_cut ? SYSSNOOP_UNFINISHED : 0);
	}
	call_release(c, task);
}

/* ctx: registers, result; as a record: 8 bytes of common fields, number, result */
SEC("tp_btf")
int syssnoop_exit(__u64 *ctx)
{
	__s64 nr = by_event ? (__s64)word_of(ctx, 1) : REGS_NR(regs_of(ctx));
	__s64 ret = by_event ? word_of(ctx, 2) : word_of(ctx, 1);
	struct syssnoop_call *c;
	__u64 task;

	/* the number is -1 here for sigreturn */
	if (!all_wanted && nr >= 0 && !bit_of(any_returned, nr))
		return 0;
	if (is_of_others())
		return 0;
	task = bpf_get_current_task();
	c = call_find(task);
	if (!c)
		return records && has_begun() && filter_pass() ? return_alone(regs_of(ctx), ret) :
								 0;
	call_exit(c, task, ret);
	return 0;
}

/* At both ends of a call's own function, which other calls do not run. */
SEC("kprobe")
int syssnoop_function(struct pt_regs *ctx)
{
	struct syssnoop_call *c;
	__u64 task;

	if (is_entry(ctx))
		return !call_enter(NULL, REGS_NR(regs_now()), true);
	task = bpf_get_current_task();
	c = call_find(task);
	if (c)
		call_exit(c, task, PT_REGS_RC(ctx));
	return 0;
}

/* ---- -- COMMAND ---- */

/* For the command, whatever the other filters are: its name and its user may not be those that are wanted. */
SEC("tp_btf")
int syssnoop_exec(void *ctx)
{
	__u32 pid = bpf_get_current_pid_tgid() >> 32;

	if (!exec_seen && bpf_map_lookup_elem(&followed, &pid))
		exec_seen = true;
	return 0;
}

/* ---- ends of threads ---- */

SEC("tp_btf")
int syssnoop_end(__u64 *ctx)
{
	__u64 key = bpf_get_current_task();
	struct syssnoop_call *c = call_find(key);

	if (c && records && has_begun() && want_unfinished && (!chooses || c->is_chosen))
		cut_send(c);
	if (c)
		call_release(c, key);
	if (records && has_begun() && filter_pass())
		end_send(ids_current(), exit_code_of(ctx));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
