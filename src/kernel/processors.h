/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * processors.h - which processors are online, and which come and go during a run. The kernel removes the perf events of one
 * that goes offline, and makes none when it comes back.
 */
#ifndef CORETAP_KERNEL_PROCESSORS_H
#define CORETAP_KERNEL_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>

enum { PROCESSORS_MAX = 8192 };

/* Those that were online when it was asked last; begins as zero. */
struct processors {
	unsigned char online[PROCESSORS_MAX];
	bool known;
	int events; /* a socket with the kernel's messages about devices, or -errno */
};

/* The numbers of the processors that are running, at most `room`. Returns how many, or -errno. */
int processors_online(int *cpus, size_t room);
/* The same from "0-3,5": exported for its test. */
int processors_read(const char *text, int *cpus, size_t room);
/* Calls `came` for each that is online and was not the last time, or was offline in between; at the first time for none.
 * Not known: does nothing. The first call opens a socket, which the process keeps. */
void processors_poll(struct processors *p, void (*came)(void *ctx, int cpu), void *ctx);

#endif
