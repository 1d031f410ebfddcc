/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reads.c - a known number of reads, for tests that count calls of vfs_read.
 *
 *   reads COUNT FILE…      COUNT one-byte reads of each FILE, one file after the other
 *   reads -j N COUNT FILE  the same in N processes at once; the numbers add up
 *   reads -s COUNT FILE    slowly, a read each millisecond
 *
 * Each read is one call of the kernel's vfs_read, whatever it returns; nothing else is read once the
 * files are open. Prints its process id first, so that a test can tell its reads from others.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int slow;

static int file_read(const char *path, long count)
{
	int fd = open(path, O_RDONLY);
	char byte;

	if (fd < 0) {
		perror(path);
		return 1;
	}
	while (count--) {
		lseek(fd, 0, SEEK_SET);
		if (slow)
			usleep(1000);
		if (read(fd, &byte, 1) < 0) {
			perror(path);
			return 1;
		}
	}
	return close(fd) != 0;
}

static int files_read(long count, char **paths)
{
	int err = 0;

	for (; *paths && !err; paths++)
		err = file_read(*paths, count);
	return err;
}

int main(int argc, char **argv)
{
	int jobs = argc > 3 && !strcmp(argv[1], "-j") ? atoi(argv[2]) : 0;
	char **rest;
	int status, err = 0;

	slow = argc > 2 && !strcmp(argv[1], "-s");
	rest = argv + (jobs ? 3 : 1 + slow);

	if (argc < 3 + slow || atol(rest[0]) < 1) {
		fprintf(stderr, "usage: reads [-j N | -s] COUNT FILE...\n");
		return 1;
	}
	printf("%d\n", getpid());
	fflush(stdout);
	for (int i = 0; i < jobs; i++)
		if (fork() == 0)
			_exit(files_read(atol(rest[0]), rest + 1));
	if (!jobs)
		return files_read(atol(rest[0]), rest + 1);
	while (wait(&status) > 0)
		err |= status;
	return err != 0;
}
