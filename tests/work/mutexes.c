/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mutexes.c - threads that lock mutexes in orders which agree, or which do not, for the test of deadlock. It must not know of
 * coretap. No two threads run at a time, so none waits for ever.
 *
 *   mutexes agree      all threads lock in the order of the mutexes
 *   mutexes two        two mutexes in both orders
 *   mutexes own        two locks of its own in both orders
 *   mutexes again      executes itself with the mutexes at the same addresses, and one of them locked; in each program the order agrees
 *   mutexes four       four threads: 0 and 1, 1 and 2, 2 and 3, 3 and 0; and pairs that are in no cycle
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MUTEXES = 6 };

static pthread_mutex_t mutexes[MUTEXES];
static int order[2];

/* a program's own functions that lock; it waits for nobody, because no two threads run at a time */
__attribute__((noinline)) void mine_lock(int *lock)
{
	*(volatile int *)lock = 1;
}

__attribute__((noinline)) void other_lock(int *lock)
{
	*(volatile int *)lock = 2;
}

__attribute__((noinline)) void mine_unlock(int *lock)
{
	*(volatile int *)lock = 0;
}

static void own_lock(void)
{
	static int locks[2];

	for (int i = 0; i < 2; i++) {
		mine_lock(&locks[i]);
		other_lock(&locks[!i]);
		mine_unlock(&locks[i]);
		mine_unlock(&locks[!i]);
	}
}

__attribute__((noinline)) static void second_lock(void)
{
	pthread_mutex_lock(&mutexes[order[1]]);
	__asm__ volatile("");
}

static void *both_lock(void *name)
{
	prctl(PR_SET_NAME, name);
	pthread_mutex_lock(&mutexes[order[0]]);
	second_lock();
	pthread_mutex_unlock(&mutexes[order[0]]);
	pthread_mutex_unlock(&mutexes[order[1]]);
	return NULL;
}

static void lock(const char *name, int first, int second)
{
	pthread_t thread;

	order[0] = first;
	order[1] = second;
	pthread_create(&thread, NULL, both_lock, (void *)name);
	pthread_join(thread, NULL);
}

static void addresses_print(void)
{
	for (int i = 0; i < MUTEXES; i++)
		printf("%p\n", (void *)&mutexes[i]);
	fflush(stdout);
}

/* again → again1 → again2, which have their code and data where the one before had them */
static void again(const char *what)
{
	static const char *const steps[] = { "again", "again1", "again2", NULL };
	int step = 0;

	while (steps[step] && strcmp(steps[step], what))
		step++;
	if (!steps[step])
		return;
	if (!step)
		personality(ADDR_NO_RANDOMIZE);
	else
		lock(steps[step], step - 1, 2 - step);
	pthread_mutex_lock(&mutexes[2]);
	if (steps[step + 1])
		execl("/proc/self/exe", "mutexes", steps[step + 1], NULL);
	addresses_print();
	_exit(0);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	again(what);
	addresses_print();
	if (!strcmp(what, "own"))
		own_lock();
	lock("one", 0, 1);
	if (!strcmp(what, "two"))
		lock("other", 1, 0);
	lock("two", 1, 2);
	lock("three", 2, 3);
	if (!strcmp(what, "four"))
		lock("back", 3, 0);
	lock("in", 4, 0);  /* leads to the cycle */
	lock("out", 3, 5); /* leads away from it */
	return 0;
}
