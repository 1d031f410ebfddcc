/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ways.c - the same deed by each way that the system has, and deeds that fail, for the tests of recipes. It must not
 * know of coretap.
 *
 *   ways signals       SIGUSR1, ignored, to itself by kill, tkill, tgkill, sigqueue, pthread_sigqueue and
 *                      pidfd_send_signal, in this order; prints how many of them the kernel has
 *   ways pidfds        pidfd_send_signal of SIGUSR1, ignored, by a descriptor that is not open, by /proc/self, by a pidfd,
 *                      and to its group, which newer kernels have; prints that one's result
 *   ways naps MS       naps of MS by nanosleep; until then by CLOCK_MONOTONIC, REALTIME and BOOTTIME; until a moment
 *                      that is over
 *   ways futex         1000 waits that are needless, 3 that time out, 3 that are woken, by futex_waitv and futex_wait; prints the
 *                      latter's number, 0 if the kernel has no such call
 *   ways dead N        N children, one after the other, that exit at once; 20 ms between
 *   ways last          the first thread goes after 40 ms; another, begun then, ends the process by exit(3) 40 ms later
 *   ways euid          seteuid(1000), setreuid(-1, 1000) back to 0
 *   ways alarm N       at least N signals of a timer while nothing is done; prints how many came
 *   ways full          100 bytes at a time to a terminal that nobody reads, until it is full; prints how many it took
 *   ways stats         of a file "some" in this folder, and then of "nosuch" or of the descriptor -1: statx, newfstatat, fstat, statfs,
 *                      fstatfs; newfstatat and statx of a descriptor and no path, newfstatat of this folder so, and of no path; prints the
 *                      descriptor
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	CALL_PIDFD_OPEN = 434,
	CALL_PIDFD_SEND_SIGNAL = 424,
	CALL_FUTEX_WAITV = 449,
	CALL_FUTEX_WAIT = 455
};

static long number;
static uint32_t word;

static void nap(long ms)
{
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static int signals(void)
{
	int fd = syscall(CALL_PIDFD_OPEN, getpid(), 0);
	int count = 6;

	signal(SIGUSR1, SIG_IGN);
	kill(getpid(), SIGUSR1);
	syscall(SYS_tkill, gettid(), SIGUSR1);
	syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	sigqueue(getpid(), SIGUSR1, (union sigval){ 0 });
	pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){ 0 });
	if (syscall(CALL_PIDFD_SEND_SIGNAL, fd, SIGUSR1, NULL, 0))
		count--;
	printf("%d\n", count);
	return 0;
}

static int pidfds(void)
{
	const int fds[] = { 999999, open("/proc/self", O_DIRECTORY),
			    (int)syscall(CALL_PIDFD_OPEN, getpid(), 0) };

	signal(SIGUSR1, SIG_IGN);
	for (int i = 0; i < 3; i++)
		syscall(CALL_PIDFD_SEND_SIGNAL, fds[i], SIGUSR1, NULL, 0);
	setpgid(0, 0);
	printf("%d\n", syscall(CALL_PIDFD_SEND_SIGNAL, fds[2], SIGUSR1, NULL, 4) ?
			       -errno :
			       0); /* PIDFD_SIGNAL_PROCESS_GROUP */
	return 0;
}

static void nap_until(clockid_t clock, long ms)
{
	struct timespec end;

	clock_gettime(clock, &end);
	end.tv_nsec += ms * 1000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	clock_nanosleep(clock, TIMER_ABSTIME, &end, NULL);
}

static int naps(void)
{
	nap(number);
	nap_until(CLOCK_MONOTONIC, number);
	nap_until(CLOCK_REALTIME, number);
	nap_until(CLOCK_BOOTTIME, number);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &(struct timespec){ 1, 0 }, NULL);
	return 0;
}

/* ---- futexes ---- */

