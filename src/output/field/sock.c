/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock.c - writes a struct sock_common as text and JSON. Members: include/net/sock.h of the kernel.
 *
 * An IPv6 socket that uses IPv4 (::ffff:127.0.0.1) is shown by its IPv4 addresses, but its family in JSON remains
 * AF_INET6. The addresses of other families are not in this struct.
 */
#include "output/field/sock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/types.h>

#include "output/field/flag_names.h"
#include "output/field/value.h"
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
	int family; /* of the address: AF_INET for an IPv4-mapped one */
	uint8_t bytes[16];
	uint16_t port;
};
struct ends {
	uint16_t family;
	bool has_addresses;
	struct end local, remote;
};

/* Inline, so that the size is a constant: a read is one move. */
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

/* Treats :: of a socket for both families as 0.0.0.0. */
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

/* Returns true if the socket has a local address. */
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

static void family_write(struct buf *o, unsigned family)
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
	char text[4]; /* "127." or "1." */
	uint32_t len;
} octets[256];

static void octets_build(void)
{
	char text[8];

	for (unsigned i = 0; i < 256; i++) {
		octets[i].len = snprintf(text, sizeof(text), "%u.", i);
		memcpy(octets[i].text, text, 4);
	}
}

/* Writes an IPv4 address. inet_ntop takes about 2000 instructions for that. */
static __always_inline void address_put4(struct buf *o, const uint8_t *bytes, const char *after)
{
	char *to = buf_reserve(o, INET_ADDRSTRLEN);

	if (!to)
		return;
	if (!octets[0].len)
		octets_build();
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

static void address_write(struct buf *o, const struct end *e)
{
	char text[INET6_ADDRSTRLEN];

	if (e->family == AF_INET)
		address_put4(o, e->bytes, "");
	else
		buf_str(o, inet_ntop(e->family, e->bytes, text, sizeof(text)));
}

static void end_write(struct buf *o, const struct end *e)
{
	if (e->family == AF_INET) {
		sock_put4(o, e->bytes, e->port);
		return;
	}
	buf_char(o, '[');
	address_write(o, e);
	buf_bytes(o, "]:", 2);
	buf_uint(o, e->port);
}

static void sock_write(struct buf *o, const struct field *f, const struct value *v)
{
	struct ends e = ends_read(f, v);

	if (!e.has_addresses) {
		family_write(o, e.family);
		return;
	}
	end_write(o, &e.local);
	if (is_any(&e.remote) && !e.remote.port)
		return;
	buf_str(o, " -> ");
	end_write(o, &e.remote);
}

TEXT_ASCII(sock, sock_write(o, f, v))

static inline void one_write(struct buf *o, const struct field *f, const struct value *v,
			     const bool is_peer)
{
	unsigned family = family_read(f, v);
	struct end e;

	if (is_peer ? remote_read(f, v, family, &e) : local_read(f, v, family, &e))
		end_write(o, &e);
	else
		family_write(o, family);
}

TEXT_ASCII(sock_local, one_write(o, f, v, false))
TEXT_ASCII(sock_peer, one_write(o, f, v, true))

static void ip_write(struct buf *o, const struct field *f, const struct value *v, bool is_peer)
{
	unsigned family = family_read(f, v);
	struct end e;

	if (is_peer ? remote_read(f, v, family, &e) : local_read(f, v, family, &e))
		address_write(o, &e);
	else
		family_write(o, family);
}

TEXT_ASCII(sock_local_ip, ip_write(o, f, v, false))
TEXT_ASCII(sock_peer_ip, ip_write(o, f, v, true))

static void end_write_json(struct buf *o, char side, const struct end *e)
{
	buf_printf(o, ",\"%caddr\":\"", side);
	address_write(o, e);
	buf_printf(o, "\",\"%cport\":%u", side, e->port);
}

void json_sock(struct buf *o, const struct field *f, const struct value *v)
{
	struct ends e = ends_read(f, v);

	buf_str(o, "{\"family\":\"");
	family_write(o, e.family);
	buf_char(o, '"');
	if (e.has_addresses) {
		end_write_json(o, 's', &e.local);
		end_write_json(o, 'd', &e.remote);
	}
	buf_char(o, '}');
}

/* ---- patterns that an address and port are compared with ---- */

enum { TEXT_ROOM = 64, MAPPED_BITS = 96 };

/* Parses a number of decimal digits only; returns -1 for anything else. */
static long number_of(const char *text, long most)
{
	char *end;
	long n;

	if (*text < '0' || *text > '9')
		return -1;
	n = strtol(text, &end, 10);
	return *end || n > most ? -1 : n;
}

static bool port_read(const char *text, struct sock_pattern *p)
{
	long n = number_of(text, UINT16_MAX);

	p->any_port = !strcmp(text, "*");
	p->port = n;
	return p->any_port || n >= 0;
}

static void masks_fill(struct sock_pattern *p, unsigned bits)
{
	for (unsigned i = 0; i < 4; i++) {
		unsigned own = bits < 32 ? bits : 32;

		p->masks[i] = own ? htonl(UINT32_MAX << (32 - own)) : 0;
		p->words[i] &= p->masks[i];
		bits -= own;
	}
}

/* Converts ::ffff:1.2.3.4 to IPv4. */
static void unmap(struct sock_pattern *p, unsigned *bits)
{
	if (p->words[0] || p->words[1] || p->words[2] != htonl(0xffff) || *bits < MAPPED_BITS)
		return;
	p->family = SOCK_INET;
	p->words[0] = p->words[3];
	*bits -= MAPPED_BITS;
}

/* Completes 10.* and 10.1.*: the bytes before the star, followed by zeros. */
static bool prefix_complete(char *text, unsigned *bits)
{
	size_t len = strlen(text);
	unsigned dots = 0;

	if (len < 3 || strcmp(text + len - 2, ".*"))
		return true;
	for (size_t i = 0; i < len; i++)
		dots += text[i] == '.';
	if (dots > 3)
		return false;
	*bits = 8 * dots;
	text[len - 1] = '0';
	strcpy(text + len, &".0.0.0"[2 * dots]);
	return true;
}

static bool address_read(char *text, struct sock_pattern *p)
{
	char *slash = strchr(text, '/');
	bool six = strchr(text, ':');
	unsigned all = six ? 128 : 32, bits = all;
	long given = slash ? number_of(slash + 1, all) : (long)all;

	if (!strcmp(text, "*"))
		return true;
	if (slash)
		*slash = '\0';
	bits = given;
	if (given < 0 || (!six && !slash && !prefix_complete(text, &bits)) ||
	    inet_pton(six ? AF_INET6 : AF_INET, text, p->words) != 1)
		return false;
	p->family = six ? SOCK_INET6 : SOCK_INET;
	p->is_whole = bits == all && !p->any_port;
	if (six)
		unmap(p, &bits);
	masks_fill(p, bits);
	return true;
}

/* Finds the port and cuts it off the text. Returns NULL if the text is only an address. */
static char *port_find(char *text)
{
	char *end = strrchr(text, ':');

	if (*text == '[')
		end = strchr(text, ']') ? strchr(text, ']') + 1 : NULL;
	else if (end && strchr(text, ':') != end) /* a colon inside an IPv6 address */
		return NULL;
	return end;
}

bool sock_pattern_read(const char *text, size_t len, struct sock_pattern *p)
{
	char room[TEXT_ROOM], *address = room, *port;

	*p = (struct sock_pattern){ .any_port = true };
	if (!len || len + sizeof(".0.0.0") > sizeof(room) || memchr(text, 0, len))
		return false;
	memcpy(room, text, len);
	room[len] = '\0';
	port = port_find(room);
	if (*room == '[') {
		if (!port)
			return false;
		address = room + 1;
		port[-1] = '\0';
	}
	if (port && *port) {
		if (*port != ':' || !port_read(port + 1, p))
			return false;
		*port = '\0';
	}
	return address_read(address, p);
}
