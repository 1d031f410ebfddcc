/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sessions.c - connections over the loopback device and unix sockets, in every way there is, as
 * tests/live/connsnoop.bats knows them.
 *
 * `sessions JOB…` does the jobs in turn. Each connection that has a port of the kernel's choice prints
 * it, on a line with the job's name. Of each TCP and UDP connection the client sends 1000 bytes and gets 300.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uring.h"

#define TO_SERVER 1000
#define TO_CLIENT 300

static const char *job;

static void die(const char *what)
{
	fprintf(stderr, "sessions %s: ", job);
	perror(what);
	exit(99);
}

static int must(int result, const char *what)
{
	if (result < 0)
		die(what);
	return result;
}

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

static socklen_t address_make(union address *a, int family, bool mapped, int port)
{
	memset(a, 0, sizeof(*a));
	a->any.sa_family = family;
	if (family == AF_INET) {
		a->in.sin_port = htons(port);
		a->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(a->in);
	}
	a->in6.sin6_port = htons(port);
	a->in6.sin6_addr = in6addr_loopback;
	if (mapped)
		a->in6.sin6_addr = (struct in6_addr){ { { [10] = 255, 255, 127, 0, 0, 1 } } };
	return sizeof(a->in6);
}

static void port_print(int fd)
{
	union address a;
	socklen_t len = sizeof(a);

	must(getsockname(fd, &a.any, &len), "getsockname");
	printf("%s %d\n", job, ntohs(a.any.sa_family == AF_INET ? a.in.sin_port : a.in6.sin6_port));
	fflush(stdout);
}

static void take(int fd, size_t bytes)
{
	static char data[4096];
	ssize_t n;

	for (size_t got = 0; got < bytes; got += n)
		if ((n = read(fd, data, sizeof(data))) <= 0)
			die("read");
}

static void give(int fd, size_t bytes)
{
	static char data[4096];

	if (write(fd, data, bytes) != (ssize_t)bytes)
		die("write");
}

