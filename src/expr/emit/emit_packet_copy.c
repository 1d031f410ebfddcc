/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_packet_copy.c - :packet: copies the first bytes of a packet to the record.
 */
#include "expr/emit/emit_packet.h"
#include "output/field/value.h"
#include "packet/packet.h"

_Static_assert((int)FRAME_TAGGED == (int)PACKET_TAGGED && (int)FRAME_HEADER == (int)PACKET_LINK,
	       "one header");
_Static_assert(offsetof(struct packet, has_macs) - offsetof(struct packet, link) ==
		       FRAME_HAS_MACS - FRAME_AT,
	       "the header is copied with what is known of it");

/* Where it goes. */
struct target {
	int base, at;
	uint32_t room;
};
#define PACKET_AT(t_, member_) ((t_)->at + (int)offsetof(struct packet, member_))

static void header_store(struct packet_code *w, const struct target *t)
{
	for (int at = 0; at < 20; at += 4) {
		emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, FRAME_AT + at);
		emit_store(w->k, 4, t->base, PACKET_AT(t, link) + at, BPF_REG_1);
	}
	emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, FRAME_LENGTH);
	emit_store(w->k, 4, t->base, PACKET_AT(t, length), BPF_REG_1);
	emit_load(w->k, 4, BPF_REG_2, BPF_REG_10, FRAME_CAPTURED);
	emit_store(w->k, 4, t->base, PACKET_AT(t, captured), BPF_REG_2);
}

/* Copies the bytes after a header of that size; r2 = bytes of the frame. */
static void bytes_copy(struct packet_code *w, const struct target *t, int header, int copied)
{
	int fits = label_new(w->k);

	emit_jump(w->k, BPF_JLT, BPF_REG_2, header, w->none);
	emit_alu_imm(w->k, BPF_SUB, BPF_REG_2, header);
	emit_jump(w->k, BPF_JLE, BPF_REG_2, t->room, fits);
	emit_move_imm(w->k, BPF_REG_2, t->room);
	label_bind(w->k, fits);
	emit_address(w->k, BPF_REG_1, t->base, PACKET_AT(t, bytes));
	emit_address(w->k, BPF_REG_3, REG_VALUE, header);
	emit_call(w->k, HELPER_READ_KERNEL);
	emit_jump(w->k, BPF_JEQ, BPF_REG_0, 0, copied);
	emit_goto(w->k, w->none);
}

void gen_packet_store(struct packet_code *w, int base, int at, uint32_t size)
{
	const struct target t = { base, at, size };
	int copied = label_new(w->k), tagged = label_new(w->k);

	gen_frame(w);
	header_store(w, &t);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, FRAME_HAS_TAG);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 0, tagged);
	bytes_copy(w, &t, FRAME_HEADER, copied);
	label_bind(w->k, tagged);
	bytes_copy(w, &t, FRAME_TAGGED, copied);
	label_bind(w->k, w->none);
	emit_store_imm(w->k, 4, base, PACKET_AT(&t, captured), 0);
	label_bind(w->k, copied);
}

void gen_packet_copy(struct gen *g, const struct slot *s, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	struct packet_code w = {
		.g = g, .k = g->k, .at = s->store.packet, .none = label_new(g->k)
	};
	int doubt = exact ? labels->fail : labels->exact;

	if (exact)
		gen_blame(g, FIELD_STATUS_NULL | s->plan.sink_link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, doubt);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | s->plan.sink_link);
	gen_packet_store(&w, REG_RECORD, s->place.offset, s->store.size - sizeof(struct packet));
}
