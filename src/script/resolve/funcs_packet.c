/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_packet.c - pcap(packet, "FILTER"), packet(packet, bytes).
 */
#include <string.h>

#include "packet/filter.h"
#include "packet/packet.h"
#include "script/resolve/borrow.h"

static bool is_packet(struct resolve *r, const struct script_type *t)
{
	struct borrowed b;
	bool is;

	if (t->kind != SCRIPT_POINTER)
		return false;
	borrow(r, &b);
	is = packet_is(&b.c, t->c);
	borrowed_return(r, &b);
	return is;
}

static bool arg_packet(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	return !failed(r) && type_is_known(r, e->items[0]) &&
	       arg_of(r, e, 0, "a struct sk_buff *, xdp_buff * or xdp_frame *",
		      is_packet(r, &e->items[0]->type));
}

void func_pcap(struct resolve *r, struct script_expr *e)
{
	char error[FILTER_ERROR];

	e->type = script_int(4, false);
	if (!arg_packet(r, e) || !arg_text(r, e, 1) || packet_filter(e->items[1]->bytes, error))
		return;
	script_fail(r->c, e->items[1]->span, "%s", *error ? error : "out of memory");
	script_hint(r->c, "%s", packet_filter_hint(error));
}

void func_packet_bytes(struct resolve *r, struct script_expr *e)
{
	uint32_t bytes = PACKET_BYTES;

	if (!arg_packet(r, e) || (e->count > 1 && !arg_constant(r, e, 1)))
		return;
	if (e->count > 1 && (e->items[1]->value < 1 || e->items[1]->value > PACKET_BYTES_MAX)) {
		script_fail(r->c, e->items[1]->span, "1 to %d bytes of a packet are copied",
			    PACKET_BYTES_MAX);
		return;
	}
	if (e->count > 1)
		bytes = e->items[1]->value;
	e->type = (struct script_type){ .kind = SCRIPT_BUFFER };
	e->type.size = sizeof(uint32_t) + sizeof(struct packet) + bytes;
}
