/* SPDX-License-Identifier: GPL-2.0 */
/*
 * losses.h - the ONE ledger of what was lost or is incomplete (enum loss in event.h).
 *
 * Counted per CPU in the kernel, told while it grows and at the end, on stderr or as a
 * {"type":"lost",…} line in JSON, and in the exit status.
 */
#ifndef CORETAP_LOSSES_H
#define CORETAP_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/out.h"
#include "event.h"

struct losses {
	int map_fd; /* -1: none */
	uint64_t now[LOSS_MAX];
	uint64_t told[LOSS_MAX];
	uint64_t local[LOSS_MAX]; /* counted by user space, or read from the programs at the end */
};

/* Sums the CPUs. Returns 0 or -errno. */
int losses_read(struct losses *l);
/* Misses that the kernel itself counts for a program (recursion); added to `local`. */
void losses_add_program(struct losses *l, int prog_fd);
/* Hits that the kernel counts as missed by the probe behind a link of kprobe.multi or of a kprobe (6.7
 * and later): kprobe.session and kretprobes need room for each call in flight. */
void losses_add_link(struct losses *l, int link_fd);
/* Does the kernel count them? */
bool losses_link_counts(int link_fd);
/* Records that are gone (what makes the exit status 4); values that are incomplete are not. */
uint64_t losses_gone(const struct losses *l);
/* Tells what grew since it was last told: JSON into `json`, else a line on stderr. */
void losses_tell(struct losses *l, struct out *json, uint64_t rows, bool final);

#endif
