/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ended_calls.h - calls of user functions whose threads have ended before the return.
 */
#ifndef CORETAP_PROBE_ENDED_CALLS_H
#define CORETAP_PROBE_ENDED_CALLS_H

#include "probe/argdump.h"

/* Keeps the probe's map of calls, before its image is freed. Returns 0 or -errno. */
int ended_calls_watch(struct argdump_probe *p);
/* From time to time: deletes some that can no longer return, and counts them. */
void ended_calls_look(struct session *s);
/* At the end, of one probe: counts all of them. */
void ended_calls_count(struct session *s, struct argdump_probe *p);

#endif
