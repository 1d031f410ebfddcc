/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_live.c - --listen: who may see what, requests as they arrive, and the events for fast and slow readers.
 */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "run/live.h"
#include "run/metrics.h"
#include "run/request.h"
#include "run/session.h"
#include "util/log.h"

/* ---- requests ---- */

#define TOKEN "0123456789abcdef0123456789abcdef"

static void judged(const char *text, const char *token, const char *status, enum request_page page)
{
	struct request r = request_judge(text, token);

	if (strncmp(r.status, status, 3) || r.page != page)
		fail_msg("%.60s: %.3s, page %d", text, r.status, r.page);
}

static void test_live_request(void **state)
{
	static const struct {
		const char *text, *status;
		enum request_page page;
	} open[] = {
		{ "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n", "200", REQUEST_METRICS },
		{ "GET / HTTP/1.1\r\nHost: localhost:9435\r\n\r\n", "200", REQUEST_VIEW },
		{ "GET /?x=y HTTP/1.1\r\nhost:127.0.0.1\r\n\r\n", "200", REQUEST_VIEW },
		{ "GET /events HTTP/1.1\r\nHost: [::1]:9435\r\n\r\n", "200", REQUEST_EVENTS },
		{ "GET /events HTTP/1.1\nHost: LOCALHOST\n\n", "200", REQUEST_EVENTS },
		{ "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\nHost: 127.evil.example\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\nHost: localhost.evil\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\nX: Host: localhost\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\nHost:\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\n\r\n", "403", REQUEST_NOTHING },
		{ "GET /events HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
		  "403", REQUEST_NOTHING },
		{ "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: none\r\n\r\n", "200",
		  REQUEST_VIEW },
		{ "GET /metric HTTP/1.1\r\n\r\n", "404", REQUEST_NOTHING },
		{ "GET //events HTTP/1.1\r\nHost: localhost\r\n\r\n", "404", REQUEST_NOTHING },
		{ "POST /events HTTP/1.1\r\nHost: localhost\r\n\r\n", "405", REQUEST_NOTHING },
		{ "GET /events\r\nHost: localhost HTTP/1.1\r\n\r\n", "400", REQUEST_NOTHING },
		{ "", "400", REQUEST_NOTHING },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(open); i++)
		judged(open[i].text, NULL, open[i].status, open[i].page);
}

static void test_live_token(void **state)
{
	(void)state;
	judged("GET /metrics HTTP/1.1\r\n\r\n", TOKEN, "200", REQUEST_METRICS);
	judged("GET /?token=" TOKEN " HTTP/1.1\r\n\r\n", TOKEN, "200", REQUEST_VIEW);
	judged("GET /events?a=b&token=" TOKEN "&c HTTP/1.1\r\n\r\n", TOKEN, "200", REQUEST_EVENTS);
	judged("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", TOKEN, "403", REQUEST_NOTHING);
	judged("GET /?token= HTTP/1.1\r\n\r\n", TOKEN, "403", REQUEST_NOTHING);
	judged("GET /?token=" TOKEN "0 HTTP/1.1\r\n\r\n", TOKEN, "403", REQUEST_NOTHING);
	judged("GET /?token=1123456789abcdef0123456789abcdef HTTP/1.1\r\n\r\n", TOKEN, "403",
	       REQUEST_NOTHING);
	judged("GET /?token=0123456789abcdef0123456789abcde0 HTTP/1.1\r\n\r\n", TOKEN, "403",
	       REQUEST_NOTHING);
	judged("GET /?xtoken=" TOKEN " HTTP/1.1\r\n\r\n", TOKEN, "403", REQUEST_NOTHING);
	judged("GET /\r\nX: /?token=" TOKEN " HTTP/1.1\r\n\r\n", TOKEN, "400", REQUEST_NOTHING);
}

static void test_live_last(void **state)
{
	struct request r = request_judge(
		"GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 42\r\n\r\n", NULL);

	(void)state;
	assert_true(r.has_last);
	assert_int_equal(r.last, 42);
	r = request_judge("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: x\r\n\r\n",
			  NULL);
	assert_false(r.has_last);
}

/* ---- the stream ---- */

