/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.h - the only ledger of what was lost or is incomplete (enum loss in event.h).
 *
 * Losses are counted per CPU in the kernel. They are reported while they grow and at the end, on stderr or as a
 * {"type":"lost",…} line in JSON, and in the exit status.
 */
#ifndef CORETAP_RUN_LOST_H
#define CORETAP_RUN_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

struct btf_view;
struct sink;

struct lost {
	int map_fd; /* the map of the programs' counters; -1: none */
	uint64_t now[LOSS_MAX];
	uint64_t reported[LOSS_MAX];
	uint64_t local[LOSS_MAX]; /* counted by user space, or read from the programs at the end */
	bool is_over; /* all requested records were printed: what the kernel counts later is no loss */
	uint64_t kept[LOSS_MAX]; /* what counts as lost once is_over is set */
	/* Missed entries, if returns without entry are counted (LOSS_NO_ENTRY): that many of those calls are lost. */
	uint64_t entries_missed;
	/* The kernel may count more misses than there are losses: */
	bool filtered; /* because it counts before any filter */
	bool twice;    /* because it may count both the entry and the return of one call */
	bool session;  /* because one program sees both ends of a call */
	/* Reads the misses of kprobes on kernels that do not report them (missed.c). */
	struct {
		bool open;
		int program;
	} reader;
};

/* Sums the counters of all CPUs. Returns 0 or -errno. */
int lost_read(struct lost *l);
/* From now on, what the kernel counts is no loss. `fits`: a full ring until now was none either. */
void lost_over(struct lost *l, bool fits);
/* Returns how often the kernel did not run a program (recursion). */
uint64_t lost_of_program(int prog_fd);
/* Adds lost_of_program to `local`. */
void lost_add_program(struct lost *l, int prog_fd);
/* Returns the hits that the probe of a kprobe.multi or kprobe link missed, as the kernel counts them (6.7 and later):
 * kprobe.session and kretprobes need room for each call in flight. */
uint64_t lost_of_link(int link_fd);
/* Adds lost_of_link to `local`. is_kprobe: the method was ATTACH_KPROBE. Its misses can be read even on kernels that
 * do not report them, if lost_link_counts was called before. */
void lost_add_link(struct lost *l, int link_fd, bool is_kprobe);
/* True if lost_add_link will be able to read the misses of a link of ATTACH_KPROBE. Needs the same rights as
 * attaching. */
bool lost_link_counts(struct lost *l, int link_fd, const struct btf_view *btf);
/* Returns the number of lost records, which make the exit status 4. Incomplete values do not count. */
uint64_t lost_records(const struct lost *l);
/* The same without kinds whose counts are upper bounds: some of these may not belong to this run. */
uint64_t lost_surely(const struct lost *l);
/* Returns the JSON key of a kind. Sets *gone if a whole record is lost with it. */
const char *lost_key(enum loss kind, bool *gone);
/* Reports losses: as a row of `sink` whenever they grew, if its format has such rows (NULL: no sink); on stderr when
 * a kind occurs for the first time. With `final`, reports all. */
void lost_report(struct lost *l, struct sink *sink, uint64_t rows, bool final);

/* ---- misses of kprobes (missed.c) ---- */

/* Kernels before 6.7 count them but do not report them: a BPF program reads the number from the kernel's memory. */

/* Loads the program. by_link: missed_read gets fds of links, not of perf events. Returns its fd, which the caller
 * closes, or -errno: -EOPNOTSUPP if the types lack the members on the way. */
int missed_open(const struct btf_view *btf, bool by_link);
/* Returns the hits that the probe of an fd missed, or -errno. `fd` must come from attach_link() with ATTACH_KPROBE. */
int64_t missed_read(int prog_fd, int fd);

#endif
