/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock.c - struct sock_common → text and JSON. Members: include/net/sock.h of the kernel.
 *
 * An IPv6 socket that talks IPv4 (::ffff:127.0.0.1) is shown by its IPv4 addresses, its family in
 * JSON remains AF_INET6. Sockets of other families have no addresses here.
 */
#include "output/sock.h"

#include <arpa/inet.h>
#include <string.h>
#include <linux/types.h>

#include "output/flag_names.h"
#include "output/value_text.h"

const struct sock_part_row sock_parts[SOCK_PARTS] = {
	[SOCK_FAMILY] = { "skc_family", 2, false },
	[SOCK_SPORT] = { "skc_num", 2, false },
	[SOCK_DPORT] = { "skc_dport", 2, false },
	[SOCK_SADDR] = { "skc_rcv_saddr", 4, false },
	[SOCK_DADDR] = { "skc_daddr", 4, false },
	[SOCK_SADDR6] = { "skc_v6_rcv_saddr", 16, true },
	[SOCK_DADDR6] = { "skc_v6_daddr", 16, true },
};

struct end {
	int family; /* of the address: AF_INET for a mapped one */
	uint8_t bytes[16];
	uint16_t port;
};
struct ends {
	uint16_t family;
	bool has_addresses;
	struct end local, remote;
};

static bool part_read(const struct sock_layout *l, const struct value *v, enum sock_part part,
		      void *to)
{
	unsigned size = sock_parts[part].size;

	memset(to, 0, size);
	if (!(l->has >> part & 1) || l->offset[part] + size > v->len)
		return false;
	memcpy(to, v->bytes + l->offset[part], size);
	return true;
}

static bool is_mapped(const struct end *e)
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(e->bytes, prefix, sizeof(prefix));
}

static bool is_any(const struct end *e)
{
	static const uint8_t zero[16];

	return !memcmp(e->bytes, zero, e->family == AF_INET6 ? 16 : 4);
}

/* 0.0.0.0 and :: of a socket of both families are the same. */
static void end_unmap(struct end *e)
{
	if (!is_mapped(e))
		return;
	memmove(e->bytes, e->bytes + 12, 4);
	e->family = AF_INET;
}

static struct ends ends_read(const struct field *f, const struct value *v)
{
	const struct sock_layout *l = f->context;
	struct ends e = { 0 };
	bool six;

	part_read(l, v, SOCK_FAMILY, &e.family);
	six = e.family == AF_INET6;
	e.local.family = e.remote.family = e.family;
	e.has_addresses = e.family == AF_INET || six;
	e.has_addresses &= part_read(l, v, six ? SOCK_SADDR6 : SOCK_SADDR, e.local.bytes) &&
			   part_read(l, v, six ? SOCK_DADDR6 : SOCK_DADDR, e.remote.bytes);
	part_read(l, v, SOCK_SPORT, &e.local.port);
	part_read(l, v, SOCK_DPORT, &e.remote.port);
	e.remote.port = ntohs(e.remote.port);
	if (six) {
		end_unmap(&e.local);
		end_unmap(&e.remote);
	}
	return e;
}

static void family_put(struct buf *o, unsigned family)
{
	const struct field_name *n = flags_family;

	while (n->name && n->value != family)
		n++;
	if (n->name)
		buf_str(o, n->name);
	else
		buf_uint(o, family);
}

/* inet_ntop takes some 2000 instructions for it. */
static void address_put4(struct buf *o, const uint8_t *bytes)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			buf_char(o, '.');
		buf_uint(o, bytes[i]);
	}
}

static void address_put(struct buf *o, const struct end *e)
{
	char text[INET6_ADDRSTRLEN];

	if (e->family == AF_INET)
		address_put4(o, e->bytes);
	else
		buf_str(o, inet_ntop(e->family, e->bytes, text, sizeof(text)));
}

static void end_put(struct buf *o, const struct end *e)
{
	if (e->family == AF_INET6)
		buf_char(o, '[');
	address_put(o, e);
	buf_str(o, e->family == AF_INET6 ? "]:" : ":");
	buf_uint(o, e->port);
}

static void sock_put(struct buf *o, const struct field *f, const struct value *v)
{
	struct ends e = ends_read(f, v);

	if (!e.has_addresses) {
		family_put(o, e.family);
		return;
	}
	end_put(o, &e.local);
	if (is_any(&e.remote) && !e.remote.port)
		return;
	buf_str(o, " -> ");
	end_put(o, &e.remote);
}

TEXT_ASCII(sock, sock_put(o, f, v))

static void one_put(struct buf *o, const struct field *f, const struct value *v, bool is_peer)
{
	struct ends e = ends_read(f, v);

	if (e.has_addresses)
		end_put(o, is_peer ? &e.remote : &e.local);
	else
		family_put(o, e.family);
}

TEXT_ASCII(sock_local, one_put(o, f, v, false))
TEXT_ASCII(sock_peer, one_put(o, f, v, true))

static void end_put_json(struct buf *o, char side, const struct end *e)
{
	buf_printf(o, ",\"%caddr\":\"", side);
	address_put(o, e);
	buf_printf(o, "\",\"%cport\":%u", side, e->port);
}

void json_sock(struct buf *o, const struct field *f, const struct value *v)
{
	struct ends e = ends_read(f, v);

	buf_str(o, "{\"family\":\"");
	family_put(o, e.family);
	buf_char(o, '"');
	if (e.has_addresses) {
		end_put_json(o, 's', &e.local);
		end_put_json(o, 'd', &e.remote);
	}
	buf_char(o, '}');
}
