/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - detects that the module of a probe was unloaded, or its file replaced, during the tracing.
 */
#ifndef CORETAP_PROBE_ORIGIN_H
#define CORETAP_PROBE_ORIGIN_H

struct session;
struct argdump;

/* Watches an open file of a program or library, and the path from which processes will start it. Beyond a limit,
 * further files are ignored. */
void origin_watch_file(const char *path, int fd);
/* Watches the modules of all probes, after these are attached. */
void origin_watch_modules(const struct argdump *a);
/* Called periodically and at the end: reports and counts each probe that is gone, once. */
void origin_poll(struct session *s);

#endif
