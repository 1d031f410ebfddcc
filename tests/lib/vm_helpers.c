/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_helpers.c - the kernel functions that programs call on the simulated machine (vm_helpers.h).
 */
#include "vm_helpers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "targets.h"
#include "vm_maps.h"
#include "vm_memory.h"

/* ---- memory ---- */

static uint8_t *arg_memory(struct vm *m, size_t pc, int reg, uint64_t size)
{
	bool *marks;
	uint8_t *to = vm_own(m, vm_use(m, pc, reg), size, &marks);

	if (!to)
		vm_trouble(m, pc, "a helper would write outside of stack, record and maps");
	else if (marks)
		memset(marks, true, size);
	return to;
}

static uint64_t read_any(struct vm *m, size_t pc, bool user)
{
	uint64_t size = vm_use(m, pc, 2), from = vm_use(m, pc, 3);
	uint8_t *to = arg_memory(m, pc, 1, size);

	if (!user && m->probe_read_forbidden)
		vm_trouble(m, pc, "probe_read_kernel under lockdown");
	if (!to)
		return -EFAULT;
	if (vm_within(from, size, VM_CTX_AT, sizeof(m->ctx))) {
		memcpy(to, m->ctx + (from - VM_CTX_AT), size);
		return 0;
	}
	if (user == ((int64_t)from >= 0) && vm_read(m, from, to, size))
		return 0;
	memset(to, 0, size);
	return -EFAULT;
}

static uint64_t read_text(struct vm *m, size_t pc, bool user)
{
	uint64_t size = vm_use(m, pc, 2), from = vm_use(m, pc, 3);
	uint8_t *to = arg_memory(m, pc, 1, size);

	if (!user && m->probe_read_forbidden)
		vm_trouble(m, pc, "probe_read_kernel_str under lockdown");
	if (!to || user != ((int64_t)from >= 0))
		return -EFAULT;
	for (uint64_t i = 0; i < size; i++) {
		if (i == size - 1)
			to[i] = 0;
		else if (!vm_read(m, from + i, to + i, 1))
			return -EFAULT;
		if (!to[i])
			return i + 1;
	}
	return size;
}

/* ---- records and the context ---- */

static uint64_t helper_reserve(struct vm *m, size_t pc)
{
	const struct vm_map *ring = vm_map_held(m, pc, 1);
	uint64_t size = vm_use(m, pc, 2);

	if (!ring || ring->asked->kind != EXPR_MAP_RING || size > VM_RECORD || size % 8)
		vm_trouble(m, pc, "a reservation that cannot be");
	if (m->ring_full)
		return 0;
	if (m->submitted)
		memset(m->written, 0, sizeof(m->written));
	m->submitted = false;
	m->record_size = size;
	return VM_RING_AT;
}

static void sent_add(struct vm *m, const uint8_t *record, uint32_t size)
{
	struct vm_sent *sent;

	if (m->sent_count == VM_SENT)
		return;
	sent = &m->sent[m->sent_count++];
	*sent = (struct vm_sent){ size, malloc(size) };
	memcpy(sent->bytes, record, size);
}

static uint64_t helper_submit(struct vm *m, size_t pc)
{
	if (!m->record_size || m->submitted || vm_use(m, pc, 1) != VM_RING_AT)
		vm_trouble(m, pc, "submit of no record");
	m->submitted = true;
	m->submit_flags = vm_use(m, pc, 2);
	sent_add(m, m->record, m->record_size);
	return 0;
}

static uint64_t helper_comm(struct vm *m, size_t pc)
{
	uint8_t *to = arg_memory(m, pc, 1, vm_use(m, pc, 2));

	if (to && vm_read(m, VM_TASK_AT + 16, to, 16))
		memset(to + strnlen((char *)to, 16), 0, 16 - strnlen((char *)to, 16));
	return 0;
}

