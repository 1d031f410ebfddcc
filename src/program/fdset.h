/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fdset.h - file descriptors that are closed together: programs, links, maps.
 */
#ifndef CORETAP_PROGRAM_FDSET_H
#define CORETAP_PROGRAM_FDSET_H

#include <stddef.h>

struct fdset {
	int *fds; /* owned */
	size_t count;
};

/* Takes ownership of fd, and closes it if there is no memory. Returns 0 or -ENOMEM; a negative fd
 * is returned as it is. */
int fdset_add(struct fdset *l, int fd);
void fdset_close(struct fdset *l);

#endif