static void test_live_event(void **state)
{
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	stream_write_event(&o, NULL, 7, "{\"a\":1}\n", 8);
	stream_write_event(&o, "report", 0, "{}\n{\"b\":2}", 10);
	buf_char(&o, '\0');
	assert_string_equal(o.data, "id: 7\ndata: {\"a\":1}\n\n"
				    "event: report\ndata: {}\ndata: {\"b\":2}\n\n");
	buf_free(&o);
}

/* Reads what there is. */
static void socket_read(int fd, struct buf *o)
{
	char bytes[4096];
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		buf_bytes(o, bytes, n);
}

static unsigned long long rows_count(const char *text, unsigned long long *missed)
{
	const char *told = strstr(text, "event: missed\ndata: {\"rows\":");
	unsigned long long rows = 0;

	for (const char *at = text; (at = strstr(at, "\ndata: {\"row\"")); at++)
		rows++;
	*missed = told ? strtoull(told + 28, NULL, 10) : 0;
	return rows;
}

/* A reader that takes nothing is told how many rows it does not get; another one gets them all. */
static void test_live_slow(void **state)
{
	struct stream_reader slow, fast;
	unsigned long long made = 0, rows, missed;
	int a[2], b[2], n;
	struct buf got, all;
	char row[400];

	(void)state;
	buf_init(&got, -1);
	buf_init(&all, -1);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, a), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, b), 0);
	assert_int_equal(stream_join(&slow), 0);
	assert_int_equal(stream_join(&fast), 0);
	while (!slow.is_late) {
		made++;
		n = snprintf(row, sizeof(row), "{\"row\":%llu,\"x\":\"%*s\"}\n", made,
			     (int)(made % 301), "");
		stream_append(NULL, made, row, n);
		stream_send(&slow, a[0]);
		assert_int_equal(stream_send(&fast, b[0]), 0);
		socket_read(b[1], &all);
	}
	while ((n = stream_send(&slow, a[0])) == -EAGAIN)
		socket_read(a[1], &got);
	assert_int_equal(n, -EPIPE);
	socket_read(a[1], &got);
	buf_char(&got, '\0');
	buf_char(&all, '\0');
	rows = rows_count(got.data, &missed);
	assert_true(rows > 0 && missed > 0);
	assert_int_equal(rows + missed, made);
	assert_int_equal(stream_unsent(), missed);
	assert_int_equal(rows_count(all.data, &missed), made);
	assert_int_equal(missed, 0);
	stream_leave(&slow);
	stream_leave(&fast);
	stream_close();
	close(a[0]), close(a[1]), close(b[0]), close(b[1]);
	buf_free(&got);
	buf_free(&all);
}

/* A reader that comes late to a full ring gets only what comes then; an event that is too large is told. */
static void test_live_large(void **state)
{
	static char large[STREAM_BYTES];
	struct stream_reader first, second, more[STREAM_READERS];
	struct buf got;
	int pair[2];

	(void)state;
	buf_init(&got, -1);
	memset(large, 'x', sizeof(large));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_int_equal(stream_join(&first), 0);
	stream_append(NULL, 1, "{\"row\":1}", 9);
	assert_int_equal(stream_join(&second), 0);
	stream_append(NULL, 2, large, sizeof(large));
	stream_append(NULL, 3, "{\"row\":3}", 9);
	assert_int_equal(stream_send(&second, pair[0]), 0);
	socket_read(pair[1], &got);
	buf_char(&got, '\0');
	assert_string_equal(got.data,
			    "event: missed\ndata: {\"rows\":1}\n\nid: 3\ndata: {\"row\":3}\n\n");
	for (unsigned i = 2; i < STREAM_READERS; i++)
		assert_int_equal(stream_join(&more[i]), 0);
	assert_int_equal(stream_join(&more[0]), -EBUSY);
	stream_close();
	close(pair[0]), close(pair[1]);
	buf_free(&got);
}

/* ---- sockets ---- */

static const struct applet applet = { .name = "probe" };
static struct session session = { .applet = &applet };
static struct buf metrics;
static int watch;
static uint16_t port;

static const struct buf *metrics_text(struct session *s)
{
	(void)s;
	return &metrics;
}

