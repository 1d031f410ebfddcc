/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listen.c - an HTTP server in the loop of the session: /metrics, the live view at /, and its events.
 *
 * Each client has a slot with room for its request, and a time limit, except readers of events (stream.h), which stay.
 * Nothing here blocks or grows: clients that are too slow, or find no slot, are disconnected and counted. System calls
 * while tracing: accept4, epoll_ctl, recvfrom, sendto, shutdown, close.
 */
#include "run/metrics.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/address.h"
#include "run/live.h"
#include "run/request.h"
#include "run/view.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/log.h"

enum {
	CLIENTS = 8,
	REQUEST = 8192, /* browsers send the cookies of every program on this machine */
	ACCEPTED = 16	/* ACCEPTED: the most connections accepted in one call */
};
#define CLIENT_NS 5000000000ull
#define FINISH_NS 500000000ull /* for readers of events, at the end of the run */

static struct client {
	int fd; /* 0: the slot is free. With stdin closed, the listening socket is 0, so no client is. */
	uint64_t end; /* UINT64_MAX: as long as it reads */
	size_t used;  /* bytes of `text`: first the request, then the head of the answer */
	size_t sent;  /* bytes of the head and the body that are sent */
	const char *body;
	size_t body_len;
	enum request_page
		page; /* what is answered; REQUEST_NOTHING if the request is incomplete or wrong */
	bool answers;
	bool drains; /* the answer is sent; what the client still sends is dropped */
	struct stream_reader reader; /* of REQUEST_EVENTS */
	char text[REQUEST];
} clients[CLIENTS];

static int server = -1, waker;
static listen_text *text_build;
static uint64_t cut;
static char token[TOKEN_LENGTH + 1]; /* empty: none is needed */

int listen_open(const char *text, listen_text *build)
{
	bool is_own;

	text_build = build;
	server = address_listen(text, CLIENTS, &is_own);
	if (server < 0)
		return EXIT_USAGE;
	if (!is_own && view_random(token, TOKEN_LENGTH)) {
		log_error("--listen %s: there are no random bytes for the token", text);
		return EXIT_FAILED;
	}
	address_report(text, token);
	return EXIT_FINE;
}

/* ---- clients ---- */

static int wake_for(int fd, int operation, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.fd = fd };

	return epoll_ctl(waker, operation, fd, &e) ? -errno : 0;
}

int listen_begin(int epoll_fd)
{
	waker = epoll_fd;
	return server < 0 ? 0 : wake_for(server, EPOLL_CTL_ADD, EPOLLIN);
}

static void client_close(struct session *s, struct client *c)
{
	if (c->page == REQUEST_EVENTS)
		live_leave(s, &c->reader);
	shutdown(c->fd, SHUT_RDWR);
	close(c->fd);
	c->fd = 0;
}

static void client_cut(struct session *s, struct client *c)
{
	cut++;
	client_close(s, c);
}

