/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack.c - stacks in the record (layout/stack_slots.c): their frames, or a copy of the user stack.
 *
 * A stack in a record takes one helper call. Frames are stored as captured. The reader drops
 * those of the tracing itself, because their number differs by kernel.
 */
#include "expr/emit/emit_slot.h"

/* Kernels with the helper func_arg also have func_ip. */
void gen_stack_function(struct gen *g, int which, int base, uint32_t at)
{
	bool wanted = which == STACK_KERNEL && g->c->in->site.on_function;

	if (wanted && g->target->func_arg) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_call(g->k, HELPER_FUNC_IP);
	} else {
		emit_imm64(g->k, BPF_REG_0, wanted ? g->c->in->site.function : 0);
	}
	emit_store(g->k, 8, base, at, BPF_REG_0);
}

/* The register with the address of the function's caller, if the kernel's walk misses it: the
 * walk follows frame pointers, and the function has not set up its frame yet. 0: the stack is
 * complete. */
static unsigned caller_unseen(const struct gen *g, int which)
{
	const struct expr_input *in = g->c->in;
	bool of_stack = which == STACK_USER ? in->site.in_user && !in->site.in_user32 :
					      in->site.on_function;

	return of_stack && in->site.at_entry && g->target->method == EXPR_CTX_KPROBE ?
		       target_arch(g->target)->return_link :
		       0;
}

void gen_stack_frames(struct gen *g, int which, int base, uint32_t at, uint32_t size)
{
	unsigned link = caller_unseen(g, which);
	uint32_t first = at + (link ? sizeof(uint64_t) : 0);
	int none;

	emit_move(g->k, BPF_REG_1, REG_CTX);
	emit_address(g->k, BPF_REG_2, base, first);
	emit_move_imm(g->k, BPF_REG_3, size - (first - at));
	emit_move_imm(g->k, BPF_REG_4, which == STACK_USER ? USER_STACK_FLAG : 0);
	emit_call(g->k, HELPER_STACK);
	if (!link)
		return;
	none = label_new(g->k);
	emit_jump(g->k, BPF_JSLE, BPF_REG_0, 0, none);
	emit_load(g->k, 8, BPF_REG_1, base, first); /* the probed function */
	emit_store(g->k, 8, base, at, BPF_REG_1);
	emit_load(g->k, 8, BPF_REG_1, REG_CTX, arch_offset(link));
	emit_store(g->k, 8, base, first, BPF_REG_1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, sizeof(uint64_t));
	label_bind(g->k, none);
}

/*
 * ---- a copy of the user stack, and the registers, for user space to find the frames ----
 *
 * Whatever brought the task into the kernel, its registers are at the end of its kernel stack:
 * even system calls save all of them on x86-64 and arm64. A helper returns their address since
 * 5.15; older kernels have them at a fixed offset.
 */

static bool is_needed(const struct arch *arch, unsigned number)
{
	for (unsigned i = 0; i < ARCH_DWARF_MAX && arch->dwarf[i] != ARCH_NO_REGISTER; i++)
		if (arch->dwarf[i] == number)
			return true;
	return number == arch->ip || number == arch->mode;
}

/* Loads the members through a typed pointer. The mode is in the first two bytes of its register,
 * which the kernel may declare as a member of their own. */
static void registers_load(struct gen *g, uint32_t to)
{
	const struct arch *arch = target_arch(g->target);

	emit_call(g->k, HELPER_TASK_BTF);
	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_call(g->k, HELPER_TASK_REGS);
	for (unsigned i = 0; i < arch->sample_registers; i++) {
		if (!is_needed(arch, i))
			continue;
		emit_load(g->k, i == arch->mode && i != arch->ip ? 2 : 8, BPF_REG_1, BPF_REG_0,
			  arch_offset(i));
		emit_store(g->k, 8, REG_RECORD, to + arch_offset(i), BPF_REG_1);
	}
}

/* If the registers cannot be read, they become zeros, which user space never has. */
static void registers_read(struct gen *g, uint32_t to)
{
	const struct arch *arch = target_arch(g->target);
	uint32_t size = btf_view_size(g->c->in->btf, g->target->pt_regs_id);
	int offset = gen_task_offset(g, "stack");

	if (!g->target->probe_read || !size || offset < 0) {
		compile_refuse(g->c, (struct span){}, "the registers of user space cannot be read");
		return;
	}
	emit_call(g->k, HELPER_TASK);
	emit_read_kernel(g->k, BPF_REG_10, STACK_SCRATCH, 8, BPF_REG_0, offset);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
	emit_read_kernel(g->k, REG_RECORD, to, arch_offset(arch->sample_registers), BPF_REG_3,
			 arch->thread_size - size);
}

/* Copies REG_VALUE bytes; jumps to `copied` on success. */
static void part_copy(struct gen *g, uint32_t to, int sp, int copied)
{
	emit_address(g->k, BPF_REG_1, REG_RECORD, to);
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	emit_load(g->k, 8, BPF_REG_3, REG_RECORD, sp);
	emit_call(g->k, HELPER_READ_USER);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, copied);
}

/* Copies the whole; if a page of it is missing, up to the end of the last page, the one before,
 * and so on. */
static void stack_copy(struct gen *g, uint32_t to, int sp, int size)
{
	int copied = label_new(g->k);

	emit_move_imm(g->k, REG_VALUE, g->p->stacks.copy_size);
	part_copy(g, to, sp, copied);
	for (int32_t end = g->p->stacks.copy_size; end; end -= EXPR_COPY_STEP) {
		emit_load(g->k, 8, BPF_REG_1, REG_RECORD, sp);
		emit_alu_imm(g->k, BPF_AND, BPF_REG_1, EXPR_COPY_STEP - 1);
		emit_move_imm(g->k, REG_VALUE, end);
		emit_alu(g->k, BPF_SUB, REG_VALUE, BPF_REG_1);
		part_copy(g, to, sp, copied);
	}
	emit_move_imm(g->k, REG_VALUE, 0);
	label_bind(g->k, copied);
	emit_store(g->k, 4, REG_RECORD, size, REG_VALUE);
}

void gen_user_copy(struct gen *g, uint32_t at)
{
	const struct arch *arch = target_arch(g->target);
	uint32_t registers = at + sizeof(struct event_user_copy);

	if (g->target->current_task_btf && g->target->func_arg)
		registers_load(g, registers);
	else
		registers_read(g, registers);
	stack_copy(g, registers + arch_offset(arch->sample_registers),
		   registers + arch_offset(arch->sp), at + offsetof(struct event_user_copy, size));
}

static void gen_stack(struct gen *g, int which)
{
	uint32_t at = g->p->stacks.at[which];
	int done = label_new(g->k);

	gen_stack_frames(g, which, REG_RECORD, at + offsetof(struct event_stack, frames),
			 g->p->stacks.size - sizeof(struct event_stack));
	/* the size, and a pad that gets the sign bits */
	emit_store(g->k, 8, REG_RECORD, at, BPF_REG_0);
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, done);
	gen_count_loss(g, LOSS_FAULT);
	label_bind(g->k, done);
	gen_stack_function(g, which, REG_RECORD, at + offsetof(struct event_stack, function));
}

void gen_stacks(struct gen *g)
{
	for (int i = 0; i < STACKS; i++) {
		if (g->p->stacks.at[i] && i == STACK_USER && g->p->stacks.copy_size)
			gen_user_copy(g, g->p->stacks.at[i]);
		else if (g->p->stacks.at[i])
			gen_stack(g, i);
	}
}
