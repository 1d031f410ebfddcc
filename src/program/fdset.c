/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fdset.c - a list of file descriptors that grows.
 */
#include "program/fdset.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int fdset_add(struct fdset *l, int fd)
{
	int *fds;

	if (fd < 0)
		return fd;
	fds = realloc(l->fds, (l->count + 1) * sizeof(*fds));
	if (!fds) {
		close(fd);
		return -ENOMEM;
	}
	fds[l->count++] = fd;
	l->fds = fds;
	return 0;
}

void fdset_close(struct fdset *l)
{
	for (size_t i = 0; i < l->count; i++)
		close(l->fds[i]);
	free(l->fds);
	*l = (struct fdset){ 0 };
}
