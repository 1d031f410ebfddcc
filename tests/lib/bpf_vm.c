/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_vm.c - the simulated machine (bpf_vm.h): taking a program, and its instructions one by one.
 */
#include "bpf_vm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/emit/emit.h"

#include "vm_helpers.h"
#include "vm_maps.h"
#include "vm_memory.h"

void vm_trouble(struct vm *m, size_t pc, const char *what)
{
	if (!*m->trouble)
		snprintf(m->trouble, sizeof(m->trouble), "instruction %zu: %s", pc, what);
}

/* ---- a program ---- */

static struct vm_code code_relocated(const struct bpf_insn *insns, size_t count,
				     const struct expr_reloc *relocs, size_t reloc_count)
{
	struct vm_code k = { calloc(count + 1, sizeof(*insns)), count };

	if (count)
		memcpy(k.insns, insns, count * sizeof(*insns));
	for (size_t i = 0; i < reloc_count; i++)
		if (!relocs[i].fact)
			k.insns[relocs[i].insn].imm = relocs[i].map;
	return k;
}

bool vm_take(struct vm *m, const struct expr_program *p)
{
	const struct bpf_insn *insns;
	const struct expr_reloc *relocs;
	size_t count, reloc_count;

	insns = expr_insns(p, &count);
	relocs = expr_relocs(p, &reloc_count);
	m->code = code_relocated(insns, count, relocs, reloc_count);
	insns = expr_insns_return(p, &count);
	relocs = expr_relocs_return(p, &reloc_count);
	m->code_return = code_relocated(insns, count, relocs, reloc_count);
	return vm_maps_make(m, p);
}

void vm_drop(struct vm *m)
{
	free(m->code.insns);
	free(m->code_return.insns);
	vm_maps_free(m);
	for (unsigned i = 0; i < m->sent_count; i++)
		free(m->sent[i].bytes);
	m->sent_count = 0;
	m->code = m->code_return = (struct vm_code){ NULL, 0 };
}

/* ---- instructions ---- */

static uint64_t alu_result(struct vm *m, size_t pc, int op, uint64_t a, uint64_t b)
{
	switch (op) {
	case BPF_ADD: return a + b;
	case BPF_SUB: return a - b;
	case BPF_AND: return a & b;
	case BPF_XOR: return a ^ b;
	case BPF_OR: return a | b;
	case BPF_MUL: return a * b;
	case BPF_DIV: return b ? a / b : 0;
	case BPF_MOD: return b ? a % b : a;
	case BPF_MOV: return b;
	case BPF_NEG: return -a;
	case BPF_LSH:
	case BPF_RSH:
	case BPF_ARSH:
		if (b > 63)
			vm_trouble(m, pc, "a shift that is too far");
		b &= 63;
		return op == BPF_LSH ? a << b :
		       op == BPF_RSH ? a >> b :
				       (uint64_t)((int64_t)a >> b);
	}
	vm_trouble(m, pc, "unknown operation");
	return 0;
}

static uint64_t swapped(uint64_t value, int bits)
{
	return bits == 16 ? __builtin_bswap16(value) :
	       bits == 32 ? __builtin_bswap32(value) :
			    __builtin_bswap64(value);
}

static void run_alu(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	int op = BPF_OP(i->code);
	uint64_t a = op == BPF_MOV ? 0 : vm_use(m, pc, i->dst_reg), b, result;

	b = op == BPF_NEG || op == BPF_END ? 0 :
	    BPF_SRC(i->code) == BPF_X	   ? vm_use(m, pc, i->src_reg) :
					     (uint64_t)(int64_t)i->imm;
	if (i->dst_reg == BPF_REG_10)
		vm_trouble(m, pc, "r10 is written");
	if (op == BPF_END) {
		vm_set(m, i->dst_reg, swapped(a, i->imm));
		return;
	}
	result = alu_result(m, pc, op, a, b);
	vm_set(m, i->dst_reg, BPF_CLASS(i->code) == BPF_ALU ? (uint32_t)result : result);
}

