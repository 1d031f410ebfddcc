/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replay.c PORT - serves the live view as a run does, with events that it reads from stdin: blocks as /events has them,
 * "event: TYPE", "data: …" and an empty line; a block without a type is a row. Nothing is traced.
 *
 * Blocks that come before the first reader wait for it.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "run/live.h"
#include "run/metrics.h"
#include "run/session.h"

static const struct applet applet = { .name = "opensnoop" };
static struct session session = {
	.applet = &applet,
	.reporting.title = "replay <b>of</b> a run",
};
static struct buf metrics, text /* of stdin, not taken yet */, data;
static char type[32];

static const struct buf *metrics_text(struct session *s)
{
	(void)s;
	return &metrics;
}

static void block_end(void)
{
	if (!data.len)
		return;
	session.sink.rows += !*type;
	stream_append(*type ? type : NULL, session.sink.rows, data.data, data.len);
	*type = '\0';
	buf_rewind(&data, 0);
}

static void line_take(const char *line, size_t len)
{
	if (!len)
		block_end();
	else if (!strncmp(line, "event: ", 7))
		snprintf(type, sizeof(type), "%.*s", (int)len - 7, line + 7);
	else if (!strncmp(line, "data: ", 6))
		buf_bytes(&data, line + 6, len - 6 + 1);
}

/* Reads little at a time, so that readers are served meanwhile. Returns false at the end. */
static bool lines_read(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char part[8192], *line, *newline;
	ssize_t n;

	if (poll(&in, 1, 0) <= 0)
		return true;
	if (!stream_readers())
		return !(in.revents & POLLHUP);
	n = read(STDIN_FILENO, part, sizeof(part));
	buf_bytes(&text, part, n > 0 ? n : 0);
	for (line = text.data; line && (newline = memchr(line, '\n', text.data + text.len - line));
	     line = newline + 1)
		line_take(line, newline - line);
	if (line) {
		text.len -= line - text.data;
		memmove(text.data, line, text.len);
	}
	return n > 0;
}

int main(int argc, char **argv)
{
	struct epoll_event e;
	int watch = epoll_create1(0);

	if (argc != 2)
		return 2;
	buf_init(&metrics, -1);
	buf_init(&text, -1);
	buf_init(&data, -1);
	buf_str(&metrics, "# EOF\n");
	if (listen_open(argv[1], metrics_text) || listen_begin(watch))
		return 1;
	while (lines_read()) {
		if (epoll_wait(watch, &e, 1, 10) > 0)
			listen_accept(&session, e.data.fd);
		listen_poll(&session);
	}
	listen_end(&session);
	buf_free(&text);
	buf_free(&data);
	buf_free(&metrics);
	live_close();
	return 0;
}
