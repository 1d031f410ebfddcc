/* SPDX-License-Identifier: GPL-2.0-only */
/* sockaddr.c - addresses of sockets. */
#include <stdio.h>
#include <string.h>
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
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

static void vsock_write(struct out *out, const struct sockaddr_vm *vm)
{
	static const char *const names[] = { "HYPERVISOR", "LOCAL", "HOST" };

	buf_str(out->o, ", svm_cid=");
	if (vm->svm_cid + 1 < 4)
		buf_printf(out->o, "VMADDR_CID_%s",
			   vm->svm_cid == VMADDR_CID_ANY ? "ANY" : names[vm->svm_cid]);
	else
		out_hex(out, vm->svm_cid);
	buf_printf(out->o, ", svm_port=%#x, svm_flags=%u", vm->svm_port, vm->svm_flags);
}

/* Writes an address by the row sa and the number of the family in structs.tbl. Returns false if the family has no
 * row, or if the bytes are too few. */
static bool row_write(struct out *out, const char *p, size_t len, unsigned family)
{
	struct type t = { .kind = TYPE_STRUCT };
	size_t at = out->o->len + 1;
	uint32_t align;
	char name[8];

	snprintf(name, sizeof(name), "sa%u", family);
	t.of = layout_find(name);
	if (!t.of || out->json || len < type_size(&t, out->event->abi, &align))
		return false;
	buf_char(out->o, ',');
	out_struct(out, t.of, p, len);
	if (!out->o->error &&
	    at < out->o->len) /* instead of its braces: the last is that of the address */
		out->o->data[at] = ' ';
	buf_rewind(out->o, out->o->len - 1);
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
		buf_printf(o,
			   out->json ? ",\"nl_pid\":%u,\"nl_groups\":%u" :
				       ", nl_pid=%u, nl_groups=%#08x",
			   nl->nl_pid, nl->nl_groups);
	} else if (a.ss_family == AF_VSOCK && len >= sizeof(struct sockaddr_vm) && !out->json) {
		vsock_write(out, (void *)&a);
	} else if (len > 2 && !row_write(out, (const char *)&a, len, a.ss_family)) {
		buf_str(o, out->json ? ",\"sa_data\":" : ", sa_data=");
		out_string(out, p + 2, len - 2, false, false);
	}
	buf_char(o, '}');
}
