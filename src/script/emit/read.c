/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * read.c - emits loads of the context, addresses, and reads by helpers.
 */
#include "script/emit/gen.h"

void address_gen(struct sgen *g, struct source *at)
{
	if (at->kind == FROM_PLACE)
		place_address(g, BPF_REG_0, place_plus(at->place, at->off));
	else if (at->kind == FROM_CONTEXT)
		emit_address(g->k, BPF_REG_0, context_reg(g, BPF_REG_0), at->off);
	if (at->kind != FROM_MEMORY || at->is_typed) {
		emit_negate(g->k, BPF_REG_0);
		emit_negate(g->k, BPF_REG_0);
	}
	if (at->kind == FROM_MEMORY)
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, at->off);
}

struct unread unread_begin(struct sgen *g)
{
	struct unread before = { g->is_reading, g->unread };

	g->is_reading = true;
	g->unread = label_new(g->k);
	return before;
}

void unread_end(struct sgen *g, const struct unread *before, int end)
{
	emit_goto(g->k, end);
	label_bind(g->k, g->unread);
	g->is_reading = before->was;
	g->unread = before->unread;
}

void unread_gen(struct sgen *g)
{
	if (g->is_reading)
		emit_jump(g->k, BPF_JSLT, BPF_REG_0, 0, g->unread);
}

void read_gen(struct sgen *g, struct place to, uint32_t size, bool is_user)
{
	if (!is_user && !g->target->probe_read) {
		script_refuse(g->c, g->span, "this memory of the kernel cannot be read here");
		return;
	}
	place_address(g, BPF_REG_1, to);
	if (size)
		emit_move_imm(g->k, BPF_REG_2, size);
	emit_call(g->k, is_user ? HELPER_READ_USER : HELPER_READ_KERNEL);
	read_check(g, is_user ? "probe_read_user" : "probe_read_kernel");
	unread_gen(g);
}

void text_read_gen(struct sgen *g, bool is_user)
{
	emit_call(g->k, is_user ? HELPER_READ_USER_STR : HELPER_READ_KERNEL_STR);
	read_check(g, is_user ? "probe_read_user_str" : "probe_read_kernel_str");
	unread_gen(g);
}

void text_read(struct sgen *g, struct place to, uint32_t size, bool is_user, bool is_key)
{
	if (!is_user && !g->target->probe_read) {
		script_refuse(g->c, g->span, "strings of the kernel cannot be read here");
		return;
	}
	if (is_key || size <= SMALL)
		place_zero(g, to, size);
	place_address(g, BPF_REG_1, to);
	emit_move_imm(g->k, BPF_REG_2, size);
	text_read_gen(g, is_user);
}
