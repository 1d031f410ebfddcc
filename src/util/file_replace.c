/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_replace.c - writes a file under another name beside it, and then renames that.
 */
#include "util/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct target {
	char path[PATH_MAX];
	char temporary[PATH_MAX + 8]; /* "": it is written in place */
	mode_t mode;
	int fd;
};

static mode_t mode_by_default(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* A link is followed: the file that it leads to is replaced, not the link. */
static int target_open(struct target *t, const char *path)
{
	struct stat st;
	bool exists = !stat(path, &st);

	t->temporary[0] = '\0';
	if (exists && !S_ISREG(st.st_mode)) {
		t->fd = open(path, O_WRONLY | O_CLOEXEC);
		return t->fd < 0 ? -errno : 0;
	}
	t->mode = exists ? st.st_mode & 0777 : mode_by_default();
	if (exists && !realpath(path, t->path))
		return -errno;
	if (!exists && snprintf(t->path, sizeof(t->path), "%s", path) >= (int)sizeof(t->path))
		return -ENAMETOOLONG;
	snprintf(t->temporary, sizeof(t->temporary), "%s.XXXXXX", t->path);
	t->fd = mkostemp(t->temporary, O_CLOEXEC);
	return t->fd < 0 ? -errno : 0;
}

static int bytes_write(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		bytes += n > 0 ? n : 0;
		len -= n > 0 ? n : 0;
	}
	return 0;
}

/* Keeps what was written, or nothing. */
static int target_close(struct target *t, int err)
{
	bool renames = t->temporary[0];

	if (!err && renames && fchmod(t->fd, t->mode))
		err = -errno;
	if (close(t->fd) && !err)
		err = -errno;
	if (!err && renames && rename(t->temporary, t->path))
		err = -errno;
	if (err && renames)
		unlink(t->temporary);
	return err;
}

int file_replace_check(const char *path)
{
	struct target t;
	int err = target_open(&t, path);

	if (err)
		return err;
	close(t.fd);
	if (t.temporary[0])
		unlink(t.temporary);
	return 0;
}

int file_replace(const char *path, const void *bytes, size_t len)
{
	struct target t;
	int err = target_open(&t, path);

	return err ?: target_close(&t, bytes_write(t.fd, bytes, len));
}
