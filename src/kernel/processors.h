/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * processors.h - which processors are online, and which come online during a run. The kernel removes the perf events
 * of a processor that goes offline, and creates none when it comes back.
 */
#ifndef CORETAP_KERNEL_PROCESSORS_H
#define CORETAP_KERNEL_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>

enum { PROCESSORS_MAX = 8192 };

/* The processors that were online at the last poll; initially all zero. */
struct processors {
	unsigned char online[PROCESSORS_MAX];
	bool known;
	int events; /* the socket for the kernel's messages about devices, or -errno */
};

/* Writes the numbers of the online processors, at most `room`. Returns their count or -errno. */
int processors_online(int *cpus, size_t room);
/* Parses "0-3,5". Exported for its test. */
int processors_read(const char *text, int *cpus, size_t room);
/* Calls `came` for each processor that came online since the last call, even if it was offline only in between. If it
 * returns -ENODEV, the next call calls it again: a processor that is in the list may be on its way in or out, and has
 * no perf events then. The first call reports none; it opens a socket, which the process keeps open. Does nothing if
 * the list cannot be read. */
void processors_poll(struct processors *p, int (*came)(void *ctx, int cpu), void *ctx);

#endif
