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

/* Initially all zero. */
struct metrics {
	struct sink sink; /* remembers the shapes of the rows */
	struct report report;
	struct buf info;  /* owned: the part that is the same in each text */
	struct buf text;  /* owned: all metrics, as they were at `made_at` */
	uint64_t made_at; /* CLOCK_MONOTONIC ns; 0: never */
	uint64_t next;	  /* when the file is due next; 0: never */
	int error;	  /* -errno of writing the file */
};

/* Checks that the file can be written and the address can be listened on. Returns an exit status after printing any
 * error. */
int metrics_open(struct session *s);
/* Returns when something is due: CLOCK_MONOTONIC ns; UINT64_MAX: never. */
uint64_t metrics_due(const struct session *s);
/* Writes the file if it is due, and serves those who listen. An error is printed once and stored. */
void metrics_poll(struct session *s);
/* Writes the file for the last time, when everything is counted. */
void metrics_end(struct session *s);
void metrics_close(struct session *s);

/* ---- --listen (listen.c) ---- */

struct buf;

/* The text to send. Must not change while listen_is_sending. */
typedef const struct buf *listen_text(struct session *s);

/* Opens the socket; `build` returns the text when a client asks. Only this function and listen_begin may fail.
 * Returns an exit status after printing any error. If it was not called, the others do nothing. */
int listen_open(const char *text, listen_text *build);
/* From now on, connections wake that epoll. Returns 0 or -errno. */
int listen_begin(int epoll_fd);
/* Serves a ready descriptor. Returns false if it belongs to something else. */
bool listen_accept(struct session *s, int fd);
/* Sends events, and disconnects clients whose time is over. */
void listen_poll(struct session *s);
/* True while a text is being sent, which must not change. */
bool listen_is_sending(void);
/* Returns how many clients were disconnected so far. */
uint64_t listen_cut(void);
/* Closes everything, and reports how many clients were disconnected. */
void listen_end(struct session *s);

#endif
