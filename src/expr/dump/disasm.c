/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disasm.c - prints instructions, much like the verifier's log. Knows only those that emit.c
 * appends.
 */
#include "expr/dump/dump.h"
#include "expr/emit/emit.h"
#include "expr/compile.h"

static const char *size_text(int code)
{
	static const char *const sizes[] = { [BPF_W >> 3] = "u32",
					     [BPF_H >> 3] = "u16",
					     [BPF_B >> 3] = "u8",
					     [BPF_DW >> 3] = "u64" };

	return sizes[BPF_SIZE(code) >> 3];
}

/* By BPF_OP(code) >> 4. */
static const char *const alu_texts[16] = {
	[BPF_ADD >> 4] = "+=",	[BPF_SUB >> 4] = "-=",	  [BPF_AND >> 4] = "&=",
	[BPF_XOR >> 4] = "^=",	[BPF_OR >> 4] = "|=",	  [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",	[BPF_MOD >> 4] = "%=",	  [BPF_LSH >> 4] = "<<=",
	[BPF_RSH >> 4] = ">>=", [BPF_ARSH >> 4] = "s>>=", [BPF_MOV >> 4] = "=",
};
static const char *const jump_texts[16] = {
	[BPF_JEQ >> 4] = "==",	 [BPF_JNE >> 4] = "!=",	 [BPF_JLT >> 4] = "<",
	[BPF_JGE >> 4] = ">=",	 [BPF_JSET >> 4] = "&",	 [BPF_JSGT >> 4] = "s>",
	[BPF_JSGE >> 4] = "s>=", [BPF_JSLT >> 4] = "s<", [BPF_JSLE >> 4] = "s<=",
	[BPF_JLE >> 4] = "<=",	 [BPF_JGT >> 4] = ">",
};

static const char *alu_text(int code)
{
	return alu_texts[BPF_OP(code) >> 4] ?: "?=";
}

static const char *jump_text(int code)
{
	return jump_texts[BPF_OP(code) >> 4] ?: "?";
}

static const char *helper_text(int helper)
{
	static const char *const helpers[] = {
		[HELPER_MAP_LOOKUP] = "map_lookup_elem",
		[HELPER_MAP_UPDATE] = "map_update_elem",
		[HELPER_MAP_DELETE] = "map_delete_elem",
		[HELPER_KTIME] = "ktime_get_ns",
		[HELPER_CPU] = "get_smp_processor_id",
		[HELPER_PID_TGID] = "get_current_pid_tgid",
		[HELPER_UID_GID] = "get_current_uid_gid",
		[HELPER_COMM] = "get_current_comm",
		[HELPER_TASK] = "get_current_task",
		[HELPER_UNDER_CGROUP] = "current_task_under_cgroup",
		[HELPER_STACK] = "get_stack",
		[HELPER_TAIL_CALL] = "tail_call",
		[HELPER_MAP_PUSH] = "map_push_elem",
		[HELPER_FUNC_IP] = "get_func_ip",
		[HELPER_TASK_REGS] = "task_pt_regs",
		[HELPER_READ_USER] = "probe_read_user",
		[HELPER_READ_KERNEL] = "probe_read_kernel",
		[HELPER_READ_USER_STR] = "probe_read_user_str",
		[HELPER_READ_KERNEL_STR] = "probe_read_kernel_str",
		[HELPER_RING_RESERVE] = "ringbuf_reserve",
		[HELPER_RING_SUBMIT] = "ringbuf_submit",
		[HELPER_RING_QUERY] = "ringbuf_query",
		[HELPER_TASK_BTF] = "get_current_task_btf",
		[HELPER_CGROUP] = "get_current_cgroup_id",
		[HELPER_THIS_CPU] = "this_cpu_ptr",
		[HELPER_ATTACH_COOKIE] = "get_attach_cookie",
		[HELPER_FUNC_ARG] = "get_func_arg",
	};
	enum { HELPERS = sizeof(helpers) / sizeof(helpers[0]) };

	return helper >= 0 && helper < HELPERS && helpers[helper] ? helpers[helper] : "?";
}

static void print_alu(struct buf *o, const struct bpf_insn *i, const struct expr_reloc *reloc)
{
	const char *reg = BPF_CLASS(i->code) == BPF_ALU ? "w" : "r";

	if (BPF_OP(i->code) == BPF_NEG)
		buf_printf(o, "r%d = -r%d", i->dst_reg, i->dst_reg);
	else if (BPF_SRC(i->code) == BPF_X)
		buf_printf(o, "%s%d %s %s%d", reg, i->dst_reg, alu_text(i->code), reg, i->src_reg);
	else if (reloc)
		buf_printf(o, "r%d %s fact %s", i->dst_reg, alu_text(i->code),
			   expr_fact_name(reloc->fact));
	else
		buf_printf(o, "r%d %s %d", i->dst_reg, alu_text(i->code), i->imm);
}

static void print_wide(struct buf *o, const struct bpf_insn *i, const struct expr_reloc *reloc,
		       const struct expr_program *p)
{
	uint64_t imm = (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm;

	if (!reloc) {
		buf_printf(o, "r%d = 0x%llx", i->dst_reg, (unsigned long long)imm);
		return;
	}
	buf_printf(o, "r%d = %s ", i->dst_reg,
		   i->src_reg == BPF_PSEUDO_MAP_FD ? "map" : "value of map");
	map_print_name(p, reloc->map, o);
}

static void print_memory(struct buf *o, const struct bpf_insn *i)
{
	const char *size = size_text(i->code);

	if (BPF_CLASS(i->code) == BPF_LDX)
		buf_printf(o, "r%d = *(%s *)(r%d %+d)", i->dst_reg, size, i->src_reg, i->off);
	else if (BPF_CLASS(i->code) == BPF_STX && BPF_MODE(i->code) == BPF_ATOMIC &&
		 i->imm == BPF_CMPXCHG)
		buf_printf(o, "r0 = lock *(%s *)(r%d %+d) == r0 ? = r%d", size, i->dst_reg, i->off,
			   i->src_reg);
	else if (BPF_CLASS(i->code) == BPF_STX && BPF_MODE(i->code) == BPF_ATOMIC)
		buf_printf(o, "lock *(%s *)(r%d %+d) += r%d", size, i->dst_reg, i->off, i->src_reg);
	else if (BPF_CLASS(i->code) == BPF_STX)
		buf_printf(o, "*(%s *)(r%d %+d) = r%d", size, i->dst_reg, i->off, i->src_reg);
	else
		buf_printf(o, "*(%s *)(r%d %+d) = %d", size, i->dst_reg, i->off, i->imm);
}

static void print_jump(struct buf *o, const struct bpf_insn *i, size_t at)
{
	const char *reg = BPF_CLASS(i->code) == BPF_JMP32 ? "w" : "r";
	size_t to = at + 1 + i->off;

	if (BPF_OP(i->code) == BPF_EXIT)
		buf_str(o, "exit");
	else if (BPF_OP(i->code) == BPF_CALL && i->src_reg == BPF_PSEUDO_KFUNC_CALL)
		buf_printf(o, "call kfunc %d", i->imm);
	else if (BPF_OP(i->code) == BPF_CALL)
		buf_printf(o, "call %s", helper_text(i->imm));
	else if (BPF_OP(i->code) == JUMP_MAY)
		buf_printf(o, "may_goto %zu", to);
	else if (BPF_OP(i->code) == BPF_JA)
		buf_printf(o, "goto %zu", to);
	else if (BPF_SRC(i->code) == BPF_X)
		buf_printf(o, "if %s%d %s %s%d goto %zu", reg, i->dst_reg, jump_text(i->code), reg,
			   i->src_reg, to);
	else
		buf_printf(o, "if %s%d %s %d goto %zu", reg, i->dst_reg, jump_text(i->code), i->imm,
			   to);
}

static void print_code(struct buf *o, const struct code *k, const struct expr_program *p)
{
	const struct expr_reloc *reloc = k->relocs, *end = reloc + k->reloc_count;

	for (size_t at = 0; at < k->count; at++) {
		const struct bpf_insn *i = &k->insns[at];
		const struct expr_reloc *here = reloc < end && reloc->insn == at ? reloc++ : NULL;

		buf_printf(o, "%4zu: ", at);
		switch (BPF_CLASS(i->code)) {
		case BPF_ALU:
		case BPF_ALU64: print_alu(o, i, here); break;
		case BPF_LD:
			print_wide(o, i, here, p);
			at++;
			break;
		case BPF_JMP:
		case BPF_JMP32: print_jump(o, i, at); break;
		default: print_memory(o, i); break;
		}
		buf_char(o, '\n');
	}
}

void dump_insns(const struct expr_program *p, struct buf *o)
{
	print_code(o, &p->code, p);
	if (p->return_code.count)
		buf_str(o, "at the return:\n");
	print_code(o, &p->return_code, p);
}
