/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * connects.c - connect(2) with one address of each kind, in this order, hostile ones among them. Whether
 * the kernel can connect to it does not matter: it has read the address by then.
 */
#include <linux/netlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
/* needs the one before it */
#include <linux/vm_sockets.h>
#include <sys/un.h>
#include <unistd.h>

static int fd;

static void try(const void *address, socklen_t len)
{
	if (connect(fd, address, len) && len > 200)
		_exit(1);
}

/* An address that ends where its page does, with nothing mapped behind it. */
static void try_edge(const void *address, socklen_t len)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(pages + 4096, 4096);
	memcpy(pages + 4096 - len, address, len);
	try(pages + 4096 - len, len);
}

int main(void)
{
	struct sockaddr_in in = { AF_INET, htons(8080), { htonl(0x7f000102) }, { 0 } };
	struct sockaddr_in6 in6 = { AF_INET6, htons(443), 0, IN6ADDR_LOOPBACK_INIT, 0 };
	struct sockaddr_un un = { AF_UNIX, "/tmp/a\n\x1b[2Jb\" v=\xff" };
	struct sockaddr_un abstract = { AF_UNIX, "\0hid\nden" };
	struct sockaddr_nl nl = { AF_NETLINK, 0, 42, 5 };
	struct sockaddr_vm vm = { .svm_family = AF_VSOCK, .svm_cid = 2, .svm_port = 12345 };

	fd = socket(AF_INET, SOCK_DGRAM, 0);
	try(&in, sizeof(in));
	try(&in6, sizeof(in6));
	try(&un, sizeof(un));
	try(&abstract, sizeof(abstract));
	try(&nl, sizeof(nl));
	try(&vm, sizeof(vm));
	in.sin_port = htons(9);
	try_edge(&in, sizeof(in));
	try_edge(&in6, sizeof(in6));
	try(NULL, 16);
	return 0;
}
