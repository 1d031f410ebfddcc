/* SPDX-License-Identifier: GPL-2.0-only */
/* biosnoop.h - a completed disk request, and what is counted of them. */
#ifndef CORETAP_BIOSNOOP_H
#define CORETAP_BIOSNOOP_H

#include "event.h"

#define BIOSNOOP_NO_TIME (~0ull) /* as for FIELD_MAYBE */
#define BIOSNOOP_KEYS	 16384	 /* of --count and --hist */

enum biosnoop_mode { BIOSNOOP_RECORDS, BIOSNOOP_COUNT, BIOSNOOP_HIST };

/* Does a request begin where the one before it on the same disk ended? */
enum biosnoop_pattern { BIOSNOOP_UNKNOWN, BIOSNOOP_RANDOM, BIOSNOOP_SEQUENTIAL };

/* The key of --count (without time and thread) and of --hist (without the task), too; of these,
 * `flags` is the operation alone. */
struct biosnoop_key {
	struct event_header header; /* of the task that made it; ts: of completion */
	struct event_task task;	    /* that task's */
	char disk[32];		    /* empty for a device that is not a disk */
	__u32 part;		    /* the partition's number, 0: none */
	__u32 flags;		    /* REQ_OP_… in the low 8 bits, then REQ_… */
};

struct biosnoop_event {
	struct biosnoop_key key;
	__u64 sector;  /* of 512 bytes, from the disk's start; -1: none */
	__u64 queued;  /* ns before the driver; BIOSNOOP_NO_TIME: unknown */
	__u64 latency; /* ns from the driver to the end; BIOSNOOP_NO_TIME: never at the driver */
	__u32 bytes;
	__s32 ret;		  /* 0, or a negative errno */
	__u32 requeues;		  /* how often the driver returned it */
	__u32 pattern;		  /* with --pattern: enum biosnoop_pattern */
	char via[EVENT_COMM_LEN]; /* the kworker, if the task is another; else empty */
	struct event_str file;	  /* with --files */
};

/* Entries of the maps of --count and --hist. */
struct biosnoop_count {
	__u64 requests, failed, bytes, latency;
};
struct biosnoop_count_row {
	struct biosnoop_key key;
	struct biosnoop_count count;
};
struct biosnoop_hist_row {
	struct biosnoop_key key;
	__u64 latency[EVENT_HIST_BUCKETS]; /* us */
};

_Static_assert(sizeof(struct biosnoop_key) == 80, "biosnoop_key is an ABI");
_Static_assert(sizeof(struct biosnoop_event) == 152, "biosnoop_event is an ABI");

#endif