static bool jumps(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t a, b = (uint64_t)(int64_t)i->imm;

	if (i->code == (BPF_JMP | JUMP_MAY)) /* only after eight million rounds */
		return false;
	a = vm_use(m, pc, i->dst_reg);
	if (BPF_SRC(i->code) == BPF_X)
		b = vm_use(m, pc, i->src_reg);
	if (BPF_CLASS(i->code) == BPF_JMP32) {
		a = (uint32_t)a;
		b = (uint32_t)b;
	}
	switch (BPF_OP(i->code)) {
	case BPF_JEQ: return a == b;
	case BPF_JNE: return a != b;
	case BPF_JLT: return a < b;
	case BPF_JGE: return a >= b;
	case BPF_JLE: return a <= b;
	case BPF_JGT: return a > b;
	case BPF_JSLE: return (int64_t)a <= (int64_t)b;
	case BPF_JSET: return a & b;
	case BPF_JSGT: return (int64_t)a > (int64_t)b;
	case BPF_JSGE: return (int64_t)a >= (int64_t)b;
	case BPF_JSLT: return (int64_t)a < (int64_t)b;
	}
	vm_trouble(m, pc, "unknown jump");
	return false;
}

static uint64_t wide_value(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		return VM_MAP_AT + i->imm;
	if (i->src_reg == BPF_PSEUDO_MAP_VALUE)
		return vm_map_address(m, pc, i->imm);
	if (i->src_reg == BPF_PSEUDO_FUNC)
		return VM_CODE_AT + pc + i->imm + 1;
	return (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm;
}

static uint64_t insn_size(const struct bpf_insn *i)
{
	static const uint8_t sizes[] = { 4, 2, 1, 8 };

	return sizes[BPF_SIZE(i->code) >> 3];
}

/* An addition to a map's memory, which may fetch what was there; or a store if there is what r0 has. */
static void run_atomic(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	uint64_t at = vm_use(m, pc, i->dst_reg) + i->off, value = vm_use(m, pc, i->src_reg);
	uint64_t before = vm_load(m, pc, i->dst_reg, at, 8);
	bool exchange = i->imm == BPF_CMPXCHG;

	if ((!exchange && (i->imm & ~BPF_FETCH) != BPF_ADD) || BPF_SIZE(i->code) != BPF_DW ||
	    at < VM_VALUES_AT || !vm_map_bytes(m, at, 8, true))
		vm_trouble(m, pc, "an atomic operation that cannot be");
	if (!exchange)
		vm_store(m, pc, at, before + value, 8);
	else if (vm_use(m, pc, BPF_REG_0) == before)
		vm_store(m, pc, at, value, 8);
	if (exchange)
		vm_set(m, BPF_REG_0, before);
	else if (i->imm & BPF_FETCH)
		vm_set(m, i->src_reg, before);
}

/* One instruction; returns the next one's index. */
static size_t run_step(struct vm *m, size_t pc, const struct bpf_insn *i)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64: run_alu(m, pc, i); return pc + 1;
	case BPF_LD: vm_set(m, i->dst_reg, wide_value(m, pc, i)); return pc + 2;
	case BPF_LDX:
		vm_set(m, i->dst_reg,
		       vm_load(m, pc, i->src_reg, vm_use(m, pc, i->src_reg) + i->off,
			       insn_size(i)));
		return pc + 1;
	case BPF_STX:
		if (BPF_MODE(i->code) == BPF_ATOMIC) {
			run_atomic(m, pc, i);
			return pc + 1;
		}
		vm_store(m, pc, vm_use(m, pc, i->dst_reg) + i->off, vm_use(m, pc, i->src_reg),
			 insn_size(i));
		return pc + 1;
	case BPF_ST:
		vm_store(m, pc, vm_use(m, pc, i->dst_reg) + i->off, (int64_t)i->imm, insn_size(i));
		return pc + 1;
	}
	if (BPF_OP(i->code) == BPF_CALL) {
		vm_call(m, pc, i);
		return pc + 1;
	}
	return pc + 1 + (BPF_OP(i->code) == BPF_JA || jumps(m, pc, i) ? i->off : 0);
}

