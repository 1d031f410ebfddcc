/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rest.c - shared by the decoders of packets: steps over bytes, addresses, text.
 */
#include <arpa/inet.h>

#include "packet/packet.h"
#include "util/escape.h"

bool packet_skip(struct packet_rest *r, size_t size)
{
	if (r->captured < size)
		return false;
	r->at += size;
	r->captured -= size;
	r->length = r->length > size ? r->length - size : 0;
	return true;
}

void packet_cut(struct buf *o, const char *what)
{
	buf_printf(o, "[|%s]", what);
}

void packet_ip4(struct buf *o, const uint8_t *p)
{
	buf_printf(o, "%u.%u.%u.%u", p[0], p[1], p[2], p[3]);
}

void packet_ip6(struct buf *o, const uint8_t *p)
{
	char text[INET6_ADDRSTRLEN];

	buf_str(o, inet_ntop(AF_INET6, p, text, sizeof(text)));
}

void packet_mac(struct buf *o, const uint8_t *p)
{
	for (int i = 0; i < 6; i++)
		buf_printf(o, "%s%02x", i ? ":" : "", p[i]);
}

void packet_text(struct buf *o, const uint8_t *p, size_t size)
{
	size_t n = 0;

	while (n < size && p[n] >= ' ')
		n++;
	escape_write(o, (const char *)p, n);
}
