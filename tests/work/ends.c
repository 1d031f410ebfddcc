/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ends.c - processes that end in known ways, for execsnoop --exit, --tree and --env. It must not know of
 * coretap.
 *
 *   ends all           a child for each row of `ways`, one after the other, that executes `ends WAY`;
 *                      prints of each, when it has ended, the JSON object {way, pid, cpu_ns, rss, span_ns}:
 *                      what wait4(2) tells of it, and the time from before its fork until then
 *   ends WAY           does that
 *   ends deep N        a process in a process, N of them, and the last executes `ends code`
 *   ends env           executes `ends code` with an environment of nasty bytes, and of 70,000 bytes
 *   ends bad-env       fails to execute: a variable at no address, 70,000 bytes, a list at no address, none
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

static uint64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int way_code(void)
{
	return 3;
}

static int way_kill(void)
{
	raise(SIGKILL);
	return 0;
}

static int way_core(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
	raise(SIGSEGV);
	return 0;
}

static int way_realtime(void)
{
	raise(SIGRTMIN + 6);
	return 0;
}

static void *last_thread(void *unused)
{
	(void)unused;
	usleep(50000);
	exit(5);
}

/* The first thread ends first. */
static int way_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, last_thread, NULL);
	pthread_exit(NULL);
}

/* 200 ms of CPU. */
static int way_burn(void)
{
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < 200000000)
		;
	return 0;
}

/* 32 MiB. */
static int way_memory(void)
{
	volatile char *bytes = malloc(32 << 20);

	for (int i = 0; i < 32 << 20; i += 512)
		bytes[i] = 1;
	return 0;
}

static int way_sleep(void)
{
	usleep(300000);
	return 255;
}

/* Executes again: one end. */
static int way_again(void)
{
	execl(SELF, "ends", "code", "again", NULL);
	return 99;
}

/* Its child executes nothing: no end of that. */
static int way_fork(void)
{
	if (!fork())
		_exit(1);
	wait(NULL);
	return 0;
}

static const struct way {
	const char *name;
	int (*run)(void);
} ways[] = {
	{ "code", way_code },	      { "kill", way_kill },	{ "core", way_core },
	{ "realtime", way_realtime }, { "thread", way_thread }, { "burn", way_burn },
	{ "memory", way_memory },     { "sleep", way_sleep },	{ "again", way_again },
	{ "fork", way_fork },
};
#define WAYS (sizeof(ways) / sizeof(ways[0]))

static void run_all(void)
{
	for (size_t i = 0; i < WAYS; i++) {
		uint64_t start = clock_ns(CLOCK_MONOTONIC), cpu;
		struct rusage u;
		pid_t pid = fork();
		int status;

		if (!pid) {
			execl(SELF, "ends", ways[i].name, NULL);
			_exit(99);
		}
		wait4(pid, &status, 0, &u);
		cpu = (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
		      (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
		printf("{\"way\":\"%s\",\"pid\":%d,\"cpu_ns\":%llu,\"rss\":%ld,\"span_ns\":%llu}\n",
		       ways[i].name, pid, (unsigned long long)cpu, u.ru_maxrss,
		       (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - start));
	}
}

static void run_deep(int n)
{
	char name[16];

	for (; n > 0 && !fork(); n--) {
		snprintf(name, sizeof(name), "e\n\033%d", n);
		prctl(PR_SET_NAME, name);
		if (n == 1) {
			execl(SELF, "ends", "code", "deep", NULL);
			_exit(99);
		}
	}
	wait(NULL);
}

static void run_env(void)
{
	static char big[70005] = "BIG=";
	char *nasty[] = {
		"A=x\n\033[31m \xff'\"\\", "A=second", "EMPTY=", "AB", "ABC=no", "=", "LATE=1", NULL
	};
	char *large[] = { "A=1", "EMPTY", big, "LATE=1", NULL };

	memset(big + 4, 'b', 70000);
	if (!fork()) {
		execle(SELF, "ends", "code", "nasty", NULL, nasty);
		_exit(99);
	}
	wait(NULL);
	if (!fork()) {
		execle(SELF, "ends", "code", "large", NULL, large);
		_exit(99);
	}
	wait(NULL);
	execle("/none", "ends", "code", "failed", NULL, nasty);
}

static void run_bad_env(void)
{
	static char big[70005] = "BIG=";
	char *code[] = { "ends", "code", "failed", NULL };
	char *bad[] = { "LATE=1", (char *)16, "A=1", NULL },
	     *large[] = { "A=1", big, "LATE=1", NULL };

	memset(big + 4, 'b', 70000);
	execve("/bad", code, bad);
	execve("/large", code, large);
	syscall(SYS_execve, "/nowhere", code, 16); /* the compiler knows better */
	execve("/null", code, NULL);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 99;
	for (size_t i = 0; i < WAYS; i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	if (!strcmp(argv[1], "all"))
		run_all();
	else if (!strcmp(argv[1], "deep"))
		run_deep(atoi(argv[2]));
	else if (!strcmp(argv[1], "bad-env"))
		run_bad_env();
	else
		run_env();
	return 0;
}
