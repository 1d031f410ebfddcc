/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_flow.c - :flow, addresses and ports from the headers of a packet.
 *
 * The IP header is at head + network_header, which is 0 until it is set. It is an IP header if
 * skb->protocol says so or says nothing, and its version fits. The ports follow it, wherever
 * transport_header points (which may be unset): except in a later fragment, and for IPv6 only
 * without extension headers. Equal flows have equal bytes, so a flow can be a key.
 */
#include "expr/emit/emit_slot.h"
#include "output/field/flow.h"
#include "output/field/value.h"

enum {
	INET = 2, /* AF_INET */
	INET6 = 10,
	IPV4_SIZE = 20,
	IPV6_SIZE = 40,
	AT_HEADER = STACK_WORK - 64, /* the IP header, on the stack */
	/* as in little-endian memory */
	ETHERTYPE_IP = 0x0008,
	ETHERTYPE_IPV6 = 0xdd86,
	FRAGMENT_OFFSET = 0xff1f,
};

/* protocols whose header begins with two ports */
static const uint8_t with_ports[] = { 6, 17, 33, 132, 136 }; /* TCP UDP DCCP SCTP UDPLITE */

struct flow_code {
	struct gen *g;
	struct code *k;
	int at; /* of the slot in the record */
	int doubt, done;
};

#define FLOW_AT(w_, member_) ((w_)->at + (int)offsetof(struct flow, member_))

static void read_sure(struct flow_code *w, int base, int to, unsigned size, int off)
{
	emit_read_kernel(w->k, base, to, size, REG_VALUE, off);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->doubt);
}

/* REG_VALUE = the address of the network header; jumps to `done` if there is none. */
static void header_find(struct flow_code *w, const struct flow_offsets *at)
{
	read_sure(w, BPF_REG_10, AT_HEADER, 8, at->head);
	read_sure(w, BPF_REG_10, STACK_SCRATCH, 2, at->network);
	emit_load(w->k, 2, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, w->done);
	read_sure(w, REG_RECORD, FLOW_AT(w, ports), 2, at->protocol);
	emit_store_imm(w->k, 1, REG_RECORD, FLOW_AT(w, state), FLOW_OTHER);
	emit_load(w->k, 2, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	emit_load(w->k, 8, REG_VALUE, BPF_REG_10, AT_HEADER);
	emit_alu(w->k, BPF_ADD, REG_VALUE, BPF_REG_1);
}

/* r1 = the IP version; jumps to `done` for other packets. */
static void version_find(struct flow_code *w)
{
	int is_ip = label_new(w->k), read = label_new(w->k);

	emit_load(w->k, 2, BPF_REG_1, REG_RECORD, FLOW_AT(w, ports));
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 0, is_ip);
	emit_jump(w->k, BPF_JEQ, BPF_REG_1, ETHERTYPE_IP, is_ip);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, ETHERTYPE_IPV6, w->done);
	label_bind(w->k, is_ip);
	emit_read_kernel(w->k, BPF_REG_10, AT_HEADER, IPV6_SIZE, REG_VALUE, 0);
	emit_jump(w->k, BPF_JEQ, BPF_REG_0, 0, read);
	read_sure(w, BPF_REG_10, AT_HEADER, IPV4_SIZE, 0);
	label_bind(w->k, read);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, AT_HEADER);
	emit_alu_imm(w->k, BPF_RSH, BPF_REG_1, 4);
}

static void words_copy(struct flow_code *w, int to, int from, unsigned words)
{
	for (unsigned i = 0; i < words; i++) {
		emit_load(w->k, 4, BPF_REG_1, BPF_REG_10, AT_HEADER + from + 4 * i);
		emit_store(w->k, 4, REG_RECORD, to + 4 * i, BPF_REG_1);
	}
}

static void read_family(struct flow_code *w, unsigned family, int proto, int addresses)
{
	unsigned words = family == INET ? 1 : 4;

	emit_store_imm(w->k, 2, REG_RECORD, FLOW_AT(w, family), family);
	emit_store_imm(w->k, 1, REG_RECORD, FLOW_AT(w, state), FLOW_ADDRESSES);
	emit_store_imm(w->k, 4, REG_RECORD, FLOW_AT(w, ports), 0);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, AT_HEADER + proto);
	emit_store(w->k, 1, REG_RECORD, FLOW_AT(w, proto), BPF_REG_1);
	words_copy(w, FLOW_AT(w, source), addresses, words);
	words_copy(w, FLOW_AT(w, destination), addresses + 4 * words, words);
}

/* REG_VALUE must point after the IP header. */
static void read_ports(struct flow_code *w)
{
	int has = label_new(w->k);

	emit_load(w->k, 1, BPF_REG_1, REG_RECORD, FLOW_AT(w, proto));
	for (unsigned i = 0; i < sizeof(with_ports); i++)
		emit_jump(w->k, BPF_JEQ, BPF_REG_1, with_ports[i], has);
	emit_goto(w->k, w->done);
	label_bind(w->k, has);
	emit_read_kernel(w->k, REG_RECORD, FLOW_AT(w, ports), 4, REG_VALUE, 0);
	emit_jump(w->k, BPF_JNE, BPF_REG_0, 0, w->done);
	emit_store_imm(w->k, 1, REG_RECORD, FLOW_AT(w, state), FLOW_PORTS);
}

static void read_packet(struct flow_code *w)
{
	int six = label_new(w->k), ports = label_new(w->k);

	emit_jump(w->k, BPF_JEQ, BPF_REG_1, 6, six);
	emit_jump(w->k, BPF_JNE, BPF_REG_1, 4, w->done);
	read_family(w, INET, 9, 12);
	emit_load(w->k, 2, BPF_REG_1, BPF_REG_10, AT_HEADER + 6);
	emit_jump(w->k, BPF_JSET, BPF_REG_1, FRAGMENT_OFFSET, w->done);
	emit_load(w->k, 1, BPF_REG_1, BPF_REG_10, AT_HEADER);
	emit_alu_imm(w->k, BPF_AND, BPF_REG_1, 15);
	emit_alu_imm(w->k, BPF_LSH, BPF_REG_1, 2);
	emit_alu(w->k, BPF_ADD, REG_VALUE, BPF_REG_1);
	emit_goto(w->k, ports);
	label_bind(w->k, six);
	read_family(w, INET6, 6, 8);
	emit_alu_imm(w->k, BPF_ADD, REG_VALUE, IPV6_SIZE);
	label_bind(w->k, ports);
	read_ports(w);
}

void gen_flow(struct gen *g, const struct slot *s, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	struct flow_code w = { .g = g,
			       .k = g->k,
			       .at = s->place.offset,
			       .doubt = exact ? labels->fail : labels->exact,
			       .done = label_new(g->k) };

	if (exact)
		gen_blame(g, FIELD_STATUS_NULL | s->plan.sink_link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, w.doubt);
	if (exact)
		gen_blame(g, FIELD_STATUS_FAULT | s->plan.sink_link);
	emit_zero(g->k, REG_RECORD, s->place.offset, s->place.room);
	header_find(&w, s->store.flow);
	version_find(&w);
	read_packet(&w);
	label_bind(g->k, w.done);
}
