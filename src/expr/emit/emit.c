/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit.c - appends instructions to a growing array, and resolves jumps at the end.
 *
 * Nothing here knows why an instruction is emitted.
 */
#include "expr/emit/emit.h"

#include <errno.h>
#include <stdlib.h>

struct code_fixup {
	int insn, label;
};

/* Makes room for one more element of `size` bytes. */
static bool grow(struct code *k, void **array, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 64;
	void *bytes;

	if (k->err)
		return false;
	if (count < *room)
		return true;
	bytes = realloc(*array, more * size);
	if (!bytes) {
		k->err = -ENOMEM;
		return false;
	}
	*array = bytes;
	*room = more;
	return true;
}

static void emit(struct code *k, int opcode, int dst, int src, int off, int32_t imm)
{
	if (k->is_dead)
		return;
	if (!grow(k, (void **)&k->insns, k->count, &k->room, sizeof(*k->insns)))
		return;
	k->insns[k->count++] = (struct bpf_insn){
		.code = opcode,
		.dst_reg = dst,
		.src_reg = src,
		.off = off,
		.imm = imm,
	};
}

static int size_code(uint32_t size)
{
	switch (size) {
	case 1: return BPF_B;
	case 2: return BPF_H;
	case 4: return BPF_W;
	default: return BPF_DW;
	}
}

