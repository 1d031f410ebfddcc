/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * transport.c - prints TCP, UDP and ICMP in a line; carried.c prints their payloads.
 */
#include "packet/packet.h"

/* ---- TCP ---- */

static void tcp_sack(struct buf *o, const uint8_t *p, unsigned size)
{
	buf_printf(o, "sack %u ", size / 8);
	for (; size >= 8; p += 8, size -= 8)
		buf_printf(o, "{%u:%u}", packet_u32(p), packet_u32(p + 4));
}

/* Prints option `kind` with `size` bytes at p. */
static void tcp_option(struct buf *o, unsigned kind, const uint8_t *p, unsigned size)
{
	if (kind == 2 && size == 2)
		buf_printf(o, "mss %u", packet_u16(p));
	else if (kind == 3 && size == 1)
		buf_printf(o, "wscale %u", *p);
	else if (kind == 4)
		buf_str(o, "sackOK");
	else if (kind == 5)
		tcp_sack(o, p, size);
	else if (kind == 8 && size == 8)
		buf_printf(o, "TS val %u ecr %u", packet_u32(p), packet_u32(p + 4));
	else {
		buf_printf(o, "unknown-%u%s", kind, size ? " 0x" : "");
		while (size--)
			buf_printf(o, "%02x", *p++);
	}
}

static void tcp_options(struct buf *o, const uint8_t *p, size_t left)
{
	buf_str(o, ", options [");
	for (const char *comma = ""; left; comma = ",") {
		unsigned size = *p < 2 ? 1 : left > 1 ? p[1] : 0;

		buf_str(o, comma);
		if (size > left || (*p >= 2 && size < 2)) {
			buf_str(o, "bad opt");
			break;
		}
		if (*p >= 2)
			tcp_option(o, *p, p + 2, size - 2);
		else
			buf_str(o, *p ? "nop" : "eol");
		if (!*p)
			break;
		p += size;
		left -= size;
	}
	buf_char(o, ']');
}

static void tcp_flags(struct buf *o, unsigned flags)
{
	buf_str(o, "Flags [");
	for (int i = 0; i < 8; i++)
		if (flags >> i & 1)
			buf_char(o, "FSRP.UEW"[i]);
	buf_str(o, flags ? "]" : "none]");
}

void packet_tcp(struct buf *o, struct packet_rest r)
{
	const uint8_t *p = r.at;
	unsigned size, flags, there;
	uint32_t seq;

	if (r.captured < 20 || p[12] >> 4 < 5) {
		packet_cut(o, "tcp");
		return;
	}
	size = p[12] >> 4 << 2;
	flags = p[13];
	there = r.captured < size ? r.captured : size;
	packet_skip(&r, there);
	r.length -= r.length < size - there ? r.length : size - there;
	tcp_flags(o, flags);
	seq = packet_u32(p + 4);
	if (r.length || flags & 7)
		buf_printf(o, ", seq %u", seq);
	if (r.length)
		buf_printf(o, ":%u", seq + r.length);
	if (flags & 0x10)
		buf_printf(o, ", ack %u", packet_u32(p + 8));
	buf_printf(o, ", win %u", packet_u16(p + 14));
	if (flags & 0x20)
		buf_printf(o, ", urg %u", packet_u16(p + 18));
	if (there > 20)
		tcp_options(o, p + 20, there - 20);
	if (there < size)
		packet_cut(o, "tcp");
	buf_printf(o, ", length %u", r.length);
	packet_stream(o, r, packet_u16(p), packet_u16(p + 2));
}

/* ---- UDP ---- */

void packet_udp(struct buf *o, struct packet_rest r)
{
	const uint8_t *p = r.at;

	if (!packet_skip(&r, 8)) {
		packet_cut(o, "udp");
		return;
	}
	if (packet_u16(p + 4) >= 8)
		r.length = packet_u16(p + 4) - 8;
	r.captured = r.captured < r.length ? r.captured : r.length;
	if (packet_u16(p) == 53 || packet_u16(p + 2) == 53)
		packet_dns(o, r);
	else
		buf_printf(o, "UDP, length %u", r.length);
}

/* ---- ICMP ---- */

static void echo(struct buf *o, const struct packet_rest *r, const char *what)
{
	buf_printf(o, "echo %s, id %u, seq %u", what, packet_u16(r->at + 4), packet_u16(r->at + 6));
}

