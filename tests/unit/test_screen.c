/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_screen.c - reports drawn in place on a pseudo terminal: frames, keys, the terminal's state
 * afterwards.
 */
#include "unit.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "run/screen.h"
#include "run/session.h"
#include "terminal.h"

static const struct row {
	uint64_t first, second;
} rows[] = { { 1, 90 }, { 2, 80 }, { 3, 70 } };
static const struct field fields[] = {
	{ .name = "first", .title = "first", FIELD_AT(struct row, first), .flags = FIELD_SORT },
	{ .name = "second", .title = "second", FIELD_AT(struct row, second) },
};
static const struct schema schema = {
	.fields = fields, .count = COUNT(fields), .record_min = sizeof(struct row), .bare = true
};

/* Draws, and does what is typed until q, or until a signal. */
static void draw(void)
{
	static struct session s;
	struct pollfd keys = { STDIN_FILENO, POLLIN, 0 };
	bool done = false;

	s.options.report.screen = true;
	buf_init(&s.out, STDOUT_FILENO);
	s.sink = (struct sink){ .schema = &schema, .out = &s.out };
	s.reporting.report.sink = &s.sink;
	screen_open(&s);
	report_begin(&s.reporting.report, 1);
	for (size_t i = 0; i < COUNT(rows); i++)
		report_row(&s.reporting.report, &rows[i], sizeof(rows[i]));
	screen_draw(&s);
	buf_flush(&s.out);
	while (!done && poll(&keys, 1, 10000) > 0)
		done = screen_keys(&s);
	screen_close();
	_exit(done ? 0 : 1);
}

static struct {
	int fd;
	pid_t pid;
	char text[10000];
	size_t len;
} terminal;

static void terminal_open(unsigned short lines)
{
	struct winsize size = { .ws_row = lines, .ws_col = 80 };

	memset(&terminal, 0, sizeof(terminal));
	terminal.pid = forkpty(&terminal.fd, NULL, NULL, &size);
	assert_true(terminal.pid >= 0);
	if (!terminal.pid)
		draw();
}

/* Reads until the text has come; what was before it is forgotten. */
static void expect(const char *text)
{
	ssize_t n = 1;
	char *at;

	while (!(at = strstr(terminal.text, text)) && n > 0) {
		n = read(terminal.fd, terminal.text + terminal.len,
			 sizeof(terminal.text) - 1 - terminal.len);
		terminal.len += n > 0 ? n : 0;
		terminal.text[terminal.len] = '\0';
	}
	if (!at)
		fail_msg("'%s' is not in '%s'", text, terminal.text);
	at += strlen(text);
	terminal.len -= at - terminal.text;
	memmove(terminal.text, at, terminal.len + 1);
}

static void type(const char *keys)
{
	assert_int_equal(write(terminal.fd, keys, strlen(keys)), strlen(keys));
}

/* Ends with that status, the terminal as it was. */
static int terminal_close(void)
{
	struct termios t;
	int status;

	while (read(terminal.fd, terminal.text, sizeof(terminal.text) - 1) > 0)
		;
	assert_int_equal(waitpid(terminal.pid, &status, 0), terminal.pid);
	assert_int_equal(tcgetattr(terminal.fd, &t), 0);
	assert_int_equal(t.c_lflag & (ICANON | ECHO), ICANON | ECHO);
	close(terminal.fd);
	return status;
}

static void test_keys(void **state)
{
	(void)state;
	terminal_needed();
	terminal_open(24);
	expect("\033[2J\033[H");
	expect("  by first  (< > sort, q quit)\033[K\r\n");
	expect("first  second\033[K\r\n    3      70\033[K\r\n    2      80\033[K\r\n    1      90\033[K\r\n\033[J");
	type(">");
	expect("\033[H");
	expect("by second");
	expect("first  second\033[K\r\n    1      90\033[K\r\n");
	type("\033[Dx");
	expect("by first");
	expect("    3      70\033[K\r\n");
	type("q");
	assert_int_equal(terminal_close(), 0);
}

static void test_few_lines(void **state)
{
	(void)state;
	terminal_needed();
	terminal_open(4);
	expect("first  second\033[K\r\n    3      70\033[K\r\n\033[J");
	type("q");
	assert_int_equal(terminal_close(), 0);
}

static void test_signals(void **state)
{
	static const int numbers[] = { SIGQUIT, SIGSEGV, SIGABRT };

	(void)state;
	terminal_needed();
	for (size_t i = 0; i < COUNT(numbers); i++) {
		terminal_open(24);
		expect("by first");
		kill(terminal.pid, numbers[i]);
		assert_int_equal(WTERMSIG(terminal_close()), numbers[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_few_lines),
		cmocka_unit_test(test_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
