/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_packet.c - pcap(EXPR, "FILTER") → a value: the packet's address and the classic program.
 */
#include "expr/lower/lower.h"
#include "expr/resolve/resolve.h"
#include "packet/filter.h"

bool packet_is_typed(const struct expr_target *t, const struct btf_view *b)
{
	uint32_t pointee;

	if (!t->typed_loads || !t->rdonly_cast_id)
		return false;
	if (t->rdonly_cast_void)
		return true;
	for (uint32_t size = 1; size <= 8; size *= 2)
		if (!t->pt_regs_id ||
		    typed_load(b, t->pt_regs_id, 0, size, &pointee) != TYPED_SCALAR)
			return false;
	return typed_bytes(b, t->pt_regs_id, 0, 16);
}

int plan_packet(struct compile *c, const struct node *n, int base)
{
	struct vreg v = { .op = VREG_PACKET, .base = base, .other = -1 };
	struct plan_packet *packet = compile_alloc(c, sizeof(*packet));
	char error[FILTER_ERROR];

	if (c->err)
		return -1;
	packet->filter = packet_filter(n->bytes, error);
	packet->at = packet_offsets(c, n->child->type);
	v.packet = packet;
	if (!c->in->target.probe_read && !packet_is_typed(&c->in->target, c->in->btf))
		compile_refuse(
			c, n->span,
			"a packet needs bpf_probe_read, which cannot be used here (lockdown)");
	return c->err ? -1 : ir_add(c, ir_value(c, v), link_add(c, n->child->span));
}
