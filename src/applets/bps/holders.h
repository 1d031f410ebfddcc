/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holders.h - what each process holds of BPF, as rows: programs, maps, links, and the probes that run its programs.
 */
#ifndef CORETAP_APPLETS_BPS_HOLDERS_H
#define CORETAP_APPLETS_BPS_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

struct bps_holder_row {
	uint32_t
		order[2]; /* pid and kind, the first byte largest: rows are sorted by their bytes */
	uint32_t pid;
	const char *comm, *kind;
	uint64_t count;
};

/* Counts anew; with kprobes and uprobes if `probes`. The definitions of these go to `definitions`, unless that is NULL. */
void bps_holders_read(bool probes, struct buf *definitions);
/* Returns a row, valid until the next count; NULL behind the last one. */
const struct bps_holder_row *bps_holders_row(size_t i);
void bps_holders_free(void);

#endif
