/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock.c - struct sock_common → text and JSON. Members: include/net/sock.h of the kernel.
 *
 * An IPv6 socket that talks IPv4 (::ffff:127.0.0.1) is shown by its IPv4 addresses, its family in
 * JSON remains AF_INET6. Sockets of other families have no addresses here.
 */
#include "output/field/sock.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/flag_names.h"
#include "output/field/value_text.h"

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

/* Inline, so that the size is known: a read is one move. */
static __always_inline bool part_read(const struct sock_layout *l, const struct value *v,
				      const enum sock_part part, void *to)
{
	const unsigned size = sock_parts[part].size;

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

static uint16_t family_read(const struct field *f, const struct value *v)
{
	uint16_t family;

	part_read(f->context, v, SOCK_FAMILY, &family);
	return family;
}

/* Returns whether it has an address. */
static bool local_read(const struct field *f, const struct value *v, unsigned family, struct end *e)
{
	const struct sock_layout *l = f->context;
	bool has = false;

	e->family = family;
	part_read(l, v, SOCK_SPORT, &e->port);
	if (family == AF_INET)
		return part_read(l, v, SOCK_SADDR, e->bytes);
	if (family == AF_INET6)
		has = part_read(l, v, SOCK_SADDR6, e->bytes);
	if (has)
		end_unmap(e);
	return has;
}

static bool remote_read(const struct field *f, const struct value *v, unsigned family,
			struct end *e)
{
	const struct sock_layout *l = f->context;
	bool has = false;

	e->family = family;
	part_read(l, v, SOCK_DPORT, &e->port);
	e->port = ntohs(e->port);
	if (family == AF_INET)
		return part_read(l, v, SOCK_DADDR, e->bytes);
	if (family == AF_INET6)
		has = part_read(l, v, SOCK_DADDR6, e->bytes);
	if (has)
		end_unmap(e);
	return has;
}

static struct ends ends_read(const struct field *f, const struct value *v)
{
	struct ends e = { .family = family_read(f, v) };

	e.has_addresses = local_read(f, v, e.family, &e.local) &&
			  remote_read(f, v, e.family, &e.remote);
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

static struct octet {
	char text[4]; /* "127." "1." */
	uint32_t len;
} octets[256];

static void octets_make(void)
{
	char text[8];

	for (unsigned i = 0; i < 256; i++) {
		octets[i].len = snprintf(text, sizeof(text), "%u.", i);
		memcpy(octets[i].text, text, 4);
	}
}

/* The address, and that behind it; inet_ntop takes some 2000 instructions for it. */
static __always_inline void address_put4(struct buf *o, const uint8_t *bytes, const char *after)
{
	char *to = buf_reserve(o, INET_ADDRSTRLEN);

	if (!to)
		return;
	if (!octets[0].len)
		octets_make();
	for (int i = 0; i < 4; i++) {
		const struct octet *one = &octets[bytes[i]];

		memcpy(to, one->text, 4);
		to += one->len;
	}
	to[-1] = *after;
	o->len = to - !*after - o->data;
}

void sock_put4(struct buf *o, const uint8_t *bytes, uint16_t port)
{
	address_put4(o, bytes, ":");
	buf_uint(o, port);
}

static void address_put(struct buf *o, const struct end *e)
{
	char text[INET6_ADDRSTRLEN];

	if (e->family == AF_INET)
		address_put4(o, e->bytes, "");
	else
		buf_str(o, inet_ntop(e->family, e->bytes, text, sizeof(text)));
}

static void end_put(struct buf *o, const struct end *e)
{
	if (e->family == AF_INET) {
		sock_put4(o, e->bytes, e->port);
		return;
	}
	buf_char(o, '[');
	address_put(o, e);
	buf_bytes(o, "]:", 2);
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

static inline void one_put(struct buf *o, const struct field *f, const struct value *v,
			   const bool is_peer)
{
	unsigned family = family_read(f, v);
	struct end e;

	if (is_peer ? remote_read(f, v, family, &e) : local_read(f, v, family, &e))
		end_put(o, &e);
	else
		family_put(o, family);
}

TEXT_ASCII(sock_local, one_put(o, f, v, false))
TEXT_ASCII(sock_peer, one_put(o, f, v, true))

static void peer_ip_put(struct buf *o, const struct field *f, const struct value *v)
{
	unsigned family = family_read(f, v);
	struct end e;

	if (remote_read(f, v, family, &e))
		address_put(o, &e);
	else
		family_put(o, family);
}

TEXT_ASCII(sock_peer_ip, peer_ip_put(o, f, v))

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
