/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bench.h - clocks, and a tracer that is started, measured and stopped; for bench.c and costs.c.
 */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "bench: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n");
	exit(1);
}

static inline uint64_t clock_read(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static inline uint64_t clock_now(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

/* Of this task alone, to the ns; goes on across execve. */
static inline uint64_t clock_own(void)
{
	return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static void sleep_ms(int ms)
{
	nanosleep(&(struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000l }, NULL);
}

/* ---- the tracer ---- */

struct tracer {
	pid_t pid;
	uint64_t began; /* just before its execve */
	uint64_t wrote; /* its first words */
	int out;	/* what is read of it; -1: nothing */
};

static void tracer_exec(char **argv, int out, int as, uint64_t *began)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (dup2(null, STDOUT_FILENO) < 0 || dup2(out, as) < 0)
		die("cannot redirect: %s", strerror(errno));
	*began = clock_now();
	execvp(argv[0], argv);
	die("cannot run %s: %s", argv[0], strerror(errno));
}

/* `piped`: the descriptor that is read; -1: none. */
static struct tracer tracer_start(char **argv, int piped)
{
	uint64_t *began = mmap(NULL, sizeof(*began), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct tracer t = { .out = -1 };
	int fds[2] = { -1, -1 };

	if (piped >= 0 && pipe2(fds, O_CLOEXEC))
		die("no pipe: %s", strerror(errno));
	if (piped < 0)
		fds[1] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	t.pid = fork();
	if (!t.pid)
		tracer_exec(argv, fds[1], piped < 0 ? STDOUT_FILENO : piped, began);
	if (t.pid < 0)
		die("cannot fork: %s", strerror(errno));
	close(fds[1]);
	t.out = fds[0];
	if (piped >= 0 && poll(&(struct pollfd){ .fd = t.out, .events = POLLIN }, 1, 60000) == 1)
		t.wrote = clock_now();
	while (!(t.began = *(volatile uint64_t *)began))
		sleep_ms(1);
	return t;
}

/* Its exit status; 128 + the signal that ended it. */
static int tracer_stop(struct tracer *t)
{
	int status;

	if (waitpid(t->pid, &status, WNOHANG))
		die("the tracer has ended by itself, status %#x", status);
	kill(t->pid, SIGINT);
	if (waitpid(t->pid, &status, 0) != t->pid)
		die("the tracer is gone");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void proc_read(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (n <= 0)
		die("cannot read %s: did the tracer end?", path);
	text[n] = 0;
	close(fd);
}

/* ns on a processor since its birth. */
static uint64_t tracer_runtime(const struct tracer *t)
{
	char text[256];

	proc_read(t->pid, "schedstat", text, sizeof(text));
	return strtoull(text, NULL, 10);
}

/* KiB behind `key` in one of its files. */
static long tracer_number(const struct tracer *t, const char *file, const char *key)
{
	char text[4096], *at;

	proc_read(t->pid, file, text, sizeof(text));
	at = strstr(text, key);
	return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

/* The most that was resident so far, KiB. Up to 6.1 the kernel counts it late, so look, too. */
static long tracer_memory(const struct tracer *t)
{
	long peak = tracer_number(t, "status", "VmHWM:");
	long now = tracer_number(t, "smaps_rollup", "Rss:");

	return now > peak ? now : peak;
}

#endif
