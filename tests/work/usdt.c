/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt.c - probes of its own (USDT), with notes made by usdt_note.h.
 *
 *   usdt calls N      N times work:call(i, -i, TEXT, 5, byte 200, short -3): registers, constant, memory
 *   usdt places N     work:place(i) N times in one function, then work:place(1000 + i) in another, where i
 *                     is an int in memory
 *   usdt guarded N    N times work:guarded(i), if its semaphore says that somebody traces; prints how
 *                     often it did
 *   usdt watch        prints the semaphore whenever it changes, until it is ended
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "usdt_note.h"

__attribute__((section(".probes"), used)) volatile uint16_t work_guarded_semaphore;

__attribute__((noipa)) static void call(uint64_t i, const char *text)
{
	volatile int16_t in_memory = -3;
	unsigned char byte = 200;

	NOTE("work", "call", "0", "8@%0 -4@%1 8@%2 4@%3 1@%4 -2@%5", "r"(i), "r"(-(int)i),
	     "r"(text), "n"(5), "r"(byte), "m"(in_memory));
}

__attribute__((noipa)) static void place_one(uint64_t i)
{
	NOTE("work", "place", "0", "8@%0", "r"(i));
}

__attribute__((noipa)) static void place_other(int i)
{
	volatile int in_memory = i;

	NOTE("work", "place", "0", "-4@%0", "m"(in_memory));
}

__attribute__((noipa)) static void guarded(uint64_t i)
{
	NOTE("work", "guarded", "work_guarded_semaphore", "8@%0", "r"(i));
}

static void in_float(void)
{
	NOTE("other", "float", "0", "8f@%%xmm0 8@%0", "r"(7L));
}

static void moment(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
}

static int watch(void)
{
	for (int before = -1;; moment()) {
		int now = work_guarded_semaphore;

		if (now != before)
			printf("%d\n", now);
		fflush(stdout);
		before = now;
	}
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0, prepared = 0;
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "watch"))
		return watch();
	for (uint64_t i = 1; i <= n && !strcmp(what, "calls"); i++)
		call(i, "a text");
	for (uint64_t i = 1; i <= n && !strcmp(what, "places"); i++)
		place_one(i);
	for (uint64_t i = 1; i <= n && !strcmp(what, "places"); i++)
		place_other(1000 + (int)i);
	for (uint64_t i = 1; i <= n && !strcmp(what, "guarded"); i++) {
		if (!work_guarded_semaphore)
			continue;
		prepared++;
		guarded(i);
	}
	if (!strcmp(what, "guarded"))
		printf("%llu\n", (unsigned long long)prepared);
	in_float();
	return n ? 0 : 2;
}
