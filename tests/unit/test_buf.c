/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_buf.c - the buffer: every number against snprintf, growth, and what a flush does when the
 * other side is slow, interrupts, goes away or is full.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static void check_uint(struct buf *o, uint64_t v)
{
	char want[128];

	snprintf(want, sizeof(want), "%" PRIu64, v);
	buf_uint(o, v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRId64, (int64_t)v);
	buf_int(o, (int64_t)v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRIx64, v);
	buf_hex(o, v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRIo64, v);
	buf_octal(o, v);
	assert_string_equal(taken(o), want);
}

static void check_widths(struct buf *o, uint64_t v)
{
	char want[128];

	for (int width = -1; width < 80; width++) {
		snprintf(want, sizeof(want), "%*" PRIu64, width < 0 ? 0 : width, v);
		buf_uint_right(o, v, width);
		assert_string_equal(taken(o), want);
		snprintf(want, sizeof(want), "%0*" PRIu64, width < 1 ? 1 : width, v);
		buf_uint_pad(o, v, width);
		assert_string_equal(taken(o), want);
		snprintf(want, sizeof(want), "%0*" PRIx64, width < 1 ? 1 : width, v);
		buf_hex_pad(o, v, width);
		assert_string_equal(taken(o), want);
	}
}

static void test_numbers(void **state)
{
	uint64_t power = 1, seed = 1;
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	for (int i = 0; i < 20; i++, power *= 10)
		for (int d = -1; d <= 1; d++)
			check_uint(&o, power + d);
	for (int i = 0; i < 64; i++)
		for (int d = -1; d <= 1; d++)
			check_uint(&o, (1ULL << i) + d);
	for (int i = 0; i < 100000; i++)
		check_uint(&o, random_next(&seed) >> (random_next(&seed) % 64));
	check_uint(&o, UINT64_MAX);
	check_uint(&o, (uint64_t)INT64_MIN);
	check_uint(&o, INT64_MAX);
	check_widths(&o, 0);
	check_widths(&o, 42);
	check_widths(&o, 123456789);
	check_widths(&o, UINT64_MAX);
	buf_free(&o);
}

/* Each writer must also be right when it is the one that has to grow the buffer. */
static void test_growth_at_every_byte(void **state)
{
	(void)state;
	for (size_t fill = 4000; fill < 4110; fill++) {
		struct buf o;

		buf_init(&o, -1);
		buf_repeat(&o, '.', fill);
		buf_uint_right(&o, 1234567, 20);
		buf_blanks(&o, 3);
		buf_blanks(&o, 20);
		buf_hex_pad(&o, 0xab, 4);
		buf_str(&o, "tail");
		assert_int_equal(o.len, fill + 20 + 23 + 4 + 4);
		assert_memory_equal(o.data + fill, "             1234567", 20);
		assert_memory_equal(o.data + fill + 43, "00abtail", 8);
		assert_int_equal(o.data[fill - 1], '.');
		buf_free(&o);
	}
}

static void test_puts(void **state)
{
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	buf_bytes(&o, "", 0);
	buf_str(&o, "");
	buf_repeat(&o, 'x', 0);
	buf_blanks(&o, 0);
	assert_int_equal(o.len, 0);
	buf_printf(&o, "%s=%d;", "a", 5);
	buf_char(&o, 'c');
	assert_string_equal(taken(&o), "a=5;c");
	buf_str(&o, "abcdef");
	buf_rewind(&o, 3);
	buf_rewind(&o, 5); /* not forward */
	assert_string_equal(taken(&o), "abc");
	for (int i = 0; i < 3000000; i++)
		buf_char(&o, (char)i);
	assert_int_equal(o.len, 3000000);
	for (int i = 0; i < 3000000; i++)
		assert_true(o.data[i] == (char)i);
	buf_printf(&o, "%*d", 100000, 1);
	assert_int_equal(o.len, 3100000);
	buf_free(&o);
}

static void check_dead(struct buf *o, int err)
{
	size_t len = o->len;

	assert_int_equal(o->error, err);
	buf_char(o, 'x');
	buf_str(o, "more");
	buf_bytes(o, "", 0);
	buf_uint(o, 5);
	buf_uint_right(o, 5, 60);
	buf_int(o, -5);
	buf_hex_pad(o, 5, 8);
	buf_octal(o, 5);
	buf_repeat(o, 'x', 10);
	buf_blanks(o, 3);
	buf_printf(o, "%d", 5);
	buf_rewind(o, 0);
	assert_int_equal(o->len, len);
	assert_int_equal(o->error, err);
	assert_null(buf_reserve(o, 1));
	assert_int_equal(buf_flush(o), err);
}

