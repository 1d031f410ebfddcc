/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packet.c - pcap(EXPR, "FILTER") and EXPR:packet: checks that EXPR is a packet, and compiles the filter with
 * libpcap.
 */
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "packet/filter.h"
#include "packet/packet.h"

/* ---- structs that hold a packet ---- */

static const struct {
	const char *name;
	enum packet_kind kind;
} structs[] = { { "sk_buff", PACKET_SKB },
		{ "xdp_buff", PACKET_XDP_BUFF },
		{ "xdp_frame", PACKET_XDP_FRAME } };

/* The BTF id of the struct that a pointer points to; 0: it holds no packet. */
static uint32_t packet_struct(const struct compile *c, struct ctype t, enum packet_kind *kind)
{
	const struct btf_view *b = c->in->btf;
	uint32_t id;

	if (!ctype_is_pointer(b, t) || !ctype_is_composite(b, ctype_target(b, t)))
		return 0;
	id = btf_view_strip(b, ctype_target(b, t).id);
	for (size_t i = 0; i < sizeof(structs) / sizeof(structs[0]); i++) {
		*kind = structs[i].kind;
		if (!strcmp(btf_view_name(b, id), structs[i].name))
			return id;
	}
	return 0;
}

static void vlan_find(const struct btf_view *b, struct packet_offsets *at)
{
	struct btf_found found;

	at->vlan_present = -1;
	if (!btf_view_member(b, at->id, "vlan_present", 12, &found) || found.bit_size != 1)
		return;
	at->vlan_present = found.bit_offset / 8;
	at->vlan_mask = 1 << found.bit_offset % 8;
}

static bool skb_find(const struct btf_view *b, struct packet_offsets *at)
{
	vlan_find(b, at);
	return ctype_member_offset(b, at->id, "head", &at->head) &&
	       ctype_member_offset(b, at->id, "data_len", &at->data_len) &&
	       ctype_member_offset(b, at->id, "network_header", &at->network) &&
	       ctype_member_offset(b, at->id, "mac_header", &at->mac) &&
	       ctype_member_offset(b, at->id, "protocol", &at->protocol) &&
	       ctype_member_offset(b, at->id, "vlan_proto", &at->vlan_proto) &&
	       ctype_member_offset(b, at->id, "vlan_tci", &at->vlan_tci);
}

static bool offsets_find(const struct btf_view *b, struct packet_offsets *at)
{
	struct btf_found len;

	if (!ctype_member_offset(b, at->id, "data", &at->data))
		return false;
	if (at->kind == PACKET_XDP_BUFF)
		return ctype_member_offset(b, at->id, "data_end", &at->end);
	if (!btf_view_member(b, at->id, "len", 3, &len))
		return false;
	at->len = len.bit_offset / 8;
	at->len_size = btf_view_size(b, len.type);
	return (at->len_size == 2 || at->len_size == 4) &&
	       (at->kind != PACKET_SKB || skb_find(b, at));
}

bool packet_is(const struct compile *c, struct ctype t)
{
	enum packet_kind kind;

	return packet_struct(c, t, &kind);
}

const struct packet_offsets *packet_offsets(struct compile *c, struct ctype t)
{
	struct packet_offsets *at = compile_alloc(c, sizeof(*at));
	struct expr_memo *memo = c->in->run.memo;

	if (at)
		at->id = packet_struct(c, t, &at->kind);
	if (!at || !at->id)
		return NULL;
	if (memo && memo->packet_btf == c->in->btf && memo->packet.id == at->id) {
		*at = memo->packet;
		return at;
	}
	if (!offsets_find(c->in->btf, at))
		return NULL;
	if (memo) {
		memo->packet_btf = c->in->btf;
		memo->packet = *at;
	}
	return at;
}

/* ---- pcap( ) ---- */

/* Makes the first parameter that is a packet the child. */
static void packet_of_function(struct compile *c, struct node *n)
{
	enum packet_kind kind;

	for (unsigned i = 0; i < param_count(c) && !c->err; i++) {
		n->child = compile_node(c, n, NODE_NAME, (struct ctype){}, NULL, NULL);
		if (n->child)
			resolve_param(c, n->child, i);
		if (!c->err && packet_struct(c, n->child->type, &kind))
			return;
		c->err = c->err == -ENOMEM ? c->err : 0;
	}
	n->child = NULL;
	compile_fail(c, n->span, "%s has no parameter that is a packet", c->p->func);
	compile_hint(
		c,
		"a packet is a struct sk_buff *, xdp_buff * or xdp_frame *; name one that is elsewhere: "
		"pcap(EXPR, \"FILTER\")");
}

static void filter_check(struct compile *c, const struct node *n)
{
	char error[FILTER_ERROR];
	size_t start, end;

	if (packet_filter(n->bytes, error))
		return;
	if (!*error) {
		c->err = -ENOMEM;
		return;
	}
	packet_filter_place(error, c->slot->text + n->argument.start,
			    n->argument.end - n->argument.start, &start, &end);
	compile_fail(c, (struct span){ n->argument.start + start, n->argument.start + end }, "%s",
		     error);
	compile_hint(c, "%s", packet_filter_hint(error));
}

void resolve_packet(struct compile *c, struct node *n)
{
	enum packet_kind kind;
	char type[DECLARATION_MAX];

	n->type = ctype_int(4, true);
	n->category = CATEGORY_RVALUE;
	if (!n->child)
		packet_of_function(c, n);
	if (c->err)
		return;
	if (!packet_struct(c, n->child->type, &kind)) {
		compile_fail(c, n->child->span, "%s is not a packet",
			     compile_declared(c, n->child->type, type));
		compile_hint(c, "a packet is a struct sk_buff *, xdp_buff * or xdp_frame *");
	} else if (!packet_offsets(c, n->child->type) && !c->err) {
		compile_fail(c, n->child->span,
			     "this kernel's types do not show where its bytes are");
	}
	if (!c->err)
		filter_check(c, n);
}

/* ---- :packet, :packet:BYTES ---- */

static void format_check(struct compile *c, struct slot *s)
{
	if (!s->store.packet && !c->err) {
		format_fail(c, s, "is not a packet");
		compile_hint(c, "packet is for a struct sk_buff *, xdp_buff * or xdp_frame *");
	} else if (slot_is_key(c->p, s) || c->in->run.aggregate) {
		compile_fail(c, s->format.span,
			     "a packet cannot be a key: no two packets are alike");
		compile_hint(c, "count by skb:flow, its addresses and ports");
	} else if (s->format.length > PACKET_BYTES_MAX) {
		compile_fail(c, s->format.span, "at most %d bytes of a packet are copied",
			     PACKET_BYTES_MAX);
	} else if (!c->in->target.probe_read) {
		compile_refuse(
			c, s->format.span,
			"a packet needs bpf_probe_read, which cannot be used here (lockdown)");
	}
}

void format_packet(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	s->store.kind = STORE_PACKET;
	s->store.type = rule->type;
	s->store.packet = packet_offsets(c, s->root->type);
	s->store.size = sizeof(struct packet) + (s->format.length ?: PACKET_BYTES);
	format_check(c, s);
}
