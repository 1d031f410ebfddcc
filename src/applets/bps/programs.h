/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * programs.h - the BPF programs of this kernel, as rows.
 */
#ifndef CORETAP_APPLETS_BPS_PROGRAMS_H
#define CORETAP_APPLETS_BPS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_view;

/* The programs to show. */
struct bps_choice {
	char **wanted; /* ids, names, tags, patterns of names … */
	int count;     /* … 0: all programs, without the names of their maps */
	const struct btf_view *kernel;
};

struct bps_row {
	uint32_t
		order; /* id, the first byte largest: rows of equal weight are sorted by their bytes */
	uint32_t id, uid, maps;
	const char *type, *name, *tag;
	const char *when;	   /* it was loaded: local time, in seconds */
	uint64_t loaded;	   /* CLOCK_MONOTONIC ns */
	uint64_t memory;	   /* bytes */
	uint64_t runs, time, each; /* time, each: ns */
	int64_t cpu;		   /* hundredths of a percent of one processor */
	const char *pids, *attached, *map_list;
};

/* Lists the programs anew, with what they did since bps_counts_read. Returns 0 or -errno. */
int bps_programs_read(const struct bps_choice *choice);
/* Returns a row, valid until the next list; NULL behind the last one. */
const struct bps_row *bps_programs_row(size_t i);
/* From now on rows are about what the programs do from now on. Returns 0 or -errno. */
int bps_counts_read(void);
/* True if this kernel has a program that is choice->wanted[i]. */
bool bps_program_exists(const struct bps_choice *choice, size_t i);
void bps_programs_free(void);

#endif