/* ---- running ---- */

static void frame_begin(struct vm *m)
{
	memset(m->known, 0, sizeof(m->known));
	memset(m->stack_known[m->depth], 0, sizeof(m->stack_known[0]));
	vm_set(m, 10, VM_STACK_AT + m->depth * VM_STACK_STEP + sizeof(m->stack[0]));
}

void vm_begin(struct vm *m)
{
	m->depth = 0;
	frame_begin(m);
	vm_set(m, 1, VM_CTX_AT);
}

static uint64_t frame_run(struct vm *m, size_t pc)
{
	const struct vm_code *k = m->running;

	while (k->insns[pc].code != (BPF_JMP | BPF_EXIT))
		if (!vm_next(m, k, &pc))
			return 1;
	return vm_use(m, pc, 0);
}

uint64_t vm_callback(struct vm *m, size_t pc, uint64_t function, const uint64_t args[4])
{
	uint64_t reg[11], result;
	bool known[11];

	if (function < VM_CODE_AT || function >= VM_CODE_AT + m->running->count ||
	    m->depth + 1 == VM_FRAMES_DEEP) {
		vm_trouble(m, pc, "a callback that cannot be");
		return 1;
	}
	memcpy(reg, m->reg, sizeof(reg));
	memcpy(known, m->known, sizeof(known));
	m->depth++;
	frame_begin(m);
	for (int i = 0; i < 4; i++)
		vm_set(m, i + 1, args[i]);
	result = frame_run(m, function - VM_CODE_AT);
	m->depth--;
	memcpy(m->reg, reg, sizeof(reg));
	memcpy(m->known, known, sizeof(known));
	if (result > 1)
		vm_trouble(m, pc, "a callback returns neither 0 nor 1");
	return result;
}

bool vm_next(struct vm *m, const struct vm_code *k, size_t *pc)
{
	const struct bpf_insn *i = &k->insns[*pc];

	m->running = k;
	if (*pc >= k->count || ++m->steps > 100000) {
		vm_trouble(m, *pc, "no exit");
		return false;
	}
	if (i->code == (BPF_JMP | BPF_EXIT)) {
		if (m->not_preempted)
			vm_trouble(m, *pc, "preemption stays off");
		vm_use(m, *pc, 0);
		if (m->record_size && !m->submitted)
			vm_trouble(m, *pc, "exit with a record that was not submitted");
		return false;
	}
	*pc = run_step(m, *pc, i);
	return !*m->trouble;
}

bool vm_run(struct vm *m, const struct vm_code *k)
{
	size_t pc = 0;

	vm_begin(m);
	while (vm_next(m, k, &pc))
		;
	return !*m->trouble;
}

bool vm_reachable(const struct vm_code *k)
{
	const struct bpf_insn *insns = k->insns;
	size_t count = k->count;
	bool *seen = calloc(count + 1, sizeof(*seen));
	size_t *todo = calloc(3 * count + 2, sizeof(*todo)), left = 1, found = 0;
	bool fine = true;

	while (left && fine) {
		size_t pc = todo[--left];
		const struct bpf_insn *i = &insns[pc];
		int class;

		if (pc >= count) {
			fine = false;
			break;
		}
		if (seen[pc])
			continue;
		seen[pc] = true;
		found++;
		class = BPF_CLASS(i->code);
		if (class == BPF_LD) {
			if (i->src_reg == BPF_PSEUDO_FUNC)
				todo[left++] = pc + i->imm + 1;
			seen[pc + 1] = true;
			found++;
			todo[left++] = pc + 2;
		} else if (class != BPF_JMP && class != BPF_JMP32) {
			todo[left++] = pc + 1;
		} else if (BPF_OP(i->code) == BPF_CALL) {
			todo[left++] = pc + 1;
		} else if (BPF_OP(i->code) != BPF_EXIT) {
			if (BPF_OP(i->code) != BPF_JA)
				todo[left++] = pc + 1;
			todo[left++] = pc + 1 + i->off;
		}
	}
	free(seen);
	free(todo);
	return fine && found == count;
}