struct waitv {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static void *wake(void *arg)
{
	for (int i = 0; i < 3; i++) {
		nap(30);
		__atomic_add_fetch(&word, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);
	}
	return arg;
}

static int woken(void)
{
	struct waitv one = { 0, (uint64_t)(unsigned long)&word, 2 | FUTEX_PRIVATE_FLAG, 0 };
	pthread_t thread;
	int count = 0;

	if (pthread_create(&thread, NULL, wake, NULL))
		return -1;
	for (int i = 0; i < 2; i++, one.value++)
		count += syscall(CALL_FUTEX_WAITV, &one, 1, 0, NULL, 0) >= 0;
	count += syscall(CALL_FUTEX_WAIT, &word, 2l, -1l, 2l | FUTEX_PRIVATE_FLAG, NULL, 0) >=
		 0; /* since 6.7 */
	while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) < 3)
		nap(5);
	nap(5); /* the join finds the thread gone, and waits for nothing */
	pthread_join(thread, NULL);
	return count;
}

static int futexes(void)
{
	const struct timespec short_time = { 0, 2000000 };

	for (int i = 0; i < 1000; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 5, NULL);
	for (int i = 0; i < 3; i++)
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &short_time);
	printf("%d\n", woken());
	return 0;
}

/* ---- processes ---- */

static int dead(void)
{
	for (long i = 0; i < number; i++) {
		if (!fork())
			_exit(0);
		wait(NULL);
		nap(20);
	}
	return 0;
}

static void *end_all(void *arg)
{
	nap(40);
	exit(3);
	return arg;
}

static int last(void)
{
	pthread_t thread;

	nap(40);
	if (pthread_create(&thread, NULL, end_all, NULL))
		return 1;
	pthread_exit(NULL);
}

static int euid(void)
{
	return seteuid(1000) || setreuid(-1, 0);
}

static volatile long alarms;

static void count_alarm(int signal)
{
	(void)signal;
	alarms++;
}

static int alarms_wait(void)
{
	struct itimerval each = { { 0, 20000 }, { 0, 20000 } };

	signal(SIGALRM, count_alarm);
	setitimer(ITIMER_REAL, &each, NULL);
	while (alarms < number)
		pause();
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	printf("came %ld\n", alarms);
	return 0;
}

static int full(void)
{
	char text[100];
	int master, slave;
	long taken = 0, n;

	memset(text, 'x', sizeof(text));
	if (openpty(&master, &slave, NULL, NULL, NULL))
		return 1;
	fcntl(slave, F_SETFL, O_NONBLOCK);
	while ((n = write(slave, text, sizeof(text))) > 0)
		taken += n;
	printf("%ld\n", taken);
	return 0;
}

/* By the calls themselves: the C library chooses another. */
static int stats(void)
{
	int fd = open("some", O_RDONLY);
	char room[1000];

	/* a file of the C library asks what it writes to */
	if (write(1, room, snprintf(room, sizeof(room), "%d\n", fd)) < 0)
		return 1;
	for (int i = 0; i < 2; i++) {
		const char *path = i ? "nosuch" : "some";
		int at = i ? -1 : fd;

		syscall(SYS_statx, AT_FDCWD, path, 0, 0, room);
		syscall(SYS_newfstatat, AT_FDCWD, path, room, 0);
		syscall(SYS_fstat, at, room);
		syscall(SYS_statfs, path, room);
		syscall(SYS_fstatfs, at, room);
	}
	syscall(SYS_newfstatat, fd, "", room, AT_EMPTY_PATH);
	syscall(SYS_statx, fd, "", AT_EMPTY_PATH, 0, room);
	syscall(SYS_newfstatat, AT_FDCWD, "", room, AT_EMPTY_PATH);
	syscall(SYS_newfstatat, AT_FDCWD, "", room, 0);
	return fd < 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "signals", signals }, { "naps", naps },	  { "futex", futexes },
		{ "dead", dead },	{ "last", last },	  { "euid", euid },
		{ "full", full },	{ "alarm", alarms_wait }, { "stats", stats },
		{ "pidfds", pidfds },
	};

	number = argc > 2 ? atol(argv[2]) : 0;
	for (size_t i = 0; argc > 1 && i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].run();
	return 2;
}
