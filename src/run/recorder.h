/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorder.h - keeps the last records as they came from the kernel: --ring, and argdump's --before.
 */
#ifndef CORETAP_RUN_RECORDER_H
#define CORETAP_RUN_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

#define RECORDER_BYTES_MAX (256ul << 20) /* of them all */

struct recorder {
	uint32_t most;		      /* the records it keeps; 0: it is not used */
	struct recorder_record *kept; /* owned: a ring of `most` */
	uint64_t first, next;	      /* the numbers of the oldest kept, and of the next */
	size_t bytes;
	uint64_t written; /* the number of the next when they were written last */
	unsigned writes;
	uint64_t left_out; /* were not kept until they were written */
};

/* Shows a record: 0 or, to stop, -errno. */
typedef int recorder_show_fn(struct session *s, const void *record, size_t size);

/* Keeps a copy, and drops the oldest records if there is no room. 0 or -ENOMEM. */
int recorder_keep(struct recorder *r, const void *record, size_t size);
/* Shows the kept records, the oldest first, and drops them. */
int recorder_show(struct recorder *r, struct session *s, recorder_show_fn *show);
void recorder_close(struct recorder *r);

/* ---- --ring ---- */

/* From now on SIGUSR1 asks for the records, and does not end the process. */
void recorder_signal_catch(void);
/* True if it was sent since the last call. */
bool recorder_is_asked(void);
/* Writes the kept records to the session's output, and reports their number. Returns 0 or -errno. */
int recorder_write(struct session *s);

#endif
