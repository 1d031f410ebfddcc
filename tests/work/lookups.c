/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lookups.c - DNS questions to a server on port 53 of the loopback device, which is this program, too:
 * as tests/live/connsnoop.bats knows them. `lookups many`: the same one 500 times; `lookups nobody`: one that
 * is not answered.
 */
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOSTILE                                                                                    \
	"\x0b"                                                                                     \
	"a.\\\n\x1b[2J\"\xff"                                                                      \
	"b"		/* with its length */
#define SAME "\xc0\x0c" /* the question's name */

static int server, client;

static int must(int result, const char *what)
{
	if (result < 0) {
		perror(what);
		exit(99);
	}
	return result;
}

static void server_open(int family)
{
	struct sockaddr_in in = { .sin_family = family, .sin_port = htons(53) };
	struct sockaddr_in6 in6 = { .sin6_family = family, .sin6_port = htons(53) };
	struct sockaddr *a = family == AF_INET ? (void *)&in : (void *)&in6;
	socklen_t len = family == AF_INET ? sizeof(in) : sizeof(in6);

	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	in6.sin6_addr = in6addr_loopback;
	server = must(socket(family, SOCK_DGRAM, 0), "socket");
	must(bind(server, a, len), "bind");
	client = must(socket(family, SOCK_DGRAM, 0), "socket");
	must(connect(client, a, len), "connect");
}

static void server_close(void)
{
	close(client);
	close(server);
}

/* A message: its header, the question, and `count` answers of `size` bytes. */
static size_t message_make(char *m, int id, bool answer, int status, const char *name, int type)
{
	size_t len = strlen(name) + 1;

	memset(m, 0, 12);
	m[0] = id >> 8;
	m[1] = id;
	m[2] = answer ? 0x81 : 1;
	m[3] = status;
	m[5] = 1;
	memcpy(m + 12, name, len);
	memcpy(m + 12 + len, (char[]){ 0, type, 0, 1 }, 4);
	return 12 + len + 4;
}

static size_t answer_add(char *m, size_t len, int type, const char *data, int size)
{
	m[7]++;
	memcpy(m + len, (char[]){ 0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, size }, 12);
	memcpy(m + len + 12, data, size);
	return len + 12 + size;
}

static void ask(int id, const char *name, int type)
{
	char m[512];
	size_t len = message_make(m, id, false, 0, name, type);

	must(send(client, m, len, 0), "send");
}

/* The server reads the question and answers with m; the client reads that. */
static void answer(const char *m, size_t len)
{
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	char read[1024];

	must(recvfrom(server, read, sizeof(read), 0, (void *)&from, &from_len), "recvfrom");
	must(sendto(server, m, len, 0, (void *)&from, from_len), "sendto");
	must(recv(client, read, sizeof(read), MSG_PEEK), "recv");
	must(recv(client, read, sizeof(read), 0), "recv");
}

static void lookup(int id, const char *name, int type, int status, const char *data, int size)
{
	char m[512];
	size_t len = message_make(m, id, true, status, name, type);

	if (size)
		len = answer_add(m, len, type, data, size);
	ask(id, name, type);
	answer(m, len);
}

/* Two answers at once, the second question's first; an alias; more than what is looked at. */
static void several(void)
{
	char m[1024];
	size_t len;

	ask(20, "\3two\4test", 28);
	ask(21, "\3two\4test", 1);
	len = message_make(m, 21, true, 0, "\3two\4test", 1);
	len = answer_add(m, len, 5, "\5alias" SAME, 8);
	len = answer_add(m, len, 1, "\xc0\0\2\1", 4);
	answer(m, len);
	len = message_make(m, 20, true, 0, "\3TWO\4test", 28);
	answer(m, answer_add(m, len, 28, "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16));
	ask(22, "\4long\4test", 1);
	len = message_make(m, 22, true, 0, "\4long\4test", 1);
	for (int i = 0; i < 40; i++)
		len = answer_add(m, len, 1, (char[]){ 192, 0, 2, i }, 4);
	answer(m, len);
}

/* What was asked for is connected to: nobody listens. */
static void connects(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = must(socket(AF_INET, SOCK_STREAM, 0), "socket");

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!connect(fd, (void *)&a, sizeof(a)))
		exit(99);
	close(fd);
}

int main(int argc, char **argv)
{
	server_open(AF_INET);
	if (argc > 1 && !strcmp(argv[1], "nobody")) {
		ask(6, "\6nobody\4test", 1);
		return 0;
	}
	if (argc > 1) {
		for (int i = 0; i < 500; i++)
			lookup(i, "\4many\4test", 1, 0, "\x7f\0\0\1", 4);
		return 0;
	}
	connects(5060);
	lookup(1, "\5local\4test", 1, 0, "\x7f\0\0\1", 4);
	connects(5061);
	lookup(2, "\4gone\4test", 28, 3, "", 0);
	lookup(3, HOSTILE, 1, 0, "\x7f\0\0\2", 4);
	lookup(4, "\4text\4test", 16, 0, "\5\n\"\x1b[\xff", 6);
	lookup(5, "\5empty\4test", 1, 0, "", 0);
	several();
	ask(6, "\6nobody\4test", 1);
	must(send(client, "\0\1\2", 3, 0), "send"); /* not DNS */
	server_close();
	server_open(AF_INET6);
	lookup(7, "\3six\4test", 12, 0, "\3ptr" SAME, 6);
	server_close();
	return 0;
}
