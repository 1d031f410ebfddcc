/* SPDX-License-Identifier: GPL-2.0-only */
/* regular_file.c - opens a path only if it leads to a regular file (regular_file.h). */
#include "symbols/user/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int regular_find(const char *path, struct stat *st)
{
	int place = open(path, O_PATH | O_CLOEXEC), err;

	if (place < 0)
		return -errno;
	err = fstat(place, st) ? -errno : S_ISREG(st->st_mode) ? 0 : -EINVAL;
	if (!err)
		return place;
	close(place);
	return err;
}

int regular_open_found(int place)
{
	char path[32];
	int fd;

	if (place < 0)
		return place;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", place);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	close(place);
	return fd;
}
