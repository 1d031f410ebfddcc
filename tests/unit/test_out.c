/* SPDX-License-Identifier: GPL-2.0 */
/*
 * test_out.c - the buffer: every number against snprintf, growth, and what a flush does when the
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

static void check_uint(struct out *o, uint64_t v)
{
	char want[128];

	snprintf(want, sizeof(want), "%" PRIu64, v);
	out_uint(o, v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRId64, (int64_t)v);
	out_int(o, (int64_t)v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRIx64, v);
	out_hex(o, v);
	assert_string_equal(taken(o), want);
	snprintf(want, sizeof(want), "%" PRIo64, v);
	out_octal(o, v);
	assert_string_equal(taken(o), want);
}

static void check_widths(struct out *o, uint64_t v)
{
	char want[128];

	for (int width = -1; width < 80; width++) {
		snprintf(want, sizeof(want), "%*" PRIu64, width < 0 ? 0 : width, v);
		out_uint_right(o, v, width);
		assert_string_equal(taken(o), want);
		snprintf(want, sizeof(want), "%0*" PRIu64, width < 1 ? 1 : width, v);
		out_uint_pad(o, v, width);
		assert_string_equal(taken(o), want);
		snprintf(want, sizeof(want), "%0*" PRIx64, width < 1 ? 1 : width, v);
		out_hex_pad(o, v, width);
		assert_string_equal(taken(o), want);
	}
}

static void test_numbers(void **state)
{
	uint64_t power = 1, seed = 1;
	struct out o;

	(void)state;
	out_init(&o, -1);
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
	out_free(&o);
}

/* Each writer must also be right when it is the one that has to grow the buffer. */
static void test_growth_at_every_byte(void **state)
{
	(void)state;
	for (size_t fill = 4000; fill < 4110; fill++) {
		struct out o;

		out_init(&o, -1);
		out_repeat(&o, '.', fill);
		out_uint_right(&o, 1234567, 20);
		out_blanks(&o, 3);
		out_blanks(&o, 20);
		out_hex_pad(&o, 0xab, 4);
		out_str(&o, "tail");
		assert_int_equal(o.len, fill + 20 + 23 + 4 + 4);
		assert_memory_equal(o.data + fill, "             1234567", 20);
		assert_memory_equal(o.data + fill + 43, "00abtail", 8);
		assert_int_equal(o.data[fill - 1], '.');
		out_free(&o);
	}
}

static void test_puts(void **state)
{
	struct out o;

	(void)state;
	out_init(&o, -1);
	out_bytes(&o, "", 0);
	out_str(&o, "");
	out_repeat(&o, 'x', 0);
	out_blanks(&o, 0);
	assert_int_equal(o.len, 0);
	out_printf(&o, "%s=%d;", "a", 5);
	out_char(&o, 'c');
	assert_string_equal(taken(&o), "a=5;c");
	out_str(&o, "abcdef");
	out_rewind(&o, 3);
	out_rewind(&o, 5); /* not forward */
	assert_string_equal(taken(&o), "abc");
	for (int i = 0; i < 3000000; i++)
		out_char(&o, (char)i);
	assert_int_equal(o.len, 3000000);
	for (int i = 0; i < 3000000; i++)
		assert_true(o.data[i] == (char)i);
	out_printf(&o, "%*d", 100000, 1);
	assert_int_equal(o.len, 3100000);
	out_free(&o);
}

static void check_dead(struct out *o, int err)
{
	size_t len = o->len;

	assert_int_equal(o->error, err);
	out_char(o, 'x');
	out_str(o, "more");
	out_bytes(o, "", 0);
	out_uint(o, 5);
	out_uint_right(o, 5, 60);
	out_int(o, -5);
	out_hex_pad(o, 5, 8);
	out_octal(o, 5);
	out_repeat(o, 'x', 10);
	out_blanks(o, 3);
	out_printf(o, "%d", 5);
	out_rewind(o, 0);
	assert_int_equal(o->len, len);
	assert_int_equal(o->error, err);
	assert_null(out_reserve(o, 1));
	assert_int_equal(out_flush(o), err);
}

static void test_no_memory(void **state)
{
	struct out o;

	(void)state;
	out_init(&o, -1);
	out_str(&o, "before");
	assert_null(out_reserve(&o, SIZE_MAX / 2));
	check_dead(&o, -ENOMEM);
	out_free(&o);
	out_init(&o, -1);
	out_str(&o, "before");
	out_repeat(&o, 'x', SIZE_MAX); /* no wrap-around */
	check_dead(&o, -ENOMEM);
	out_free(&o);
}

static void test_closed_pipe(void **state)
{
	struct out o;
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	out_init(&o, fds[1]);
	out_str(&o, "nobody reads this");
	assert_int_equal(out_flush(&o), -EPIPE);
	check_dead(&o, -EPIPE);
	out_free(&o);
	close(fds[1]);
}

static void test_full_disk(void **state)
{
	struct out o;

	(void)state;
	out_init(&o, open("/dev/full", O_WRONLY));
	assert_int_equal(out_flush(&o), 0); /* nothing to write */
	out_str(&o, "x");
	assert_int_equal(out_flush(&o), -ENOSPC);
	check_dead(&o, -ENOSPC);
	close(o.fd);
	out_free(&o);
}

/* A file that may grow to 100 bytes, and units of 30. */
static void test_units(void **state)
{
	struct rlimit limit, small;
	FILE *f = tmpfile();
	struct out o;

	(void)state;
	assert_non_null(f);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	small = limit;
	small.rlim_cur = 100;
	out_init(&o, fileno(f));
	for (int i = 0; i < 10; i++) {
		out_repeat(&o, 'u', 30);
		out_unit_end(&o);
	}
	assert_int_equal(o.unit_count, 10);
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(out_flush(&o), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &limit);
	assert_int_equal(o.unit_count, 7); /* the fourth is there in part */
	out_str(&o, "no more");
	out_unit_end(&o);
	assert_int_equal(o.unit_count, 8);
	out_free(&o);
	rewind(f);
	out_init(&o, fileno(f));
	for (int i = 0; i < 1000; i++) {
		out_str(&o, "u");
		out_unit_end(&o);
	}
	assert_int_equal(o.unit_count, 1000);
	assert_int_equal(out_flush(&o), 0);
	assert_int_equal(o.unit_count, 0);
	out_free(&o);
	fclose(f);
}

#define STREAM_BYTES (4u << 20)

static char stream_byte(size_t i)
{
	return (char)(i * 2654435761u >> 13);
}

/* Reads in odd portions, slowly at first, and says by its exit status whether all was right. */
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
	struct out o;
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
	out_init(&o, fds[1]);
	for (size_t i = 0; i < STREAM_BYTES; i++)
		out_char(&o, stream_byte(i));
	assert_int_equal(out_flush(&o), 0);
	assert_int_equal(o.len, 0);
	out_free(&o);
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
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_growth_at_every_byte),
		cmocka_unit_test(test_puts),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_closed_pipe),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_partial_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
