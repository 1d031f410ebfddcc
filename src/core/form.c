// SPDX-License-Identifier: GPL-2.0
/*
 * form.c - addresses, UUIDs, bytes, file modes and symbols as text.
 *
 * All but a socket's path is text that needs no escaping. It must not know rows or objects.
 */
#include "core/form.h"

#include <arpa/inet.h>
#include <sys/stat.h>

#include "core/ksyms.h"

bool form_is(enum field_type type)
{
	static const uint64_t types = 1ULL << FIELD_BYTES | 1ULL << FIELD_MAC | 1ULL << FIELD_IP4 |
				      1ULL << FIELD_IP6 | 1ULL << FIELD_UUID | 1ULL << FIELD_GUID |
				      1ULL << FIELD_SOCKADDR | 1ULL << FIELD_MODE |
				      1ULL << FIELD_SYM;

	return types >> type & 1;
}

static void put_bytes(struct out *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out_hex_pad(o, (uint8_t)bytes[i], 2);
}

void mac_put(struct out *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i)
			out_char(o, ':');
		out_hex_pad(o, (uint8_t)bytes[i], 2);
	}
}

/* From a number the value is its bytes as they lie in memory: network order either way. */
static void put_ip(struct out *o, int family, const void *bytes)
{
	char text[INET6_ADDRSTRLEN];

	out_str(o, inet_ntop(family, bytes, text, sizeof(text)));
}

/* A guid_t has its first three parts in little endian. */
static void put_uuid(struct out *o, const char *bytes, bool guid)
{
	static const uint8_t guid_order[16] = { 3, 2,  1,  0, 5,  4,  7,  6,
						8, 9, 10, 11, 12, 13, 14, 15 };

	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out_char(o, '-');
		out_hex_pad(o, (uint8_t)bytes[guid ? guid_order[i] : i], 2);
	}
}

/* As ls -l has it; with no type of file, as in open(2)'s mode, octal. */
static void put_mode(struct out *o, unsigned mode)
{
	static const char types[16] = "?pc?d?b?-?l?s???";
	static const struct { unsigned bit; char set, both; } special[] = {
		{ S_ISUID, 'S', 's' }, { S_ISGID, 'S', 's' }, { S_ISVTX, 'T', 't' },
	};

	if (!(mode & S_IFMT) || mode > 0xffff) {
		out_str(o, "0");
		if (mode)
			out_octal(o, mode);
		return;
	}
	out_char(o, types[mode >> 12]);
	for (int i = 0; i < 3; i++) {
		unsigned bits = mode >> (6 - 3 * i) & 7;
		char x = bits & 1 ? 'x' : '-';

		if (mode & special[i].bit)
			x = bits & 1 ? special[i].both : special[i].set;
		out_char(o, bits & 4 ? 'r' : '-');
		out_char(o, bits & 2 ? 'w' : '-');
		out_char(o, x);
	}
}

/* vfs_read+0x14, and its module: ext4_file_open+0x0[ext4]. */
static void put_symbol(struct out *o, uint64_t address)
{
	const char *name, *module;
	uint64_t offset = address;

	name = ksyms_name(address, &offset, &module);
	if (name) {
		text_put(o, name, strlen(name));
		out_char(o, '+');
	}
	out_str(o, "0x");
	out_hex(o, offset);
	if (name && module) {
		out_char(o, '[');
		text_put(o, module, strlen(module));
		out_char(o, ']');
	}
}

size_t form_put(struct out *o, const struct field *f, const struct value *v, enum text_form form)
{
	size_t start = o->len;

	switch (f->type) {
	case FIELD_MAC: mac_put(o, v->bytes, v->len); break;
	case FIELD_IP4: put_ip(o, AF_INET, v->bytes); break;
	case FIELD_IP6: put_ip(o, AF_INET6, v->bytes); break;
	case FIELD_UUID: put_uuid(o, v->bytes, false); break;
	case FIELD_GUID: put_uuid(o, v->bytes, true); break;
	case FIELD_SOCKADDR: return sockaddr_put(o, v->bytes, v->len, form);
	case FIELD_MODE: put_mode(o, (unsigned)v->u); break;
	case FIELD_SYM: put_symbol(o, v->u); break;
	default: put_bytes(o, v->bytes, v->len); break;
	}
	return o->len - start;
}
