/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.h - the ONE ledger of what was lost or is incomplete (enum loss in event.h).
 *
 * Losses are counted per CPU in the kernel. They are reported while they grow and at the end, on
 * stderr or as a {"type":"lost",…} line in JSON, and in the exit status.
 */
#ifndef CORETAP_RUN_LOST_H
#define CORETAP_RUN_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

struct btf_view;
struct sink;

struct lost {
	int map_fd; /* -1: none */
	uint64_t now[LOSS_MAX];
	uint64_t reported[LOSS_MAX];
	uint64_t local[LOSS_MAX]; /* counted by user space, or read from the programs at the end */
	/* Missed entries, if returns without entry are counted (LOSS_NO_ENTRY): so many of those
	 * calls are lost. */
	uint64_t entries_missed;
	/* The kernel may count more misses than there are losses: */
	bool filtered; /* it counts before any filter */
	bool twice;    /* for one call it may count both the entry and the return … */
	bool session;  /* … because one program sees both */
	/* Reads what kprobes missed, where the kernel does not tell (missed.h). */
	struct {
		bool open;
		int program;
	} reader;
};

/* Sums the CPUs. Returns 0 or -errno. */
int lost_read(struct lost *l);
/* The number of times that the kernel did not run a program (recursion). */
uint64_t lost_of_program(int prog_fd);
/* Adds it to `local`. */
void lost_add_program(struct lost *l, int prog_fd);
/* Hits that the probe behind a link of kprobe.multi or kprobe missed, as the kernel counts them
 * (6.7 and later): kprobe.session and kretprobes need room for each call in flight. */
uint64_t lost_of_link(int link_fd);
/* Adds it to `local`. is_kprobe: the method was ATTACH_KPROBE, so that where the kernel does not tell it can be read
 * nevertheless, if lost_link_counts was asked before. */
void lost_add_link(struct lost *l, int link_fd, bool is_kprobe);
/* Of a link of ATTACH_KPROBE: will lost_add_link know what it missed? Needs the rights of attaching. */
bool lost_link_counts(struct lost *l, int link_fd, const struct btf_view *btf);
/* The number of lost records, which make the exit status 4; incomplete values do not count. */
uint64_t lost_records(const struct lost *l);
/* What a kind is called in JSON; *gone: a whole record is lost with it. */
const char *lost_key(enum loss kind, bool *gone);
/* Reports losses: as a row of `sink` whenever they grew, if its form has such rows (NULL: no sink); on
 * stderr when a kind occurs for the first time. At the end, reports all. */
void lost_report(struct lost *l, struct sink *sink, uint64_t rows, bool final);

#endif
