/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ucalls.c - calls of a function of its own that are under way at the same time, or never return.
 *
 *   ucalls nest N        called(N) calls called(N - 1) … called(1), each gives its number
 *   ucalls threads T N   T threads: each as nest N, and all wait for each other in the innermost
 *   ucalls jump N        N calls that a longjmp leaves, then N that return
 *   ucalls leave N       N calls that a longjmp leaves, then, further up the stack, give(NULL)
 *   ucalls exit N        N processes, each of which ends within a call
 *   ucalls fork          one call; in it a fork, and the child returns, too
 *   ucalls exec PROGRAM ARG…  one call; in it PROGRAM is executed
 *   ucalls stay          one call; then it waits until it is killed
 *   ucalls fill          fill(BUF, 20) five times: gives 5 of "text\n", 0, -1, 20 of bytes, and with
 *                        BUF NULL 5
 *   ucalls keep N        take(1) … take(N), each gives an address and has overwritten the text that
 *                        it was given; then give(ADDRESS) of all but the last 3
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS_MAX = 100 };

static pthread_barrier_t all;
static jmp_buf back;
static enum { RETURN, MEET, JUMP, EXIT, FORK, EXEC } innermost;
static char **program;

static int end(void)
{
	switch (innermost) {
	case MEET: pthread_barrier_wait(&all); break;
	case JUMP: longjmp(back, 1);
	case EXIT: _exit(0);
	case FORK: return fork();
	case EXEC: return execvp(*program, program);
	default: break;
	}
	return 0;
}

long called(const char *text, long n);
static long (*volatile again)(const char *text, long n) = called; /* no loop instead */

__attribute__((noipa)) long called(const char *text, long n)
{
	long inner = n > 1 ? again(text, n - 1) : 0;

	if (n == 1 && end() < 0)
		return -1;
	return inner + 1;
}

__attribute__((noipa)) long fill(char *buf, size_t size, int how)
{
	static const char text[] = "text\n", bytes[] = "\x01\xff"
						       "abcdefghijklmnopqrs";

	if (!buf)
		return 5;
	memcpy(buf, how == 3 ? bytes : text, how == 3 ? size : sizeof(text));
	return how == 0 ? 5 : how == 3 ? (long)size : 1 - how;
}

__attribute__((noipa)) char *take(long size, char *text)
{
	strcpy(text, "later");
	return malloc(size);
}

__attribute__((noipa)) void give(char *address)
{
	free(address);
}

static void keep(int count)
{
	char text[16], **taken = calloc(count, sizeof(*taken));

	for (int i = 0; i < count; i++)
		taken[i] = take(i + 1, strcpy(text, "before"));
	for (int i = 0; i < count - 3; i++)
		give(taken[i]);
	free(taken);
}

static long depth;

static void *run(void *unused)
{
	(void)unused;
	return (void *)called("thread", depth);
}

static void threads(int count)
{
	pthread_t ids[THREADS_MAX];

	innermost = MEET;
	pthread_barrier_init(&all, NULL, count);
	for (int i = 0; i < count; i++)
		pthread_create(&ids[i], NULL, run, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

__attribute__((noinline)) static void jump(int count, int returns)
{
	for (volatile int i = 0; i < count + returns; i++) {
		innermost = i < count ? JUMP : RETURN;
		if (!setjmp(back))
			called("jump", 1);
	}
}

static void leave(int count)
{
	jump(count, 0);
	give(NULL);
}

static void end_within(int count)
{
	innermost = EXIT;
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child)
			called("exit", 1);
		waitpid(child, NULL, 0);
	}
}

static void fork_within(void)
{
	innermost = FORK;
	called("fork", 1);
	wait(NULL);
}

static void exec_within(char **argv)
{
	innermost = EXEC;
	program = argv;
	called("exec", 1);
}

static void fill_all(void)
{
	char buf[32] = "old";

	for (int how = 0; how < 4; how++)
		fill(buf, 20, how);
	fill(NULL, 20, 0);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 0;

	depth = argc > 3 ? atoi(argv[3]) : count;
	if (!strcmp(what, "nest"))
		called("nest", depth);
	else if (!strcmp(what, "threads") && count <= THREADS_MAX)
		threads(count);
	else if (!strcmp(what, "stay"))
		return called("stay", 1), pause();
	else if (!strcmp(what, "jump"))
		jump(count, count);
	else if (!strcmp(what, "leave"))
		leave(count);
	else if (!strcmp(what, "exit"))
		end_within(count);
	else if (!strcmp(what, "fork"))
		fork_within();
	else if (!strcmp(what, "exec") && argc > 2)
		exec_within(argv + 2);
	else if (!strcmp(what, "keep"))
		keep(count);
	else if (!strcmp(what, "fill"))
		fill_all();
	else
		return 2;
	return 0;
}
