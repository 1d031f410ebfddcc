/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.h - --openmetrics and --listen: what a run has counted, as metrics, while it goes on.
 */
#ifndef CORETAP_RUN_METRICS_H
#define CORETAP_RUN_METRICS_H

#include <stdint.h>

#include "output/rows/report.h"

struct session;

/* Zeros at first. */
struct metrics {
	struct sink sink; /* shapes of the rows */
	struct report report;
	struct buf info;  /* owned: what is the same in each text */
	struct buf text;  /* owned: all metrics, as they were at … */
	uint64_t made_at; /* … CLOCK_MONOTONIC ns; 0: never */
	uint64_t next;	  /* when the file is due; 0: never */
	int error;	  /* -errno of the file */
};

/* Can the file be written, and the address be listened at? Returns an exit status after printing any
 * error. */
int metrics_open(struct session *s);
/* Writes the file if it is due. An error is printed, and kept. */
void metrics_poll(struct session *s);
/* Writes it for the last time, when all is counted. */
void metrics_end(struct session *s);
void metrics_close(struct session *s);

#endif
