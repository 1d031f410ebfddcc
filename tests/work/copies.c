// SPDX-License-Identifier: GPL-2.0-only
/*
 * copies.c - functions of which an optimizing compiler keeps code and inlines calls, or makes copies for some callers. Each
 * call prints a line.
 */
#include <stdio.h>

struct point {
	int x, y;
};

/* Called by name, which is inlined, and by a pointer, which cannot be. */
static int both(int n)
{
	printf("both n=%d\n", n);
	return n * 2;
}
static int (*volatile pointer)(int) = both;

/* The last parameter is the same in all calls. */
static __attribute__((noinline)) int copied(const struct point *p, int by)
{
	printf("copied x=%d\n", p->x);
	return p->y * by;
}

int main(int argc, char **argv)
{
	const struct point a = { argc * 7, 8 }, b = { argc + 10, 9 };

	(void)argv;
	both(argc + 1);
	both(argc + 30);
	pointer(argc + 4);
	copied(&a, 3);
	copied(&b, 3);
	return 0;
}
