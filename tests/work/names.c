/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.c - functions that have several names, or are chosen when the program starts.
 *
 *   names N   N times: kin_one by both of its names (kin_uno), kin_two once, which calls kin_two's
 *             static kin_three; kin_chosen, an IFUNC whose function is picked; kin_one.cold, which
 *             has the name of a part; and setjmp
 */
#include <setjmp.h>
#include <stdlib.h>

__attribute__((noipa)) long kin_one(long n)
{
	return n + 1;
}
long kin_uno(long n) __attribute__((alias("kin_one")));

__attribute__((noipa)) static long kin_three(long n)
{
	return n + 3;
}

__attribute__((noipa)) long kin_two(long n)
{
	return kin_three(n) - 1;
}

long part(long n) __asm__("kin_one.cold");
__attribute__((noipa)) long part(long n)
{
	return n + 5;
}

__attribute__((noipa)) long picked(long n)
{
	return n + 4;
}

static long (*choose(void))(long n)
{
	return picked;
}
long kin_chosen(long n) __attribute__((ifunc("choose")));

static jmp_buf back;
static long sum; /* keeps its value over a longjmp */

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 1;

	for (volatile long i = 0; i < count; i++) {
		sum += kin_one(i) + kin_uno(i) + kin_two(i) + kin_chosen(i) + part(i);
		if (!setjmp(back))
			longjmp(back, 1);
	}
	return sum == count * 13 + 5 * (count * (count - 1) / 2) ? 0 : 1;
}