static uint64_t helper_func_arg(struct vm *m, size_t pc)
{
	uint8_t *to = arg_memory(m, pc, 3, 8);

	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "get_func_arg without the context");
	if (to)
		memcpy(to, m->ctx + 8 * vm_use(m, pc, 2), 8);
	return 0;
}

static uint64_t helper_func_ret(struct vm *m, size_t pc)
{
	uint8_t *to = arg_memory(m, pc, 2, 8);

	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "get_func_ret without the context");
	if (to)
		memcpy(to, &m->returned, 8);
	return 0;
}

static uint64_t helper_stack(struct vm *m, size_t pc)
{
	size_t count = 0, size = vm_use(m, pc, 3);
	uint8_t *to = arg_memory(m, pc, 2, size);

	if (vm_use(m, pc, 1) != VM_CTX_AT || (vm_use(m, pc, 4) & ~BPF_F_USER_STACK))
		vm_trouble(m, pc, "get_stack of something else");
	if (!to || m->stack_fails)
		return -EFAULT;
	while (count < size / 8 && count < VM_FRAMES && m->frames[count])
		count++;
	memcpy(to, m->frames, 8 * count);
	memset(to + 8 * count, 0, size - 8 * count); /* as the kernel does */
	return 8 * count;
}

/* What is announced: a queue has no entries that a program could look at. */
static uint64_t helper_push(struct vm *m, size_t pc)
{
	const struct vm_map *map = vm_map_held(m, pc, 1);
	bool *marks;

	if (!map || map->asked->kind != EXPR_MAP_NEWS ||
	    !vm_own(m, vm_use(m, pc, 2), map->asked->value_size, &marks) || vm_use(m, pc, 3))
		vm_trouble(m, pc, "a push that cannot be");
	m->pushed++;
	return 0;
}

/* ---- bytes that leave the program ---- */

/* Checks that the program has written the bytes that it passes. Returns false if it may not. */
static bool is_given(struct vm *m, size_t pc, int reg, uint64_t size)
{
	uint64_t at = vm_use(m, pc, reg);

	for (uint64_t i = 0; i < size && !*m->trouble; i++)
		vm_load(m, pc, reg, at + i, 1);
	return !*m->trouble;
}

static uint64_t helper_trace_printk(struct vm *m, size_t pc)
{
	uint64_t size = vm_use(m, pc, 2);

	return is_given(m, pc, 1, size) ? size : 0;
}

static uint64_t helper_seq_printf(struct vm *m, size_t pc)
{
	uint64_t values = vm_use(m, pc, 5);

	vm_use(m, pc, 1);
	if (values % 8)
		vm_trouble(m, pc, "seq_printf of half a value");
	is_given(m, pc, 2, vm_use(m, pc, 3));
	if (values)
		is_given(m, pc, 4, values);
	return 0;
}

static uint64_t helper_write_user(struct vm *m, size_t pc)
{
	is_given(m, pc, 2, vm_use(m, pc, 3));
	return (int64_t)vm_use(m, pc, 1) >= 0 ? 0 : -EPERM;
}

static uint64_t helper_output(struct vm *m, size_t pc)
{
	const struct vm_map *ring = vm_map_held(m, pc, 1);
	uint64_t size = vm_use(m, pc, 3);
	const uint8_t *record;
	bool *marks;

	if (!ring || ring->asked->kind != EXPR_MAP_RING)
		vm_trouble(m, pc, "output to no ring");
	if (!is_given(m, pc, 2, size))
		return -EFAULT;
	if (m->ring_full)
		return -EAGAIN;
	record = vm_own(m, vm_use(m, pc, 2), size, &marks);
	if (record)
		sent_add(m, record, size);
	return 0;
}

static uint64_t helper_cookie(struct vm *m, size_t pc)
{
	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "get_attach_cookie without the context");
	return 0;
}

/* ---- the table ---- */

static uint64_t helper_read_user(struct vm *m, size_t pc)
{
	return read_any(m, pc, true);
}

static uint64_t helper_read_kernel(struct vm *m, size_t pc)
{
	return read_any(m, pc, false);
}

