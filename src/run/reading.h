/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reading.h - the begin and the end of a run's reading: what is done between attaching and the first record, and
 * between the last record and the exit status.
 */
#ifndef CORETAP_RUN_READING_H
#define CORETAP_RUN_READING_H

#include <stdint.h>

struct session;

/* Opens the ring, prints the header, drops rights and lets the command start. Returns an exit status after printing
 * any error. */
int reading_begin(struct session *s);
/* Sums up and reports the losses of a run that began at `began` (CLOCK_MONOTONIC ns). err: -errno of its loop, or 0.
 * Returns the exit status. */
int reading_end(struct session *s, int err, uint64_t began);

#endif
