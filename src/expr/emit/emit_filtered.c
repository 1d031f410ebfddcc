/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_filtered.c - pcap( ): translates a classic BPF program, instruction by instruction.
 *
 * A is r0, where every load leaves its result; X and the memory are on the stack, because loads call helpers. All are
 * 32 bits wide, zero-extended. A load beyond the captured bytes and a division by 0 end the program: no match.
 */
#include "expr/emit/emit_packet.h"
#include "expr/lower/lower.h"
#include "output/field/value.h"
#include "packet/filter.h"

/* Opcodes of the classic machine; <linux/bpf.h> lacks them. */
enum {
	MODE_IMM = 0x00,
	MODE_ABS = 0x20,
	MODE_IND = 0x40,
	MODE_MEM = 0x60,
	MODE_LEN = 0x80,
	MODE_MSH = 0xa0,
	RETURN_A = 0x10,
	FROM_X = 0x08,
	MISC_TXA = 0x80,
};

struct classic {
	struct packet_code *frame;
	struct code *k;
	int *labels; /* of instructions */
	int yes;
};

static uint32_t load_size(unsigned code)
{
	return BPF_SIZE(code) == BPF_B ? 1 : BPF_SIZE(code) == BPF_H ? 2 : 4;
}

static void store_x(struct classic *c, int src)
{
	emit_store(c->k, 4, BPF_REG_10, FRAME_X, src);
}

static void load_x(struct classic *c, int dst)
{
	emit_load(c->k, 4, dst, BPF_REG_10, FRAME_X);
}

/* Loads to r0, or for LDX to r1. */
static void from_elsewhere(struct classic *c, const struct filter_insn *i, int dst)
{
	switch (i->code & 0xe0) {
	case MODE_IMM: emit_imm64(c->k, dst, i->k); break;
	case MODE_MEM:
		emit_load(c->k, 4, dst, BPF_REG_10, FRAME_MEMORY + 4 * (int)(i->k & 15));
		break;
	default: emit_load(c->k, 4, dst, BPF_REG_10, FRAME_LENGTH); break;
	}
}

static void gen_ld(struct classic *c, const struct filter_insn *i)
{
	if ((i->code & 0xe0) == MODE_ABS)
		gen_frame_load(c->frame, i->k, load_size(i->code));
	else if ((i->code & 0xe0) == MODE_IND)
		gen_frame_load_indexed(c->frame, i->k, load_size(i->code));
	else
		from_elsewhere(c, i, BPF_REG_0);
}

/* The length of an IPv4 header: 4 * (byte & 15). */
static void gen_ldx(struct classic *c, const struct filter_insn *i)
{
	if ((i->code & 0xe0) != MODE_MSH) {
		from_elsewhere(c, i, BPF_REG_1);
		store_x(c, BPF_REG_1);
		return;
	}
	emit_store(c->k, 4, BPF_REG_10, FRAME_A, BPF_REG_0);
	gen_frame_load(c->frame, i->k, 1);
	emit_alu_imm(c->k, BPF_AND, BPF_REG_0, 15);
	emit_alu_imm(c->k, BPF_LSH, BPF_REG_0, 2);
	store_x(c, BPF_REG_0);
	emit_load(c->k, 4, BPF_REG_0, BPF_REG_10, FRAME_A);
}

/* r1 = the operand. */
static void operand(struct classic *c, const struct filter_insn *i)
{
	if (i->code & FROM_X)
		load_x(c, BPF_REG_1);
	else
		emit_imm64(c->k, BPF_REG_1, i->k);
}

static void gen_alu(struct classic *c, const struct filter_insn *i)
{
	int op = BPF_OP(i->code), far = label_new(c->k);
	bool shifts = op == BPF_LSH || op == BPF_RSH;

	if (op == BPF_NEG) {
		emit_negate(c->k, BPF_REG_0);
		emit_move32(c->k, BPF_REG_0, BPF_REG_0);
		return;
	}
	operand(c, i);
	if (op == BPF_DIV || op == BPF_MOD)
		emit_jump(c->k, BPF_JEQ, BPF_REG_1, 0, c->frame->none);
	if (shifts) { /* by more than there are bits: 0 */
		emit_jump(c->k, BPF_JLT, BPF_REG_1, 32, far);
		emit_move_imm(c->k, BPF_REG_0, 0);
		emit_move_imm(c->k, BPF_REG_1, 0);
		label_bind(c->k, far);
	}
	emit_alu(c->k, op, BPF_REG_0, BPF_REG_1);
	if (op != BPF_AND && op != BPF_OR && op != BPF_XOR && op != BPF_RSH && op != BPF_DIV &&
	    op != BPF_MOD)
		emit_move32(c->k, BPF_REG_0, BPF_REG_0);
}

