/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * crowd.c - many threads that call the same function at once, more than there are processors.
 *
 *   crowd T N        T threads, each calls hurry(N') for N' = 1 … N, which returns N', and passes
 *                    a probe of its own (USDT, crowd:hurry(N'))
 *   crowd pairs T N  the same, but each calls begin_it(ID) and then end_it(ID), with an ID that no other has
 *   crowd both T N   hurry, and begin_it and end_it
 *   crowd names T N  the same as the first, but each calls named(NAME), with the name of its thread, which is long and ends with
 *                    -0-, -1- and so on
 *
 * Prints for each thread its id and how many calls it made.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "usdt_note.h"

enum { THREADS_MAX = 100 };

static pthread_barrier_t all;
static long calls;
static int hurries = 1, pairs, names;

struct thread {
	pthread_t id;
	long tid, done, number;
	char name[900];
};

__attribute__((noipa)) long hurry(long n)
{
	NOTE("crowd", "hurry", "0", "8@%0", "r"(n));
	return n;
}

__attribute__((noipa)) long begin_it(long id)
{
	return id;
}

__attribute__((noipa)) long end_it(long id)
{
	return id;
}

__attribute__((noipa)) long named(const char *name)
{
	return *name == 'x';
}

static void name_make(struct thread *t)
{
	size_t room = sizeof(t->name) - 8;

	memset(t->name, 'x', room);
	snprintf(t->name + room, 8, "-%ld-", t->number);
}

static void *run(void *data)
{
	struct thread *t = data;

	name_make(t);
	t->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&all);
	for (long i = 1; i <= calls; i++) {
		if (names)
			t->done += named(t->name);
		else if (hurries)
			t->done += hurry(i) == i;
		else
			t->done++;
		if (pairs) {
			begin_it(t->number * calls + i);
			end_it(t->number * calls + i);
		}
	}
	return NULL;
}

static void crowd(int count)
{
	static struct thread threads[THREADS_MAX];

	pthread_barrier_init(&all, NULL, count);
	for (int i = 0; i < count; i++) {
		threads[i].number = i;
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i].id, NULL);
	for (int i = 0; i < count; i++)
		printf("%ld %ld\n", threads[i].tid, threads[i].done);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "pairs") || !strcmp(what, "both")) {
		pairs = 1;
		hurries = !strcmp(what, "both");
		argc--;
		argv++;
	}
	if (!strcmp(what, "names")) {
		names = 1;
		argc--;
		argv++;
	}
	if (argc != 3 || atoi(argv[1]) < 1 || atoi(argv[1]) > THREADS_MAX)
		return 2;
	calls = atol(argv[2]);
	crowd(atoi(argv[1]));
	return 0;
}
