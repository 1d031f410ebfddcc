/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - a known number of calls of a function of its own: target COUNT TEXT.
 */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) long calls_target(const char *text, int number, const long *longs)
{
	__asm__ volatile("" ::: "memory");
	return longs[0] + number + *text;
}

int main(int argc, char **argv)
{
	long longs[2] = { 4711, 42 }, sum = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: target COUNT TEXT\n");
		return 2;
	}
	for (int i = 0; i < atoi(argv[1]); i++)
		sum += calls_target(argv[2], i - 1, longs);
	printf("%ld\n", sum);
	return 0;
}