static void clients_accept(void)
{
	for (int i = 0; i < ACCEPTED; i++) {
		int fd = accept4(server, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct client *c = clients;

		if (fd < 0)
			return;
		while (c < clients + CLIENTS && c->fd)
			c++;
		if (c == clients + CLIENTS || wake_for(fd, EPOLL_CTL_ADD, EPOLLIN)) {
			cut++;
			close(fd);
			continue;
		}
		*c = (struct client){ .fd = fd, .end = now_ns() + CLIENT_NS };
	}
}

/* ---- answers ---- */

static const char *metrics_answer(struct session *s, struct client *c)
{
	const struct buf *text = text_build(s);

	c->body = text->data;
	c->body_len = text->len;
	return text->error ? NULL : "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n";
}

static const char *view_answer(struct client *c)
{
	const struct buf *page = view_page();

	c->body = page->data;
	c->body_len = page->len;
	return page->len ? "Content-Type: text/html; charset=utf-8\r\n" : NULL;
}

static void refuse(struct client *c, const char *status, const char *why)
{
	c->page = REQUEST_NOTHING;
	c->body = why;
	c->body_len = strlen(why);
	c->used = snprintf(c->text, REQUEST,
			   "HTTP/1.1 %sContent-Type: text/plain; charset=utf-8\r\n"
			   "Content-Length: %zu\r\nConnection: close\r\n\r\n",
			   status, c->body_len);
}

static void page_answer(struct session *s, struct client *c)
{
	const char *type = c->page == REQUEST_METRICS ? metrics_answer(s, c) : view_answer(c);

	if (!type) {
		refuse(c, "500 Internal Server Error\r\n", "");
		return;
	}
	c->used = snprintf(
		c->text, REQUEST,
		"HTTP/1.1 200 OK\r\n%s%sContent-Length: %zu\r\nConnection: close\r\n\r\n", type,
		c->page == REQUEST_VIEW ? view_headers() : "", c->body_len);
}

/* The reader's own events follow the head at once, those of all readers when they are made. */
static void events_answer(struct session *s, struct client *c, const uint64_t *last)
{
	struct buf o;
	int err;

	buf_init(&o, -1);
	buf_str(&o, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
		    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
		    "Connection: close\r\n\r\nretry: 1000\n\n");
	err = live_join(s, &c->reader, last, &o);
	if (err) {
		refuse(c, "503 Service Unavailable\r\nRetry-After: 5\r\n",
		       "four readers have the events already\n");
	} else {
		c->used = o.len < REQUEST ? o.len : 0;
		memcpy(c->text, o.data ?: "", c->used);
		c->end = UINT64_MAX;
	}
	buf_free(&o);
}

/* A request that is too long is answered although its end is missing. */
static void answer_begin(struct session *s, struct client *c)
{
	struct request r = { .status = "400 Bad Request\r\n" };

	if (c->used < REQUEST - 1)
		r = request_judge(c->text, *token ? token : NULL);
	c->answers = true;
	c->page = r.page;
	if (c->page == REQUEST_NOTHING)
		refuse(c, r.status,
		       strncmp(r.status, "403", 3) ? "" :
		       *token ? "the address needs the ?token= that was printed at the start\n" :
				"open this by its own address: http://localhost:PORT/\n");
	else if (c->page == REQUEST_EVENTS)
		events_answer(s, c, r.has_last ? &r.last : NULL);
	else
		page_answer(s, c);
	wake_for(c->fd, EPOLL_CTL_MOD,
		 c->page == REQUEST_EVENTS ? EPOLLIN | EPOLLOUT | EPOLLET : EPOLLOUT);
}

static void request_read(struct session *s, struct client *c)
{
	ssize_t n = recv(c->fd, c->text + c->used, REQUEST - 1 - c->used, 0);

	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			client_close(s, c);
		return;
	}
	c->used += n;
	c->text[c->used] = 0;
	if (c->used == REQUEST - 1 || strlen(c->text) < c->used || request_is_whole(c->text))
		answer_begin(s, c);
}

/* Returns false if nothing more can be sent for now. */
static bool part_send(struct session *s, struct client *c)
{
	bool in_head = c->sent < c->used;
	const char *from = in_head ? c->text + c->sent : c->body + (c->sent - c->used);
	ssize_t n = send(c->fd, from, (in_head ? c->used : c->used + c->body_len) - c->sent,
			 MSG_NOSIGNAL | (in_head && c->body_len ? MSG_MORE : 0));

	if (n >= 0) {
		c->sent += n;
		return true;
	}
	if (errno != EAGAIN)
		client_cut(s, c);
	return false;
}

/* A reader that is too slow has some time to take what is left for it. */
static void events_send(struct session *s, struct client *c)
{
	int err = stream_send(&c->reader, c->fd);

	if (err && err != -EAGAIN)
		client_cut(s, c);
	else if (c->reader.is_late && c->end == UINT64_MAX)
		c->end = now_ns() + CLIENT_NS;
}

