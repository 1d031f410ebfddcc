/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tunnel.c - prints headers of tunnels with what they carry: GRE (RFC 2784, 2890), VXLAN (RFC 7348), Geneve (RFC 8926).
 * Those that are IP in IP have no header of their own.
 */
#include "packet/packet.h"

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
		packet_ethernet(o, r);
	else if (!packet_typed(o, r, type))
		buf_printf(o, "%s-proto-0x%x", tunnel, type);
}

void packet_gre(struct buf *o, struct packet_rest r)
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

void packet_vxlan(struct buf *o, struct packet_rest r)
{
	const uint8_t *p = r.at;

	buf_str(o, "VXLAN");
	if (!packet_skip(&r, 8)) {
		packet_cut(o, "vxlan");
		return;
	}
	buf_printf(o, ", flags [%s] (0x%02x), vni %u: ", *p & VXLAN_VALID ? "I" : "invalid", *p,
		   packet_u32(p + 4) >> 8);
	packet_ethernet(o, r);
}

void packet_geneve(struct buf *o, struct packet_rest r)
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
