/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwound.c - system calls from a known depth in a program without frame pointers, for tests of
 * --dwarf.
 *
 *   unwound sort FILE    a read by main → sorting → qsort → by_size → deeper → reading → read
 *   unwound signal FILE  … by on_signal → deeper → reading → read, while main → signalled → raise
 *   unwound stack FILE   the same on an alternate stack
 *   unwound large FILE   a read below a frame of 64 KiB: main → large → deeper → reading → read
 *   unwound hole FILE    the same, but that frame was never written to, so it has no memory
 *   unwound spin FILE    as sort, but reading spins for about a second
 *   unwound stop MODE    as MODE, but reading stops itself instead, for a debugger
 *
 * Prints its process id first. Built static, position independent, and with all but main and sorting
 * in a library (UNWOUND_LIBRARY that part, UNWOUND_MAIN the rest).
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK __attribute__((noinline, noclone, noipa))
/* no jump instead of a call */
#define RETURN(value)                                                                              \
	do {                                                                                       \
		long value_ = value;                                                               \
		__asm__ volatile("" : "+r"(value_));                                               \
		return value_;                                                                     \
	} while (0)

enum { LARGE = 64 << 10, SPINS = -2 };

long reading(void);
long deeper(long depth);
int by_size(const void *x, const void *y);
void on_signal(int number);
long signalled(int by_stack);
long large(int is_hole);
extern int unwound_file;

#ifndef UNWOUND_MAIN
int unwound_file;

LINK long reading(void)
{
	char byte;

	if (unwound_file == SPINS)
		for (volatile long i = 0; i < 60000000; i++)
			;
	if (unwound_file < 0)
		RETURN(unwound_file == SPINS ? 0 : raise(SIGSTOP));
	RETURN(read(unwound_file, &byte, 1));
}

/* saved registers, and a frame whose size is not constant */
LINK long deeper(long depth)
{
	volatile char room[32 + 16 * depth];
	long sum = depth, other = depth * 3;

	room[0] = 1;
	__asm__ volatile("" : "+r"(sum), "+r"(other));
	RETURN(reading() + sum + other + room[0]);
}

LINK int by_size(const void *x, const void *y)
{
	static int times;

	if (!times++)
		deeper(3);
	return *(const int *)x - *(const int *)y;
}

LINK void on_signal(int number)
{
	deeper(number);
}

LINK long signalled(int by_stack)
{
	static char alternate[64 << 10];
	stack_t stack = { .ss_sp = alternate, .ss_size = sizeof(alternate) };
	struct sigaction action = { .sa_handler = on_signal,
				    .sa_flags = by_stack ? SA_ONSTACK : 0 };

	if (by_stack)
		sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	RETURN(raise(SIGUSR1));
}

LINK long large(int is_hole)
{
	volatile char room[LARGE];

	room[0] = 1;
	for (int i = 0; i < LARGE && !is_hole; i++)
		room[i] = 1;
	RETURN(deeper(2) + room[0]);
}
#endif

#ifndef UNWOUND_LIBRARY
static LINK long sorting(void)
{
	int numbers[] = { 3, 1, 2 };

	qsort(numbers, 3, sizeof(*numbers), by_size);
	RETURN(numbers[0]);
}

int main(int argc, char **argv)
{
	int stop = argc == 3 && !strcmp(argv[1], "stop");
	const char *mode = argc == 3 ? argv[1 + stop] : "";

	unwound_file = stop || argc != 3     ? -1 :
		       !strcmp(mode, "spin") ? SPINS :
					       open(argv[2], O_RDONLY);
	printf("%d\n", getpid());
	fflush(stdout);
	if (!strcmp(mode, "sort") || !strcmp(mode, "spin"))
		sorting();
	else if (!strcmp(mode, "signal") || !strcmp(mode, "stack"))
		signalled(!strcmp(mode, "stack"));
	else if (!strcmp(mode, "large") || !strcmp(mode, "hole"))
		large(!strcmp(mode, "hole"));
	else
		fprintf(stderr,
			"usage: unwound sort|signal|stack|large|hole|spin FILE | unwound stop MODE\n");
	return 0;
}
#endif
