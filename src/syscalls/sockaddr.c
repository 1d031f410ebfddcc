/* SPDX-License-Identifier: GPL-2.0-only */
/* sockaddr.c - addresses of sockets. */
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
	char text[INET_ADDRSTRLEN];

	buf_printf(out->o,
		   out->json ? ",\"sin_port\":%u,\"sin_addr\":\"%s\"" :
			       ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")",
		   ntohs(in->sin_port), inet_ntop(AF_INET, &in->sin_addr, text, sizeof(text)));
}

static void inet6_write(struct out *out, const struct sockaddr_in6 *in, size_t len)
{
	char text[INET6_ADDRSTRLEN];

	inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof(text));
	if (out->json)
		buf_printf(out->o, ",\"sin6_port\":%u,\"sin6_addr\":\"%s\"", ntohs(in->sin6_port),
			   text);
	else
		buf_printf(out->o,
			   ", sin6_port=htons(%u), sin6_flowinfo=htonl(%u), "
			   "inet_pton(AF_INET6, \"%s\", &sin6_addr)",
			   ntohs(in->sin6_port), ntohl(in->sin6_flowinfo), text);
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
	} else if (len > 2) {
		buf_str(o, out->json ? ",\"sa_data\":" : ", sa_data=");
		out_string(out, p + 2, len - 2, false, false);
	}
	buf_char(o, '}');
}
