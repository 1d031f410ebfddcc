/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuses.c - a file system of FUSE with one file, while COMMAND runs: fuses DIR COMMAND…. It must not know of coretap.
 *
 * Like NFS and other network file systems, it creates a file and opens it in one step. Exits with the status of COMMAND.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOT = 1, FILE_ID = 2 };

static int device;
static int exists;

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t len)
{
	struct fuse_out_header out = { sizeof(out) + len, error, in->unique };
	struct iovec parts[] = { { &out, sizeof(out) }, { (void *)data, len } };

	if (writev(device, parts, 2) < 0 && errno != ENOENT)
		perror("fuses");
}

static struct fuse_attr attributes(unsigned long id)
{
	return (struct fuse_attr){ .ino = id,
				   .mode = id == ROOT ? S_IFDIR | 0755 : S_IFREG | 0644,
				   .nlink = 1,
				   .blksize = 4096 };
}

static void answer(const struct fuse_in_header *in)
{
	struct fuse_init_out init = { .major = 7, .minor = 23, .max_write = 4096 };
	struct fuse_attr_out attr = { .attr = attributes(in->nodeid) };
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} made = { .entry = { .nodeid = FILE_ID, .attr = attributes(FILE_ID) } };

	switch (in->opcode) {
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT: return;
	case FUSE_INIT: reply(in, 0, &init, sizeof(init)); return;
	case FUSE_GETATTR: reply(in, 0, &attr, sizeof(attr)); return;
	case FUSE_LOOKUP:
		reply(in, exists ? 0 : -ENOENT, &made.entry, exists ? sizeof(made.entry) : 0);
		return;
	case FUSE_CREATE:
		exists = 1;
		reply(in, 0, &made, sizeof(made));
		return;
	case FUSE_UNLINK:
		exists = 0;
		reply(in, 0, NULL, 0);
		return;
	case FUSE_FLUSH:
	case FUSE_RELEASE: reply(in, 0, NULL, 0); return;
	default: reply(in, -ENOSYS, NULL, 0);
	}
}

static void serve(void)
{
	static char room[1 << 17];

	while (read(device, room, sizeof(room)) > 0 || errno == EINTR || errno == ENOENT)
		answer((void *)room);
	exit(0);
}

int main(int argc, char **argv)
{
	char options[100];
	int status, child;

	device = open("/dev/fuse", O_RDWR);
	if (argc < 3 || device < 0)
		return 2;
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mount("fuses", argv[1], "fuse", 0, options))
		return 3;
	if (!fork())
		serve();
	close(device);
	child = fork();
	if (!child) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(child, &status, 0);
	umount2(argv[1], MNT_DETACH);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
