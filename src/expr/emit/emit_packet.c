/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_packet.c - finds the start of a packet's frame, and its link header (emit_packet.h).
 *
 * A struct sk_buff has a link header if mac_header is set, and network_header is unset or follows at the distance of
 * an Ethernet header with up to two tags; with a tag, protocol is that of the tag. If mac_header was left by an outer
 * header, as that of ESP, or by none, the distance is another. Only memory at skb->head is read, where the stack keeps
 * headers; bytes in pages count as cut off by the snaplen.
 */
#include "expr/emit/emit_packet.h"
#include "expr/lower/lower.h"

enum {
	UNSET = 0xffff, /* mac_header */
	TAG = FRAME_TAGGED - FRAME_HEADER,
	MEMBERS_MAX = 10,
	/* as in little-endian memory */
	ETHERTYPE_IP = 0x0008,
	ETHERTYPE_IPV6 = 0xdd86,
};

/* ---- members of the struct ---- */

struct members {
	struct packet_code *w;
	int offsets[MEMBERS_MAX];
	int count;
	/* offset of a block that contains all of them; -1: too large, so each is copied */
	int first;
};

static void members_list(struct members *m, const struct packet_offsets *at)
{
	const int of_skb[] = { at->head,     at->data_len,   at->network,  at->mac,
			       at->protocol, at->vlan_proto, at->vlan_tci, at->vlan_present };

	m->offsets[m->count++] = at->data;
	m->offsets[m->count++] = at->kind == PACKET_XDP_BUFF ? at->end : at->len;
	for (size_t i = 0; at->kind == PACKET_SKB && i < sizeof(of_skb) / sizeof(of_skb[0]); i++)
		if (of_skb[i] >= 0)
			m->offsets[m->count++] = of_skb[i];
}

static void read_sure(struct packet_code *w, int to, unsigned size, int off)
{
	emit_read_kernel(w->k, BPF_REG_10, to, size, REG_VALUE, off);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->none);
}

/* Copies the members with the bytes between them, if there is room: a helper call costs more than the bytes. */
static void members_copy(struct members *m)
{
	int end = m->first = m->offsets[0];

	for (int i = 0; i < m->count; i++) {
		m->first = m->offsets[i] < m->first ? m->offsets[i] : m->first;
		end = m->offsets[i] > end ? m->offsets[i] : end;
	}
	m->first &= ~7;
	if (end + 8 - m->first <= FRAME_BLOCK_SIZE) {
		read_sure(m->w, FRAME_BLOCK, end + 8 - m->first, m->first);
		return;
	}
	m->first = -1;
	for (int i = 0; i < m->count; i++)
		read_sure(m->w, FRAME_BLOCK + 8 * i, 8, m->offsets[i]);
}

static struct members members_read(struct packet_code *w)
{
	struct members m = { .w = w };

	members_list(&m, w->at);
	if (w->typed)
		gen_cast(w->g, 0, w->at->id);
	else
		members_copy(&m);
	return m;
}

/* dst = a member. */
static void member(const struct members *m, int dst, int offset, unsigned size)
{
	int i = 0;

	if (m->w->typed) {
		emit_load(m->w->k, size, dst, BPF_REG_0, offset);
		return;
	}
	while (m->offsets[i] != offset)
		i++;
	emit_load(m->w->k, size, dst, BPF_REG_10,
		  FRAME_BLOCK + (m->first < 0 ? 8 * i : offset - m->first));
}

/* ---- the frame ---- */

/* r1 = offset of the frame from skb->head; r4 = 1 if it has a link header, else 0. */
static void skb_offset(const struct members *m)
{
	struct packet_code *w = m->w;
	int three = label_new(w->k), unset = label_new(w->k), two = label_new(w->k),
	    have = label_new(w->k);

	member(m, BPF_REG_1, w->at->mac, 2);
	member(m, BPF_REG_2, w->at->network, 2);
	emit_move_imm(w->k, BPF_REG_4, 0);
	emit_jump(w->k, BPF_JEQ, BPF_REG_2, 0, unset);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, UNSET, three);
	emit_move(w->k, BPF_REG_3, BPF_REG_2);
	emit_alu(w->k, BPF_SUB, BPF_REG_3, BPF_REG_1);
	emit_jump(w->k, BPF_JEQ, BPF_REG_3, FRAME_HEADER, two);
	member(m, BPF_REG_5, w->at->protocol, 2);
	emit_jump(w->k, BPF_JEQ, BPF_REG_5, ETHERTYPE_IP, three);
	emit_jump(w->k, BPF_JEQ, BPF_REG_5, ETHERTYPE_IPV6, three);
	for (int tags = 1; tags <= 2; tags++)
		emit_jump(w->k, BPF_JEQ, BPF_REG_3, FRAME_HEADER + tags * TAG, two);
	label_bind(w->k, three);
	emit_move(w->k, BPF_REG_1, BPF_REG_2);
	emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, -FRAME_HEADER);
	emit_goto(w->k, have);
	label_bind(w->k, unset);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, UNSET, w->none);
	label_bind(w->k, two);
	emit_move_imm(w->k, BPF_REG_4, 1);
	label_bind(w->k, have);
}

