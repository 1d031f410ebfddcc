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

/* Options whose bytes are printed as they are: IANA's numbers. */
static const struct {
	uint8_t kind;
	char name[7];
} tcp_names[] = { { 19, "md5" }, { 28, "uto" },	 { 29, "tcp-ao" }, { 30, "mptcp" },
		  { 34, "tfo" }, { 253, "exp" }, { 254, "exp" } };

static void tcp_name(struct buf *o, unsigned kind)
{
	for (size_t i = 0; i < sizeof(tcp_names) / sizeof(*tcp_names); i++)
		if (tcp_names[i].kind == kind) {
			buf_str(o, tcp_names[i].name);
			return;
		}
	buf_printf(o, "unknown-%u", kind);
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
	else if (kind == 5 && size && size % 8 == 0)
		tcp_sack(o, p, size);
	else if (kind == 8 && size == 8)
		buf_printf(o, "TS val %u ecr %u", packet_u32(p), packet_u32(p + 4));
	else {
		tcp_name(o, kind);
		buf_str(o, size ? " 0x" : "");
		while (size--)
			buf_printf(o, "%02x", *p++);
	}
}

static void tcp_options(struct buf *o, const uint8_t *p, size_t left, bool is_cut)
{
	buf_str(o, ", options [");
	for (const char *comma = ""; left; comma = ",") {
		unsigned size = *p < 2 ? 1 : left > 1 ? p[1] : is_cut ? 2 : 0;

		if (size > left && is_cut)
			break;
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
		tcp_options(o, p + 20, there - 20, there < size);
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

/* Prints " udp port 53" of the packet that an ICMP message returns. */
static void port_of(struct buf *o, unsigned proto, const uint8_t *ports)
{
	if (proto == 17 || proto == 6)
		buf_str(o, proto == 6 ? " tcp" : " udp");
	else
		buf_printf(o, " protocol %u", proto);
	buf_printf(o, " port %u", packet_u16(ports + 2));
}

static void icmp_unreachable(struct buf *o, const struct packet_rest *r)
{
	/* what is: the net, the host, or neither; and why */
	static const char *const codes[] = {
		"n",
		"h",
		"-",
		"-",
		"- - need to frag",
		"- - source route failed",
		"n - unknown",
		"h - unknown",
		"- - source host isolated",
		"n - admin prohibited",
		"h - admin prohibited",
		"n - tos prohibited",
		"h - tos prohibited",
		"h - admin prohibited filter",
		"h - host precedence violation",
		"h - precedence cutoff",
	};
	const uint8_t *ip = r->at + 8;
	unsigned code = r->at[1], size = r->captured >= 28 ? (*ip & 15) * 4 : 0;

	if (!size || (code == 3 && r->captured < 8 + size + 4)) {
		packet_cut(o, "icmp");
		return;
	}
	if (code >= sizeof(codes) / sizeof(*codes)) {
		buf_printf(o, "unreachable, code %u", code);
		return;
	}
	buf_str(o, *codes[code] == 'n' ? "net " : *codes[code] == 'h' ? "host " : "");
	packet_ip4(o, ip + 16);
	if (code == 3)
		port_of(o, ip[9], ip + size);
	else if (code == 2)
		buf_printf(o, " protocol %u", ip[9]);
	buf_str(o, " unreachable");
	buf_str(o, codes[code] + 1);
	if (code == 4 && packet_u16(r->at + 6))
		buf_printf(o, " (mtu %u)", packet_u16(r->at + 6));
}

static void icmp_redirect(struct buf *o, const struct packet_rest *r)
{
	buf_str(o, r->at[1] & 2 ? "redirect-tos " : "redirect ");
	packet_ip4(o, r->at + 8 + 16);
	buf_str(o, r->at[1] & 1 ? " to host " : " to net ");
	packet_ip4(o, r->at + 4);
}

static const struct name {
	uint8_t type;
	char text[29];
} icmp_names[] = { { 4, "source quench" },	  { 9, "router advertisement" },
		   { 10, "router solicitation" }, { 13, "time stamp query" },
		   { 14, "time stamp reply" },	  { 16, "information reply" },
		   { 18, "address mask reply" },  { 0 } },
  icmp6_names[] = { { 2, "packet too big, mtu " },
		    { 130, "multicast listener query" },
		    { 131, "multicast listener report" },
		    { 132, "multicast listener done" },
		    { 133, "router solicitation" },
		    { 134, "router advertisement" },
		    { 135, "neighbor solicitation" },
		    { 136, "neighbor advertisement" },
		    { 137, "redirect" },
		    { 143, "multicast listener report v2" },
		    { 0 } };

static void name_print(struct buf *o, const struct name *n, unsigned type)
{
	while (n->type && n->type != type)
		n++;
	if (n->type)
		buf_str(o, n->text);
	else
		buf_printf(o, "type-#%u", type);
}

static void icmp_named(struct buf *o, const struct packet_rest *r)
{
	unsigned type = r->at[0];

	name_print(o, icmp_names, type);
	if (type == 13 || type == 14)
		buf_printf(o, " id %u seq %u", packet_u16(r->at + 4), packet_u16(r->at + 6));
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
	else if (r.at[0] == 5 && r.at[1] < 4 && r.captured >= 28)
		icmp_redirect(o, &r);
	else if (r.at[0] == 12)
		buf_printf(o, "parameter problem - %s %u", r.at[1] ? "code" : "octet",
			   r.at[1] ?: r.at[4]);
	else
		icmp_named(o, &r);
	buf_printf(o, ", length %u", r.length);
}

static void icmp6_unreachable(struct buf *o, const struct packet_rest *r)
{
	static const char *const codes[] = { "unreachable route ", "unreachable prohibited ",
					     "beyond scope ", "unreachable address ",
					     "unreachable port, " };
	const uint8_t *ip = r->at + 8;
	unsigned code = r->at[1];

	buf_str(o, "destination unreachable, ");
	if (code >= sizeof(codes) / sizeof(*codes) || r->captured < 8 + 44) {
		buf_printf(o, "code %u", code);
		return;
	}
	buf_str(o, codes[code]);
	packet_ip6(o, ip + 24);
	if (code == 4)
		port_of(o, ip[6], ip + 40);
	if (code == 2) {
		buf_str(o, ", source address ");
		packet_ip6(o, ip + 8);
	}
}

static void icmp6_problem(struct buf *o, const struct packet_rest *r)
{
	static const char *const codes[] = { "erroneous", "next header", "option" };

	buf_str(o, "parameter problem, ");
	if (r->at[1] < sizeof(codes) / sizeof(*codes))
		buf_str(o, codes[r->at[1]]);
	else
		buf_printf(o, "code %u", r->at[1]);
	buf_printf(o, " - octet %u", packet_u32(r->at + 4));
}

static void icmp6_exceeded(struct buf *o, const struct packet_rest *r)
{
	buf_str(o, "time exceeded in-transit");
	if (r->at[1]) {
		buf_str(o, " (reassembly)");
	} else if (r->captured >= 8 + 40) {
		buf_str(o, " for ");
		packet_ip6(o, r->at + 8 + 24);
	}
}

static void icmp6_named(struct buf *o, const struct packet_rest *r)
{
	static const char *const whose[] = { ", who has ", ", tgt is ", ", target " };
	unsigned type = r->at[0];

	name_print(o, icmp6_names, type);
	if (type == 2)
		buf_printf(o, "%u", packet_u32(r->at + 4));
	else if (type == 143)
		buf_printf(o, ", %u group record(s)", packet_u16(r->at + 6));
	else if (type >= 135 && type <= 137 && r->captured >= 24) {
		buf_str(o, whose[type - 135]);
		packet_ip6(o, r->at + 8);
	}
}

void packet_icmp6(struct buf *o, struct packet_rest r)
{
	buf_str(o, "ICMP6, ");
	if (r.captured < 8) {
		packet_cut(o, "icmp6");
		return;
	}
	if (r.at[0] == 128 || r.at[0] == 129)
		echo(o, &r, r.at[0] == 128 ? "request" : "reply");
	else if (r.at[0] == 1)
		icmp6_unreachable(o, &r);
	else if (r.at[0] == 3)
		icmp6_exceeded(o, &r);
	else if (r.at[0] == 4)
		icmp6_problem(o, &r);
	else
		icmp6_named(o, &r);
	buf_printf(o, ", length %u", r.length);
}
