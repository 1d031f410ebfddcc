/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * threads.c - many short threads, one after the other: the numbers of those that ended are used again.
 *
 *   threads N FILE [SECONDS]   N threads, each of which reads one byte of FILE, once; then it stays for so long
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *byte_read(void *fd)
{
	char byte;

	return pread(*(int *)fd, &byte, 1, 0) == 1 ? NULL : fd;
}

int main(int argc, char **argv)
{
	long count = argc >= 3 ? atol(argv[1]) : 0;
	int fd = argc >= 3 ? open(argv[2], O_RDONLY) : -1;
	void *failed = NULL;
	pthread_t thread;

	if (fd < 0) {
		fprintf(stderr, "usage: threads N FILE [SECONDS]\n");
		return 1;
	}
	while (count-- > 0 && !failed)
		if (pthread_create(&thread, NULL, byte_read, &fd) || pthread_join(thread, &failed))
			failed = &fd;
	if (argc > 3)
		sleep(atoi(argv[3]));
	return failed != NULL;
}
