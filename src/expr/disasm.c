// SPDX-License-Identifier: GPL-2.0
/*
 * disasm.c - instructions in text, about as the verifier's log writes them. Knows only what
 * emit.c emits.
 */
#include "expr/emit.h"
#include "expr/dump.h"

static const char *size_text(int code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	default:
		return "u64";
	}
}

static const char *alu_text(int code)
{
	switch (BPF_OP(code)) {
	case BPF_ADD:
		return "+=";
	case BPF_SUB:
		return "-=";
	case BPF_AND:
		return "&=";
	case BPF_XOR:
		return "^=";
	case BPF_OR:
		return "|=";
	case BPF_MUL:
		return "*=";
	case BPF_DIV:
		return "/=";
	case BPF_MOD:
		return "%=";
	case BPF_LSH:
		return "<<=";
	case BPF_RSH:
		return ">>=";
	case BPF_ARSH:
		return "s>>=";
	case BPF_MOV:
		return "=";
	default:
		return "?=";
	}
}

static const char *jump_text(int code)
{
	switch (BPF_OP(code)) {
	case BPF_JEQ:
		return "==";
	case BPF_JNE:
		return "!=";
	case BPF_JLT:
		return "<";
	case BPF_JGE:
		return ">=";
	case BPF_JSET:
		return "&";
	case BPF_JSGT:
		return "s>";
	case BPF_JSGE:
		return "s>=";
	case BPF_JSLT:
		return "s<";
	case BPF_JSLE:
		return "s<=";
	case BPF_JLE:
		return "<=";
	case BPF_JGT:
		return ">";
	default:
		return "?";
	}
}

static const char *helper_text(int helper)
{
	switch (helper) {
	case HELPER_MAP_LOOKUP:
		return "map_lookup_elem";
	case HELPER_MAP_UPDATE:
		return "map_update_elem";
	case HELPER_MAP_DELETE:
		return "map_delete_elem";
	case HELPER_KTIME:
		return "ktime_get_ns";
	case HELPER_CPU:
		return "get_smp_processor_id";
	case HELPER_PID_TGID:
		return "get_current_pid_tgid";
	case HELPER_UID_GID:
		return "get_current_uid_gid";
	case HELPER_COMM:
		return "get_current_comm";
	case HELPER_TASK:
		return "get_current_task";
	case HELPER_UNDER_CGROUP:
		return "current_task_under_cgroup";
	case HELPER_STACK:
		return "get_stack";
	case HELPER_FUNC_IP:
		return "get_func_ip";
	case HELPER_READ_USER:
		return "probe_read_user";
	case HELPER_READ_KERNEL:
		return "probe_read_kernel";
	case HELPER_READ_USER_STR:
		return "probe_read_user_str";
	case HELPER_READ_KERNEL_STR:
		return "probe_read_kernel_str";
	case HELPER_RING_RESERVE:
		return "ringbuf_reserve";
	case HELPER_RING_SUBMIT:
		return "ringbuf_submit";
	case HELPER_RING_QUERY:
		return "ringbuf_query";
	case HELPER_TASK_BTF:
		return "get_current_task_btf";
	case HELPER_CGROUP:
		return "get_current_cgroup_id";
	case HELPER_THIS_CPU:
		return "this_cpu_ptr";
	case HELPER_ATTACH_COOKIE:
		return "get_attach_cookie";
	case HELPER_FUNC_ARG:
		return "get_func_arg";
	default:
		return "?";
	}
}

static void put_alu(struct out *o, const struct bpf_insn *i)
{
	const char *reg = BPF_CLASS(i->code) == BPF_ALU ? "w" : "r";

	if (BPF_OP(i->code) == BPF_NEG)
		out_printf(o, "r%d = -r%d", i->dst_reg, i->dst_reg);
	else if (BPF_SRC(i->code) == BPF_X)
		out_printf(o, "%s%d %s %s%d", reg, i->dst_reg, alu_text(i->code), reg, i->src_reg);
	else
		out_printf(o, "r%d %s %d", i->dst_reg, alu_text(i->code), i->imm);
}

static void put_wide(struct out *o, const struct bpf_insn *i)
{
	uint64_t imm = (uint64_t)(uint32_t)i[1].imm << 32 | (uint32_t)i->imm;

	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		out_printf(o, "r%d = map %d", i->dst_reg, i->imm);
	else if (i->src_reg == BPF_PSEUDO_MAP_VALUE)
		out_printf(o, "r%d = value of map %d", i->dst_reg, i->imm);
	else
		out_printf(o, "r%d = 0x%llx", i->dst_reg, (unsigned long long)imm);
}

static void put_memory(struct out *o, const struct bpf_insn *i)
{
	const char *size = size_text(i->code);

	if (BPF_CLASS(i->code) == BPF_LDX)
		out_printf(o, "r%d = *(%s *)(r%d %+d)", i->dst_reg, size, i->src_reg, i->off);
	else if (BPF_CLASS(i->code) == BPF_STX && BPF_MODE(i->code) == BPF_ATOMIC)
		out_printf(o, "lock *(%s *)(r%d %+d) += r%d", size, i->dst_reg, i->off, i->src_reg);
	else if (BPF_CLASS(i->code) == BPF_STX)
		out_printf(o, "*(%s *)(r%d %+d) = r%d", size, i->dst_reg, i->off, i->src_reg);
	else
		out_printf(o, "*(%s *)(r%d %+d) = %d", size, i->dst_reg, i->off, i->imm);
}

static void put_jump(struct out *o, const struct bpf_insn *i, size_t at)
{
	const char *reg = BPF_CLASS(i->code) == BPF_JMP32 ? "w" : "r";
	size_t to = at + 1 + i->off;

	if (BPF_OP(i->code) == BPF_EXIT)
		out_str(o, "exit");
	else if (BPF_OP(i->code) == BPF_CALL && i->src_reg == BPF_PSEUDO_KFUNC_CALL)
		out_printf(o, "call kfunc %d", i->imm);
	else if (BPF_OP(i->code) == BPF_CALL)
		out_printf(o, "call %s", helper_text(i->imm));
	else if (BPF_OP(i->code) == BPF_JA)
		out_printf(o, "goto %zu", to);
	else if (BPF_SRC(i->code) == BPF_X)
		out_printf(o, "if %s%d %s %s%d goto %zu", reg, i->dst_reg, jump_text(i->code), reg,
		           i->src_reg, to);
	else
		out_printf(o, "if %s%d %s %d goto %zu", reg, i->dst_reg, jump_text(i->code), i->imm,
		           to);
}

static void put_code(struct out *o, const struct code *k)
{
	for (size_t at = 0; at < k->count; at++) {
		const struct bpf_insn *i = &k->insns[at];

		out_printf(o, "%4zu: ", at);
		switch (BPF_CLASS(i->code)) {
		case BPF_ALU:
		case BPF_ALU64:
			put_alu(o, i);
			break;
		case BPF_LD:
			put_wide(o, i);
			at++;
			break;
		case BPF_JMP:
		case BPF_JMP32:
			put_jump(o, i, at);
			break;
		default:
			put_memory(o, i);
			break;
		}
		out_char(o, '\n');
	}
}

void dump_insns(const struct expr_program *p, struct out *o)
{
	put_code(o, &p->code);
	if (p->return_code.count)
		out_str(o, "at the return:\n");
	put_code(o, &p->return_code);
}