static void gen_jmp(struct classic *c, const struct filter_insn *i, const int *next)
{
	int op = BPF_OP(i->code);

	if (op == BPF_JA) {
		emit_goto(c->k, next[i->k]);
		return;
	}
	if (i->code & FROM_X) {
		load_x(c, BPF_REG_1);
		emit_jump_reg(c->k, op, BPF_REG_0, BPF_REG_1, next[i->jump_true]);
	} else {
		emit_jump32(c->k, op, BPF_REG_0, i->k, next[i->jump_true]);
	}
	if (i->jump_false)
		emit_goto(c->k, next[i->jump_false]);
}

static void gen_ret(struct classic *c, const struct filter_insn *i)
{
	if ((i->code & 0x18) == RETURN_A)
		emit_jump(c->k, BPF_JEQ, BPF_REG_0, 0, c->frame->none);
	emit_goto(c->k, (i->code & 0x18) == RETURN_A || i->k ? c->yes : c->frame->none);
}

static void gen_insn(struct classic *c, const struct filter_insn *i, const int *next)
{
	int memory = FRAME_MEMORY + 4 * (int)(i->k & 15);

	switch (BPF_CLASS(i->code)) {
	case BPF_LD: gen_ld(c, i); break;
	case BPF_LDX: gen_ldx(c, i); break;
	case BPF_ST: emit_store(c->k, 4, BPF_REG_10, memory, BPF_REG_0); break;
	case BPF_STX:
		load_x(c, BPF_REG_1);
		emit_store(c->k, 4, BPF_REG_10, memory, BPF_REG_1);
		break;
	case BPF_ALU: gen_alu(c, i); break;
	case BPF_JMP: gen_jmp(c, i, next); break;
	case BPF_RET: gen_ret(c, i); break;
	default: /* MISC */
		if (i->code & MISC_TXA)
			load_x(c, BPF_REG_0);
		else
			store_x(c, BPF_REG_0);
		break;
	}
}

/* Clears the memory that the verifier may see read before it is written. */
static void memory_clear(struct classic *c, const struct packet_filter *f)
{
	uint32_t used = 0;

	for (size_t i = 0; i < f->count; i++) {
		unsigned class = BPF_CLASS(f->insns[i].code);

		if ((class == BPF_LD || class == BPF_LDX) && (f->insns[i].code & 0xe0) == MODE_MEM)
			used |= 1u << (f->insns[i].k & 15);
	}
	for (int at = 0; at < 16; at++)
		if (used >> at & 1)
			emit_store_imm(c->k, 4, BPF_REG_10, FRAME_MEMORY + 4 * at, 0);
}

static void gen_program(struct classic *c, const struct packet_filter *f)
{
	c->labels = compile_alloc(c->frame->g->c, (f->count + 1) * sizeof(*c->labels));
	if (!c->labels)
		return;
	for (size_t i = 0; i < f->count; i++)
		c->labels[i] = label_new(c->k);
	memory_clear(c, f);
	emit_move_imm(c->k, BPF_REG_0, 0);
	store_x(c, BPF_REG_0);
	for (size_t i = 0; i < f->count; i++) {
		label_bind(c->k, c->labels[i]);
		gen_insn(c, &f->insns[i], c->labels + i + 1);
	}
}

void gen_packet_filter(struct packet_code *w, const struct packet_filter *f)
{
	struct classic c = { .frame = w, .k = w->k, .yes = label_new(w->k) };
	int done = label_new(w->k);

	w->is_untagged = !f->has_vlan;
	gen_frame(w);
	gen_program(&c, f);
	label_bind(w->k, w->none);
	emit_move_imm(w->k, REG_VALUE, 0);
	emit_goto(w->k, done);
	label_bind(w->k, c.yes);
	emit_move_imm(w->k, REG_VALUE, 1);
	label_bind(w->k, done);
}

void gen_packet(struct gen *g, const struct slot *s, const struct vreg *v, int link, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	int doubt = exact ? labels->fail : labels->exact;
	struct packet_code w = { .g = g, .k = g->k, .at = v->packet->at, .none = label_new(g->k) };

	w.typed = packet_is_typed(g->target, g->c->in->btf) && (!exact || !g->target->probe_read);
	if (exact)
		gen_blame(g, FIELD_STATUS_NULL | link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, doubt);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | link);
	if (w.typed)
		emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, doubt);
	gen_packet_filter(&w, v->packet->filter);
}
