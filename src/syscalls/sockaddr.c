/* SPDX-License-Identifier: GPL-2.0-only */
/* sockaddr.c - addresses of sockets. */
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <sys/un.h>

#include "syscalls/text.h"

#define SIN6_LEN_MIN 24 /* without a scope, as the kernel takes it */

static void unix_write(struct out *out, const struct sockaddr_un *un, size_t len)
{
	size_t n = len - 2 < sizeof(un->sun_path) ? len - 2 : sizeof(un->sun_path);
	bool is_abstract = !un->sun_path[0];

	buf_str(out->o, out->json   ? ",\"sun_path\":" :
			is_abstract ? ", sun_path=@" :
				      ", sun_path=");
	if (is_abstract)
		out_string(out, un->sun_path + 1, n - 1, false, false);
	else
		out_string(out, un->sun_path, strnlen(un->sun_path, n), false, false);
}

static void inet_write(struct out *out, const struct sockaddr_in *in)
{
	static const struct type port = { .kind = TYPE_PORT }, addr = { .kind = TYPE_INET };

	buf_str(out->o, out->json ? ",\"sin_port\":" : ", sin_port=");
	out_form(out, &port, (const char *)&in->sin_port);
	buf_str(out->o, out->json ? ",\"sin_addr\":" : ", sin_addr=");
	out_form(out, &addr, (const char *)&in->sin_addr);
}

static void inet6_write(struct out *out, const struct sockaddr_in6 *in, size_t len)
{
	static const struct type port = { .kind = TYPE_PORT },
				 flow = { .kind = TYPE_BE, .size = 4 };

	buf_str(out->o, out->json ? ",\"sin6_port\":" : ", sin6_port=");
	out_form(out, &port, (const char *)&in->sin6_port);
	if (!out->json) {
		buf_str(out->o, ", sin6_flowinfo=");
		out_form(out, &flow, (const char *)&in->sin6_flowinfo);
	}
	buf_str(out->o, out->json ? ",\"sin6_addr\":" : ", ");
	out_inet6(out, (const char *)&in->sin6_addr, "sin6_addr");
	if (out->json || len <= SIN6_LEN_MIN)
		return;
	buf_str(out->o, ", sin6_scope_id=");
	if (IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr) || IN6_IS_ADDR_MC_LINKLOCAL(&in->sin6_addr))
		out_ifindex(out, in->sin6_scope_id);
	else
		buf_uint(out->o, in->sin6_scope_id);
}

/* The address in one of RxRPC, of as many bytes as this says. */
static void transport_write(struct out *out, const char *p, size_t len)
{
	struct sockaddr_in6 a = { 0 };
	const char *name;

	memcpy(&a, p, sizeof(a));
	len = len < sizeof(a) ? len : sizeof(a);
	name = a.sin6_family == AF_INET ? "sin" : a.sin6_family == AF_INET6 ? "sin6" : NULL;
	buf_printf(out->o, name ? ", transport={%s={%s_family=" : ", transport={family=", name,
		   name);
	out_set(out, set_find("family"), a.sin6_family, 2);
	if (a.sin6_family == AF_INET && len >= sizeof(struct sockaddr_in)) {
		inet_write(out, (void *)&a);
	} else if (a.sin6_family == AF_INET6 && len >= SIN6_LEN_MIN) {
		inet6_write(out, &a, len);
	} else if (len > 2) {
		buf_str(out->o, ", ");
		out_string(out, p + 2, len - 2, false, false);
	}
	buf_str(out->o, name ? "}}" : "}");
}

/* Returns the row of a family, or that of its addresses of this length: sa36, sa39_96. A string at the end may be cut. */
static const struct layout *row_find(const struct out *out, unsigned family, size_t len)
{
	struct type t = { .kind = TYPE_STRUCT };
	const struct member *last;
	uint32_t align, size;
	char name[16];

	snprintf(name, sizeof(name), "sa%u_%zu", family, len);
	t.of = layout_find(name);
	if (!t.of) {
		*strchr(name, '_') = 0;
		t.of = layout_find(name);
	}
	if (!t.of)
		return NULL;
	size = type_size(&t, out->event->abi, &align);
	last = &((const struct layout *)t.of)->members[((const struct layout *)t.of)->count - 1];
	if (last->type.kind == TYPE_CHARS && last->type.offset > 0)
		size = (uint32_t)last->type.offset + 1;
	return len >= size ? t.of : NULL;
}

/* Writes an address by its row in structs.tbl. Returns false if there is none, or if the bytes are too few. */
static bool row_write(struct out *out, const char *p, size_t len, unsigned family)
{
	const struct layout *l = out->json ? NULL : row_find(out, family, len);
	size_t at = out->o->len + 1;

	if (!l)
		return false;
	buf_char(out->o, ',');
	out_struct(out, l, p, len);
	if (!out->o->error &&
	    at < out->o->len) /* instead of its braces: the last is that of the address */
		out->o->data[at] = ' ';
	buf_rewind(out->o, out->o->len - 1);
	if (family == AF_RXRPC)
		transport_write(out, p + 8, memory_number(p + 6, 2));
	return true;
}

void out_sockaddr(struct out *out, const char *p, size_t len)
{
	struct sockaddr_storage a = { 0 };
	const struct sockaddr_nl *nl = (void *)&a;
	struct buf *o = out->o;

	len = len < sizeof(a) ? len : sizeof(a);
	memcpy(&a, p, len);
	buf_str(o, out->json ? "{\"sa_family\":" : "{sa_family=");
	out_set(out, set_find("family"), a.ss_family, 2);
	if (a.ss_family == AF_UNIX && len > 2) {
		unix_write(out, (void *)&a, len);
	} else if (a.ss_family == AF_INET && len >= sizeof(struct sockaddr_in)) {
		inet_write(out, (void *)&a);
	} else if (a.ss_family == AF_INET6 && len >= SIN6_LEN_MIN) {
		inet6_write(out, (void *)&a, len);
	} else if (a.ss_family == AF_NETLINK && len >= sizeof(*nl)) {
		if (nl->nl_pad && !out->json)
			buf_printf(o, ", nl_pad=%#x", nl->nl_pad);
		buf_printf(o, out->json ? ",\"nl_pid\":%u" : ", nl_pid=%u", nl->nl_pid);
		out_pid_here(out, "pid", &(struct type){ .kind = TYPE_UINT }, nl->nl_pid);
		buf_printf(o, out->json ? ",\"nl_groups\":%u" : ", nl_groups=%#08x", nl->nl_groups);
	} else if (a.ss_family == AF_AX25 && out_ax25(out, (const char *)&a, len)) {
		; /* by its own form */
	} else if (len > 2 && !row_write(out, p, len, a.ss_family)) {
		buf_str(o, out->json ? ",\"sa_data\":" : ", sa_data=");
		out_string(out, p + 2, len - 2, false, false);
	}
	buf_char(o, '}');
}
