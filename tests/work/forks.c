/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forks.c - a family of processes that grows fast, for the tests of -f and -- COMMAND. It must not
 * know of coretap.
 *
 *   forks [-r] HOW PROCESSES N   PROCESSES at once have N descendants each, one after the other, each
 *                                of which opens "forks/PROCESS/NUMBER", which is not there
 *
 * HOW a descendant comes to be: `child` of the process; `orphan`, a grandchild that opens when its
 * parent has ended; `thread`, the child of a thread that ends; `vfork`. With -r a thread of real-time
 * priority for each processor takes it away from whatever runs, a thousand times a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct place {
	int process, number;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void work(struct place at)
{
	char path[64];

	snprintf(path, sizeof(path), "forks/%d/%d", at.process, at.number);
	if (open(path, O_RDONLY) >= 0 || errno != ENOENT)
		_exit(1);
}

static void wait_all(void)
{
	int status;

	while (wait(&status) > 0)
		if (status)
			_exit(1);
}

static void descend_child(struct place at)
{
	if (fork())
		return;
	work(at);
	_exit(0);
}

static void descend_orphan(struct place at)
{
	pid_t parent;
	int gone[2];
	char byte;

	if (fork())
		return;
	parent = getpid();
	if (pipe(gone))
		_exit(1);
	if (fork())
		_exit(0);
	close(gone[1]);
	while (getppid() == parent)
		if (read(gone[0], &byte, 1) == 0)
			usleep(1000);
	work(at);
	_exit(0);
}

static void *thread_run(void *at)
{
	descend_child(*(struct place *)at);
	return NULL;
}

static void descend_thread(struct place at)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_run, &at))
		_exit(1);
	pthread_join(thread, NULL);
}

static void descend_vfork(struct place at)
{
	if (vfork())
		return;
	work(at);
	_exit(0);
}

static const struct how {
	const char *name;
	void (*descend)(struct place at);
} hows[] = {
	{ "child", descend_child },
	{ "orphan", descend_orphan },
	{ "thread", descend_thread },
	{ "vfork", descend_vfork },
};

static void process_run(const struct how *how, int process, int count)
{
	for (int i = 0; i < count; i++) {
		how->descend((struct place){ process, i });
		wait_all();
	}
	_exit(0);
}

/* ---- real time ---- */

static void *disturb(void *number)
{
	struct timespec t = { .tv_nsec = 900000 + 10000 * (long)number };

	for (;;)
		nanosleep(&t, NULL);
	return NULL;
}

static void disturbers_start(void)
{
	struct sched_param first = { .sched_priority = 1 };
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &first);
	for (long i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++)
		if (pthread_create(&thread, &attr, disturb, (void *)i))
			die("thread");
}

int main(int argc, char **argv)
{
	int real_time = argc > 1 && !strcmp(argv[1], "-r");

	argv += real_time;
	/* orphans become ours, so that we do not end, and the tracing with us, before the last of them */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		die("prctl");
	for (size_t i = 0; argc == 4 + real_time && i < sizeof(hows) / sizeof(hows[0]); i++) {
		if (strcmp(argv[1], hows[i].name))
			continue;
		for (int p = 0; p < atoi(argv[2]); p++)
			if (!fork())
				process_run(&hows[i], p, atoi(argv[3]));
		if (real_time)
			disturbers_start();
		wait_all();
		return 0;
	}
	fprintf(stderr, "forks: see the head of forks.c\n");
	return 2;
}
