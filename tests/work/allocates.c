/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * allocates.c - memory by the ways of the C library, and by processes that follow each other, for the tests of recipes. It is
 * linked dynamically, and must not know of coretap.
 *
 *   allocates ways N      N times each, none of them freed: memalign(64, 1001) in memaligned(), valloc(1002) in pages(),
 *                         pvalloc(1003) in whole_pages(), aligned_alloc(64, 1024) in aligned(), reallocarray(NULL, 5, 201) in
 *                         arrays(), strdup of 1005 characters in copies(); and each of them once freed
 *   allocates pids N      two processes, one after the other, with one number and the same addresses: the first allocates N
 *                         times 44 bytes in leaks(); the second N times 44 in frees(), and frees them
 *   allocates execs N     the same, but the second is the program that the first executes
 */
#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone, noipa))
enum { CALL_CLONE3 = 435, BYTES = 44, MANY = 1000 };

static void *memory[MANY];

/* What must stay where the compiler would leave it out. */
static void *kept(void *p)
{
	__asm__ volatile("" : "+r"(p) : : "memory");
	return p;
}

#define WAY(name, call)                                                                            \
	static ALONE void *name(void)                                                              \
	{                                                                                          \
		return kept(call);                                                                 \
	}

WAY(memaligned, memalign(64, 1001))
WAY(pages, valloc(1002))
WAY(whole_pages, pvalloc(1003))
WAY(aligned, aligned_alloc(64, 1024))
WAY(arrays, reallocarray(NULL, 5, 201))

static ALONE void *copies(void)
{
	char text[1006];

	memset(text, 'x', 1005);
	text[1005] = 0;
	return kept(strdup(text));
}

static int ways(int n)
{
	void *(*const all[])(void) = { memaligned, pages, whole_pages, aligned, arrays, copies };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (int times = 0; times < n; times++)
			if (!all[i]())
				return 1;
		free(all[i]());
	}
	return 0;
}

static ALONE void leaks(int n)
{
	for (int i = 0; i < n; i++)
		memory[i] = kept(malloc(BYTES));
	kept(NULL);
}

static ALONE void frees(int n)
{
	for (int i = 0; i < n; i++)
		memory[i] = kept(malloc(BYTES));
	for (int i = 0; i < n; i++)
		free(memory[i]);
	kept(NULL);
}

/* As fork does, with this process number; 0: any. */
static pid_t child_begin(pid_t number)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
			set_tid, set_tid_size;
	} args = { .exit_signal = SIGCHLD,
		   .set_tid = number ? (uintptr_t)&number : 0,
		   .set_tid_size = number != 0 };

	return (pid_t)syscall(CALL_CLONE3, &args, sizeof(args));
}

static int pids(int n)
{
	pid_t first = child_begin(0), second;

	if (!first) {
		leaks(n);
		_exit(0);
	}
	waitpid(first, NULL, 0);
	second = child_begin(first);
	if (!second) {
		frees(n);
		_exit(0);
	}
	waitpid(second, NULL, 0);
	printf("%s\n", first > 0 && first == second ? "the same number" : strerror(errno));
	return first < 0 || first != second;
}

static int execs(char **argv, int n)
{
	char *again[] = { argv[0], "last", argv[2], NULL };

	if (!(personality(0xffffffff) & ADDR_NO_RANDOMIZE)) {
		personality(ADDR_NO_RANDOMIZE);
		execvp(argv[0], argv);
		return 1;
	}
	/* the same program with as many words: the heap is where it was */
	leaks(n);
	execvp(argv[0], again);
	return 1;
}

int main(int argc, char **argv)
{
	int n = argc == 3 ? atoi(argv[2]) : 0;

	if (n <= 0 || n > MANY)
		return 2;
	if (!strcmp(argv[1], "ways"))
		return ways(n);
	if (!strcmp(argv[1], "pids"))
		return pids(n);
	if (!strcmp(argv[1], "execs"))
		return execs(argv, n);
	if (strcmp(argv[1], "last"))
		return 2;
	frees(n);
	return 0;
}
