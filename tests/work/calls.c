/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.c - calls that are inside of a kernel function at the same time, for tests that pair each
 * return with its entry.
 *
 *   calls block N   N threads wait in read(2), thread i for 1000 + i bytes, and get i + 1 of them, in
 *                   another order than they came; nothing else reads so many bytes
 *   calls queue N   N threads wait in msgrcv(2), which nothing else calls, and get a message each
 *   calls nest      poll(2) of an epoll in an epoll in an epoll …: a function that calls itself
 */
#include <ctype.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS_MAX = 400, NEST = 4 };

static int pipes[THREADS_MAX][2];
static volatile pid_t tids[THREADS_MAX];

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *wait_in_read(void *arg)
{
	char bytes[2000];
	long i = (long)arg;

	tids[i] = (pid_t)syscall(SYS_gettid);
	if (read(pipes[i][0], bytes, 1000 + i) != i + 1)
		die("read");
	return NULL;
}

static int queue;

static void *wait_for_message(void *arg)
{
	struct {
		long type;
		char text[1];
	} message;
	long i = (long)arg;

	tids[i] = (pid_t)syscall(SYS_gettid);
	if (msgrcv(queue, &message, sizeof(message.text), i + 1, 0) != 1)
		die("msgrcv");
	return NULL;
}

/* Read with few bytes at a time: such reads are not among those that tests look for. */
static int waits_in(long call, int i)
{
	char path[64], text[8];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)tids[i]);
	fd = open(path, O_RDONLY);
	size = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	close(fd);
	if (size <= 0 || !isdigit(text[0])) /* "running" */
		return 0;
	text[size] = '\0';
	return atoi(text) == call;
}

static void all_wait(long call, int count)
{
	for (int i = 0; i < count; i++)
		while (!waits_in(call, i))
			usleep(1000);
}

static int block(int count)
{
	static const char bytes[THREADS_MAX];
	pthread_t threads[THREADS_MAX];

	for (long i = 0; i < count; i++)
		if (pipe(pipes[i]) || pthread_create(&threads[i], NULL, wait_in_read, (void *)i))
			die("thread");
	all_wait(SYS_read, count);
	for (int n = 0; n < count; n++) {
		int i = n * 7 % count; /* any order, if 7 does not divide it */

		if (write(pipes[i][1], bytes, i + 1) != i + 1)
			die("write");
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static int wait_in_queue(int count)
{
	pthread_t threads[THREADS_MAX];

	queue = msgget(IPC_PRIVATE, 0600);
	if (queue < 0)
		die("msgget");
	for (long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, wait_for_message, (void *)i))
			die("thread");
	all_wait(SYS_msgrcv, count);
	for (long i = 0; i < count; i++) {
		struct {
			long type;
			char text[1];
		} message = { .type = i + 1 };

		if (msgsnd(queue, &message, sizeof(message.text), 0))
			die("msgsnd");
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return msgctl(queue, IPC_RMID, NULL);
}

static int nest(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fds[2], inner;
	struct pollfd outermost = { .events = POLLIN };

	if (pipe(fds) || write(fds[1], "x", 1) != 1)
		die("pipe");
	inner = fds[0];
	for (int i = 0; i < NEST; i++) {
		int outer = epoll_create1(0);

		if (epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event))
			die("epoll_ctl");
		inner = outer;
	}
	outermost.fd = inner;
	return poll(&outermost, 1, 0) != 1;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "block") && atoi(argv[2]) <= THREADS_MAX)
		return block(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "queue") && atoi(argv[2]) <= THREADS_MAX)
		return wait_in_queue(atoi(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "nest"))
		return nest();
	fprintf(stderr, "usage: calls block N | calls queue N | calls nest\n");
	return 1;
}
