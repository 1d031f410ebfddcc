/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - private to the applet syssnoop: its settings, and what its files offer each other.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_H
#define CORETAP_APPLETS_SYSSNOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "output/field/field.h"
#include "cli/options.h"
#include "syscalls/syscalls.h"
#include "syssnoop.h"

struct value;

struct hook;
struct session;

/* ---- select.c: -e ---- */

/* Which descriptors and paths a call must have. */
struct chosen {
	bool by_fds, higher_fds; /* SYSSNOOP_FDS and above */
	uint64_t fds[SYSSNOOP_FDS / 64];
	struct option_list paths;
};
struct selection {
	struct chosen has;
	bool all;
	uint64_t wanted[SYSCALL_ABIS][SYSCALL_NUMBERS / 64];
	uint64_t signals;
	bool success, failure;
	bool no_exits; /* quiet=exit */
};
/* Reads the texts of -e. Returns 0, or -EINVAL after printing the error. */
int select_read(const struct option_list *list, struct selection *s);
/* Completes the words of -e. */
void select_words(struct completion *c, const char *begin);

/* ---- syssnoop.c ---- */

/* ---- select.c: -P, -e fd= ---- */

int chosen_paths_check(const struct option_list *paths);
/* How many forms of paths there are at most. */
size_t chosen_forms(const struct option_list *paths);
/* Writes them into the map. Returns 0 or -errno. */
int chosen_paths_write(const struct option_list *paths, int map);

/* ---- fields.c ---- */

extern const char *const counts_orders[]; /* -S */
extern int counts_sorted;		  /* index of one */
void counts_report(struct session *s);	  /* instead of records … */
void counts_write(struct session *s);	  /* … after them */

/* ---- fields.c ---- */

enum { SYSSNOOP_FIELDS = 13 };
extern const struct field syssnoop_fields[SYSSNOOP_FIELDS];
void name_set(struct value *v, unsigned abi, uint32_t nr);

/* ---- functions.c: --attach kprobe.multi ---- */

/* Sets *all to `own` hooks, and one for each function of a chosen call; owned. Returns 0, or a negative
 * errno after printing the error. */
int functions_add(struct session *s, const struct selection *chosen, const struct hook *own,
		  struct hook **all);

/* ---- show.c: records → lines ---- */

struct show_options {
	int times;		/* -t, -tt, -ttt */
	bool relative, latency; /* -r, -T */
	bool has_pids;		/* each line says whose it is, also if there is one task only */
	bool has_comm;
	bool alone;    /* only the first thread of the command */
	bool no_exits; /* of threads */
	struct syscall_options text;
};
void show_begin(const struct show_options *o);
const struct syscall_options *show_text_options(void); /* as they were given */
int show_record(struct session *s, const void *record, size_t size);
/* Writes the calls that have not returned; `calls` are SYSSNOOP_CALLS of them. */
void show_unfinished(struct session *s, const struct syssnoop_call *calls);
void show_text(struct buf *o, const void *record);
void show_end(void); /* after the last record */

#endif
