/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_packet.c - pcap() and packet(): argdump's code for packets (expr/emit/emit_packet.h).
 *
 * That code is for programs that are no callbacks, and uses the stack to its end.
 */
#include "expr/emit/emit_packet.h"
#include "expr/lower/lower.h"
#include "expr/resolve/resolve.h"
#include "packet/packet.h"
#include "script/emit/func.h"

_Static_assert((int)REG_VALUE == (int)REG_OUT && (int)REG_RECORD == (int)REG_FRAME,
	       "the record is kept in the register that only callbacks use");

static bool packet_is_possible(struct sgen *g, const struct script_expr *e)
{
	g->needs.packets = true;
	if (g->depth || g->known.callbacks)
		script_unsupported(g->c, e->span,
				   "packets in a program with a loop that the kernel runs");
	return !g->c->err;
}

/* REG_VALUE = the packet; jumps to w->none if it is NULL. Between this and packet_end the record is in REG_RECORD. */
static struct packet_code packet_begin(struct sgen *g, struct script_expr *e)
{
	struct packet_code w = { .g = &g->x,
				 .k = g->k,
				 .at = packet_offsets(&g->xc, e->items[0]->type.c),
				 .typed = packet_is_typed(g->target, g->in->btf),
				 .none = label_new(g->k) };

	if (!w.typed && !g->target->probe_read)
		script_refuse(g->c, e->span, "packets cannot be read here");
	number_gen(g, e->items[0]);
	if (g->has_record)
		emit_move(g->k, REG_RECORD, REG_OUT);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
	return w;
}

static void packet_end(struct sgen *g)
{
	if (g->has_record)
		emit_move(g->k, REG_OUT, REG_RECORD);
}

void pcap_gen(struct sgen *g, struct script_expr *e)
{
	char error[FILTER_ERROR];
	struct packet_code w;

	if (!packet_is_possible(g, e))
		return;
	w = packet_begin(g, e);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, w.none);
	if (w.typed)
		emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, w.none);
	gen_packet_filter(&w, packet_filter(e->items[1]->bytes, error));
	emit_move(g->k, BPF_REG_0, REG_VALUE);
	packet_end(g);
}

/* The bytes are read by a helper: what there is of them differs. */
void packet_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key)
{
	uint32_t size = want->size - sizeof(uint32_t);
	struct packet_code w;
	int base = to.where == AT_RECORD ? (int)REG_RECORD : place_reg(g, to);

	if (!packet_is_possible(g, e))
		return;
	place_store_imm(g, 4, to, (int32_t)size);
	if (is_key)
		place_zero(g, place_plus(to, 4), size);
	w = packet_begin(g, e);
	w.typed = false;
	if (!g->target->probe_read)
		script_refuse(g->c, e->span, "packets cannot be copied here");
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, w.none);
	gen_packet_store(&w, base, to.off + 4, size - sizeof(struct packet));
	packet_end(g);
}
