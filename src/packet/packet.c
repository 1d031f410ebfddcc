/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packet.c - prints a packet of a record in one line: link, ARP, IP. transport.c prints what IP carries.
 */
#include "packet/packet.h"

#include <string.h>

/* ---- IP ---- */

enum {
	ICMP = 1,
	IP_IN_IP = 4,
	TCP = 6,
	UDP = 17,
	IP6_IN_IP = 41,
	GRE = 47,
	ESP = 50,
	ICMP6 = 58,
	NO_NEXT = 59,
	SCTP = 132,
};

typedef void address_fn(struct buf *o, const uint8_t *p);

/* 10.0.0.1.443 > 10.0.0.2.40000: */
static void ends(struct buf *o, const struct packet_rest *r, address_fn *address,
		 const uint8_t *source, unsigned size, bool ports)
{
	ports = ports && r->captured >= 4;
	address(o, source);
	if (ports)
		buf_printf(o, ".%u", packet_u16(r->at));
	buf_str(o, " > ");
	address(o, source + size);
	if (ports)
		buf_printf(o, ".%u", packet_u16(r->at + 2));
	buf_str(o, ": ");
}

/* ---- tunnels: GRE (RFC 2784, 2890), VXLAN (RFC 7348), Geneve (RFC 8926) ---- */

static void line_ip(struct buf *o, struct packet_rest r);
static void line_ip6(struct buf *o, struct packet_rest r);
static void line_ethernet(struct buf *o, struct packet_rest r);
static bool line_typed(struct buf *o, struct packet_rest r, unsigned type);

enum {
	ETHERNET = 0x6558, /* "transparent Ethernet bridging" */
	GRE_CHECKSUM = 0x8000,
	GRE_KEY = 0x2000,
	GRE_SEQUENCE = 0x1000,
	GRE_VERSION = 7,
	VXLAN_VALID = 8, /* the network's number is */
};

/* Prints what a tunnel carries. */
static void carried(struct buf *o, struct packet_rest r, unsigned type, const char *tunnel)
{
	if (type == ETHERNET)
		line_ethernet(o, r);
	else if (!line_typed(o, r, type))
		buf_printf(o, "%s-proto-0x%x", tunnel, type);
}

static void line_gre(struct buf *o, struct packet_rest r)
{
	static const struct {
		uint16_t flag;
		const char *form;
	} fields[] = { { GRE_CHECKSUM, ", off 0x%x" },
		       { GRE_KEY, ", key=0x%x" },
		       { GRE_SEQUENCE, ", seq %u" } };
	uint32_t length = r.length;
	const uint8_t *p = r.at;
	unsigned flags;

	if (!packet_skip(&r, 4)) {
		packet_cut(o, "gre");
		return;
	}
	flags = packet_u16(p);
	buf_printf(o, "GREv%u", flags & GRE_VERSION);
	for (size_t i = 0; !(flags & GRE_VERSION) && i < sizeof(fields) / sizeof(*fields); i++) {
		uint32_t value;

		if (!(flags & fields[i].flag))
			continue;
		if (!packet_skip(&r, 4)) {
			packet_cut(o, "gre");
			return;
		}
		value = packet_u32(r.at - 4);
		/* a checksum, and an offset that is no longer used */
		buf_printf(o, fields[i].form,
			   fields[i].flag == GRE_CHECKSUM ? value & 0xffff : value);
	}
	buf_printf(o, ", length %u", length);
	if (flags & GRE_VERSION)
		return;
	buf_str(o, ": ");
	carried(o, r, packet_u16(p + 2), "gre");
}

static void line_vxlan(struct buf *o, struct packet_rest r)
{
	const uint8_t *p = r.at;

	buf_str(o, "VXLAN");
	if (!packet_skip(&r, 8)) {
		packet_cut(o, "vxlan");
		return;
	}
	buf_printf(o, ", flags [%s] (0x%02x), vni %u: ", *p & VXLAN_VALID ? "I" : "invalid", *p,
		   packet_u32(p + 4) >> 8);
	line_ethernet(o, r);
}

