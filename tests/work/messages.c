/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * messages.c - several messages in a call, sendmmsg(2) and recvmmsg(2), between sockets of its own: all of
 * them, some, none; with and without addresses, names and time; and calls that fail.
 *
 *	messages	127.0.0.1:7778 -> :7777
 */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MANY = 34 }; /* two more than strace(1) shows */

static struct iovec parts[MANY], rooms[MANY];
static struct mmsghdr out[MANY], in[MANY];
static char bytes[MANY][8];
static struct sockaddr_storage names[MANY];
static struct sockaddr_in there = { AF_INET, 0, { 0 }, { 0 } };

static void expect(long got, long wanted, const char *what)
{
	if (got == wanted)
		return;
	perror(what);
	exit(1);
}

/* Message i: one part, "one" or "xy". */
static void messages_make(void)
{
	memset(out, 0, sizeof(out));
	memset(in, 0, sizeof(in));
	for (int i = 0; i < MANY; i++) {
		parts[i] = i % 2 ? (struct iovec){ (void *)"xy", 2 } :
				   (struct iovec){ (void *)"one", 3 };
		rooms[i] = (struct iovec){ bytes[i], sizeof(bytes[i]) };
		out[i].msg_hdr = (struct msghdr){ .msg_iov = &parts[i], .msg_iovlen = 1 };
		in[i].msg_hdr = (struct msghdr){ .msg_iov = &rooms[i], .msg_iovlen = 1 };
	}
}

static void local_messages(void)
{
	struct timespec most = { 5, 0 };
	int pair[2];

	expect(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0, "socketpair");
	out[1].msg_hdr.msg_iovlen = 2;
	out[3].msg_hdr.msg_iovlen = 0;
	expect(sendmmsg(pair[0], out, 4, 0), 4, "sendmmsg");
	expect(recvmmsg(pair[1], in, 4, 0, &most), 4, "recvmmsg");
	expect(recvmmsg(pair[1], in, 3, MSG_DONTWAIT, NULL), -1, "recvmmsg of none");
	expect(recvmmsg(pair[1], in, 0, 0, NULL), 0, "recvmmsg of no room");
	expect(sendmmsg(pair[0], (void *)16, 2, 0), -1, "sendmmsg from nowhere");
	expect(sendmmsg(pair[0], out, 0, 0), 0, "sendmmsg of none");
	expect(sendmmsg(99, out, 2, 0), -1, "sendmmsg to nowhere");
	expect(recvmmsg(99, in, 2, 0, NULL), -1, "recvmmsg from nowhere");
	parts[1].iov_base = (void *)16; /* the second cannot be sent */
	expect(sendmmsg(pair[0], out, 3, 0), 1, "sendmmsg of some");
	expect(recvmmsg(pair[1], in, 3, MSG_DONTWAIT, NULL), 1, "recvmmsg of one");
}

static int socket_at(int port)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	there.sin_port = htons(port);
	expect(bind(fd, (void *)&there, sizeof(there)), 0, "bind");
	return fd;
}

static void addressed_messages(void)
{
	int client = socket_at(7778), server = socket_at(7777);

	for (int i = 0; i < MANY; i++) {
		out[i].msg_hdr.msg_name = &there;
		out[i].msg_hdr.msg_namelen = sizeof(there);
		in[i].msg_hdr.msg_name = &names[i];
		in[i].msg_hdr.msg_namelen = sizeof(names[i]);
	}
	expect(sendmmsg(client, out, MANY, 0), MANY, "sendmmsg");
	expect(recvmmsg(server, in, 2, 0, NULL), 2, "recvmmsg");
	expect(recvmmsg(server, in, MANY, MSG_DONTWAIT, NULL), MANY - 2, "recvmmsg");
}

int main(void)
{
	messages_make();
	local_messages();
	messages_make();
	addressed_messages();
	return 0;
}
