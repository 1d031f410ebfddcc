/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mixture.c - a known number of what several tools show, from more processes than there are processors.
 *
 *   mixture JOBS ROUNDS DISK   JOBS processes, each does ROUNDS times: opens and closes ./mixture-file; connects to a
 *                              port of 127.0.0.1 where nobody listens; reads a block of DISK past the page cache;
 *                              stat of ./mixture-file; signal 0 to itself; getpgid. Every fourth time it also executes
 *                              `mixture done` in a child
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 4096, EVERY = 4, PORT = 9 };

static _Alignas(BLOCK) char block[BLOCK];
static long rounds;

static void need(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	_exit(1);
}

static void refused(void)
{
	const struct sockaddr_in to = { .sin_family = AF_INET,
					.sin_port = htons(PORT),
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	need(fd >= 0, "socket");
	need(connect(fd, (void *)&to, sizeof(to)) < 0, "somebody listens");
	close(fd);
}

static void executed(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "mixture", "done", NULL);
		_exit(127);
	}
	need(waitpid(pid, &status, 0) == pid && !status, "execve");
}

static void one(int disk, long number)
{
	struct stat st;
	int fd = open("mixture-file", O_RDONLY);

	need(fd >= 0, "mixture-file");
	close(fd);
	refused();
	need(pread(disk, block, BLOCK, number * BLOCK) == BLOCK, "read");
	need(!stat("mixture-file", &st), "stat");
	need(!kill(getpid(), 0), "kill");
	syscall(SYS_getpgid, 0);
	if (number % EVERY == 0)
		executed();
}

static int job(const char *path, int number)
{
	int disk = open(path, O_RDONLY | O_DIRECT);

	need(disk >= 0, path);
	for (long i = 0; i < rounds; i++)
		one(disk, number * rounds + i);
	return 0;
}

int main(int argc, char **argv)
{
	int jobs = argc == 4 ? atoi(argv[1]) : 0, failed = 0, status;

	if (argc == 2 && !strcmp(argv[1], "done"))
		return 0;
	if (jobs < 1)
		return 2;
	rounds = atol(argv[2]);
	for (int i = 0; i < jobs; i++)
		if (!fork())
			_exit(job(argv[3], i));
	while (wait(&status) > 0)
		failed |= status;
	return failed != 0;
}
