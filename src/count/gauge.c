/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gauge.c - reads numbers of /proc/meminfo by their names.
 */
#include "count/gauge.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line "NAME:" of a text, behind the colon; NULL: none. */
static const char *line_find(const char *text, const char *name, size_t len)
{
	while (text && (strncmp(text, name, len) || text[len] != ':')) {
		text = strchr(text, '\n');
		text += !!text;
	}
	return text ? text + len + 1 : NULL;
}

bool gauge_meminfo(const char *name, size_t len, uint64_t *value)
{
	static int file = -1; /* stays open: a sandboxed process cannot open it again */
	char text[8192];      /* 2 KB on kernels of today */
	const char *number;
	char *end;
	ssize_t size;

	if (file < 0)
		file = open("/proc/meminfo", O_RDONLY | O_CLOEXEC);
	size = file < 0 ? -1 : pread(file, text, sizeof(text) - 1, 0);
	if (size < 0)
		return false;
	text[size] = '\0';
	number = line_find(text, name, len);
	if (!number)
		return false;
	*value = strtoull(number, &end, 10);
	if (!strncmp(end, " kB", 3))
		*value *= 1024;
	return true;
}