/* A refused request may not have been read to its end. If it were closed now, the kernel would reset the connection, and the
 * client might lose the answer. So the client closes first, within its time. */
static void drain_begin(struct client *c)
{
	shutdown(c->fd, SHUT_WR);
	c->drains = true;
	wake_for(c->fd, EPOLL_CTL_MOD, EPOLLIN);
}

static void client_drain(struct session *s, struct client *c)
{
	ssize_t n = recv(c->fd, c->text, REQUEST, 0);

	if (n == 0 || (n < 0 && errno != EAGAIN))
		client_close(s, c);
}

static void answer_send(struct session *s, struct client *c)
{
	while (c->sent < c->used + c->body_len)
		if (!part_send(s, c))
			return;
	if (c->page == REQUEST_EVENTS)
		events_send(s, c);
	else if (c->page == REQUEST_NOTHING)
		drain_begin(c);
	else
		client_close(s, c);
}

/* A reader of events has nothing more to say: whatever comes ends it, as does its end. */
static bool reader_is_gone(const struct client *c)
{
	char said[256];
	ssize_t n = recv(c->fd, said, sizeof(said), MSG_DONTWAIT);

	return n >= 0 || errno != EAGAIN;
}

static void client_serve(struct session *s, struct client *c)
{
	if (c->drains) {
		client_drain(s, c);
		return;
	}
	if (!c->answers)
		request_read(s, c);
	else if (c->page == REQUEST_EVENTS && reader_is_gone(c))
		client_close(s, c);
	if (c->fd && c->answers)
		answer_send(s, c);
}

bool listen_accept(struct session *s, int fd)
{
	if (server < 0)
		return false;
	if (fd == server) {
		clients_accept();
		return true;
	}
	for (struct client *c = clients; c < clients + CLIENTS; c++) {
		if (!c->fd || c->fd != fd)
			continue;
		client_serve(s, c);
		return true;
	}
	return false;
}

void listen_poll(struct session *s)
{
	for (struct client *c = clients; c < clients + CLIENTS; c++) {
		if (c->fd && c->page == REQUEST_EVENTS)
			answer_send(s, c);
		if (!c->fd || c->end == UINT64_MAX || now_ns() < c->end)
			continue;
		if (c->drains)
			client_close(s, c);
		else
			client_cut(s, c);
	}
}

bool listen_is_sending(void)
{
	for (const struct client *c = clients; c < clients + CLIENTS; c++)
		if (c->fd && c->page == REQUEST_METRICS && c->body)
			return true;
	return false;
}

uint64_t listen_cut(void)
{
	return cut;
}

/* Waits a moment for readers of events to take the end. */
static void readers_finish(struct session *s)
{
	uint64_t end = now_ns() + FINISH_NS;

	for (struct client *c = clients; c < clients + CLIENTS; c++)
		while (c->fd && c->page == REQUEST_EVENTS) {
			struct pollfd p = { .fd = c->fd, .events = POLLOUT };

			answer_send(s, c);
			if (!c->fd || (!c->reader.is_late && stream_is_read(&c->reader)) ||
			    now_ns() >= end || poll(&p, 1, (int)((end - now_ns()) / 1000000)) <= 0)
				break;
		}
}

static void cut_note(void)
{
	unsigned long long rows = stream_unsent();

	if (cut)
		log_note(
			"--listen: %llu client%s disconnected: too slow, or more than %d at a time",
			(unsigned long long)cut, cut == 1 ? " was" : "s were", CLIENTS);
	if (rows)
		log_note("--listen: %llu row%s not sent to readers that were too slow", rows,
			 rows == 1 ? " was" : "s were");
}

void listen_end(struct session *s)
{
	readers_finish(s);
	for (struct client *c = clients; c < clients + CLIENTS; c++)
		if (c->fd)
			client_close(s, c);
	if (server >= 0)
		close(server);
	server = -1;
	cut_note();
	view_close();
}