static void line_geneve(struct buf *o, struct packet_rest r)
{
	static const char *const flags[] = { "none", "C", "O",
					     "OC" }; /* control, critical options */
	const uint8_t *p = r.at;
	unsigned options;

	buf_str(o, "Geneve");
	if (!packet_skip(&r, 8)) {
		packet_cut(o, "geneve");
		return;
	}
	options = (*p & 63) * 4;
	buf_printf(o, ", Flags [%s], vni 0x%x", flags[p[1] >> 6], packet_u32(p + 4) >> 8);
	if (options)
		buf_printf(o, ", options [%u bytes]", options);
	buf_str(o, ": ");
	if (packet_skip(&r, options))
		carried(o, r, packet_u16(p + 2), "geneve");
	else
		packet_cut(o, "geneve");
}

enum { UDP_HEAD = 8, VXLAN = 4789, GENEVE = 6081 }; /* bytes; ports */

static void line_udp(struct buf *o, struct packet_rest r)
{
	struct packet_rest inner = r;
	unsigned source = r.captured < 4 ? 0 : packet_u16(r.at),
		 destination = r.captured < 4 ? 0 : packet_u16(r.at + 2);

	if (!packet_skip(&inner, UDP_HEAD))
		packet_udp(o, r);
	else if (source == VXLAN || destination == VXLAN)
		line_vxlan(o, inner);
	else if (source == GENEVE || destination == GENEVE)
		line_geneve(o, inner);
	else
		packet_udp(o, r);
}

static void line_esp(struct buf *o, struct packet_rest r)
{
	if (r.captured < 8)
		packet_cut(o, "esp");
	else
		buf_printf(o, "ESP(spi=0x%08x,seq=0x%x), length %u", packet_u32(r.at),
			   packet_u32(r.at + 4), r.length);
}

static void line_sctp(struct buf *o, struct packet_rest r)
{
	if (r.captured < 4)
		packet_cut(o, "sctp");
	else
		buf_printf(o, "sctp, length %u", r.length);
}

static void payload(struct buf *o, struct packet_rest r, unsigned proto)
{
	switch (proto) {
	case ICMP: packet_icmp(o, r); break;
	case ICMP6: packet_icmp6(o, r); break;
	case TCP: packet_tcp(o, r); break;
	case UDP: line_udp(o, r); break;
	case GRE: line_gre(o, r); break;
	case ESP: line_esp(o, r); break;
	case SCTP: line_sctp(o, r); break;
	case NO_NEXT: buf_str(o, "no next header"); break;
	case IP_IN_IP: line_ip(o, r); break;
	case IP6_IN_IP: line_ip6(o, r); break;
	default: buf_printf(o, "ip-proto-%u %u", proto, r.length); break;
	}
}

static bool has_ports(unsigned proto)
{
	return proto == TCP || proto == UDP || proto == SCTP;
}

static bool is_other_version(struct buf *o, const struct packet_rest *r, unsigned version)
{
	bool is_other = r->captured && *r->at >> 4 != version;

	if (is_other)
		buf_printf(o, "version %u", *r->at >> 4);
	return is_other;
}

static void line_ip(struct buf *o, struct packet_rest r)
{
	const uint8_t *ip = r.at;
	unsigned size = r.captured ? (*ip & 15) * 4 : 0, fragment;

	buf_str(o, "IP ");
	if (is_other_version(o, &r, 4))
		return;
	if (r.captured < 20 || size < 20 || !packet_skip(&r, size)) {
		packet_cut(o, "ip");
		return;
	}
	fragment = packet_u16(ip + 6) & 0x1fff;
	if (packet_u16(ip + 2) >= size) /* 0: segmentation is left to the card */
		r.length = packet_u16(ip + 2) - size;
	r.captured = r.captured < r.length ? r.captured : r.length;
	ends(o, &r, packet_ip4, ip + 12, 4, has_ports(ip[9]) && !fragment);
	if (fragment)
		buf_printf(o, "ip-proto-%u", ip[9]);
	else
		payload(o, r, ip[9]);
}

/* Skips an extension header; returns the protocol after it, or -1 if nothing more can be printed. */
static int extension(struct buf *o, struct packet_rest *r, unsigned type)
{
	const uint8_t *p = r->at;
	bool fragment = type == 44;

	if (!packet_skip(r, 8) || (!fragment && !packet_skip(r, p[1] * 8))) {
		packet_cut(o, "ip6");
		return -1;
	}
	if (!fragment) {
		buf_str(o, !type ? "HBH " : type == 43 ? "srcrt " : "DSTOPT ");
		return *p;
	}
	buf_printf(o, "frag (%u|%u) ", packet_u16(p + 2) & 0xfff8, r->length);
	return packet_u16(p + 2) & 0xfff8 ? -1 : *p;
}

