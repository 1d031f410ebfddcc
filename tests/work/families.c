/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * families.c - TCP over IPv4 through sockets of IPv6, and sockets with options, for the tests of recipes. It must not know of
 * coretap.
 *
 *   families mapped PORT   a listener for both; a socket of IPv4 that connects to it, one of IPv6 that connects to it by IPv4
 *                          (::ffff:127.0.0.1), one of IPv6 by IPv6. Each sends 100 bytes
 *   families bind PORT     sockets that are bound to PORT, PORT + 1, PORT + 2: with IP_FREEBIND, IP_TRANSPARENT, and
 *                          IP_BIND_ADDRESS_NO_PORT
 *   families aborted PORT  a connection whose one side is closed when data arrives there
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BYTES = 100 };

static int listening(int family, const struct sockaddr *at, socklen_t len)
{
	int fd = socket(family, SOCK_STREAM, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	return bind(fd, at, len) || listen(fd, 8) ? -1 : fd;
}

static int exchange(int server, int family, const struct sockaddr *to, socklen_t len)
{
	int client = socket(family, SOCK_STREAM, 0), other;
	char buf[BYTES] = "";
	int err;

	if (connect(client, to, len))
		return 1;
	other = accept(server, NULL, NULL);
	err = send(client, buf, BYTES, 0) != BYTES || recv(other, buf, BYTES, MSG_WAITALL) != BYTES;
	close(client);
	close(other);
	return err;
}

static int do_mapped(int port)
{
	struct sockaddr_in v4 = { AF_INET, htons(port), { htonl(INADDR_LOOPBACK) }, "" };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	int server = listening(AF_INET6, (void *)&v6, sizeof(v6));

	if (server < 0 || exchange(server, AF_INET, (void *)&v4, sizeof(v4)))
		return 1;
	inet_pton(AF_INET6, "::ffff:127.0.0.1", &v6.sin6_addr);
	if (exchange(server, AF_INET6, (void *)&v6, sizeof(v6)))
		return 2;
	v6.sin6_addr = in6addr_loopback;
	return exchange(server, AF_INET6, (void *)&v6, sizeof(v6));
}

static int do_bind(int port)
{
	static const int options[] = { IP_FREEBIND, IP_TRANSPARENT, IP_BIND_ADDRESS_NO_PORT };
	struct sockaddr_in at = { AF_INET, 0, { htonl(INADDR_LOOPBACK) }, "" };

	for (int i = 0; i < 3; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

		at.sin_port = htons(port + i);
		if (setsockopt(fd, IPPROTO_IP, options[i], &on, sizeof(on)) ||
		    bind(fd, (void *)&at, sizeof(at)))
			return 1;
	}
	return 0;
}

static int do_aborted(int port)
{
	struct sockaddr_in at = { AF_INET, htons(port), { htonl(INADDR_LOOPBACK) }, "" };
	int server = listening(AF_INET, (void *)&at, sizeof(at)), client, other;

	client = socket(AF_INET, SOCK_STREAM, 0);
	if (server < 0 || connect(client, (void *)&at, sizeof(at)))
		return 1;
	other = accept(server, NULL, NULL);
	close(client);
	usleep(100000); /* the end has arrived: that side waits for ours */
	return send(other, "x", 1, MSG_NOSIGNAL) != 1;
}

int main(int argc, char **argv)
{
	int port = argc == 3 ? atoi(argv[2]) : 0;

	if (!port)
		return 1;
	if (!strcmp(argv[1], "mapped"))
		return do_mapped(port);
	return !strcmp(argv[1], "bind") ? do_bind(port) : do_aborted(port);
}
