/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listen.c - an HTTP server of one page, in the loop of the session.
 *
 * Each client has a slot with room for its request, and a time limit; all are sent the same text. Nothing here blocks
 * or grows: clients that are too slow, or find no slot, are disconnected and counted. System calls while tracing:
 * accept4, epoll_ctl, recvfrom, sendto, shutdown, close.
 */
#include "run/metrics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/option_check.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/log.h"

enum {
	CLIENTS = 8,
	REQUEST = 2048,
	ACCEPTED = 16 /* ACCEPTED: the most connections accepted in one call */
};
#define CLIENT_NS 5000000000ull

static struct client {
	int fd; /* 0: the slot is free. With stdin closed, the listening socket is 0, so no client is. */
	uint64_t end;
	size_t used; /* bytes of `text`: first the request, then the head of the answer */
	size_t sent; /* bytes of the head and the body that are sent */
	const struct buf *body; /* NULL if the request is incomplete or wrong */
	bool answers;
	char text[REQUEST];
} clients[CLIENTS];

static int server = -1, waker;
static listen_text *text_build;
static uint64_t cut;

static bool is_loopback(const union listen_address *a)
{
	return a->any.sa_family == AF_INET ? ntohl(a->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET :
					     IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
}

int listen_open(const char *text, listen_text *build)
{
	static const int yes = 1;
	union listen_address a;

	text_build = build;
	listen_parse(text, &a);
	server = socket(a.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (server >= 0) {
		setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
		setsockopt(server, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
	}
	if (server < 0 || bind(server, &a.any, sizeof(a)) || listen(server, CLIENTS)) {
		log_error("cannot listen on '%s': %s", text, strerror(errno));
		if (errno == EADDRINUSE)
			log_hint("another program uses that port: choose another one");
		return EXIT_USAGE;
	}
	if (!is_loopback(&a))
		log_note("--listen %s: whoever can reach this address can read the metrics", text);
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

static void client_close(struct client *c)
{
	shutdown(c->fd, SHUT_RDWR);
	close(c->fd);
	c->fd = 0;
}

static void client_cut(struct client *c)
{
	cut++;
	client_close(c);
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

/* Returns the answer's status line and the headers that belong to it. */
static const char *request_judge(const char *request)
{
	const char *path = strchr(request, ' ') ?: "", *end = path + strcspn(path, "\r\n");
	const char *version = memmem(path, end - path, " HTTP/1.", 8);

	if (!version || *request < 'A' || *request > 'Z')
		return "400 Bad Request\r\n";
	if (strncmp(request, "GET ", 4))
		return "405 Method Not Allowed\r\nAllow: GET\r\n";
	if (strncmp(path, " /metrics", 9) || !strchr(" ?", path[9]))
		return "404 Not Found\r\n";
	return "200 OK\r\n";
}

/* A request that is too long is answered although its end is missing. */
static void answer_begin(struct session *s, struct client *c)
{
	bool is_whole = c->used < REQUEST - 1;
	const char *first = is_whole ? request_judge(c->text) : "400 Bad Request\r\n";

	c->answers = true;
	if (*first == '2')
		c->body = text_build(s);
	if (c->body && c->body->error) {
		c->body = NULL;
		first = "500 Internal Server Error\r\n";
	}
	c->used = snprintf(c->text, REQUEST,
			   "HTTP/1.1 %sContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
			   "Content-Length: %zu\r\nConnection: close\r\n\r\n",
			   first, c->body ? c->body->len : 0);
	wake_for(c->fd, EPOLL_CTL_MOD, EPOLLOUT);
}

static void request_read(struct session *s, struct client *c)
{
	ssize_t n = recv(c->fd, c->text + c->used, REQUEST - 1 - c->used, 0);

	if (n <= 0) {
		if (n == 0 || errno != EAGAIN)
			client_close(c);
		return;
	}
	c->used += n;
	c->text[c->used] = 0;
	if (c->used == REQUEST - 1 || strlen(c->text) < c->used || strstr(c->text, "\r\n\r\n") ||
	    strstr(c->text, "\n\n"))
		answer_begin(s, c);
}

static void answer_send(struct client *c)
{
	size_t body = c->body ? c->body->len : 0;

	while (c->sent < c->used + body) {
		bool in_head = c->sent < c->used;
		const char *from = in_head ? c->text + c->sent :
					     c->body->data + (c->sent - c->used);
		ssize_t n = send(c->fd, from, (in_head ? c->used : c->used + body) - c->sent,
				 MSG_NOSIGNAL | (in_head && body ? MSG_MORE : 0));

		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			client_cut(c);
			return;
		}
		c->sent += n;
	}
	client_close(c);
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
		if (!c->answers)
			request_read(s, c);
		if (c->fd && c->answers)
			answer_send(c);
		return true;
	}
	return false;
}

void listen_poll(void)
{
	for (struct client *c = clients; c < clients + CLIENTS; c++)
		if (c->fd && now_ns() >= c->end)
			client_cut(c);
}

bool listen_is_sending(void)
{
	for (const struct client *c = clients; c < clients + CLIENTS; c++)
		if (c->fd && c->body)
			return true;
	return false;
}

uint64_t listen_cut(void)
{
	return cut;
}

void listen_end(void)
{
	for (struct client *c = clients; c < clients + CLIENTS; c++)
		if (c->fd)
			client_close(c);
	if (server >= 0)
		close(server);
	server = -1;
	if (cut)
		log_note(
			"--listen: %llu client%s disconnected: too slow, or more than %d at a time",
			(unsigned long long)cut, cut == 1 ? " was" : "s were", CLIENTS);
}