static void line_ip6(struct buf *o, struct packet_rest r)
{
	const uint8_t *ip = r.at;
	int next;

	buf_str(o, "IP6 ");
	if (is_other_version(o, &r, 6))
		return;
	if (!packet_skip(&r, 40)) {
		packet_cut(o, "ip6");
		return;
	}
	if (packet_u16(ip + 4))
		r.length = packet_u16(ip + 4);
	r.captured = r.captured < r.length ? r.captured : r.length;
	next = ip[6];
	ends(o, &r, packet_ip6, ip + 8, 16, has_ports(next));
	while (next == 0 || next == 43 || next == 44 || next == 60)
		next = extension(o, &r, next);
	if (next >= 0 && next != ip[6] && has_ports(next) && r.captured >= 4)
		buf_printf(o, "%u > %u: ", packet_u16(r.at), packet_u16(r.at + 2));
	if (next >= 0)
		payload(o, r, next);
}

/* ---- the link ---- */

static void line_arp(struct buf *o, const struct packet_rest *r)
{
	static const uint8_t ethernet_ip[] = { 0, 1, 8, 0, 6, 4, 0 };
	const uint8_t *p = r->at;

	buf_str(o, "ARP, ");
	if (r->captured < 28)
		packet_cut(o, "arp");
	else if (memcmp(p, ethernet_ip, sizeof(ethernet_ip)) || !p[7] || p[7] > 2)
		buf_printf(o, "type %u of protocol 0x%04x", packet_u16(p + 6), packet_u16(p + 2));
	else if (p[7] == 1) {
		buf_str(o, "Request who-has ");
		packet_ip4(o, p + 24);
		if (memcmp(p + 18, "\0\0\0\0\0", 6)) {
			buf_str(o, " (");
			packet_mac(o, p + 18);
			buf_char(o, ')');
		}
		buf_str(o, " tell ");
		packet_ip4(o, p + 14);
	} else {
		buf_str(o, "Reply ");
		packet_ip4(o, p + 14);
		buf_str(o, " is-at ");
		packet_mac(o, p + 8);
	}
	buf_printf(o, ", length %u", r->length);
}

static bool line_typed(struct buf *o, struct packet_rest r, unsigned type)
{
	if (type == 0x0800)
		line_ip(o, r);
	else if (type == 0x86dd)
		line_ip6(o, r);
	else if (type == 0x0806)
		line_arp(o, &r);
	else
		return false;
	return true;
}

static void line_ethernet(struct buf *o, struct packet_rest r)
{
	unsigned type;

	if (!packet_skip(&r, PACKET_LINK)) {
		packet_cut(o, "ether");
		return;
	}
	type = packet_u16(r.at - 2);
	while ((type == 0x8100 || type == 0x88a8 || type == 0x9100) && r.captured >= 4) {
		buf_printf(o, "vlan %u, p %u, ", packet_u16(r.at) & 0xfff, r.at[0] >> 5);
		type = packet_u16(r.at + 2);
		packet_skip(&r, 4);
	}
	if (line_typed(o, r, type))
		return;
	if (type < 0x600)
		buf_printf(o, "802.3, length %u", r.length);
	else
		buf_printf(o, "ethertype 0x%04x, length %u", type, r.length);
}

void packet_line(struct buf *o, const struct packet_frame *f)
{
	line_ethernet(o, (struct packet_rest){ f->bytes, f->captured, f->length });
}

bool packet_read(struct packet_frame *f, const void *record, size_t size)
{
	struct packet p;
	size_t link, bytes = size - sizeof(p);

	if (size < sizeof(p))
		return false;
	memcpy(&p, record, sizeof(p));
	link = p.has_tag ? PACKET_TAGGED : PACKET_LINK;
	if (p.captured < link)
		return false;
	bytes = bytes < p.captured - link ? bytes : p.captured - link;
	bytes = bytes < PACKET_BYTES_MAX ? bytes : PACKET_BYTES_MAX;
	f->captured = link + bytes;
	f->length = p.length > f->captured ? p.length : f->captured;
	f->has_macs = p.has_macs;
	memcpy(f->bytes, p.link, link);
	memcpy(f->bytes + link, (const char *)record + sizeof(p), bytes);
	return true;
}
