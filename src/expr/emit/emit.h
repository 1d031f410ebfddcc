/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit.h - single instructions, labels and their fix-ups.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_H
#define CORETAP_EXPR_EMIT_EMIT_H

#include "expr/program.h"

/* ---- instructions; 64 bits unless the name says 32 ---- */

void emit_move(struct code *k, int dst, int src);
void emit_move32(struct code *k, int dst, int src);
/* The same, if `src` is not used afterwards. */
void emit_move_last(struct code *k, int dst, int src);
void emit_move_imm(struct code *k, int dst, int32_t imm);
void emit_imm64(struct code *k, int dst, uint64_t imm);
void emit_map(struct code *k, int dst, uint32_t map);	    /* numbered by map_index */
void emit_map_value(struct code *k, int dst, uint32_t map); /* address of the only entry */
/* Makes this fact the immediate of the next instruction; does nothing for EXPR_FACT_NONE. */
void emit_fact(struct code *k, enum expr_fact fact);
void emit_variable(struct code *k, int dst, int btf_id); /* a per-CPU variable of the kernel */
/* dst = the address of a callback, which begins at the label */
void emit_function(struct code *k, int dst, int label);
void emit_swap(struct code *k, int dst,
	       int bits); /* reverses the bytes of the lowest 16, 32 or 64 bits */
void emit_alu(struct code *k, int op, int dst, int src);
void emit_alu_imm(struct code *k, int op, int dst, int32_t imm); /* + 0 emits nothing */
void emit_negate(struct code *k, int dst);
void emit_address(struct code *k, int dst, int base, int32_t off); /* dst = base + off */
void emit_load(struct code *k, uint32_t size, int dst, int base, int off);
void emit_store(struct code *k, uint32_t size, int base, int off, int src);
void emit_store_imm(struct code *k, uint32_t size, int base, int off, int32_t imm);
/* *(u64 *)(base + off) += src. `ordered`: clobbers src, and orders earlier accesses before later
 * ones on arm64; x86 always does. */
void emit_atomic_add(struct code *k, int base, int off, int src, bool ordered);
/* Compares *(u64 *)(base + off) with r0 and, if equal, stores src. r0 = the old value. Since
 * 5.12. */
void emit_exchange_if(struct code *k, int base, int off, int src);
void emit_zero(struct code *k, int base, int off, uint32_t size); /* a multiple of 8 */
void emit_call(struct code *k, int helper);
void emit_kfunc(struct code *k, int btf_id);
/* bpf_probe_read_kernel: `size` bytes from register `from` + off to `base` + to. r0 = 0, or an error
 * after zeros were written. */
void emit_read_kernel(struct code *k, int base, int to, uint32_t size, int from, int off);
void emit_exit(struct code *k);

/* ---- jumps ---- */

int label_new(struct code *k);
void label_bind(struct code *k, int label); /* at the next instruction */
void emit_goto(struct code *k, int label);
void emit_jump(struct code *k, int op, int dst, int32_t imm, int label);
void emit_jump_reg(struct code *k, int op, int dst, int src, int label);
void emit_jump32(struct code *k, int op, int dst, int32_t imm, int label);
/*
 * Jumps to the end of a loop. The verifier continues after a jump and stores its target for later, at most 8192
 * times, which nested loops with many rounds would exceed. For these jumps it follows the end first.
 */
void emit_leave(struct code *k, int op, int dst, int32_t imm, int label);
void emit_leave_reg(struct code *k, int op, int dst, int src, int label);
/*
 * may_goto: jumps to the end of a loop after eight million rounds. At the top of a loop it lets the verifier stop as soon
 * as a round begins with no values but those of the round before. Since Linux 6.9 (kernel/bpf/verifier.c, may_goto_depth).
 */
void emit_leave_late(struct code *k, int label);
/* The operation of that jump, in linux/bpf.h since 6.9 as BPF_JCOND. */
enum { JUMP_MAY = 0xe0 };
/* Fills in the jump distances. Returns 0, -ENOMEM, or -E2BIG if a jump is too far. */
int code_finish(struct code *k);

/* Helper ids, as in include/uapi/linux/bpf.h. */
enum {
	HELPER_MAP_LOOKUP = 1,
	HELPER_MAP_UPDATE = 2,
	HELPER_MAP_DELETE = 3,
	HELPER_KTIME = 5,
	HELPER_TRACE_PRINTK = 6,
	HELPER_PROBE_WRITE_USER = 36,
	HELPER_SEQ_PRINTF = 126,
	HELPER_RANDOM = 7,
	HELPER_CPU = 8,
	HELPER_TAIL_CALL = 12,
	HELPER_PID_TGID = 14,
	HELPER_UID_GID = 15,
	HELPER_COMM = 16,
	HELPER_TASK = 35,
	HELPER_UNDER_CGROUP = 37,
	HELPER_NUMA_NODE = 42,
	HELPER_SOCKET_COOKIE = 46,
	HELPER_OVERRIDE = 58,
	HELPER_STACK = 67,
	HELPER_CGROUP = 80,
	HELPER_MAP_PUSH = 87,
	HELPER_SIGNAL = 109,
	HELPER_READ_USER = 112,
	HELPER_READ_KERNEL = 113,
	HELPER_READ_USER_STR = 114,
	HELPER_READ_KERNEL_STR = 115,
	HELPER_SIGNAL_THREAD = 117,
	HELPER_JIFFIES = 118,
	HELPER_KTIME_BOOT = 125,
	HELPER_RING_OUTPUT = 130,
	HELPER_RING_RESERVE = 131,
	HELPER_RING_SUBMIT = 132,
	HELPER_RING_QUERY = 134,
	HELPER_D_PATH = 147,
	HELPER_PER_CPU = 153,
	HELPER_THIS_CPU = 154,
	HELPER_TASK_BTF = 158,
	HELPER_FOR_EACH = 164,
	HELPER_FUNC_IP = 173,
	HELPER_ATTACH_COOKIE = 174,
	HELPER_TASK_REGS = 175,
	HELPER_LOOP = 181,
	HELPER_FUNC_ARG = 183,
	HELPER_FUNC_RET = 184,
	HELPER_LOOKUP_PER_CPU = 195,
	HELPER_KTIME_TAI = 208,
};

#endif
