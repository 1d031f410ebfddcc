/* SPDX-License-Identifier: GPL-2.0-only */
/* value_addr.c - addresses, UUIDs, bytes, file modes and symbols as text; addresses of sockets (struct sockaddr). */
#include "output/field/value_addr.h"

#include <string.h>
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/types.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "output/field/flag_names.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "symbols/kernel/ksyms.h"
#include "event.h"

/*
 * The bytes of a struct sockaddr as text.
 *
 * The length of the address that the program passed is unknown here: the bytes that the family needs are used, and a
 * shorter address is shown as bytes.
 */

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
	struct sockaddr_nl nl;
	struct sockaddr_ll ll;
	struct sockaddr_vm vm;
	char bytes[128];
};

/* Writes 52:54:00:12:34:56, for any number of bytes. */
static void mac_write(struct buf *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i)
			buf_char(o, ':');
		buf_hex_pad(o, (uint8_t)bytes[i], 2);
	}
}

static void write_inet(struct buf *o, const struct sockaddr_in *in)
{
	char text[INET_ADDRSTRLEN];

	buf_str(o, inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)));
	buf_char(o, ':');
	buf_uint(o, ntohs(in->sin_port));
}

static void write_inet6(struct buf *o, const struct sockaddr_in6 *in6)
{
	char text[INET6_ADDRSTRLEN];

	buf_char(o, '[');
	buf_str(o, inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text)));
	if (in6->sin6_scope_id) {
		buf_char(o, '%');
		buf_uint(o, in6->sin6_scope_id);
	}
	buf_str(o, "]:");
	buf_uint(o, ntohs(in6->sin6_port));
}

static void write_netlink(struct buf *o, const struct sockaddr_nl *nl)
{
	buf_str(o, "netlink:");
	buf_uint(o, nl->nl_pid);
	buf_str(o, ":0x");
	buf_hex(o, nl->nl_groups);
}

static void write_packet(struct buf *o, const struct sockaddr_ll *ll)
{
	buf_str(o, "packet:");
	buf_int(o, ll->sll_ifindex);
	buf_str(o, ":0x");
	buf_hex_pad(o, ntohs(ll->sll_protocol), 4);
	if (!ll->sll_halen)
		return;
	buf_char(o, ':');
	mac_write(o, (const char *)ll->sll_addr, ll->sll_halen < 8 ? ll->sll_halen : 8);
}

static void write_vsock(struct buf *o, const struct sockaddr_vm *vm)
{
	buf_str(o, "vsock:");
	buf_uint(o, vm->svm_cid);
	buf_char(o, ':');
	buf_uint(o, vm->svm_port);
}

/* Writes a path up to its NUL; for an abstract name, which starts with a NUL, writes @ and the name. */
static size_t write_unix(struct buf *o, const char *path, size_t room, enum escape_form form)
{
	bool abstract = !path[0] && path[1];
	bool quotes = form == ESCAPE_QUOTED;
	size_t columns = 0;

	if (!path[0] && !abstract) {
		buf_str(o, "AF_UNIX");
		return strlen("AF_UNIX");
	}
	if (quotes)
		buf_char(o, '"');
	if (abstract)
		buf_char(o, '@');
	path += abstract;
	columns = 2 * quotes + abstract;
	columns += escape_write_part(o, path, strnlen(path, room - abstract), form);
	if (quotes)
		buf_char(o, '"');
	return columns;
}

/* Writes AF_X25, 45, 0102… */
static void write_other(struct buf *o, const union address *a, size_t len)
{
	const struct field_name *n = flags_family;

	while (n->name && n->value != a->any.sa_family)
		n++;
	if (n->name)
		buf_str(o, n->name);
	else
		buf_uint(o, a->any.sa_family);
	if (a->any.sa_family == AF_UNSPEC)
		return;
	buf_char(o, ':');
	for (size_t i = 2; i < len && i < sizeof(struct sockaddr); i++)
		buf_hex_pad(o, (uint8_t)a->bytes[i], 2);
}

