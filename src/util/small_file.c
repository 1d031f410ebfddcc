/* SPDX-License-Identifier: GPL-2.0-only */
/* small_file.c - reads a file of /proc or /sys. */
#include "util/small_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

ssize_t small_file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -errno : 1;
	size_t len = 0;

	while (n > 0 && len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n < 0)
			n = -errno;
		len += n > 0 ? n : 0;
	}
	if (fd >= 0)
		close(fd);
	len = n < 0 ? 0 : len;
	text[len] = 0;
	return n < 0 ? n : (ssize_t)len;
}

ssize_t small_file_line(const char *path, char *text, size_t size)
{
	ssize_t len = small_file_read(path, text, size);

	if (len > 0 && text[len - 1] == '\n')
		text[--len] = 0;
	return len;
}
