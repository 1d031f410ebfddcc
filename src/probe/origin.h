/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - what probes are in may go while they trace: a module is unloaded, a user's file replaced.
 */
#ifndef CORETAP_PROBE_ORIGIN_H
#define CORETAP_PROBE_ORIGIN_H

struct session;
struct argdump;

/* A file of a program or library, as it is now, and its path, from which processes will start. Of more than a
 * few only the first are watched. */
void origin_watch_file(const char *path, int fd);
/* The modules of all probes, once these are attached. */
void origin_watch_modules(const struct argdump *a);
/* From time to time, and at the end: names what has gone and counts it, once each. */
void origin_poll(struct session *s);

#endif
