/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_addr.c - addresses, UUIDs, bytes, file modes and symbols as text.
 *
 * Only a socket's path may need escaping. This file knows nothing about rows or objects.
 */
#include "output/field/sockaddr.h"
#include "output/field/value_addr.h"

#include <arpa/inet.h>
#include <sys/stat.h>
#include <linux/types.h>

#include "output/field/value_text.h"
#include "symbols/kernel/ksyms.h"
#include "event.h"

static void put_bytes(struct buf *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_hex_pad(o, (uint8_t)bytes[i], 2);
}

/* A number holds the address's bytes as in memory, so both are in network order. */
static void put_ip(struct buf *o, int family, const void *bytes)
{
	char text[INET6_ADDRSTRLEN];

	buf_str(o, inet_ntop(family, bytes, text, sizeof(text)));
}

/* A guid_t stores its first three parts in little endian. */
static void put_uuid(struct buf *o, const char *bytes, bool guid)
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

/* Like ls -l; in octal if it has no file type, like open(2)'s mode. */
static void put_mode(struct buf *o, unsigned mode)
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

/* vfs_read, vfs_read+0x14, with the module: ext4_file_open+0x8[ext4]. */
static void put_symbol(struct buf *o, uint64_t address)
{
	const char *name, *module;
	uint64_t offset = address;

	name = ksyms_name(address, &offset, &module);
	if (name)
		escape_put(o, name, strlen(name));
	if (!name || offset) {
		buf_str(o, name ? "+0x" : "0x");
		buf_hex(o, offset);
	}
	if (name && module) {
		buf_char(o, '[');
		escape_put(o, module, strlen(module));
		buf_char(o, ']');
	}
}

size_t text_bytes(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	(void)f, (void)form;
	put_bytes(o, v->bytes, v->len);
	return 2 * v->len + (v->status == EVENT_CUT ? text_put_cut(o, v) : 0);
}
TEXT_ASCII(mac, mac_put(o, v->bytes, v->len))
TEXT_ASCII(ip4, put_ip(o, AF_INET, v->bytes))
TEXT_ASCII(ip6, put_ip(o, AF_INET6, v->bytes))
TEXT_ASCII(uuid, put_uuid(o, v->bytes, false))
TEXT_ASCII(guid, put_uuid(o, v->bytes, true))
TEXT_ASCII(mode, put_mode(o, (unsigned)v->u))
TEXT_ASCII(symbol, put_symbol(o, v->u))

/* Its path may contain any byte. */
size_t text_sockaddr(struct buf *o, const struct field *f, const struct value *v,
		     enum timestamp_form form)
{
	(void)form;
	return sockaddr_put(o, v->bytes, v->len,
			    f->flags & FIELD_PAIR ? ESCAPE_QUOTED : ESCAPE_PLAIN);
}
