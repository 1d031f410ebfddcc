/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sockaddr.c - the bytes of a struct sockaddr as text.
 *
 * The real length of the address is not known here: as many bytes as the family has are used, and
 * an address that is too short for its family is shown as bytes.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <string.h>
#include <sys/un.h>

#include "output/field/flag_names.h"
#include "output/field/sockaddr.h"
#include "output/field/value_addr.h"

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

void mac_put(struct buf *o, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i)
			buf_char(o, ':');
		buf_hex_pad(o, (uint8_t)bytes[i], 2);
	}
}

static void put_inet(struct buf *o, const struct sockaddr_in *in)
{
	char text[INET_ADDRSTRLEN];

	buf_str(o, inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)));
	buf_char(o, ':');
	buf_uint(o, ntohs(in->sin_port));
}

static void put_inet6(struct buf *o, const struct sockaddr_in6 *in6)
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

static void put_netlink(struct buf *o, const struct sockaddr_nl *nl)
{
	buf_str(o, "netlink:");
	buf_uint(o, nl->nl_pid);
	buf_str(o, ":0x");
	buf_hex(o, nl->nl_groups);
}

static void put_packet(struct buf *o, const struct sockaddr_ll *ll)
{
	buf_str(o, "packet:");
	buf_int(o, ll->sll_ifindex);
	buf_str(o, ":0x");
	buf_hex_pad(o, ntohs(ll->sll_protocol), 4);
	if (!ll->sll_halen)
		return;
	buf_char(o, ':');
	mac_put(o, (const char *)ll->sll_addr, ll->sll_halen < 8 ? ll->sll_halen : 8);
}

static void put_vsock(struct buf *o, const struct sockaddr_vm *vm)
{
	buf_str(o, "vsock:");
	buf_uint(o, vm->svm_cid);
	buf_char(o, ':');
	buf_uint(o, vm->svm_port);
}

/* A path up to its NUL; for an abstract name, which starts with a NUL, @ and the name. */
static size_t put_unix(struct buf *o, const char *path, size_t room, enum escape_form form)
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
	columns += escape_put_part(o, path, strnlen(path, room - abstract), form);
	if (quotes)
		buf_char(o, '"');
	return columns;
}

/* AF_X25, 45, 0102… */
static void put_other(struct buf *o, const union address *a, size_t len)
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

size_t sockaddr_put(struct buf *o, const char *bytes, size_t len, enum escape_form form)
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
		return put_unix(o, a.un.sun_path, (len < sizeof(a.un) ? len : sizeof(a.un)) - 2,
				form);
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
