/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * transfers.c - every way to read and write a file that the kernel has a system call for, for the tests of recipes. It must
 * not know of coretap.
 *
 *   transfers FILE OUT reads FILE and writes OUT, 100 bytes a time: N times by each way; prints the way, and N that the calls
 *                      returned 100 for. FILE has 100 bytes at least
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BYTES = 100, HALF = BYTES / 2 };

static char buf[BYTES];
static struct iovec halves[2] = { { buf, HALF }, { buf + HALF, HALF } };
static int in, out, null, pipes[2];

static ssize_t do_read(void)
{
	lseek(in, 0, SEEK_SET);
	return read(in, buf, BYTES);
}

static ssize_t do_pread(void)
{
	return pread(in, buf, BYTES, 0);
}

static ssize_t do_readv(void)
{
	lseek(in, 0, SEEK_SET);
	return readv(in, halves, 2);
}

static ssize_t do_preadv(void)
{
	return preadv(in, halves, 2, 0);
}

static ssize_t do_preadv2(void)
{
	return preadv2(in, halves, 2, 0, RWF_HIPRI);
}

static ssize_t do_sendfile(void)
{
	off_t at = 0;

	return sendfile(null, in, &at, BYTES);
}

static ssize_t do_splice(void)
{
	loff_t at = 0;
	ssize_t n = splice(in, &at, pipes[1], NULL, BYTES, 0);

	return n == BYTES ? read(pipes[0], buf, BYTES) : -1;
}

static ssize_t do_write(void)
{
	return write(out, buf, BYTES);
}

static ssize_t do_pwrite(void)
{
	return pwrite(out, buf, BYTES, 0);
}

static ssize_t do_writev(void)
{
	return writev(out, halves, 2);
}

static ssize_t do_pwritev(void)
{
	return pwritev(out, halves, 2, 0);
}

static ssize_t do_pwritev2(void)
{
	return pwritev2(out, halves, 2, 0, RWF_DSYNC);
}

static ssize_t do_sendfile_to(void)
{
	off_t at = 0;

	return sendfile(out, in, &at, BYTES);
}

static ssize_t do_splice_to(void)
{
	return write(pipes[1], buf, BYTES) == BYTES ? splice(pipes[0], NULL, out, NULL, BYTES, 0) :
						      -1;
}

static const struct way {
	const char *name;
	ssize_t (*call)(void);
	int times;
} ways[] = {
	{ "read", do_read, 3 },
	{ "pread", do_pread, 5 },
	{ "readv", do_readv, 7 },
	{ "preadv", do_preadv, 11 },
	{ "preadv2", do_preadv2, 13 },
	{ "sendfile", do_sendfile, 17 },
	{ "splice", do_splice, 19 },
	{ "write", do_write, 3 },
	{ "pwrite", do_pwrite, 5 },
	{ "writev", do_writev, 7 },
	{ "pwritev", do_pwritev, 11 },
	{ "pwritev2", do_pwritev2, 13 },
	{ "sendfile_to", do_sendfile_to, 17 },
	{ "splice_to", do_splice_to, 19 },
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 1;
	in = open(argv[1], O_RDONLY);
	out = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0644);
	null = open("/dev/null", O_WRONLY);
	if (in < 0 || out < 0 || null < 0 || pipe(pipes))
		return 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		int done = 0;

		for (int n = 0; n < ways[i].times; n++)
			done += ways[i].call() == BYTES;
		printf("%s %d\n", ways[i].name, done);
	}
	return 0;
}