static uint64_t helper_text_user(struct vm *m, size_t pc)
{
	return read_text(m, pc, true);
}

static uint64_t helper_text_kernel(struct vm *m, size_t pc)
{
	return read_text(m, pc, false);
}

static uint64_t helper_now(struct vm *m, size_t pc)
{
	(void)pc;
	return m->now;
}

static uint64_t helper_pid_tgid(struct vm *m, size_t pc)
{
	(void)pc;
	return m->pid_tgid;
}

static uint64_t helper_uid_gid(struct vm *m, size_t pc)
{
	(void)pc;
	return m->uid_gid;
}

static uint64_t helper_in_cgroup(struct vm *m, size_t pc)
{
	(void)pc;
	return m->in_cgroup;
}

static uint64_t helper_queued(struct vm *m, size_t pc)
{
	(void)pc;
	return m->queued;
}

static uint64_t helper_cpu(struct vm *m, size_t pc)
{
	(void)m;
	(void)pc;
	return VM_CPU;
}

static uint64_t helper_task(struct vm *m, size_t pc)
{
	(void)m;
	(void)pc;
	return VM_TASK_AT;
}

static uint64_t helper_this_cpu(struct vm *m, size_t pc)
{
	vm_use(m, pc, 1);
	return VM_PER_CPU_AT;
}

/* Only the first ones are there. */
static uint64_t helper_per_cpu(struct vm *m, size_t pc)
{
	vm_use(m, pc, 1);
	return vm_use(m, pc, 2) <= VM_CPU ? VM_PER_CPU_AT : 0;
}

static uint64_t helper_cgroup(struct vm *m, size_t pc)
{
	(void)m;
	(void)pc;
	return VM_CGROUP;
}

static uint64_t helper_func_ip(struct vm *m, size_t pc)
{
	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "get_func_ip without the context");
	return m->function;
}

static uint64_t helper_random(struct vm *m, size_t pc)
{
	(void)pc;
	return m->random;
}

static uint64_t helper_node(struct vm *m, size_t pc)
{
	(void)m;
	(void)pc;
	return 1;
}

static uint64_t helper_signal(struct vm *m, size_t pc)
{
	m->signal = (int)vm_use(m, pc, 1);
	return 0;
}

static uint64_t helper_override(struct vm *m, size_t pc)
{
	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "override_return without the context");
	vm_use(m, pc, 2);
	return 0;
}

static uint64_t helper_socket_cookie(struct vm *m, size_t pc)
{
	vm_use(m, pc, 1);
	return VM_COOKIE;
}

/* Calls function r2 up to r1 times with the round and r3. */
enum { ROUNDS_MOST = 8 << 20 }; /* BPF_MAX_LOOPS */

static uint64_t helper_loop(struct vm *m, size_t pc)
{
	uint64_t rounds = vm_use(m, pc, 1), function = vm_use(m, pc, 2), ctx = vm_use(m, pc, 3), i;

	if (rounds > ROUNDS_MOST)
		return (uint64_t)-E2BIG;
	for (i = 0; i < rounds && !*m->trouble; i++)
		if (vm_callback(m, pc, function, (uint64_t[4]){ i, ctx }))
			return i + 1;
	return i;
}

typedef uint64_t helper_fn(struct vm *m, size_t pc);

