/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * imports.c - the file of a program, and those that it imports: parts that come with the tool, else files, relative to
 * the folder of the program's own file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/bt/bt.h"
#include "kernel/capabilities.h"
#include "util/log.h"

enum { FILE_MAX = 64 << 10 };

/* Returns the text, or NULL with errno. */
static char *text_read(const char *path)
{
	int fd = strcmp(path, "-") ? own_open(path, O_RDONLY) : STDIN_FILENO;
	char *text = calloc(1, FILE_MAX + 2);
	size_t len = 0;
	int err = fd < 0 ? fd : text ? 0 : -ENOMEM;
	ssize_t got = 1;

	while (!err && got && len <= FILE_MAX) {
		got = read(fd, text + len, FILE_MAX + 1 - len);
		err = got < 0 ? -errno : 0;
		len += got > 0 ? got : 0;
	}
	if (fd > STDIN_FILENO)
		close(fd);
	if (!err && len > FILE_MAX)
		err = -EFBIG;
	for (size_t i = 0; !err && i < len; i++)
		text[i] = text[i] ?: '\1'; /* else it would end the program: so it is refused */
	if (!err)
		return text;
	free(text);
	errno = -err;
	return NULL;
}

char *bt_file_read(const char *path)
{
	char *text = text_read(path);

	if (text)
		return text; /* the run's */
	log_error("cannot read '%s': %s", path, strerror(errno));
	log_hint("bt -e 'PROGRAM' takes the program itself");
	return NULL;
}

const char *bt_import(void *ctx, const char *path)
{
	const struct bt *b = ctx;
	const char *part = b->part ? b->part(path) : NULL;
	const char *slash = *path != '/' ? strrchr(b->file, '/') : NULL;
	char *beside, *text;

	if (part)
		return part;
	if (asprintf(&beside, "%.*s%s", slash ? (int)(slash + 1 - b->file) : 0, b->file, path) < 0)
		return NULL;
	text = text_read(beside);
	free(beside);
	return text; /* the run's */
}
