/* SPDX-License-Identifier: GPL-2.0-only */
/* forms.c - numbers in memory that are no plain ones: addresses of the network, bits, versions. */
#include <arpa/inet.h>

#include "kernel/interface.h"
#include "syscalls/text.h"

void out_inet6(struct out *out, const char *p, const char *name)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, p, text, sizeof(text));
	if (out->json)
		buf_printf(out->o, "\"%s\"", text);
	else
		buf_printf(out->o, "inet_pton(AF_INET6, \"%s\", &%s)", text, name);
}

static void inet_write(struct out *out, const char *p)
{
	char text[INET_ADDRSTRLEN];

	inet_ntop(AF_INET, p, text, sizeof(text));
	buf_printf(out->o, out->json ? "\"%s\"" : "inet_addr(\"%s\")", text);
}

static void mac_write(struct out *out, const char *p, unsigned len)
{
	buf_str(out->o, out->json ? "\"" : "");
	for (unsigned i = 0; i < len; i++) {
		buf_str(out->o, i ? ":" : "");
		buf_hex_pad(out->o, (unsigned char)p[i], 2);
	}
	buf_str(out->o, out->json ? "\"" : "");
}

static void ifindex_write(struct out *out, unsigned index)
{
	const char *name = index ? interface_name(index) : NULL;

	if (name && !out->json)
		buf_printf(out->o, "if_nametoindex(\"%s\")", name);
	else
		buf_uint(out->o, index);
}

static void version_write(struct out *out, unsigned v)
{
	if (out->json)
		buf_uint(out->o, v);
	else
		buf_printf(out->o, "KERNEL_VERSION(%u, %u, %u)", v >> 16, v >> 8 & 0xff, v & 0xff);
}

/* perf's precise_ip, bits 15 and 16 of its flags. */
static void skid_write(struct out *out, unsigned bits)
{
	static const char *const texts[] = { "arbitrary skid", "constant skid",
					     "requested to have 0 skid", "must have 0 skid" };

	buf_uint(out->o, bits);
	if (!out->json)
		buf_printf(out->o, " /* %s */", texts[bits]);
}

bool out_form(struct out *out, const struct type *t, const char *p)
{
	switch (t->kind) {
	case TYPE_BIT: buf_uint(out->o, memory_number(p, 8) >> t->bit & 1); break;
	case TYPE_INET: inet_write(out, p); break;
	case TYPE_MAC: mac_write(out, p, t->size); break;
	case TYPE_IFINDEX: ifindex_write(out, (unsigned)memory_number(p, 4)); break;
	case TYPE_KVER: version_write(out, (unsigned)memory_number(p, 4)); break;
	case TYPE_SKID: skid_write(out, memory_number(p, 8) >> 15 & 3); break;
	case TYPE_INDEXED: out_hex(out, (unsigned char)*p); break;
	case TYPE_PORT:
		buf_printf(out->o, out->json ? "%u" : "htons(%u)",
			   ntohs((uint16_t)memory_number(p, 2)));
		break;
	default: return false;
	}
	return true;
}
