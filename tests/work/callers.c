/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.c - opens by_NAME, a file that is not there, in a function of that name and in every way that
 * has one, for the tests of opensnoop --caller. Without frame pointers. It must not know of coretap.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BY(name, call)                                                                             \
	static __attribute__((noipa)) long name(volatile int *calls)                               \
	{                                                                                          \
		const char *path = #name;                                                          \
		long result = (long)(call);                                                        \
                                                                                                   \
		++*calls; /* no tail call */                                                       \
		return result;                                                                     \
	}

BY(by_open, open(path, O_RDONLY))
BY(by_openat, openat(AT_FDCWD, path, O_RDONLY))
BY(by_syscall, syscall(SYS_openat, AT_FDCWD, path, O_RDONLY))
BY(by_fopen, fopen(path, "r"))
BY(by_opendir, opendir(path))

static void *by_thread_run(void *arg)
{
	static volatile int calls;

	(void)arg;
	by_open(&calls);
	return NULL;
}

int main(void)
{
	volatile int calls = 0;
	pthread_t thread;

	by_open(&calls);
	by_openat(&calls);
	by_syscall(&calls);
	by_fopen(&calls);
	by_opendir(&calls);
	pthread_create(&thread, NULL, by_thread_run, NULL);
	pthread_join(thread, NULL);
	return calls != 5;
}