void emit_move(struct code *k, int dst, int src)
{
	emit(k, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

/* The previous instruction, unless a jump lands after it. */
static struct bpf_insn *emit_last(struct code *k)
{
	return k->count > k->barrier && !k->err && !k->is_dead ? &k->insns[k->count - 1] : NULL;
}

void emit_move_last(struct code *k, int dst, int src)
{
	struct bpf_insn *last = emit_last(k);

	if (last && BPF_CLASS(last->code) == BPF_LDX && last->dst_reg == src)
		last->dst_reg = dst;
	else
		emit_move(k, dst, src);
}

void emit_move32(struct code *k, int dst, int src)
{
	emit(k, BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void emit_move_imm(struct code *k, int dst, int32_t imm)
{
	emit(k, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void emit_wide(struct code *k, int dst, int src, uint64_t imm)
{
	emit(k, BPF_LD | BPF_DW | BPF_IMM, dst, src, 0, (uint32_t)imm);
	emit(k, 0, 0, 0, 0, imm >> 32);
}

void emit_imm64(struct code *k, int dst, uint64_t imm)
{
	if ((int64_t)imm == (int32_t)imm)
		emit_move_imm(k, dst, imm);
	else
		emit_wide(k, dst, 0, imm);
}

static void reloc_add(struct code *k, uint32_t map, enum expr_fact fact)
{
	if (!k->is_dead &&
	    grow(k, (void **)&k->relocs, k->reloc_count, &k->reloc_room, sizeof(*k->relocs)))
		k->relocs[k->reloc_count++] = (struct expr_reloc){ k->count, map, fact };
}

void emit_fact(struct code *k, enum expr_fact fact)
{
	if (fact)
		reloc_add(k, 0, fact);
}

void emit_map(struct code *k, int dst, uint32_t map)
{
	reloc_add(k, map, EXPR_FACT_NONE);
	emit_wide(k, dst, BPF_PSEUDO_MAP_FD, 0);
}

void emit_map_value(struct code *k, int dst, uint32_t map)
{
	reloc_add(k, map, EXPR_FACT_NONE);
	emit_wide(k, dst, BPF_PSEUDO_MAP_VALUE, 0);
}

void emit_variable(struct code *k, int dst, int btf_id)
{
	emit_wide(k, dst, BPF_PSEUDO_BTF_ID, (uint32_t)btf_id);
}

void emit_swap(struct code *k, int dst, int bits)
{
	emit(k, BPF_ALU | BPF_END | BPF_TO_BE, dst, 0, 0, bits);
}

void emit_alu(struct code *k, int op, int dst, int src)
{
	emit(k, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void emit_alu_imm(struct code *k, int op, int dst, int32_t imm)
{
	if (op != BPF_ADD || imm)
		emit(k, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void emit_negate(struct code *k, int dst)
{
	emit(k, BPF_ALU64 | BPF_NEG, dst, 0, 0, 0);
}

void emit_address(struct code *k, int dst, int base, int32_t off)
{
	if (dst != base)
		emit_move(k, dst, base);
	emit_alu_imm(k, BPF_ADD, dst, off);
}

void emit_load(struct code *k, uint32_t size, int dst, int base, int off)
{
	struct bpf_insn *last = emit_last(k);

	/* dst is overwritten, so the move is not needed */
	if (last && dst == base && last->code == (BPF_ALU64 | BPF_MOV | BPF_X) &&
	    last->dst_reg == base) {
		base = last->src_reg;
		k->count--;
	}
	emit(k, BPF_LDX | BPF_MEM | size_code(size), dst, base, off, 0);
}

void emit_store(struct code *k, uint32_t size, int base, int off, int src)
{
	emit(k, BPF_STX | BPF_MEM | size_code(size), base, src, off, 0);
}

void emit_store_imm(struct code *k, uint32_t size, int base, int off, int32_t imm)
{
	emit(k, BPF_ST | BPF_MEM | size_code(size), base, 0, off, imm);
}

void emit_atomic_add(struct code *k, int base, int off, int src, bool ordered)
{
	emit(k, BPF_STX | BPF_ATOMIC | BPF_DW, base, src, off, BPF_ADD | (ordered ? BPF_FETCH : 0));
}

void emit_exchange_if(struct code *k, int base, int off, int src)
{
	emit(k, BPF_STX | BPF_ATOMIC | BPF_DW, base, src, off, BPF_CMPXCHG);
}

void emit_zero(struct code *k, int base, int off, uint32_t size)
{
	for (uint32_t at = 0; at < size; at += 8)
		emit_store_imm(k, 8, base, off + at, 0);
}

void emit_call(struct code *k, int helper)
{
	emit(k, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void emit_kfunc(struct code *k, int btf_id)
{
	emit(k, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, btf_id);
}

void emit_read_kernel(struct code *k, int base, int to, uint32_t size, int from, int off)
{
	emit_address(k, BPF_REG_3, from, off);
	emit_address(k, BPF_REG_1, base, to);
	emit_move_imm(k, BPF_REG_2, size);
	emit_call(k, HELPER_READ_KERNEL);
}

/* Execution does not continue from here to the next instruction. */
static void emit_ended(struct code *k)
{
	k->is_dead = k->skips_dead;
}

void emit_exit(struct code *k)
{
	emit(k, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	emit_ended(k);
}

/* ---- jumps ---- */

enum {
	NOT_BOUND = -1,
	ONLY_USED = -2
}; /* a label before label_bind: nothing jumps to it, or something does */

int label_new(struct code *k)
{
	if (!grow(k, (void **)&k->labels, k->label_count, &k->label_room, sizeof(*k->labels)))
		return 0;
	k->labels[k->label_count] = NOT_BOUND;
	return k->label_count++;
}

void label_bind(struct code *k, int label)
{
	if (!k->err) {
		if (k->labels[label] == ONLY_USED)
			k->is_dead = false;
		k->labels[label] = k->count;
	}
	k->barrier = k->count;
}

/* The instruction that comes next refers to the label. */
static bool fixup_add(struct code *k, int label)
{
	if (k->is_dead ||
	    !grow(k, (void **)&k->fixups, k->fixup_count, &k->fixup_room, sizeof(*k->fixups)))
		return false;
	k->fixups[k->fixup_count++] = (struct code_fixup){ k->count, label };
	if (k->labels[label] == NOT_BOUND)
		k->labels[label] = ONLY_USED;
	return true;
}

void emit_function(struct code *k, int dst, int label)
{
	if (fixup_add(k, label))
		emit_wide(k, dst, BPF_PSEUDO_FUNC, 0);
}

static void emit_branch(struct code *k, int opcode, int dst, int src, int32_t imm, int label)
{
	if (fixup_add(k, label))
		emit(k, opcode, dst, src, 0, imm);
}

void emit_goto(struct code *k, int label)
{
	emit_branch(k, BPF_JMP | BPF_JA, 0, 0, 0, label);
	emit_ended(k);
}

void emit_jump(struct code *k, int op, int dst, int32_t imm, int label)
{
	emit_branch(k, BPF_JMP | op | BPF_K, dst, 0, imm, label);
}

void emit_jump_reg(struct code *k, int op, int dst, int src, int label)
{
	emit_branch(k, BPF_JMP | op | BPF_X, dst, src, 0, label);
}

void emit_jump32(struct code *k, int op, int dst, int32_t imm, int label)
{
	emit_branch(k, BPF_JMP32 | op | BPF_K, dst, 0, imm, label);
}

static int opposite(int op)
{
	switch (op) {
	case BPF_JEQ: return BPF_JNE;
	case BPF_JNE: return BPF_JEQ;
	case BPF_JGT: return BPF_JLE;
	case BPF_JLE: return BPF_JGT;
	case BPF_JGE: return BPF_JLT;
	case BPF_JLT: return BPF_JGE;
	case BPF_JSGT: return BPF_JSLE;
	case BPF_JSLE: return BPF_JSGT;
	case BPF_JSGE: return BPF_JSLT;
	default: return BPF_JSGE; /* JSLT */
	}
}

void emit_leave(struct code *k, int op, int dst, int32_t imm, int label)
{
	int stay = label_new(k);

	emit_jump(k, opposite(op), dst, imm, stay);
	emit_goto(k, label);
	label_bind(k, stay);
}

void emit_leave_reg(struct code *k, int op, int dst, int src, int label)
{
	int stay = label_new(k);

	emit_jump_reg(k, opposite(op), dst, src, stay);
	emit_goto(k, label);
	label_bind(k, stay);
}

void emit_leave_late(struct code *k, int label)
{
	emit_branch(k, BPF_JMP | JUMP_MAY, 0, 0, 0, label);
}

/* Frees the room that the array grew into but does not use: thousands of programs may exist. */
static void code_trim(struct code *k)
{
	void *insns = k->count ? realloc(k->insns, k->count * sizeof(*k->insns)) : NULL;

	if (insns) {
		k->insns = insns;
		k->room = k->count;
	}
	free(k->labels);
	free(k->fixups);
	k->labels = NULL;
	k->fixups = NULL;
	k->label_count = k->label_room = k->fixup_count = k->fixup_room = 0;
}

int code_finish(struct code *k)
{
	for (size_t i = 0; i < k->fixup_count && !k->err; i++) {
		const struct code_fixup *f = &k->fixups[i];
		int distance = k->labels[f->label] - f->insn - 1;

		if (k->insns[f->insn].src_reg == BPF_PSEUDO_FUNC &&
		    k->insns[f->insn].code == (BPF_LD | BPF_DW | BPF_IMM))
			k->insns[f->insn].imm = distance;
		else if (distance < INT16_MIN || distance > INT16_MAX)
			k->err = -E2BIG;
		else
			k->insns[f->insn].off = distance;
	}
	code_trim(k);
	return k->err;
}