/* r3 = the frame; r5 = its length, r2 = the bytes in one piece; sets r4. */
static void skb_find(const struct members *m)
{
	struct packet_code *w = m->w;

	skb_offset(m);
	member(m, BPF_REG_3, w->at->head, 8);
	emit_alu(w->k, BPF_ADD, BPF_REG_3, BPF_REG_1);
	member(m, BPF_REG_2, w->at->data, 8);
	emit_alu(w->k, BPF_SUB, BPF_REG_2, BPF_REG_3); /* bytes that skb->len does not count */
	member(m, BPF_REG_5, w->at->len, w->at->len_size);
	emit_alu(w->k, BPF_ADD, BPF_REG_5, BPF_REG_2);
	member(m, BPF_REG_1, w->at->data_len, 4);
	emit_move(w->k, BPF_REG_2, BPF_REG_5);
	emit_alu(w->k, BPF_SUB, BPF_REG_2, BPF_REG_1);
}

static void xdp_find(const struct members *m)
{
	struct packet_code *w = m->w;

	member(m, BPF_REG_3, w->at->data, 8);
	if (w->at->kind == PACKET_XDP_BUFF) {
		member(m, BPF_REG_2, w->at->end, 8);
		emit_alu(w->k, BPF_SUB, BPF_REG_2, BPF_REG_3);
	} else {
		member(m, BPF_REG_2, w->at->len, w->at->len_size);
	}
	emit_move(w->k, BPF_REG_5, BPF_REG_2);
	emit_move_imm(w->k, BPF_REG_4, 1);
}

/* ---- the link header ---- */

/* Stores the EtherType of the tag at FRAME_X, or 0, followed by the tag. */
static void tag_store(const struct members *m)
{
	struct packet_code *w = m->w;
	int has = label_new(w->k);

	member(m, BPF_REG_1, w->at->vlan_proto, 2);
	member(m, BPF_REG_2, w->at->vlan_tci, 2);
	if (w->at->vlan_present >= 0) {
		member(m, BPF_REG_3, w->at->vlan_present, 1);
		emit_alu_imm(w->k, BPF_AND, BPF_REG_3, w->at->vlan_mask);
		emit_jump(w->k, BPF_JNE, BPF_REG_3, 0, has);
		emit_move_imm(w->k, BPF_REG_1, 0);
		label_bind(w->k, has);
	}
	emit_swap(w->k, BPF_REG_2, 16);
	emit_store(w->k, 2, BPF_REG_10, FRAME_X, BPF_REG_1);
	emit_store(w->k, 2, BPF_REG_10, FRAME_X + 2, BPF_REG_2);
}

/* ---- bytes in memory ---- */

void gen_memory_read(struct packet_code *w, unsigned size)
{
	const struct expr_target *t = w->g->target;

	if (w->typed) {
		emit_move(w->k, BPF_REG_1, BPF_REG_3);
		emit_move_imm(w->k, BPF_REG_2, t->rdonly_cast_void ? 0 : t->pt_regs_id);
		emit_kfunc(w->k, t->rdonly_cast_id);
		emit_load(w->k, size, BPF_REG_0, BPF_REG_0, 0);
		return;
	}
	emit_address(w->k, BPF_REG_1, BPF_REG_10, FRAME_READ);
	emit_move_imm(w->k, BPF_REG_2, size);
	emit_call(w->k, HELPER_READ_KERNEL);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->none);
	emit_load(w->k, size, BPF_REG_0, BPF_REG_10, FRAME_READ);
}

/* ---- the link header on the stack ---- */

