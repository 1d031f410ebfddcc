/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * waits.c - waits of a known length, for the tests of recipes. It must not know of coretap.
 *
 *   waits futex MS N     a thread waits N times for the other to release a lock that it holds for MS more
 *   waits pipe MS N      … N times for a byte in a pipe
 *   waits read MS        … while another reads a terminal, so that it may read next: a mutex of the kernel
 *   waits processor MS N … for a byte in a pipe, and then for the processor, which the waker keeps for MS
 *   waits refused MS     … the same, but a signal ends the wait; 20 times it reads if it need not wait, which it would
 *
 * The thread that waits is called "a;b\nc", the other "waker". Prints what was measured here: how many
 * milliseconds all waits took at most, and for futex the lock's address and the thread. That it sleeps is
 * read from /proc, so no wait is shorter than MS.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *what;
static long ms, times;
static int word, waiter, other;
static int reads, keeps; /* a terminal; the processor */
static int bytes[2], terminal[2];
static double waited;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Until a thread is in this system call and does not run. */
static void asleep(int *tid, long call)
{
	char path[100], text[20] = "";
	FILE *f;

	do {
		usleep(1000);
		snprintf(path, sizeof(path), "/proc/self/task/%d/syscall",
			 __atomic_load_n(tid, __ATOMIC_ACQUIRE));
		f = fopen(path, "r");
		if (f && !fgets(text, sizeof(text), f))
			text[0] = '\0';
		if (f)
			fclose(f);
	} while (text[0] < '0' || text[0] > '9' || atol(text) != call);
}

static void once(void)
{
	char text[8];
	double begin = now();

	if (!strcmp(what, "futex"))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL);
	else if (read(reads ? terminal[1] : bytes[0], text, sizeof(text)) < 0)
		exit(3);
	waited += now() - begin;
}

static void on_signal(int number)
{
	(void)number;
}

/* Another reads the terminal: this one does not get it. */
static void *be_refused(void *arg)
{
	int again = open(ptsname(terminal[0]), O_RDWR | O_NOCTTY | O_NONBLOCK);
	char text[8];

	prctl(PR_SET_NAME, "a;b\nc");
	for (int i = 0; i < 20; i++)
		if (read(again, text, sizeof(text)) >= 0)
			exit(6);
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	if (read(terminal[1], text, sizeof(text)) >= 0)
		exit(7);
	return arg;
}

static void refuse(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t thread;

	sigaction(SIGUSR1, &action, NULL);
	if (pthread_create(&thread, NULL, be_refused, NULL))
		exit(8);
	asleep(&waiter, SYS_read);
	usleep(ms * 1000);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	if (write(terminal[0], "1\n", 2) != 2)
		exit(9);
}

static void *wait_all(void *arg)
{
	prctl(PR_SET_NAME, "a;b\nc");
	word = 1;
	__atomic_store_n(&waiter, gettid(), __ATOMIC_RELEASE);
	for (long i = 0; i < times; i++)
		once();
	return arg;
}

static void *read_first(void *arg)
{
	char text[8];

	__atomic_store_n(&other, gettid(), __ATOMIC_RELEASE);
	return read(terminal[1], text, sizeof(text)) < 0 ? NULL : arg;
}

static void wake(void)
{
	struct timespec hold = { ms / 1000, ms % 1000 * 1000000 };
	int futex = !strcmp(what, "futex");

	asleep(&waiter, futex ? SYS_futex : SYS_read);
	if (!keeps)
		nanosleep(&hold, NULL);
	if (futex)
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
	else if (write(reads ? terminal[0] : bytes[1], "1\n", 2) != 2)
		exit(4);
	if (keeps)
		for (double until = now() + ms; now() < until;)
			;
}

/* Before the other thread is there, which inherits it. */
static void stay(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		exit(10);
}

static void rise(void)
{
	struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		exit(11);
}

/* The first reader has the terminal until there is a line. */
static void terminal_take(pthread_t *thread)
{
	if (openpty(&terminal[0], &terminal[1], NULL, NULL, NULL) ||
	    pthread_create(thread, NULL, read_first, NULL))
		exit(5);
	asleep(&other, SYS_read);
}

int main(int argc, char **argv)
{
	pthread_t thread, first;

	if (argc < 3 || pipe(bytes))
		return 2;
	what = argv[1];
	ms = atol(argv[2]);
	reads = !strcmp(what, "read") || !strcmp(what, "refused");
	keeps = !strcmp(what, "processor");
	times = argc > 3 ? atol(argv[3]) : 1;
	prctl(PR_SET_NAME, "waker");
	if (reads)
		terminal_take(&first);
	if (!strcmp(what, "refused")) {
		refuse();
		pthread_join(first, NULL);
		return 0;
	}
	if (keeps)
		stay();
	if (pthread_create(&thread, NULL, wait_all, NULL))
		return 1;
	if (keeps)
		rise();
	for (long i = 0; i < times + reads; i++)
		wake();
	pthread_join(thread, NULL);
	printf("%ld %d %d\n", (long)waited + 1, (int)(unsigned long)&word, waiter);
	return 0;
}
