/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_header.c - EXPR:eth, :ip, :ipv6, :tcp, :udp: one header of a packet, as the expression that leads to it.
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "expr/syntax/syntax.h"

enum { HEADER_EXPR = 120, HEADER_TEXT = 8 * HEADER_EXPR };

/* Ports follow the IP header. transport_header cannot be used: it is set late for received packets. */
static void header_text(char *text, size_t size, const char *name, struct span expr,
			const char *slot)
{
	char skb[HEADER_EXPR + 4], ip[2 * sizeof(skb) + 32];

	snprintf(skb, sizeof(skb), "(%.*s)", SPAN_ARG(slot, expr));
	snprintf(ip, sizeof(ip), "(%s->head + %s->network_header)", skb, skb);
	if (!strcmp(name, "eth"))
		snprintf(text, size, "*(struct ethhdr *)(%s->head + %s->mac_header)", skb, skb);
	else if (!strncmp(name, "ip", 2))
		snprintf(text, size, "*(struct %shdr *)%s", name, ip);
	else
		snprintf(
			text, size,
			"*(struct %shdr *)(%s + (*(u8 *)%s >> 4 == 6 ? 40 : (*(u8 *)%s & 15) * 4))",
			name, ip, ip, ip);
}

void format_header(struct compile *c, struct slot *s, const struct format_rule *rule)
{
	char text[HEADER_TEXT];
	const struct packet_offsets *at = packet_offsets(c, s->root->type);
	struct span whole = s->root->span;

	if (c->err)
		return;
	if (!at || at->kind != PACKET_SKB) {
		format_fail(c, s, "has no header of that name");
		compile_hint(c, "%s is for a struct sk_buff *", rule->name);
		return;
	}
	if (s->format.count || s->format.bytes) {
		compile_fail(c, s->format.span, "a header cannot have [N]");
		return;
	}
	if (whole.end - whole.start > HEADER_EXPR) {
		compile_fail(c, s->format.span, "the expression is too long for a header of it");
		return;
	}
	header_text(text, sizeof(text), rule->name, whole, s->text);
	s->root = parse_inner(c, text);
	if (!c->err)
		resolve_node(c, s->root);
	if (c->err)
		return;
	s->root->span = whole; /* its name, and where errors point */
	format_by_type(c, s);
}
