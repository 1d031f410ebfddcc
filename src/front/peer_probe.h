/* SPDX-License-Identifier: GPL-2.0-only */
/* peer_probe.h - conversion of the arguments of each tool. */
#ifndef CORETAP_FRONT_PEER_PROBE_H
#define CORETAP_FRONT_PEER_PROBE_H

#include <stdbool.h>

enum { PEER_USAGE = 1 }; /* invalid arguments: print the usage */

struct peer_line {
	int argc, at; /* at: the current word */
	char **argv;
	/* Reads an option of the tool itself: returns 1, 0 if it is not one, or like peer_translate. May be NULL. */
	int (*option)(struct peer_line *l);
	const char **args; /* positional arguments */
	int arg_count;
	char **words; /* the line of argdump */
	int count;
	const char *file, *probe, *language; /* arguments of options */
	bool wants_list;
};

/* peer_line.c: adds a word. */
__attribute__((format(printf, 2, 3))) void peer_add(struct peer_line *l, const char *fmt, ...);

/* Return 0, PEER_USAGE, or like peer_translate. */
int peer_kprobe(struct peer_line *l);
int peer_uprobe(struct peer_line *l);
int peer_tpoint(struct peer_line *l);
int peer_stat_hist(struct peer_line *l);
int peer_tplist(struct peer_line *l);
int peer_tplist_option(struct peer_line *l);
int peer_uthreads(struct peer_line *l);
int peer_uthreads_option(struct peer_line *l);
int peer_bpflist(struct peer_line *l);
int peer_perf(struct peer_line *l);
int peer_perf_option(struct peer_line *l);

#endif
