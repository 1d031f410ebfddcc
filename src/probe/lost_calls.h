/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost_calls.h - counts calls that a probe does not record: those that its programs miss, and those whose threads end
 * before the return.
 */
#ifndef CORETAP_PROBE_LOST_CALLS_H
#define CORETAP_PROBE_LOST_CALLS_H

#include "probe/argdump.h"
#include "run/lost.h"

/* Opens the probe's map of calls for later checks, before its image is freed. Returns 0 or -errno. */
int ended_calls_watch(struct argdump_probe *p);
/* Called now and then: deletes some entries whose threads have ended, and counts them. */
void ended_calls_poll(struct session *s);
/* Called at the end for one probe: counts all of them. */
void ended_calls_count(struct session *s, struct argdump_probe *p);

/* Adds the misses that the kernel counts for links, which are still attached. */
void argdump_links_account(struct lost *l, const struct argdump_probe *p);
/* Adds the misses that the kernel counts for the probe's programs, which are still loaded. */
void argdump_lost_account(struct lost *l, const struct argdump_probe *p);

#endif