size_t sockaddr_write(struct buf *o, const char *bytes, size_t len, enum escape_form form)
{
	size_t start = o->len;
	union address a = { .any = { 0 } };

	if (len > sizeof(a))
		len = sizeof(a);
	memcpy(&a, bytes, len);
	if (a.any.sa_family == AF_INET && len >= sizeof(a.in))
		write_inet(o, &a.in);
	else if (a.any.sa_family == AF_INET6 && len >= sizeof(a.in6))
		write_inet6(o, &a.in6);
	else if (a.any.sa_family == AF_UNIX && len > 4)
		return write_unix(o, a.un.sun_path, (len < sizeof(a.un) ? len : sizeof(a.un)) - 2,
				  form);
	else if (a.any.sa_family == AF_NETLINK && len >= sizeof(a.nl))
		write_netlink(o, &a.nl);
	else if (a.any.sa_family == AF_PACKET && len >= offsetof(struct sockaddr_ll, sll_addr))
		write_packet(o, &a.ll);
	else if (a.any.sa_family == AF_VSOCK && len >= sizeof(a.vm))
		write_vsock(o, &a.vm);
	else
		write_other(o, &a, len);
	return o->len - start;
}

/* ---- addresses, bytes, modes and symbols ---- */

static void write_bytes(struct buf *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_hex_pad(o, (uint8_t)bytes[i], 2);
}

/* A number holds the address's bytes in the order of memory, so both are in network order. */
static void write_ip(struct buf *o, int family, const void *bytes)
{
	char text[INET6_ADDRSTRLEN];

	buf_str(o, inet_ntop(family, bytes, text, sizeof(text)));
}

/* A guid_t stores its first three parts in little-endian. */
static void write_uuid(struct buf *o, const char *bytes, bool guid)
{
	static const uint8_t guid_order[16] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15
	};

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			buf_char(o, '-');
		buf_hex_pad(o, (uint8_t)bytes[guid ? guid_order[i] : i], 2);
	}
}

/* Writes a mode as ls -l does; in octal if it has no file type, as open(2)'s mode. */
static void write_mode(struct buf *o, unsigned mode)
{
	static const char types[16] = "?pc?d?b?-?l?s???";
	static const struct {
		unsigned bit;
		char set, both;
	} special[] = {
		{ S_ISUID, 'S', 's' },
		{ S_ISGID, 'S', 's' },
		{ S_ISVTX, 'T', 't' },
	};

	if (!(mode & S_IFMT) || mode > 0xffff) {
		buf_str(o, "0");
		if (mode)
			buf_octal(o, mode);
		return;
	}
	buf_char(o, types[mode >> 12]);
	for (int i = 0; i < 3; i++) {
		unsigned bits = mode >> (6 - 3 * i) & 7;
		char x = bits & 1 ? 'x' : '-';

		if (mode & special[i].bit)
			x = bits & 1 ? special[i].both : special[i].set;
		buf_char(o, bits & 4 ? 'r' : '-');
		buf_char(o, bits & 2 ? 'w' : '-');
		buf_char(o, x);
	}
}

/* Writes vfs_read, vfs_read+0x14, or with the module ext4_file_open+0x8[ext4]. */
static void write_symbol(struct buf *o, uint64_t address)
{
	const char *name, *module;
	uint64_t offset = address;

	name = ksyms_name(address, &offset, &module);
	if (name)
		escape_write(o, name, strlen(name));
	if (!name || offset) {
		buf_str(o, name ? "+0x" : "0x");
		buf_hex(o, offset);
	}
	if (name && module) {
		buf_char(o, '[');
		escape_write(o, module, strlen(module));
		buf_char(o, ']');
	}
}

size_t text_bytes(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	(void)f, (void)form;
	write_bytes(o, v->bytes, v->len);
	return 2 * v->len + (v->status == EVENT_CUT ? text_write_cut(o, v) : 0);
}
TEXT_ASCII(mac, mac_write(o, v->bytes, v->len))
TEXT_ASCII(ip4, write_ip(o, AF_INET, v->bytes))
TEXT_ASCII(ip6, write_ip(o, AF_INET6, v->bytes))
TEXT_ASCII(uuid, write_uuid(o, v->bytes, false))
TEXT_ASCII(guid, write_uuid(o, v->bytes, true))
TEXT_ASCII(mode, write_mode(o, (unsigned)v->u))
TEXT_ASCII(symbol, write_symbol(o, v->u))

/* The path in it may contain any byte. */
size_t text_sockaddr(struct buf *o, const struct field *f, const struct value *v,
		     enum timestamp_form form)
{
	(void)form;
	return sockaddr_write(o, v->bytes, v->len,
			      f->flags & FIELD_PAIR ? ESCAPE_QUOTED : ESCAPE_PLAIN);
}
