/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owns.c - a program with an allocator of its own, as one that is linked with jemalloc, for the tests of recipes. It is linked
 * dynamically, and must not know of coretap.
 *
 *   owns N     N times malloc(100) of its own in takes(), every other of which is freed
 */
#include <stddef.h>
#include <stdlib.h>

#define ALONE __attribute__((noinline, noclone, noipa))

static _Alignas(16) char room[1 << 20];
static size_t used;

ALONE void *malloc(size_t size)
{
	size_t at = used;

	used += (size + 31) & ~(size_t)15;
	if (used > sizeof(room))
		return NULL;
	*(size_t *)(room + at) = size;
	return room + at + 16;
}

ALONE void free(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

ALONE void *calloc(size_t n, size_t size)
{
	return malloc(n * size); /* the room is zero, and nothing is used twice */
}

ALONE void *realloc(void *p, size_t size)
{
	char *to = malloc(size);
	size_t old = p ? *(size_t *)((char *)p - 16) : 0;

	for (size_t i = 0; to && i < old && i < size; i++)
		to[i] = ((char *)p)[i];
	return to;
}

static ALONE void takes(int n)
{
	for (int i = 0; i < n; i++) {
		void *p = malloc(100);

		__asm__ volatile("" : "+r"(p) : : "memory");
		if (i % 2)
			free(p);
	}
}

int main(int argc, char **argv)
{
	takes(argc == 2 ? atoi(argv[1]) : 0);
	return 0;
}
