/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks.c - what is taken and given back, by two paths, for tests of stacks that a begin keeps.
 *
 *   leaks A B G   main → one → hold → took(id, 100) A times, main → two → hold → took(id, 7) B times,
 *                 ids from 0 on; then gave(id) for the first G. Prints its process id first.
 *
 * Before 6.11 a stack at the entry of took has no hold: took has no frame yet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LINK __attribute__((noinline, noclone, noipa))

LINK void took(long id, long size)
{
	__asm__ volatile("" : : "r"(id), "r"(size), "r"(__builtin_frame_address(0)));
}

LINK void gave(long id)
{
	__asm__ volatile("" : : "r"(id), "r"(__builtin_frame_address(0)));
}

/* not a jump instead of a call at its end */
static LINK void hold(long id, long size)
{
	took(id, size);
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
}

static LINK void one(long id)
{
	hold(id, 100);
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
}

static LINK void two(long id)
{
	hold(id, 7);
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
}

int main(int argc, char **argv)
{
	long a = argc == 4 ? atol(argv[1]) : -1, b = a < 0 ? -1 : atol(argv[2]);

	if (b < 0) {
		fprintf(stderr, "usage: leaks A B G\n");
		return 1;
	}
	printf("%d\n", getpid());
	fflush(stdout);
	for (long id = 0; id < a + b; id++)
		(id < a ? one : two)(id);
	for (long id = 0; id < atol(argv[3]); id++)
		gave(id);
	return 0;
}
