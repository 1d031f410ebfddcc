/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_replace.c - writes a temporary file in the same folder, then renames it. All operations use one open folder
 * (place.h).
 */
#include "kernel/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "kernel/place.h"

enum { TRIES = 100, SUFFIX = 8 };

struct target {
	struct file_place place;
	char temporary[NAME_MAX + 1]; /* "": the target is written in place */
	mode_t mode;
	int fd;
};

static mode_t mode_by_default(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Creates a file with a random name, which nobody can predict. */
static int temporary_open(struct target *t)
{
	uint32_t chance;
	int fd = -1;

	for (int i = 0; i < TRIES && fd < 0; i++) {
		if (getrandom(&chance, sizeof(chance), 0) != sizeof(chance))
			return -EAGAIN;
		snprintf(t->temporary, sizeof(t->temporary), "%.*s.%06x", NAME_MAX - SUFFIX,
			 t->place.name, chance & 0xffffff);
		fd = openat(t->place.folder, t->temporary,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return -errno;
	}
	return fd < 0 ? -EEXIST : fd;
}

/* Follows a link where that is safe: then its target is replaced, not the link. */
static int target_open(struct target *t, const char *path)
{
	int err = place_open(&t->place, path);

	t->temporary[0] = '\0';
	if (err)
		return err;
	t->fd = place_open_special(&t->place, &t->mode);
	if (t->fd == -ENOENT) {
		t->mode = t->mode ?: mode_by_default();
		t->fd = temporary_open(t);
	}
	if (t->fd < 0)
		place_close(&t->place);
	return t->fd < 0 ? t->fd : 0;
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

/* Renames the temporary file, or removes it. */
static int target_close(struct target *t, int err, bool keep)
{
	const int folder = t->place.folder;
	bool renames = t->temporary[0];

	if (!err && renames && keep && fchmod(t->fd, t->mode))
		err = -errno;
	if (close(t->fd) && !err)
		err = -errno;
	if (!err && renames && keep && renameat(folder, t->temporary, folder, t->place.name))
		err = -errno;
	if ((err || !keep) && renames)
		unlinkat(folder, t->temporary, 0);
	place_close(&t->place);
	return err;
}

/* Truncates a regular file that is written in place: its old text may be longer. */
static int target_write(const struct target *t, const void *bytes, size_t len)
{
	struct stat st;

	if (!t->temporary[0] && !fstat(t->fd, &st) && S_ISREG(st.st_mode) && ftruncate(t->fd, 0))
		return -errno;
	return bytes_write(t->fd, bytes, len);
}

static int replace(const char *path, const void *bytes, size_t len, bool keep)
{
	struct own_rights r = own_rights_begin();
	struct target t;
	int err = target_open(&t, path);

	if (!err)
		err = target_close(&t, keep ? target_write(&t, bytes, len) : 0, keep);
	own_rights_end(r);
	return err;
}

int file_replace_check(const char *path)
{
	return replace(path, NULL, 0, false);
}

int file_replace(const char *path, const void *bytes, size_t len)
{
	return replace(path, bytes, len, true);
}
