/* SPDX-License-Identifier: GPL-2.0-only */
/* inet.c - addresses and names in the network's order of bytes; -X shows their bytes. */
#include <arpa/inet.h>
#include <stdio.h>

#include "syscalls/text.h"

void out_bytes_style(struct out *out, size_t begin, const char *p, unsigned len)
{
	char number[3 + 4 * 32] = "\"", *to = number + 1;

	if (!out_is_styled(out))
		return;
	for (unsigned i = 0; i < len && i < 32; i++)
		to += sprintf(to, "\\x%02x", (unsigned char)p[i]);
	*to = '"';
	out_style(out, begin, number);
}

void out_inet6(struct out *out, const char *p, const char *name)
{
	char text[INET6_ADDRSTRLEN];
	size_t begin;

	inet_ntop(AF_INET6, p, text, sizeof(text));
	if (name && out_is_styled(out))
		buf_printf(out->o, "%s=", name);
	begin = out->o->len;
	if (out->json)
		buf_printf(out->o, "\"%s\"", text);
	else if (name && !out_is_styled(out))
		buf_printf(out->o, "inet_pton(AF_INET6, \"%s\", &%s)", text, name);
	else
		buf_printf(out->o, "inet_pton(AF_INET6, \"%s\")", text);
	out_bytes_style(out, begin, p, 16);
}

void out_inet(struct out *out, const char *p)
{
	char text[INET_ADDRSTRLEN];
	size_t begin = out->o->len;

	inet_ntop(AF_INET, p, text, sizeof(text));
	buf_printf(out->o, out->json ? "\"%s\"" : "inet_addr(\"%s\")", text);
	out_bytes_style(out, begin, p, 4);
}

void out_mac(struct out *out, const char *p, unsigned len)
{
	size_t begin = out->o->len;

	buf_str(out->o, out->json ? "\"" : "");
	for (unsigned i = 0; i < len; i++) {
		buf_str(out->o, i ? ":" : "");
		buf_hex_pad(out->o, (unsigned char)p[i], 2);
	}
	buf_str(out->o, out->json ? "\"" : "");
	out_bytes_style(out, begin, p, len);
}

void out_network(struct out *out, const struct type *t, uint16_t v)
{
	struct syscall_options options = *out->options;
	size_t begin = out->o->len;
	struct out plain = *out;

	plain.options = &options;
	if (!t->bit)
		options.style = SYSCALL_NAMES;
	buf_str(out->o, out->json ? "" : "htons(");
	out_set(&plain, t->of, ntohs(v), 2);
	buf_str(out->o, out->json ? "" : ")");
	if (!t->bit)
		out_bytes_style(out, begin, (const char *)&v, sizeof(v));
}
