/* SPDX-License-Identifier: GPL-2.0-only */
/* peer_probe.h - what the arguments of each tool become. */
#ifndef CORETAP_FRONT_PEER_PROBE_H
#define CORETAP_FRONT_PEER_PROBE_H

#include <stdbool.h>

enum { PEER_USAGE = 1 }; /* the arguments are wrong: the usage says it */

struct peer_line {
	int argc, at; /* at: the word that is read */
	char **argv;
	/* Reads an option of the tool's own: 1, 0: it is none, or as peer_translate. Or NULL. */
	int (*option)(struct peer_line *l);
	const char **args; /* positional ones */
	int arg_count;
	char **words; /* argdump's line */
	int count;
	const char *file, *probe; /* of an option */
	bool wants_list;
};

/* peer_line.c: adds a word. */
__attribute__((format(printf, 2, 3))) void peer_add(struct peer_line *l, const char *fmt, ...);

/* 0, PEER_USAGE, or as peer_translate. */
int peer_kprobe(struct peer_line *l);
int peer_uprobe(struct peer_line *l);
int peer_tpoint(struct peer_line *l);
int peer_stat_hist(struct peer_line *l);
int peer_tplist(struct peer_line *l);
int peer_tplist_option(struct peer_line *l);
int peer_uthreads(struct peer_line *l);
int peer_perf(struct peer_line *l);
int peer_perf_option(struct peer_line *l);

#endif
