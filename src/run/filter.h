/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - which tasks are traced, in the form that BPF programs compare: the kernel's own pids, the cgroup.
 */
#ifndef CORETAP_RUN_FILTER_H
#define CORETAP_RUN_FILTER_H

#include <stdbool.h>

#include "event.h"
#include "cli/options.h"

struct session;

/* True if a process tree is traced: -f, or a command. */
bool filter_has_family(const struct options *o);
/* Opens the cgroups of --cgroup and --container into s->traced.cgroup_fds, and reads the maps of --mntnsmap into
 * s->traced.mounts. Returns an exit status after printing any error. */
int filter_spaces_open(struct session *s);
/* Calls `each` with each key of a pinned map, a number of 8 bytes, until it returns an exit status that is not 0.
 * Returns that, or one of its own after printing what is wrong. */
int filter_map_each(const char *option, const char *path, int (*each)(void *ctx, uint64_t key),
		    void *ctx);
/* Translates the pids of -p and -t to the kernel's own, into s->traced.pids and tids. Returns an exit status after
 * printing any error. */
int filter_numbers_prepare(struct session *s);
/* Sets the filter from the options. */
void filter_fill(const struct session *s, struct event_filter *f);
/* True if the filter excludes anything. */
bool filter_is_any(const struct options *o);

#endif