/* Prints " udp port 53 unreachable" for the packet that an ICMP message returns. */
static void port_unreachable(struct buf *o, unsigned proto, const uint8_t *ports)
{
	buf_printf(o,
		   proto == 17 ? " udp port %u unreachable" :
		   proto == 6  ? " tcp port %u unreachable" :
				 " port %u unreachable",
		   packet_u16(ports + 2));
}

static void icmp_unreachable(struct buf *o, const struct packet_rest *r)
{
	static const char *const codes[] = { "net ", "host ", "", "", "" };
	const uint8_t *ip = r->at + 8;
	unsigned code = r->at[1], size = r->captured >= 28 ? (*ip & 15) * 4 : 0;

	if (!size || (code == 3 && r->captured < 8 + size + 4)) {
		packet_cut(o, "icmp");
		return;
	}
	if (code > 4 && code != 13) {
		buf_printf(o, "unreachable, code %u", code);
		return;
	}
	buf_str(o, code == 13 ? "host " : codes[code]);
	packet_ip4(o, ip + 16);
	if (code == 3)
		port_unreachable(o, ip[9], ip + size);
	else if (code == 2)
		buf_printf(o, " protocol %u unreachable", ip[9]);
	else
		buf_str(o, " unreachable");
	if (code == 4)
		buf_printf(o, " - need to frag (mtu %u)", packet_u16(r->at + 6));
	else if (code == 13)
		buf_str(o, " - admin prohibited filter");
}

void packet_icmp(struct buf *o, struct packet_rest r)
{
	buf_str(o, "ICMP ");
	if (r.captured < 8) {
		packet_cut(o, "icmp");
		return;
	}
	if (r.at[0] == 0 || r.at[0] == 8)
		echo(o, &r, r.at[0] ? "request" : "reply");
	else if (r.at[0] == 3)
		icmp_unreachable(o, &r);
	else if (r.at[0] == 11 && r.at[1] < 2)
		buf_str(o, r.at[1] ? "ip reassembly time exceeded" : "time exceeded in-transit");
	else
		buf_printf(o, "type-#%u", r.at[0]);
	buf_printf(o, ", length %u", r.length);
}

static void icmp6_unreachable(struct buf *o, const struct packet_rest *r)
{
	const uint8_t *ip = r->at + 8;

	buf_str(o, "destination unreachable");
	if (r->at[1] != 4 || r->captured < 8 + 44) {
		buf_printf(o, ", code %u", r->at[1]);
		return;
	}
	buf_str(o, ", unreachable port, ");
	packet_ip6(o, ip + 24);
	port_unreachable(o, ip[6], ip + 40);
}

void packet_icmp6(struct buf *o, struct packet_rest r)
{
	static const struct {
		uint8_t type;
		const char *name, *of;
	} types[] = { { 2, "packet too big", NULL },
		      { 3, "time exceeded in-transit", NULL },
		      { 130, "multicast listener query", NULL },
		      { 131, "multicast listener report", NULL },
		      { 133, "router solicitation", NULL },
		      { 134, "router advertisement", NULL },
		      { 135, "neighbor solicitation", ", who has " },
		      { 136, "neighbor advertisement", ", tgt is " },
		      { 143, "multicast listener report v2", NULL } };
	size_t i = 0;

	buf_str(o, "ICMP6, ");
	if (r.captured < 8) {
		packet_cut(o, "icmp6");
		return;
	}
	while (i < sizeof(types) / sizeof(types[0]) && types[i].type != r.at[0])
		i++;
	if (r.at[0] == 128 || r.at[0] == 129)
		echo(o, &r, r.at[0] == 128 ? "request" : "reply");
	else if (r.at[0] == 1)
		icmp6_unreachable(o, &r);
	else if (i == sizeof(types) / sizeof(types[0]))
		buf_printf(o, "type-#%u", r.at[0]);
	else {
		buf_str(o, types[i].name);
		if (r.at[0] == 143)
			buf_printf(o, ", %u group record(s)", packet_u16(r.at + 6));
		if (types[i].of && r.captured >= 24) {
			buf_str(o, types[i].of);
			packet_ip6(o, r.at + 8);
		}
	}
	buf_printf(o, ", length %u", r.length);
}
