/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * devices.c - devices that need more than a file to be used, for the tests of recipes. It must not know of
 * coretap.
 *
 *   devices raid NODE DISK    makes NODE, an md device, a RAID 1 of DISK alone
 *   devices stop NODE         ends it
 *   devices merged DISK [N]   three reads (or N, at most) of 4 KB without the cache, sent together, each of the block before: the
 *                             kernel may make one request of them
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/major.h>
#include <linux/raid/md_u.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { ACTIVE = 1 << 1, IN_SYNC = 1 << 2 }; /* MD_DISK_… of linux/raid/md_p.h */

static int raid(const char *node, const char *disk)
{
	mdu_array_info_t array = { .minor_version = 90,
				   .level = 1,
				   .size = 4096,
				   .nr_disks = 1,
				   .raid_disks = 1,
				   .not_persistent = 1,
				   .active_disks = 1,
				   .state = 1 };
	mdu_disk_info_t member = { .state = ACTIVE | IN_SYNC };
	struct stat st;
	int fd;

	if (stat(disk, &st) ||
	    (mknod(node, S_IFBLK | 0600, makedev(MD_MAJOR, 0)) && access(node, F_OK)))
		return 1;
	member.major = major(st.st_rdev);
	member.minor = minor(st.st_rdev);
	fd = open(node, O_RDWR);
	return fd < 0 || ioctl(fd, SET_ARRAY_INFO, &array) || ioctl(fd, ADD_NEW_DISK, &member) ||
	       ioctl(fd, RUN_ARRAY, NULL);
}

static int stop(const char *node)
{
	int fd = open(node, O_RDWR);

	return fd < 0 || ioctl(fd, STOP_ARRAY, NULL);
}

static int merged(const char *disk, int n)
{
	enum { READS = 3, BLOCK = 4096 };
	struct iocb reads[READS], *all[READS];
	struct io_event events[READS];
	aio_context_t aio = 0;
	char *room = aligned_alloc(BLOCK, READS * BLOCK);
	int fd = open(disk, O_RDONLY | O_DIRECT);

	if (fd < 0 || !room || syscall(SYS_io_setup, READS, &aio))
		return 1;
	if (n < 1 || n > READS)
		return 2;
	for (int i = 0; i < n; i++) {
		reads[i] = (struct iocb){ .aio_lio_opcode = IOCB_CMD_PREAD,
					  .aio_fildes = fd,
					  .aio_buf = (uintptr_t)room + i * BLOCK,
					  .aio_nbytes = BLOCK,
					  .aio_offset = (n - 1 - i) * BLOCK };
		all[i] = &reads[i];
	}
	return syscall(SYS_io_submit, aio, n, all) != n ||
	       syscall(SYS_io_getevents, aio, n, n, events, NULL) != n;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "raid") && argc == 4)
		return raid(argv[2], argv[3]);
	if (!strcmp(what, "stop") && argc == 3)
		return stop(argv[2]);
	if (!strcmp(what, "merged") && (argc == 3 || argc == 4))
		return merged(argv[2], argc == 4 ? atoi(argv[3]) : 3);
	return 3;
}
