/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - private to show.c and line.c: the lines, and which thread has one that is not finished.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_SHOW_H
#define CORETAP_APPLETS_SYSSNOOP_SHOW_H

#include "syssnoop.h"
#include "util/buf.h"

/* What line.c must know of other lines. */
struct line_state {
	size_t threads;	 /* that there are */
	bool is_resumed; /* the call that is shown began in a line before */
};
extern struct line_state line_state;
/* What is before a call in its line. */
void line_lead(struct buf *o, const struct syssnoop_event *e);
/* A call whose end is not in this line; its thread has another number then, unless that is 0. */
void line_begin(struct buf *o, const struct syssnoop_event *e, uint32_t becomes);
/* The task of the line before is gone. */
void line_forget(void);

#endif