/* Builds a header with the EtherType that the kernel knows, in r5, or else that of the IP version. */
static void header_invent(struct packet_code *w)
{
	int known = label_new(w->k), six = label_new(w->k);

	emit_store_imm(w->k, 8, BPF_REG_10, FRAME_AT, 0);
	emit_store_imm(w->k, 4, BPF_REG_10, FRAME_AT + 8, 0);
	emit_jump(w->k, BPF_JNE, BPF_REG_5, 0, known);
	emit_address(w->k, BPF_REG_3, REG_VALUE, FRAME_HEADER);
	gen_memory_read(w, 1);
	emit_alu_imm(w->k, BPF_RSH, BPF_REG_0, 4);
	emit_move_imm(w->k, BPF_REG_5, ETHERTYPE_IPV6);
	emit_jump(w->k, BPF_JEQ, BPF_REG_0, 6, six);
	emit_move_imm(w->k, BPF_REG_5, ETHERTYPE_IP);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 4, w->none);
	label_bind(w->k, six);
	label_bind(w->k, known);
	emit_store(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_MACS, BPF_REG_5);
}

static void header_copy(struct packet_code *w)
{
	if (!w->typed) {
		emit_read_kernel(w->k, BPF_REG_10, FRAME_AT, FRAME_HEADER, REG_VALUE, 0);
		emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->none);
		return;
	}
	for (int at = 0; at < 16; at += 8) {
		emit_address(w->k, BPF_REG_3, REG_VALUE, at);
		gen_memory_read(w, 8);
		emit_store(w->k, 8, BPF_REG_10, FRAME_AT + at, BPF_REG_0);
	}
}

/* Adds the tag at FRAME_X. */
static void header_tag(struct packet_code *w)
{
	int none = label_new(w->k);

	emit_store_imm(w->k, 1, BPF_REG_10, FRAME_HAS_TAG, 0);
	emit_store_imm(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_HEADER, 0);
	emit_store_imm(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_HEADER + 2, 0);
	if (w->at->kind != PACKET_SKB || w->is_untagged)
		return;
	emit_load(w->k, 2, BPF_REG_1, BPF_REG_10, FRAME_X);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, none);
	emit_store_imm(w->k, 1, BPF_REG_10, FRAME_HAS_TAG, 1);
	emit_load(w->k, 2, BPF_REG_2, BPF_REG_10, FRAME_AT + FRAME_MACS);
	emit_store(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_HEADER + 2, BPF_REG_2);
	emit_store(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_MACS, BPF_REG_1);
	emit_load(w->k, 2, BPF_REG_1, BPF_REG_10, FRAME_X + 2);
	emit_store(w->k, 2, BPF_REG_10, FRAME_AT + FRAME_HEADER, BPF_REG_1);
	emit_alu_imm(w->k, BPF_ADD, REG_VALUE, -TAG);
	for (int at = FRAME_CAPTURED; at <= FRAME_LENGTH; at += FRAME_LENGTH - FRAME_CAPTURED) {
		emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, at);
		emit_alu_imm(w->k, BPF_ADD, BPF_REG_1, TAG);
		emit_store(w->k, 4, BPF_REG_10, at, BPF_REG_1);
	}
	label_bind(w->k, none);
}

void gen_frame(struct packet_code *w)
{
	struct members m = members_read(w);
	int known = label_new(w->k), copied = label_new(w->k);

	if (w->at->kind == PACKET_SKB)
		skb_find(&m);
	else
		xdp_find(&m);
	emit_jump(w->k, BPF_JSLT, BPF_REG_2, FRAME_HEADER, w->none);
	emit_move(w->k, REG_VALUE, BPF_REG_3);
	emit_store(w->k, 4, BPF_REG_10, FRAME_CAPTURED, BPF_REG_2);
	emit_store(w->k, 4, BPF_REG_10, FRAME_LENGTH, BPF_REG_5);
	if (w->at->kind == PACKET_SKB) {
		if (!w->is_untagged)
			tag_store(&m);
		member(&m, BPF_REG_5, w->at->protocol, 2);
	}
	emit_store(w->k, 1, BPF_REG_10, FRAME_HAS_MACS, BPF_REG_4);
	if (w->at->kind == PACKET_SKB) {
		emit_jump(w->k, BPF_JNE, BPF_REG_4, 0, known);
		header_invent(w);
		emit_goto(w->k, copied);
	}
	label_bind(w->k, known);
	header_copy(w);
	label_bind(w->k, copied);
	header_tag(w);
}
