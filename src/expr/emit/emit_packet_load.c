/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_packet_load.c - loads from the frame that gen_frame found, for filters: its link header is on the stack, the
 * rest in the kernel's memory.
 */
#include "expr/emit/emit_packet.h"

/* r0 = bytes of the header, read from the stack in aligned pieces. */
static void header_load(struct packet_code *w, uint32_t offset, uint32_t size)
{
	uint32_t piece = offset % 4 == 0 && size == 4 ? 4 : offset % 2 == 0 && size >= 2 ? 2 : 1;

	for (uint32_t at = 0; at < size; at += piece) {
		int dst = at ? BPF_REG_1 : BPF_REG_0;

		emit_load(w->k, piece, dst, BPF_REG_10, FRAME_AT + offset + at);
		if (piece > 1)
			emit_swap(w->k, dst, 8 * piece);
		if (!at)
			continue;
		emit_alu_imm(w->k, BPF_LSH, BPF_REG_0, 8 * piece);
		emit_alu(w->k, BPF_OR, BPF_REG_0, BPF_REG_1);
	}
}

/* The same for bytes in memory. */
static void memory_load(struct packet_code *w, uint32_t offset, uint32_t size)
{
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, FRAME_CAPTURED);
	emit_jump(w->k, BPF_JLT, BPF_REG_1, offset + size, w->none);
	emit_address(w->k, BPF_REG_3, REG_VALUE, offset);
	gen_memory_read(w, size);
	if (size > 1)
		emit_swap(w->k, BPF_REG_0, 8 * size);
}

static bool crosses(uint32_t edge, uint32_t offset, uint32_t size)
{
	return offset < edge && edge < offset + size;
}

static void load_bytes(struct packet_code *w, uint32_t offset, uint32_t size)
{
	emit_store_imm(w->k, 4, BPF_REG_10, FRAME_A, 0);
	for (uint32_t at = 0; at < size; at++) {
		gen_frame_load(w, offset + at, 1);
		emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, FRAME_A);
		emit_alu_imm(w->k, BPF_LSH, BPF_REG_1, 8);
		emit_alu(w->k, BPF_OR, BPF_REG_0, BPF_REG_1);
		emit_store(w->k, 4, BPF_REG_10, FRAME_A, BPF_REG_0);
	}
	emit_load(w->k, 4, BPF_REG_0, BPF_REG_10, FRAME_A);
}

void gen_frame_load(struct packet_code *w, uint32_t offset, uint32_t size)
{
	int plain = label_new(w->k), done = label_new(w->k);

	if (crosses(FRAME_HEADER, offset, size) || crosses(FRAME_TAGGED, offset, size)) {
		load_bytes(w, offset, size);
		return;
	}
	if (offset < FRAME_MACS) {
		emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, FRAME_HAS_MACS);
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, w->none);
	}
	if (offset < FRAME_HEADER) {
		header_load(w, offset, size);
		return;
	}
	if (offset < FRAME_TAGGED) {
		emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, FRAME_HAS_TAG);
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, plain);
		header_load(w, offset, size);
		emit_goto(w->k, done);
		label_bind(w->k, plain);
	}
	memory_load(w, offset, size);
	label_bind(w->k, done);
}

/* r2 = X + offset. Falls through if these bytes are in memory, and else jumps to `header`. */
static void indexed_find(struct packet_code *w, uint32_t offset, uint32_t size, int header)
{
	int memory = label_new(w->k);

	emit_load(w->k, 4, BPF_REG_2, BPF_REG_10, FRAME_X);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_2, offset);
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, FRAME_CAPTURED);
	emit_alu_imm(w->k, BPF_SUB, BPF_REG_1, size);
	emit_jump_reg(w->k, BPF_JGT, BPF_REG_2, BPF_REG_1, w->none);
	if (offset >= FRAME_TAGGED)
		return;
	emit_jump(w->k, BPF_JGE, BPF_REG_2, FRAME_TAGGED, memory);
	emit_jump(w->k, BPF_JLT, BPF_REG_2, FRAME_HEADER, header);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, FRAME_HAS_TAG);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 0, header);
	label_bind(w->k, memory);
}

void gen_frame_load_indexed(struct packet_code *w, uint32_t offset, uint32_t size)
{
	int header = label_new(w->k), done = label_new(w->k), next;

	indexed_find(w, offset, size, header);
	emit_move(w->k, BPF_REG_3, REG_VALUE);
	emit_alu(w->k, BPF_ADD, BPF_REG_3, BPF_REG_2);
	gen_memory_read(w, size);
	if (size > 1)
		emit_swap(w->k, BPF_REG_0, 8 * size);
	label_bind(w->k, done);
	if (offset >= FRAME_TAGGED)
		return;
	next = label_new(w->k);
	emit_goto(w->k, next);
	label_bind(w->k, header);
	for (uint32_t at = offset; at < FRAME_TAGGED; at++) {
		int other = label_new(w->k);

		emit_jump(w->k, BPF_JNE, BPF_REG_2, at, other);
		gen_frame_load(w, at, size);
		emit_goto(w->k, next);
		label_bind(w->k, other);
	}
	emit_goto(w->k, w->none);
	label_bind(w->k, next);
}
