/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * samples.c - what samples of a processor are to find.
 *
 *   samples burn CPU SEC   computes on that processor for so many seconds, in burning()
 *   samples calls CPU SEC  the same in system calls, getppid()
 *   samples faults N       writes to N new pages from FAULTS_AT on, and prints how many faults that
 *                          were as getrusage has it
 */

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FAULTS_AT ((char *)0x100000000000)

static volatile unsigned sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

__attribute__((noipa)) void burning(void)
{
	for (unsigned i = 0; i < 100000; i++)
		sink += i;
}

static void calling(void)
{
	for (unsigned i = 0; i < 1000; i++)
		syscall(SYS_getppid);
}

static int spend(const char *cpu, double seconds, void (*on)(void))
{
	double end = now() + seconds;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(atoi(cpu), &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror(cpu);
		return 1;
	}
	while (now() < end)
		on();
	return 0;
}

static long faults(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_minflt;
}

static int touch(size_t pages)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *at = mmap(FAULTS_AT, pages * page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	long before;

	if (at == MAP_FAILED || madvise(at, pages * page, MADV_NOHUGEPAGE)) {
		perror("mmap");
		return 1;
	}
	before = faults();
	for (size_t i = 0; i < pages; i++)
		at[i * page] = 1;
	printf("%ld\n", faults() - before);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "burn"))
		return spend(argv[2], atof(argv[3]), burning);
	if (argc == 4 && !strcmp(argv[1], "calls"))
		return spend(argv[2], atof(argv[3]), calling);
	if (argc == 3 && !strcmp(argv[1], "faults"))
		return touch(atol(argv[2]));
	fprintf(stderr, "usage: samples burn CPU SEC | calls CPU SEC | faults N\n");
	return 2;
}
