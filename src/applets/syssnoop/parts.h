/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts.h - private to the applet syssnoop: its settings, and what its files offer each other.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_H
#define CORETAP_APPLETS_SYSSNOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "output/field.h"
#include "session/options.h"
#include "syssnoop.h"

struct session;

/* ---- plain.c: which arguments calls have, and how they are shown ---- */

/* NULL: the number has no name. */
const char *plain_name(unsigned abi, uint32_t nr);
/* The number of a call of SYSCALL_ABI_64, -1: there is none. */
int plain_number(const char *name, size_t len);
/* Calls `offer` for each name that there is. */
void plain_names(void (*offer)(void *ctx, const char *name), void *ctx);
/* `max`: bytes of a string that is no path. */
void plain_capture(unsigned abi, uint32_t nr, uint32_t max, struct syscall_capture *out);
void plain_text(struct buf *o, const struct syssnoop_event *e, unsigned column);
/* A list of the arguments: numbers, strings. */
void plain_json(struct buf *o, const struct syssnoop_event *e);

/* ---- select.c: -e ---- */

struct selection {
	bool all;
	uint64_t wanted[SYSCALL_ABIS][SYSCALL_NUMBERS / 64];
	uint64_t signals;
	bool success, failure;
};
/* Reads the texts of -e. Returns 0, or -EINVAL after printing the error. */
int select_read(const struct option_list *list, struct selection *s);

/* ---- show.c: records → lines ---- */

struct show_options {
	int times;		/* -t, -tt, -ttt */
	bool relative, latency; /* -r, -T */
	bool has_pids;		/* each line says whose it is, also if there is one task only */
	bool has_comm;
	unsigned column;
};
void show_begin(const struct show_options *o);
int show_record(struct session *s, const void *record, size_t size);
/* Writes the calls that have not returned; `calls` are SYSSNOOP_CALLS of them. */
void show_unfinished(struct session *s, const struct syssnoop_call *calls);
void show_text(struct buf *o, const void *record);
void show_end(void);

#endif