static const struct helper {
	int id;
	helper_fn *fn;
} helpers[] = {
	{ BPF_FUNC_map_lookup_elem, vm_map_lookup },
	{ BPF_FUNC_map_update_elem, vm_map_update },
	{ BPF_FUNC_map_delete_elem, vm_map_delete },
	{ BPF_FUNC_ktime_get_ns, helper_now },
	{ BPF_FUNC_get_smp_processor_id, helper_cpu },
	{ BPF_FUNC_get_current_pid_tgid, helper_pid_tgid },
	{ BPF_FUNC_get_current_uid_gid, helper_uid_gid },
	{ BPF_FUNC_get_current_comm, helper_comm },
	{ BPF_FUNC_get_current_task, helper_task },
	{ BPF_FUNC_current_task_under_cgroup, helper_in_cgroup },
	{ BPF_FUNC_get_current_cgroup_id, helper_cgroup },
	{ BPF_FUNC_probe_read_user, helper_read_user },
	{ BPF_FUNC_probe_read_kernel, helper_read_kernel },
	{ BPF_FUNC_probe_read_user_str, helper_text_user },
	{ BPF_FUNC_probe_read_kernel_str, helper_text_kernel },
	{ BPF_FUNC_ringbuf_reserve, helper_reserve },
	{ BPF_FUNC_ringbuf_submit, helper_submit },
	{ BPF_FUNC_ringbuf_query, helper_queued },
	{ BPF_FUNC_get_current_task_btf, helper_task },
	{ BPF_FUNC_this_cpu_ptr, helper_this_cpu },
	{ BPF_FUNC_per_cpu_ptr, helper_per_cpu },
	{ BPF_FUNC_get_func_arg, helper_func_arg },
	{ BPF_FUNC_get_func_ret, helper_func_ret },
	{ BPF_FUNC_get_stack, helper_stack },
	{ BPF_FUNC_map_push_elem, helper_push },
	{ BPF_FUNC_ktime_get_boot_ns, helper_now },
	{ BPF_FUNC_jiffies64, helper_now },
	{ BPF_FUNC_get_prandom_u32, helper_random },
	{ BPF_FUNC_get_func_ip, helper_func_ip },
	{ BPF_FUNC_get_numa_node_id, helper_node },
	{ BPF_FUNC_send_signal, helper_signal },
	{ BPF_FUNC_send_signal_thread, helper_signal },
	{ BPF_FUNC_override_return, helper_override },
	{ BPF_FUNC_get_socket_cookie, helper_socket_cookie },
	{ 208, helper_now }, /* ktime_get_tai_ns */
	{ BPF_FUNC_trace_printk, helper_trace_printk },
	{ BPF_FUNC_seq_printf, helper_seq_printf },
	{ BPF_FUNC_probe_write_user, helper_write_user },
	{ BPF_FUNC_ringbuf_output, helper_output },
	{ BPF_FUNC_get_attach_cookie, helper_cookie },
	{ BPF_FUNC_loop, helper_loop },
	{ BPF_FUNC_for_each_map_elem, vm_map_for_each },
	{ 195, vm_map_lookup_per_cpu },
};

static uint64_t helper_call(struct vm *m, size_t pc, int id)
{
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (helpers[i].id == id)
			return helpers[i].fn(m, pc);
	vm_trouble(m, pc, "unknown helper");
	return 0;
}

static uint64_t kfunc_call(struct vm *m, size_t pc, int id)
{
	if (id == TARGET_CAST_ID) {
		vm_use(m, pc, 2);
		return vm_use(m, pc, 1);
	}
	if (id == TARGET_PREEMPT_OFF_ID || id == TARGET_PREEMPT_ON_ID) {
		if (m->not_preempted == (id == TARGET_PREEMPT_OFF_ID))
			vm_trouble(m, pc, "preemption is switched twice");
		m->not_preempted = id == TARGET_PREEMPT_OFF_ID;
		return 0;
	}
	if (id != TARGET_IS_RETURN_ID && id != TARGET_COOKIE_ID)
		vm_trouble(m, pc, "unknown kfunc");
	if (vm_use(m, pc, 1) != VM_CTX_AT)
		vm_trouble(m, pc, "a session without its context");
	return id == TARGET_COOKIE_ID ? VM_COOKIE_AT : m->is_return;
}

void vm_call(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t result = i->src_reg == BPF_PSEUDO_KFUNC_CALL ? kfunc_call(m, pc, i->imm) :
								helper_call(m, pc, i->imm);

	memset(m->known + 1, 0, 5);
	vm_set(m, 0, result);
}
