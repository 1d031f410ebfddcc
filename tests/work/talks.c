/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * talks.c - TCP connections to itself, always between the same addresses: IPv4, IPv6, IPv4 by a socket for
 * IPv6; then a pair of local sockets. The client sends `count` times 5 bytes, the server answers each by 3.
 * Before that, a signal to itself, as often.
 *
 *	talks COUNT	127.0.0.1:7002 -> :7001, [::1]:7004 -> :7003, 127.0.0.1:7006 -> :7005
 */
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile int signals;

void on_signal(int number);
void on_signal(int number)
{
	signals += number;
}

static void need(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static int socket_at(const struct sockaddr *at, socklen_t len)
{
	/* no TIME_WAIT, so that the next one may have the same ports */
	struct linger linger = { 1, 0 };
	int fd = socket(at->sa_family, SOCK_STREAM, 0), one = 1;

	need(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	need(!bind(fd, at, len), "bind");
	return fd;
}

static void exchange(int client, int server, int count)
{
	char text[8];

	for (int i = 0; i < count; i++) {
		need(send(client, "hello", 5, 0) == 5, "send");
		need(recv(server, text, 5, MSG_WAITALL) == 5, "recv");
		need(send(server, "bye", 3, 0) == 3, "send");
		need(recv(client, text, 3, MSG_WAITALL) == 3, "recv");
	}
}

static void talk(struct sockaddr *here, struct sockaddr *there, socklen_t len, int count)
{
	int listener = socket_at(there, len), client = socket_at(here, len), server;

	need(!listen(listener, 1), "listen");
	need(!connect(client, there, len), "connect");
	server = accept(listener, NULL, NULL);
	need(server >= 0, "accept");
	exchange(client, server, count);
	close(client);
	close(server);
	close(listener);
}

static void talk4(int count)
{
	struct sockaddr_in here = { AF_INET, htons(7002), { htonl(INADDR_LOOPBACK) }, { 0 } };
	struct sockaddr_in there = { AF_INET, htons(7001), { htonl(INADDR_LOOPBACK) }, { 0 } };

	talk((void *)&here, (void *)&there, sizeof(here), count);
}

static void talk6(struct in6_addr address, int port, int count)
{
	struct sockaddr_in6 here = { AF_INET6, htons(port + 1), 0, address, 0 };
	struct sockaddr_in6 there = { AF_INET6, htons(port), 0, address, 0 };

	talk((void *)&here, (void *)&there, sizeof(here), count);
}

int main(int argc, char **argv)
{
	struct in6_addr mapped = { { { [10] = 0xff, 0xff, 127, 0, 0, 1 } } };
	int count = argc > 1 ? atoi(argv[1]) : 1, pair[2];

	signal(SIGUSR1, on_signal);
	for (int i = 0; i < count; i++)
		raise(SIGUSR1);
	talk4(count);
	talk6(in6addr_loopback, 7003, count);
	talk6(mapped, 7005, count);
	need(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair), "socketpair");
	exchange(pair[0], pair[1], count);
	return 0;
}
