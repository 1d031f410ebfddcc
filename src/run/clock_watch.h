/* SPDX-License-Identifier: GPL-2.0-only */
/* clock_watch.h - detects when the wall clock is set, for times of records (output/field/timestamp.h). */
#ifndef CORETAP_RUN_CLOCK_WATCH_H
#define CORETAP_RUN_CLOCK_WATCH_H

#include <stdbool.h>

/* Reads the clock. Returns a descriptor that becomes readable when the clock is set, or -errno. */
int clock_watch_open(void);
/* Reads the clock again if `ready`, a readable descriptor, is `fd`. Returns false if it is another one. */
bool clock_watch_read(int fd, int ready);

#endif
