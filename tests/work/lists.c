// SPDX-License-Identifier: GPL-2.0-only
/*
 * lists.c - arrays and lists in the kernel whose elements are known.
 *
 *	lists vectors LENGTH...	a writev of these lengths to /dev/null
 *	lists children N	N children, which wait; then a write of a byte to /dev/null
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 253 };

static int null;

static int vectors(int count, char **lengths)
{
	static char zeros[65536];
	struct iovec v[MOST];

	for (int i = 0; i < count && i < MOST; i++)
		v[i] = (struct iovec){ zeros, strtoul(lengths[i], NULL, 10) };
	return writev(null, v, count) < 0;
}

static int children(int count)
{
	int err, gate[2];
	char c;

	if (pipe(gate))
		return 1;
	for (int i = 0; i < count; i++) {
		if (!fork()) {
			close(gate[1]);
			_exit(read(gate[0], &c, 1) != 0);
		}
	}
	err = write(null, "", 1) != 1;
	close(gate[1]);
	while (wait(NULL) > 0)
		;
	return err;
}

int main(int argc, char **argv)
{
	null = open("/dev/null", O_WRONLY);
	if (argc > 2 && !strcmp(argv[1], "vectors"))
		return vectors(argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "children"))
		return children(atoi(argv[2]));
	fprintf(stderr, "usage: lists vectors LENGTH... | children N\n");
	return 2;
}
