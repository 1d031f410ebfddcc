/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * set.h - the functions that funcgraph shows inside of FUNC's calls if nobody says which: those that
 * FUNC's code calls.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_SET_H
#define CORETAP_APPLETS_FUNCGRAPH_SET_H

#include <stddef.h>

#include "util/buf.h"

/* Writes the names, with commas between, and says which these are, or why there is none: then nothing
 * is written. `levels`: of calls inside of FUNC's; 0: so many that there are not too many functions.
 * `max`: functions; 0: what this kernel attaches in little time. Returns 0 or -ENOMEM. */
int graph_set_make(const char *func, unsigned levels, size_t max, struct buf *names);

#endif