static int listener(const union address *a, socklen_t len, int type, int backlog)
{
	int fd = must(socket(a->any.sa_family, type, 0), "socket"), one = 1;

	if (a->any.sa_family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	must(bind(fd, &a->any, len), "bind");
	if (type != SOCK_DGRAM)
		must(listen(fd, backlog), "listen");
	return fd;
}

/* The side that connected closes first; the other one reads the end. */
static void talk(int client, int server)
{
	char end;

	give(client, TO_SERVER);
	take(server, TO_SERVER);
	give(server, TO_CLIENT);
	take(client, TO_CLIENT);
	close(client);
	if (read(server, &end, 1))
		die("no end");
	close(server);
}

static void tcp(int family, bool mapped, int port, int count)
{
	union address a, at;
	socklen_t len = address_make(&a, family, mapped, port), at_len;
	int l, client;

	at = a;
	at_len = len;
	if (mapped)
		at_len = address_make(&at, AF_INET, false, port);
	l = listener(&at, at_len, SOCK_STREAM, 8);
	for (int i = 0; i < count; i++) {
		client = must(socket(family, SOCK_STREAM, 0), "socket");
		must(connect(client, &a.any, len), "connect");
		port_print(client);
		talk(client, must(accept(l, NULL, NULL), "accept"));
	}
	close(l);
}

static void refused(int family, int port, bool waits)
{
	union address a;
	socklen_t len = address_make(&a, family, false, port);
	int fd = must(socket(family, SOCK_STREAM | (waits ? 0 : SOCK_NONBLOCK), 0), "socket");
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	if (!connect(fd, &a.any, len) || errno != (waits ? ECONNREFUSED : EINPROGRESS))
		die("connect");
	if (!waits && (poll(&p, 1, -1) != 1 || !connect(fd, &a.any, len) || errno != ECONNREFUSED))
		die("connect again");
	close(fd);
}

static void unreachable(void)
{
	struct sockaddr_in in = { AF_INET, htons(5050), { htonl(0xc0000201) }, { 0 } };
	int fd = must(socket(AF_INET, SOCK_STREAM, 0), "socket");

	if (!connect(fd, (void *)&in, sizeof(in)) || errno != ENETUNREACH)
		die("connect");
	close(fd);
}

/* One connection fills the queue of a backlog of 0; the next gets no answer. */
static int unanswered(int port, int *first, int *l)
{
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	int fd = must(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket"), tries = 1;

	*l = listener(&a, len, SOCK_STREAM, 0);
	*first = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	must(connect(*first, &a.any, len), "connect");
	/* it is in the queue once its last packet has arrived, which may be after connect */
	must(poll(&(struct pollfd){ .fd = *l, .events = POLLIN }, 1, -1), "poll");
	must(setsockopt(fd, IPPROTO_TCP, TCP_SYNCNT, &tries, sizeof(tries)), "TCP_SYNCNT");
	if (!connect(fd, &a.any, len) || errno != EINPROGRESS)
		die("connect");
	return fd;
}

static void canceled(int port)
{
	int first, l, fd = unanswered(port, &first, &l);

	close(fd);
	close(first);
	close(l);
}

static void timeout(int port)
{
	int first, l, fd = unanswered(port, &first, &l), err;
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	socklen_t len = sizeof(err);

	if (poll(&p, 1, -1) != 1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) ||
	    err != ETIMEDOUT)
		die("poll");
	close(fd);
	close(first);
	close(l);
}

/* The client resets it; the server learns of it. */
static void reset(int port)
{
	struct linger linger = { 1, 0 };
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	int l = listener(&a, len, SOCK_STREAM, 8), server;
	int client = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	char byte;

	must(connect(client, &a.any, len), "connect");
	port_print(client);
	server = must(accept(l, NULL, NULL), "accept");
	setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
	close(client);
	if (read(server, &byte, 1) >= 0 || errno != ECONNRESET)
		die("read");
	close(server);
	close(l);
}

static void udp(int family, int port)
{
	union address a, peer;
	socklen_t len = address_make(&a, family, false, port), peer_len = sizeof(peer);
	int server = listener(&a, len, SOCK_DGRAM, 0);
	int client = must(socket(family, SOCK_DGRAM, 0), "socket");

	must(connect(client, &a.any, len), "connect");
	port_print(client);
	give(client, TO_SERVER);
	must(getsockname(client, &peer.any, &peer_len), "getsockname");
	take(server, TO_SERVER);
	must(sendto(server, &a, 100, 0, &peer.any, peer_len), "sendto");
	must(sendto(server, &a, 100, 0, &peer.any, peer_len), "sendto");
	must(sendto(server, &a, 100, 0, &peer.any, peer_len), "sendto");
	recv(client, &peer, sizeof(peer), MSG_PEEK);
	take(client, 100);
	take(client, 100);
	take(client, 100);
	close(client);
	close(server);
}

static void local(const char *name, size_t name_len, int type)
{
	union address a = { .un.sun_family = AF_UNIX };
	socklen_t len = offsetof(struct sockaddr_un, sun_path) + name_len;
	int l, client, server;

	memcpy(a.un.sun_path, name, name_len);
	if (name[0])
		unlink(name);
	l = listener(&a, len, type, 8);
	client = must(socket(AF_UNIX, type, 0), "socket");
	must(connect(client, &a.any, len), "connect");
	if (type != SOCK_DGRAM) {
		server = must(accept(l, NULL, NULL), "accept");
		close(client);
		close(server);
	} else {
		close(client);
	}
	close(l);
	client = must(socket(AF_UNIX, type, 0), "socket");
	if (!connect(client, &a.any, len) || errno != ECONNREFUSED)
		die("connect");
	close(client);
}

/* ---- io_uring ---- */

static void uring(int port)
{
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	int l = listener(&a, len, SOCK_STREAM, 8), server;
	int client = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
	struct uring u;

	uring_open(&u);
	if (uring_do(&u, &(struct io_uring_sqe){ .opcode = IORING_OP_CONNECT,
						 .fd = client,
						 .addr = (uintptr_t)&a,
						 .off = len }))
		die("connect by io_uring");
	port_print(client);
	server = uring_do(&u, &(struct io_uring_sqe){ .opcode = IORING_OP_ACCEPT, .fd = l });
	talk(client, must(server, "accept by io_uring"));
	close(l);
}

/* Many, one after the other, of as few system calls as there can be: for rates and costs. */
static void many(int port, int count)
{
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	int l = listener(&a, len, SOCK_STREAM, 8), client, server;

	for (int i = 0; i < count; i++) {
		client = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
		must(connect(client, &a.any, len), "connect");
		server = must(accept(l, NULL, NULL), "accept");
		close(client);
		close(server);
	}
	close(l);
}

/* A process connects, and another asks for a connection again and again: it may get one before that is established. */
static void crowd(int port, int count)
{
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	int l = listener(&a, len, SOCK_STREAM, 64), fd;

	must(fcntl(l, F_SETFL, O_NONBLOCK), "fcntl");
	if (!must(fork(), "fork")) {
		for (int i = 0; i < count; i++) {
			fd = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
			must(connect(fd, &a.any, len), "connect");
			close(fd);
		}
		_exit(0);
	}
	for (int i = 0; i < count;) {
		fd = accept(l, NULL, NULL);
		if (fd < 0 && errno != EAGAIN)
			die("accept");
		if (fd < 0)
			continue;
		close(fd);
		i++;
	}
	while (wait(NULL) > 0)
		;
	close(l);
}

static void both_ends(const union address *a, socklen_t len, int l)
{
	int client = must(socket(a->any.sa_family, SOCK_STREAM, 0), "socket"), server;

	must(connect(client, &a->any, len), "connect");
	server = must(accept(l, NULL, NULL), "accept");
	close(client);
	close(server);
}

/* A process connects to itself: by TCP, by a unix socket, and by UDP. */
static void itself(int port, int count)
{
	union address in, un = { .un.sun_family = AF_UNIX };
	socklen_t in_len = address_make(&in, AF_INET, false, port), un_len;
	int tcp = listener(&in, in_len, SOCK_STREAM, 8), local, fd;

	un_len = offsetof(struct sockaddr_un, sun_path) + 1 +
		 snprintf(un.un.sun_path + 1, sizeof(un.un.sun_path) - 1, "busy%d", port);
	local = listener(&un, un_len, SOCK_STREAM, 8);
	for (int i = 0; i < count; i++) {
		both_ends(&in, in_len, tcp);
		both_ends(&un, un_len, local);
		fd = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
		must(connect(fd, &in.any, in_len), "connect");
		close(fd);
	}
}

/* More processes than processors, each of which connects to itself. */
static void busy(int port, int processes, int count)
{
	int status;

	for (int i = 0; i < processes; i++) {
		if (!must(fork(), "fork")) {
			itself(port + i, count);
			_exit(0);
		}
	}
	while (wait(&status) > 0)
		if (status)
			die("a process");
}

/* A socket whose connect(2) has returned when it is refused, and then one that fails at once: most likely both have the
 * same memory. */
static void alternate(int port, int count)
{
	union address a;
	socklen_t len = address_make(&a, AF_INET, false, port);
	struct pollfd p = { .events = POLLOUT };

	for (int i = 0; i < count; i++) {
		p.fd = must(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket");
		if (!connect(p.fd, &a.any, len) || errno != EINPROGRESS || poll(&p, 1, -1) != 1)
			die("connect");
		close(p.fd);
		unreachable();
	}
}

#define HOSTILE "a\n\x1b[2J\" \xff"

static void job_do(const char *name)
{
	job = name;
	if (!strcmp(job, "tcp4"))
		tcp(AF_INET, false, 5001, 3);
	else if (!strcmp(job, "tcp6"))
		tcp(AF_INET6, false, 5002, 2);
	else if (!strcmp(job, "mapped"))
		tcp(AF_INET6, true, 5003, 1);
	else if (!strcmp(job, "refused4"))
		refused(AF_INET, 5004, true);
	else if (!strcmp(job, "refused6"))
		refused(AF_INET6, 5005, true);
	else if (!strcmp(job, "later"))
		refused(AF_INET, 5006, false);
	else if (!strcmp(job, "unreachable"))
		unreachable();
	else if (!strcmp(job, "canceled"))
		canceled(5007);
	else if (!strcmp(job, "timeout"))
		timeout(5008);
	else if (!strcmp(job, "reset"))
		reset(5009);
	else if (!strcmp(job, "udp4"))
		udp(AF_INET, 5010);
	else if (!strcmp(job, "udp6"))
		udp(AF_INET6, 5011);
	else if (!strcmp(job, "uring"))
		uring(5012);
	else if (!strcmp(job, "stream"))
		local(HOSTILE, strlen(HOSTILE), SOCK_STREAM);
	else if (!strcmp(job, "packets"))
		local("\0" HOSTILE, 1 + strlen(HOSTILE), SOCK_SEQPACKET);
	else if (!strcmp(job, "dgram"))
		local("\0dgram", 6, SOCK_DGRAM);
	else if (!strcmp(job, "crowd"))
		crowd(5014, 1500);
	else if (!strcmp(job, "busy"))
		busy(5020, 8, 100);
	else if (!strcmp(job, "alternate"))
		alternate(5015, 20);
	else if (!strcmp(job, "many"))
		many(5013, 500);
	else
		die("no such job");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		job_do(argv[i]);
	return 0;
}
