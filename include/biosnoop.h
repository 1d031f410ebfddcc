/* SPDX-License-Identifier: GPL-2.0-only */
/* biosnoop.h - a completed disk request. */
#ifndef CORETAP_BIOSNOOP_H
#define CORETAP_BIOSNOOP_H

#include "event.h"

#define BIOSNOOP_NO_TIME (~0ull) /* as for FIELD_MAYBE */

struct biosnoop_event {
	struct event_header header; /* of the task that made it; ts: of completion */
	struct event_task task;	    /* that task's */
	char disk[32];		    /* empty for a device that is not a disk */
	__u64 sector;		    /* of 512 bytes, from the disk's start; -1: none */
	__u64 queued;  /* ns between queue and driver; BIOSNOOP_NO_TIME: it was never queued */
	__u64 latency; /* ns from the driver to the end; BIOSNOOP_NO_TIME: never at the driver */
	__u32 bytes;
	__u32 flags;	/* REQ_OP_… in the low 8 bits, then REQ_… */
	__s32 ret;	/* 0, or a negative errno */
	__u32 requeues; /* how often the driver returned it */
};

_Static_assert(sizeof(struct biosnoop_event) == 112, "biosnoop_event is an ABI");

#endif
