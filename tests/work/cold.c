/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cold.c - system calls whose data are in pages of a file that are not mapped when they begin, for the tests of
 * syssnoop. It must not know of coretap.
 *
 *   cold FILE     writes FILE, maps it, and makes rt_sigprocmask(SIG_BLOCK, [USR1]), nanosleep of 1000 ns and an
 *                 execve of /no/such/cold with itself as argument, which fails
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

struct data {
	unsigned long set;
	struct timespec time;
	char path[40];
};

int main(int argc, char **argv)
{
	static const struct data data = { 1ul << (SIGUSR1 - 1), { 0, 1000 }, "/no/such/cold" };
	char page[PAGE] = { 0 };
	struct data *cold;
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

	memcpy(page, &data, sizeof(data));
	if (fd < 0 || write(fd, page, PAGE) != PAGE) {
		fprintf(stderr, "cold: see the head of cold.c\n");
		return 2;
	}
	cold = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);
	if (cold == MAP_FAILED)
		return 1;
	madvise(cold, PAGE, MADV_DONTNEED);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &cold->set, NULL, 8);
	madvise(cold, PAGE, MADV_DONTNEED);
	syscall(SYS_nanosleep, &cold->time, NULL);
	madvise(cold, PAGE, MADV_DONTNEED);
	syscall(SYS_execve, cold->path, (char *[]){ cold->path, NULL }, NULL);
	return 0;
}
