/* SPDX-License-Identifier: GPL-2.0-only */
/* insn.c - instructions of BPF: of classic filters, of sockets and of seccomp(2), and those of bpf(2). */
#include <string.h>
#include <linux/bpf.h>
#include <linux/filter.h>

#include "syscalls/text.h"

/* Parts of an instruction's code after its class: fields, each with the set of its names. */
struct code_class {
	struct {
		const char *set;
		uint8_t mask;
	} fields[2];
};

static const struct code_class classes[8] = {
	[BPF_LD] = { { { "bpfsize", 0x18 }, { "bpfmode", 0xe0 } } },
	[BPF_LDX] = { { { "bpfsize", 0x18 }, { "bpfmode", 0xe0 } } },
	[BPF_ALU] = { { { "bpfsrc", 0x08 }, { "bpfalu", 0xf0 } } },
	[BPF_JMP] = { { { "bpfsrc", 0x08 }, { "bpfjmp", 0xf0 } } },
	[BPF_RET] = { { { "bpfrval", 0x18 } } },
	[BPF_MISC] = { { { "bpfmisc", 0xf8 } } },
};

static const struct code_class extended[] = {
	{ { { "ebpfsize", 0x18 }, { "ebpfmode", 0xe0 } } }, /* loads and stores */
	{ { { "bpfsrc", 0x08 }, { "ebpfalu", 0xf0 } } },
	{ { { "bpfsrc", 0x08 }, { "ebpfjmp", 0xf0 } } },
};

/* BPF_JMP|BPF_K|BPF_JEQ */
static void code_write(struct out *out, const char *names, const struct code_class *c,
		       uint16_t code)
{
	uint16_t left = code & (uint16_t)~7;

	out_set(out, set_find(names), code & 7, 2);
	for (unsigned i = 0; i < 2; i++) {
		const char *set = c->fields[i].set;
		uint8_t mask = c->fields[i].mask;

		if (!set)
			break;
		buf_char(out->o, '|');
		out_set(out, set_find(set), code & mask, 2);
		left &= (uint16_t)~mask;
	}
	if (!left)
		return;
	buf_char(out->o, '|');
	out_hex(out, left);
	buf_str(out->o, out->options->style == SYSCALL_NUMBERS_ONLY ? "" : " /* BPF_??? */");
}

/* Where a socket's filter loads from: beside the packet. */
static bool offset_write(struct out *out, uint32_t k)
{
	uint32_t base = k >= (uint32_t)SKF_AD_OFF  ? (uint32_t)SKF_AD_OFF :
			k >= (uint32_t)SKF_NET_OFF ? (uint32_t)SKF_NET_OFF :
						     (uint32_t)SKF_LL_OFF;

	if (k < (uint32_t)SKF_LL_OFF)
		return false;
	out_set(out, set_find("skfoff"), base, 4);
	buf_char(out->o, '+');
	if (base == (uint32_t)SKF_AD_OFF)
		out_set(out, set_find("skfad"), k - base, 4);
	else
		buf_uint(out->o, k - base);
	return true;
}

/* SECCOMP_RET_ERRNO|0x1 */
static void action_write(struct out *out, uint32_t k)
{
	out_set(out, set_find("secaction"), k & 0xffff0000, 4);
	if (!(k & 0xffff))
		return;
	buf_char(out->o, '|');
	out_hex(out, k & 0xffff);
}

void out_insn(struct out *out, const char *p, bool is_seccomp)
{
	bool is_load, is_jump;
	struct sock_filter f;

	memcpy(&f, p, sizeof(f));
	is_load = BPF_CLASS(f.code) <= BPF_LDX && BPF_MODE(f.code) == BPF_ABS;
	is_jump = f.jt || f.jf;
	buf_str(out->o, out->json ? "\"" : "");
	buf_str(out->o, is_jump ? "BPF_JUMP(" : "BPF_STMT(");
	code_write(out, "bpfclass", &classes[BPF_CLASS(f.code)], f.code);
	buf_str(out->o, ", ");
	if (is_seccomp && BPF_CLASS(f.code) == BPF_RET)
		action_write(out, f.k);
	else if (is_seccomp || !is_load || !offset_write(out, f.k))
		out_hex(out, f.k);
	if (is_jump) {
		buf_str(out->o, ", ");
		out_hex(out, f.jt);
		buf_str(out->o, ", ");
		out_hex(out, f.jf);
	}
	buf_str(out->o, out->json ? ")\"" : ")");
}

/* "dst_reg" or "src_reg". */
static void register_write(struct out *out, const char *name, unsigned v)
{
	buf_printf(out->o, out->json ? ",\"%s\":" : ", %s=", name);
	out_set(out, set_find("ebpfreg"), v, 1);
}

void out_ebpf(struct out *out, const char *p)
{
	bool json = out->json;
	struct bpf_insn f;
	unsigned class;

	memcpy(&f, p, sizeof(f));
	class = BPF_CLASS(f.code);
	buf_str(out->o, json ? "{\"code\":\"" : "{code=");
	code_write(out, "ebpfclass",
		   &extended[class <= BPF_STX			    ? 0 :
			     class == BPF_ALU || class == BPF_ALU64 ? 1 :
								      2],
		   f.code);
	buf_str(out->o, json ? "\"" : "");
	register_write(out, "dst_reg", f.dst_reg);
	register_write(out, "src_reg", f.src_reg);
	buf_printf(out->o, json ? ",\"off\":%d,\"imm\":" : ", off=%d, imm=", f.off);
	if (json)
		buf_printf(out->o, "%d}", f.imm);
	else {
		out_hex(out, (uint32_t)f.imm);
		buf_char(out->o, '}');
	}
}
