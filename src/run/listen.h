/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listen.h - --listen: the metrics by HTTP, to a few clients at a time, without ever waiting for one.
 */
#ifndef CORETAP_RUN_LISTEN_H
#define CORETAP_RUN_LISTEN_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct session;

/* What is sent: it stays as it is while listen_is_sending. */
typedef const struct buf *listen_text(struct session *s);

/* Begins to listen; `make` makes the text when a client asks. Only this and listen_begin may fail. Returns an exit status after printing any
 * error. Without it the others do nothing. */
int listen_open(const char *text, listen_text *make);
/* From now on connections wake that epoll. Returns 0 or -errno. */
int listen_begin(int epoll_fd);
/* Something can be done with the descriptor: is it one of ours? Then it is done. */
bool listen_accept(struct session *s, int fd);
/* Cuts clients whose time is over. */
void listen_poll(void);
/* Is a text on its way, which must stay as it is? */
bool listen_is_sending(void);
/* How many were cut so far. */
uint64_t listen_cut(void);
/* Closes everything, and says how many were cut. */
void listen_end(void);

#endif
