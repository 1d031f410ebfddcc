// SPDX-License-Identifier: GPL-2.0
/*
 * sockaddr.c - the bytes of a struct sockaddr as text.
 *
 * How long the address really was is not known here: as many bytes as the family says are taken,
 * and what is too short for its family is shown as it is.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <string.h>
#include <sys/un.h>

#include "core/flags.h"
#include "core/form.h"

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

static void put_inet(struct out *o, const struct sockaddr_in *in)
{
	char text[INET_ADDRSTRLEN];

	out_str(o, inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)));
	out_char(o, ':');
	out_uint(o, ntohs(in->sin_port));
}

static void put_inet6(struct out *o, const struct sockaddr_in6 *in6)
{
	char text[INET6_ADDRSTRLEN];

	out_char(o, '[');
	out_str(o, inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof(text)));
	if (in6->sin6_scope_id) {
		out_char(o, '%');
		out_uint(o, in6->sin6_scope_id);
	}
	out_str(o, "]:");
	out_uint(o, ntohs(in6->sin6_port));
}

static void put_netlink(struct out *o, const struct sockaddr_nl *nl)
{
	out_str(o, "netlink:");
	out_uint(o, nl->nl_pid);
	out_str(o, ":0x");
	out_hex(o, nl->nl_groups);
}

static void put_packet(struct out *o, const struct sockaddr_ll *ll)
{
	out_str(o, "packet:");
	out_int(o, ll->sll_ifindex);
	out_str(o, ":0x");
	out_hex_pad(o, ntohs(ll->sll_protocol), 4);
	if (!ll->sll_halen)
		return;
	out_char(o, ':');
	mac_put(o, (const char *)ll->sll_addr, ll->sll_halen < 8 ? ll->sll_halen : 8);
}

static void put_vsock(struct out *o, const struct sockaddr_vm *vm)
{
	out_str(o, "vsock:");
	out_uint(o, vm->svm_cid);
	out_char(o, ':');
	out_uint(o, vm->svm_port);
}

/* A path up to its NUL; @ and an abstract name, whose NUL comes first. */
static size_t put_unix(struct out *o, const char *path, size_t room, enum text_form form)
{
	bool abstract = !path[0] && path[1];
	bool quotes = form == TEXT_QUOTED;
	size_t columns = 0;

	if (!path[0] && !abstract) {
		out_str(o, "AF_UNIX");
		return strlen("AF_UNIX");
	}
	if (quotes)
		out_char(o, '"');
	if (abstract)
		out_char(o, '@');
	path += abstract;
	columns = 2 * quotes + abstract;
	columns += text_put_part(o, path, strnlen(path, room - abstract), form);
	if (quotes)
		out_char(o, '"');
	return columns;
}

/* AF_X25, 45, 0102… */
static void put_other(struct out *o, const union address *a, size_t len)
{
	const struct field_name *n = flags_family;

	while (n->name && n->value != a->any.sa_family)
		n++;
	if (n->name)
		out_str(o, n->name);
	else
		out_uint(o, a->any.sa_family);
	if (a->any.sa_family == AF_UNSPEC)
		return;
	out_char(o, ':');
	for (size_t i = 2; i < len && i < sizeof(struct sockaddr); i++)
		out_hex_pad(o, (uint8_t)a->bytes[i], 2);
}

size_t sockaddr_put(struct out *o, const char *bytes, size_t len, enum text_form form)
{
	size_t start = o->len;
	union address a = { .any = { 0 } };

	if (len > sizeof(a))
		len = sizeof(a);
	memcpy(&a, bytes, len);
	if (a.any.sa_family == AF_INET && len >= sizeof(a.in))
		put_inet(o, &a.in);
	else if (a.any.sa_family == AF_INET6 && len >= sizeof(a.in6))
		put_inet6(o, &a.in6);
	else if (a.any.sa_family == AF_UNIX && len > 4)
		return put_unix(o, a.un.sun_path,
				(len < sizeof(a.un) ? len : sizeof(a.un)) - 2, form);
	else if (a.any.sa_family == AF_NETLINK && len >= sizeof(a.nl))
		put_netlink(o, &a.nl);
	else if (a.any.sa_family == AF_PACKET && len >= offsetof(struct sockaddr_ll, sll_addr))
		put_packet(o, &a.ll);
	else if (a.any.sa_family == AF_VSOCK && len >= sizeof(a.vm))
		put_vsock(o, &a.vm);
	else
		put_other(o, &a, len);
	return o->len - start;
}
