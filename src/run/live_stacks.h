/* SPDX-License-Identifier: GPL-2.0-only */
/* live_stacks.h - counted stacks as an event: the largest, as many as fit. */
#ifndef CORETAP_RUN_LIVE_STACKS_H
#define CORETAP_RUN_LIVE_STACKS_H

#include "output/rows/folded.h"
#include "output/rows/report.h"

/* Appends the event to the stream. Returns 0 or -errno. */
int live_stacks_append(struct folded *stacks, const struct report_stacks *about);

#endif
