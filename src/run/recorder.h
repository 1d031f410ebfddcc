/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorder.h - stores the last records as they came from the kernel: for --ring, and argdump's --before.
 */
#ifndef CORETAP_RUN_RECORDER_H
#define CORETAP_RUN_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

#define RECORDER_BYTES_MAX (256ul << 20) /* the most bytes of all records together */

struct recorder {
	uint32_t most;		      /* how many records to keep; 0: unused */
	struct recorder_record *kept; /* owned: a ring of `most` records */
	uint64_t first, next; /* the numbers of the oldest record kept, and of the next one */
	size_t bytes;
	uint64_t written; /* `next` when records were last written */
	unsigned writes;
	uint64_t left_out; /* how many were dropped before they could be written */
};

/* Shows a record. Returns 0, or -errno to stop. */
typedef int recorder_show_fn(struct session *s, const void *record, size_t size);

/* Adds a copy; drops the oldest records if there is no room. Returns 0 or -ENOMEM. */
int recorder_add(struct recorder *r, const void *record, size_t size);
/* Shows the kept records, the oldest first, and drops them. */
int recorder_show(struct recorder *r, struct session *s, recorder_show_fn *show);
void recorder_close(struct recorder *r);

/* ---- --ring ---- */

/* From now on, SIGUSR1 asks for the records instead of ending the process. */
void recorder_signal_catch(void);
/* True if SIGUSR1 was sent since the last call. */
bool recorder_is_asked(void);
/* Writes the kept records to the session's output, and reports their number. Returns 0 or -errno. */
int recorder_write(struct session *s);

#endif
