/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - private to show.c and line.c: the lines, and the thread whose line is not finished.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_SHOW_H
#define CORETAP_APPLETS_SYSSNOOP_SHOW_H

#include "syssnoop.h"
#include "util/buf.h"

/* State about other lines that line.c needs. */
struct line_state {
	size_t threads;	 /* number of threads */
	bool is_resumed; /* the call began in an earlier line */
};
extern struct line_state line_state;
/* Writes the part of a line before the call. */
void line_lead(struct buf *o, const struct syssnoop_event *e);
/* Writes a call that does not end in this line; its thread has another number then, unless that is 0. */
void line_begin(struct buf *o, const struct syssnoop_event *e, uint32_t becomes);
/* Forgets the task of the previous line. */
void line_forget(void);

#endif
