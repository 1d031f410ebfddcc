/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.c - opens files of tracefs. It knows nothing about their contents.
 */
#include "kernel/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int tracefs_open(const char *path, int flags)
{
	static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char full[256];
	int fd = -1;

	for (size_t i = 0; i < 2 && fd < 0 && (!i || errno == ENOENT); i++) {
		snprintf(full, sizeof(full), "%s/%s", roots[i], path);
		fd = open(full, flags | O_CLOEXEC);
	}
	return fd;
}

char *tracefs_read(const char *path)
{
	int fd = tracefs_open(path, O_RDONLY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	/* the file contains no NUL, so this reads all of it */
	if (getdelim(&text, &size, 0, f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

int tracefs_event(const char *name)
{
	char path[128], *text;
	int number;

	snprintf(path, sizeof(path), "events/%s/id", name);
	text = tracefs_read(path);
	number = text ? atoi(text) ?: -EBADMSG : -errno;
	free(text);
	return number;
}
