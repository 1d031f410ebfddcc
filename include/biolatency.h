/* SPDX-License-Identifier: GPL-2.0-only */
/* biolatency.h - a histogram of disk requests. */
#ifndef CORETAP_BIOLATENCY_H
#define CORETAP_BIOLATENCY_H

#include "event.h"

#define BIOLATENCY_KEYS 4096
/* The operation, and those flags that say what a request is for: SYNC META FUA PREFLUSH RAHEAD
 * BACKGROUND. */
#define BIOLATENCY_FLAGS 0x1e18ff

struct biolatency_key {
	char disk[32]; /* empty: all disks */
	__u64 flags;   /* REQ_OP_… in the low 8 bits, then REQ_…; 0: all */
};

/* An entry of the map, key and value. */
struct biolatency_row {
	struct biolatency_key key;
	__u64 latency[EVENT_HIST_BUCKETS]; /* us or ms */
};

#endif