static void test_no_memory(void **state)
{
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	buf_str(&o, "before");
	assert_null(buf_reserve(&o, SIZE_MAX / 2));
	check_dead(&o, -ENOMEM);
	buf_free(&o);
	buf_init(&o, -1);
	buf_str(&o, "before");
	buf_repeat(&o, 'x', SIZE_MAX); /* no wrap-around */
	check_dead(&o, -ENOMEM);
	buf_free(&o);
}

static void test_closed_pipe(void **state)
{
	struct buf o;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	buf_init(&o, fds[1]);
	buf_str(&o, "nobody reads this");
	assert_int_equal(buf_flush(&o), -EPIPE);
	check_dead(&o, -EPIPE);
	buf_free(&o);
	close(fds[1]);
}

static void test_full_disk(void **state)
{
	struct buf o;

	(void)state;
	buf_init(&o, open("/dev/full", O_WRONLY));
	assert_int_equal(buf_flush(&o), 0); /* nothing to write */
	buf_str(&o, "x");
	assert_int_equal(buf_flush(&o), -ENOSPC);
	check_dead(&o, -ENOSPC);
	close(o.fd);
	buf_free(&o);
}

/* A file that may grow to 100 bytes, and units of 30. */
static void test_units(void **state)
{
	struct rlimit limit, small;
	FILE *f = tmpfile();
	struct buf o;

	(void)state;
	assert_non_null(f);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 100;
	buf_init(&o, fileno(f));
	for (int i = 0; i < 10; i++) {
		buf_repeat(&o, 'u', 30);
		buf_unit_end(&o);
	}
	assert_int_equal(o.unit_count, 10);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(buf_flush(&o), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(o.unit_count, 7); /* the fourth is there in part */
	buf_str(&o, "no more");
	buf_unit_end(&o);
	assert_int_equal(o.unit_count, 8);
	buf_free(&o);
	rewind(f);
	buf_init(&o, fileno(f));
	for (int i = 0; i < 1000; i++) {
		buf_str(&o, "u");
		buf_unit_end(&o);
	}
	assert_int_equal(o.unit_count, 1000);
	assert_int_equal(buf_flush(&o), 0);
	assert_int_equal(o.unit_count, 0);
	buf_free(&o);
	fclose(f);
}

/* ---- a reader that does not read ---- */

static enum buf_verdict verdict;
static int asked;

static enum buf_verdict blocked(void)
{
	asked++;
	return asked < 3 ? OUT_GO_ON : verdict;
}

static void tick(int number)
{
	(void)number;
}

static void ticks(int us)
{
	struct sigaction action = { .sa_handler = tick };
	struct itimerval t = { { 0, us }, { 0, us } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

/* Writes units of 100 bytes, one per line, more than a pipe holds, before anything is read. */
static size_t lines_put(struct buf *o, int fds[2])
{
	size_t lines = 3000;

	assert_int_equal(pipe(fds), 0);
	buf_init(o, fds[1]);
	o->by_lines = true;
	for (size_t i = 0; i < lines; i++) {
		buf_uint_right(o, i, 99);
		buf_char(o, '\n');
		buf_unit_end(o);
	}
	return lines;
}

static size_t lines_read(int fd)
{
	static char bytes[1 << 20];
	size_t len = 0, lines = 0;
	ssize_t n;

	while ((n = read(fd, bytes + len, sizeof(bytes) - len)) > 0)
		len += n;
	for (size_t i = 0; i < len; i += 100, lines++)
		assert_int_equal(strtoul(bytes + i, NULL, 10), lines);
	assert_int_equal(bytes[len - 1], '\n');
	return lines;
}

static void test_blocked(void **state)
{
	int fds[2];
	struct buf o;
	size_t lines;

	(void)state;
	buf_blocked = blocked;
	ticks(2000);
	for (verdict = OUT_LATER; verdict <= OUT_GIVE_UP; verdict++) {
		lines = lines_put(&o, fds);
		asked = 0;
		assert_int_equal(buf_flush(&o), -ETIMEDOUT); /* what cannot wait is given up, too */
		assert_int_equal(asked, 3);
		assert_true(o.unit_count > 0 && o.unit_count < lines);
		check_dead(&o, -ETIMEDOUT);
		close(fds[1]);
		assert_int_equal(lines_read(fds[0]), lines - o.unit_count); /* none in half */
		close(fds[0]);
		buf_free(&o);
	}
	ticks(0);
	buf_blocked = NULL;
}

static void test_later(void **state)
{
	size_t lines, left;
	int fds[2], status;
	struct buf o;

	(void)state;
	buf_blocked = blocked;
	verdict = OUT_LATER;
	ticks(2000);
	lines = lines_put(&o, fds);
	o.can_wait = true;
	asked = 0;
	assert_int_equal(buf_flush(&o), 0);
	left = o.unit_count;
	assert_true(left > 0 && left < lines && o.len == left * 100);
	ticks(0);
	buf_blocked = NULL;
	if (!fork()) {
		close(fds[1]);
		_exit(lines_read(fds[0]) != lines);
	}
	assert_int_equal(buf_flush(&o), 0); /* the rest, in its order */
	assert_int_equal(o.unit_count, 0);
	close(fds[1]);
	wait(&status);
	assert_int_equal(status, 0);
	close(fds[0]);
	buf_free(&o);
}

/* Takes what the pipe takes now, and never waits, whether lines are short or longer than it is. */
static void test_defers(void **state)
{
	static char read_bytes[1 << 20];
	size_t lines, before, got = 0;
	int fds[2];
	struct buf o;

	(void)state;
	lines = lines_put(&o, fds);
	o.defers = true;
	assert_int_equal(buf_flush(&o), 0); /* nothing interrupts it: it would hang */
	assert_true(o.unit_count > 0 && o.unit_count < lines && o.len == o.unit_count * 100);
	before = o.len;
	assert_int_equal(buf_flush(&o), 0);
	assert_int_equal(o.len, before);
	buf_repeat(&o, 'x', 200000);
	buf_char(&o, '\n');
	buf_unit_end(&o);
	for (int rounds = 0; o.len || !rounds; rounds++) {
		assert_true(rounds < 1000);
		got += read(fds[0], read_bytes + got, sizeof(read_bytes) - got);
		assert_int_equal(buf_flush(&o), 0);
	}
	assert_int_equal(o.unit_count, 0);
	close(fds[1]);
	for (ssize_t n; (n = read(fds[0], read_bytes + got, sizeof(read_bytes) - got)) > 0;)
		got += n;
	assert_int_equal(got, lines * 100 + 200001);
	for (size_t i = 0; i < lines; i++)
		assert_int_equal(strtoul(read_bytes + i * 100, NULL, 10), i);
	close(fds[0]);
	buf_free(&o);
}

/* Its reader is gone: that is no reason to wait. */
static void test_defers_closed(void **state)
{
	int fds[2];
	struct buf o;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	lines_put(&o, fds);
	o.defers = true;
	close(fds[0]);
	assert_int_equal(buf_flush(&o), -EPIPE);
	assert_int_equal(o.unit_count, 3000);
	close(fds[1]);
	buf_free(&o);
}

#define STREAM_BYTES (4u << 20)

static char stream_byte(size_t i)
{
	return (char)(i * 2654435761u >> 13);
}

/* Reads in odd portions, slowly at first, and reports by its exit status whether all was right. */
static void stream_read(int fd)
{
	static char buf[7919];
	size_t at = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			if (buf[i] != stream_byte(at + i))
				_exit(1);
		at += n;
		if (at < 100000)
			usleep(1000);
	}
	_exit(at == STREAM_BYTES ? 0 : 2);
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* A stream through a small socket buffer: partial writes for sure. */
static void check_stream(bool blocking)
{
	int fds[2], status, small = 4096;
	struct buf o;
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(fds[1]);
		stream_read(fds[0]);
	}
	close(fds[0]);
	if (!blocking)
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
	buf_init(&o, fds[1]);
	for (size_t i = 0; i < STREAM_BYTES; i++)
		buf_char(&o, stream_byte(i));
	assert_int_equal(buf_flush(&o), 0);
	assert_int_equal(o.len, 0);
	buf_free(&o);
	close(fds[1]);
	assert_int_equal(TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)), pid);
	assert_int_equal(status, 0);
}

static void test_partial_writes(void **state)
{
	struct sigaction act = { .sa_handler = on_alarm }; /* no SA_RESTART */
	struct itimerval tick = { { 0, 300 }, { 0, 300 } }, off = { 0 };

	(void)state;
	check_stream(false);
	check_stream(true);
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	/* the timer is not inherited by the reader */
	check_stream(true);
	check_stream(false);
	setitimer(ITIMER_REAL, &off, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),	    cmocka_unit_test(test_growth_at_every_byte),
		cmocka_unit_test(test_puts),	    cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_closed_pipe), cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_units),	    cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_later),	    cmocka_unit_test(test_partial_writes),
		cmocka_unit_test(test_defers),	    cmocka_unit_test(test_defers_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
