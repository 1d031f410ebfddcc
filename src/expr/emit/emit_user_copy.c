/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_user_copy.c - stores the registers of user space and a copy of the user stack in a record,
 * for user space to find the frames in.
 *
 * Whatever brought the task into the kernel, its registers are at the end of its kernel stack: system
 * calls save all of them, too, on x86-64 and arm64. Since 5.15 a helper tells where; the kernels
 * before have it at an offset that is fixed.
 */
#include "expr/emit/emit_slot.h"

#include "expr/lower/lower.h"

static bool is_needed(const struct arch *arch, unsigned number)
{
	for (unsigned i = 0; i < ARCH_DWARF_MAX && arch->dwarf[i] != ARCH_NO_REGISTER; i++)
		if (arch->dwarf[i] == number)
			return true;
	return number == arch->ip || number == arch->mode;
}

/* As a typed pointer, whose members are loaded. The mode is in the first two bytes of its register, which the
 * kernel may declare as a member of their own. */
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

/* If they cannot be read, they are zeros: not those of user space. */
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
	emit_address(g->k, BPF_REG_3, BPF_REG_0, offset);
	emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	emit_move_imm(g->k, BPF_REG_2, 8);
	emit_call(g->k, HELPER_READ_KERNEL);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, arch->thread_size - size);
	emit_address(g->k, BPF_REG_1, REG_RECORD, to);
	emit_move_imm(g->k, BPF_REG_2, arch_offset(arch->sample_registers));
	emit_call(g->k, HELPER_READ_KERNEL);
}

/* Copies REG_VALUE bytes; if they are there, jumps to `copied`. */
static void part_copy(struct gen *g, uint32_t to, int sp, int copied)
{
	emit_address(g->k, BPF_REG_1, REG_RECORD, to);
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	emit_load(g->k, 8, BPF_REG_3, REG_RECORD, sp);
	emit_call(g->k, HELPER_READ_USER);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, copied);
}

/* The whole; if a page of it is not there, up to the end of the last page, of the one before, and so
 * on. */
static void stack_copy(struct gen *g, uint32_t to, int sp, int size)
{
	int copied = label_new(g->k);

	emit_move_imm(g->k, REG_VALUE, g->p->copy_size);
	part_copy(g, to, sp, copied);
	for (int32_t end = g->p->copy_size; end; end -= EXPR_COPY_STEP) {
		emit_load(g->k, 8, BPF_REG_1, REG_RECORD, sp);
		emit_alu_imm(g->k, BPF_AND, BPF_REG_1, EXPR_COPY_STEP - 1);
		emit_move_imm(g->k, REG_VALUE, end);
		emit_alu(g->k, BPF_SUB, REG_VALUE, BPF_REG_1);
		part_copy(g, to, sp, copied);
	}
	emit_move_imm(g->k, REG_VALUE, 0);
	label_place(g->k, copied);
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
