/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packet.h - a packet in a record, printed in one line.
 */
#ifndef CORETAP_PACKET_PACKET_H
#define CORETAP_PACKET_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

enum {
	PACKET_LINK = 14,   /* bytes of an Ethernet header … */
	PACKET_TAGGED = 18, /* … with a VLAN tag that the kernel stores outside of the packet */
	PACKET_BYTES = 160, /* captured bytes after the header of a record … */
	PACKET_BYTES_MAX = 4096,
	PACKET_FRAME_MAX = PACKET_TAGGED + PACKET_BYTES_MAX,
};

/* The data that programs copy (expr/emit/emit_packet.c). */
struct packet {
	/* bytes in one piece, including the link header; 0: no frame was found */
	uint32_t captured;
	uint32_t length; /* of the frame */
	uint8_t link[PACKET_TAGGED];
	/* 0: the packet has no link header; only `link` has one, with the EtherType */
	uint8_t has_macs;
	uint8_t has_tag;
	uint8_t bytes[];
};

/* A packet as one piece. */
struct packet_frame {
	uint8_t bytes[PACKET_FRAME_MAX];
	uint32_t captured, length;
	bool has_macs;
};

/* Reads `size` bytes of a struct packet. Returns false if there is no frame. */
bool packet_read(struct packet_frame *f, const void *record, size_t size);
/* Prints like `tcpdump -nS`, with a VLAN tag in front and the server name of a TLS client at the end. */
void packet_line(struct buf *o, const struct packet_frame *f);

/* ---- for the decoders ---- */

/* The unread rest of a packet. */
struct packet_rest {
	const uint8_t *at;
	size_t captured; /* bytes there */
	uint32_t length; /* bytes in the original packet */
};

static inline unsigned packet_u16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}
static inline uint32_t packet_u32(const uint8_t *p)
{
	return (uint32_t)packet_u16(p) << 16 | packet_u16(p + 2);
}
/* Skips `size` bytes. Returns false, unchanged, if there are fewer. */
bool packet_skip(struct packet_rest *r, size_t size);
/* Writes [|what]: the rest was not captured. */
void packet_cut(struct buf *o, const char *what);
void packet_ip4(struct buf *o, const uint8_t *p);
void packet_ip6(struct buf *o, const uint8_t *p);
void packet_mac(struct buf *o, const uint8_t *p);
/* Writes text, escaped, up to a control character. */
void packet_text(struct buf *o, const uint8_t *p, size_t size);

void packet_icmp(struct buf *o, struct packet_rest r);
void packet_icmp6(struct buf *o, struct packet_rest r);
void packet_tcp(struct buf *o, struct packet_rest r);
void packet_udp(struct buf *o, struct packet_rest r);
void packet_dns(struct buf *o, struct packet_rest r);
/* Prints the payload of a TCP segment as far as its first bytes reveal it: TLS, HTTP, DNS. */
void packet_stream(struct buf *o, struct packet_rest r, unsigned source, unsigned destination);

#endif
