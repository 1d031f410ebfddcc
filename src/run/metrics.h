/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metrics.h - --openmetrics and --listen: the counts of a running session as metrics.
 */
#ifndef CORETAP_RUN_METRICS_H
#define CORETAP_RUN_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "output/rows/report.h"
#include "util/buf.h"

struct session;

/* Zeros at first. */
struct metrics {
	struct sink sink; /* shapes of the rows */
	struct report report;
	struct buf info;  /* owned: the part that is the same in each text */
	struct buf text;  /* owned: all metrics, as they were at … */
	uint64_t made_at; /* … CLOCK_MONOTONIC ns; 0: never */
	uint64_t next;	  /* when the file is due; 0: never */
	int error;	  /* -errno of the file */
};

/* Checks that the file can be written, and the address be listened at. Returns an exit status after printing any
 * error. */
int metrics_open(struct session *s);
/* Writes the file if it is due. An error is printed, and kept. */
void metrics_poll(struct session *s);
/* Writes the file for the last time, when all is counted. */
void metrics_end(struct session *s);
void metrics_close(struct session *s);

/* ---- --listen (listen.c) ---- */

struct buf;

/* The text to send. Must not change while listen_is_sending. */
typedef const struct buf *listen_text(struct session *s);

/* Begins to listen; `make` builds the text when a client asks. Only this and listen_begin may fail. Returns an exit
 * status after printing any error. Without it the others do nothing. */
int listen_open(const char *text, listen_text *make);
/* From now on connections wake that epoll. Returns 0 or -errno. */
int listen_begin(int epoll_fd);
/* Serves a ready descriptor. False if it is not one of ours. */
bool listen_accept(struct session *s, int fd);
/* Disconnects clients whose time is over. */
void listen_poll(void);
/* True while a text is being sent, which must not change. */
bool listen_is_sending(void);
/* How many were cut so far. */
uint64_t listen_cut(void);
/* Closes everything, and reports how many clients were disconnected. */
void listen_end(void);

#endif