/* Listens on any port that is free. */
static void server_begin(void)
{
	char text[16];
	int code = EXIT_USAGE;

	log_quiet(true);
	buf_init(&metrics, -1);
	buf_str(&metrics, "# EOF\n");
	for (port = 20000 + getpid() % 20000; code; port++) {
		snprintf(text, sizeof(text), "%u", port);
		code = listen_open(text, metrics_text);
	}
	port--;
	watch = epoll_create1(0);
	assert_int_equal(listen_begin(watch), 0);
}

static void server_end(void)
{
	live_end(&session);
	listen_end(&session);
	live_close();
	close(watch);
	buf_free(&metrics);
}

static void serve(int ms)
{
	struct epoll_event e[4];
	int n = epoll_wait(watch, e, COUNT(e), ms);

	for (int i = 0; i < n; i++)
		listen_accept(&session, e[i].data.fd);
	listen_poll(&session);
}

static int client_open(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	serve(100);
	return fd;
}

static void say(int fd, const char *text, size_t size)
{
	assert_int_equal(send(fd, text, size, MSG_NOSIGNAL), size);
	serve(100);
}

static void answered(int fd, const char *status)
{
	struct buf got;

	buf_init(&got, -1);
	for (int i = 0; i < 50 && !got.len; i++) {
		serve(20);
		socket_read(fd, &got);
	}
	assert_true(got.len > 12);
	assert_memory_equal(got.data, "HTTP/1.1 ", 9);
	assert_memory_equal(got.data + 9, status, 3);
	buf_free(&got);
	close(fd);
	serve(20);
}

/* A request is the same however it is split. */
static void test_live_split(void **state)
{
	static const char text[] = "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";

	(void)state;
	server_begin();
	for (size_t at = 1; at < strlen(text); at++) {
		int fd = client_open();

		say(fd, text, at);
		say(fd, text + at, strlen(text) - at);
		answered(fd, "200");
	}
	server_end();
}

static void test_live_answers(void **state)
{
	static char large[9000];
	static const char *const pages[][2] = {
		{ "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200" },
		{ "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n", "200" },
		{ "GET /events HTTP/1.1\r\nHost: x\r\n\r\n", "403" },
		{ "PUT /events HTTP/1.1\r\nHost: localhost\r\n\r\n", "405" },
		{ "GET /nothing HTTP/1.1\r\n\r\n", "404" },
		{ "nonsense\r\n\r\n", "400" },
	};
	int fd;

	(void)state;
	server_begin();
	for (size_t i = 0; i < COUNT(pages); i++) {
		fd = client_open();
		say(fd, pages[i][0], strlen(pages[i][0]));
		answered(fd, pages[i][1]);
	}
	fd = client_open();
	memset(large, 'x', sizeof(large));
	memcpy(large, "GET /", 5);
	say(fd, large, sizeof(large));
	answered(fd, "400");
	assert_int_equal(stream_readers(), 0); /* the one that was there has closed */
	server_end();
}

/* The fifth reader is refused, and the others leave room for /metrics. */
static void test_live_readers(void **state)
{
	static const char events[] = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";
	static const char text[] = "GET /metrics HTTP/1.1\r\n\r\n";
	int fds[STREAM_READERS], fd;

	(void)state;
	server_begin();
	for (size_t i = 0; i < COUNT(fds); i++) {
		fds[i] = client_open();
		say(fds[i], events, strlen(events));
	}
	assert_int_equal(stream_readers(), STREAM_READERS);
	assert_non_null(session.sink.tee);
	fd = client_open();
	say(fd, events, strlen(events));
	answered(fd, "503");
	fd = client_open();
	say(fd, text, strlen(text));
	answered(fd, "200");
	for (size_t i = 0; i < COUNT(fds); i++)
		answered(fds[i], "200");
	assert_int_equal(stream_readers(), 0);
	assert_null(session.sink.tee); /* nothing is formatted while nobody reads */
	server_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_live_request), cmocka_unit_test(test_live_token),
		cmocka_unit_test(test_live_last),    cmocka_unit_test(test_live_event),
		cmocka_unit_test(test_live_slow),    cmocka_unit_test(test_live_large),
		cmocka_unit_test(test_live_split),   cmocka_unit_test(test_live_answers),
		cmocka_unit_test(test_live_readers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
