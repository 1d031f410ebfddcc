/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rooms.c - system calls that return how much there is, of which they write only what there is room for, into a buffer
 * that has other bytes; and vectors without an address. For the tests of syssnoop. It must not know of coretap.
 *
 *   rooms FILE    writes FILE with the attribute trusted.a (the file system must have such), and asks for it and for
 *                 the list of attributes with room for 0, 3 and 64 bytes; sends itself messages of 10 bytes, and
 *                 receives them into 0, 3 and 64 bytes; asks for the file system of a pipe; prints how many of these
 *                 calls returned something else
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

static char bytes[64];
static int failed;

static void *stale(void)
{
	return memset(bytes, '#', sizeof(bytes));
}

static void is_done(ssize_t result, ssize_t wanted)
{
	failed += result != wanted;
}

static void attributes(const char *path, int fd)
{
	is_done(fsetxattr(fd, "trusted.a", "value", 5, 0), 0);
	is_done(getxattr(path, "trusted.a", NULL, 0), 5);
	is_done(getxattr(path, "trusted.a", stale(), 0), 5);
	is_done(fgetxattr(fd, "trusted.a", stale(), 3), -1);
	is_done(fgetxattr(fd, "trusted.a", stale(), 64), 5);
	is_done(listxattr(path, stale(), 0), 10);
	is_done(flistxattr(fd, stale(), 3), -1);
	is_done(flistxattr(fd, stale(), 64), 10);
	is_done(fsetxattr(fd, "trusted.a", NULL, 0, 0), 0);
	is_done(fgetxattr(fd, "trusted.a", stale(), 64), 0);
}

static void messages(void)
{
	static const size_t rooms[] = { 0, 3, 64 };
	struct iovec none = { NULL, 0 }, v;
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		return;
	for (int i = 0; i < 3; i++) {
		ssize_t there = rooms[i] < 10 ? (ssize_t)rooms[i] : 10;

		v = (struct iovec){ bytes, rooms[i] };
		for (int k = 0; k < 3; k++)
			is_done(send(pair[0], "a message.", 10, 0), 10);
		is_done(recv(pair[1], stale(), rooms[i], MSG_TRUNC), 10);
		is_done(recv(pair[1], stale(), rooms[i], 0), there);
		is_done(recvmsg(pair[1], &m, MSG_TRUNC), 10);
	}
	is_done(send(pair[0], "a message.", 10, 0), 10);
	v = none;
	is_done(recvmsg(pair[1], &m, MSG_PEEK | MSG_TRUNC), 10);
	is_done(recv(pair[1], NULL, 0, MSG_TRUNC), 10);
	is_done(writev(pair[0], &none, 1), 0);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
	struct statfs fs;
	int ends[2];

	if (fd < 0) {
		fprintf(stderr, "rooms: see the head of rooms.c\n");
		return 2;
	}
	attributes(argv[1], fd);
	messages();
	is_done(pipe(ends), 0);
	is_done(fstatfs(ends[0], &fs), 0);
	printf("%d\n", failed);
	return failed != 0;
}
