/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.c - draws reports in place: a line about the machine, then as many lines as fit on the terminal.
 *
 * A frame is written from the upper left corner, each line to its end, so that nothing flickers. Of the terminal's
 * settings, only those for keys are changed: signal handlers can restore them.
 */
#include "run/screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "output/field/timestamp.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/small_file.h"
#include "util/terminal.h"

/* Cursor home, no line wrap. The rest of each line and of the screen is erased. */
#define FRAME_BEGIN "\033[H\033[?7l"
#define LINE_END    "\033[K\n"
#define FRAME_END   "\033[J\033[?7h"
#define CLEAR	    "\033[2J"

static struct {
	volatile sig_atomic_t on, has_keys;
	struct termios before, raw; /* settings of stdin */
	uint64_t busy, all;	    /* ticks from /proc/stat at the last frame */
} screen;

/* ---- the machine ---- */

/* Appends the share of time in which processors were busy since the last frame. */
static void cpu_append(struct buf *o)
{
	unsigned long long n[8] = { 0 }, all = 0, idle;
	uint64_t busy;
	char line[256];

	if (small_file_read("/proc/stat", line, sizeof(line)) < 0 ||
	    sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &n[0], &n[1], &n[2], &n[3],
		   &n[4], &n[5], &n[6], &n[7]) < 4)
		return;
	for (int i = 0; i < 8; i++)
		all += n[i];
	idle = n[3] + n[4]; /* idle, and waiting for disks */
	busy = all - idle;
	if (all > screen.all)
		buf_printf(o, "  CPU %llu%%",
			   (unsigned long long)(100 * (busy - screen.busy) / (all - screen.all)));
	screen.busy = busy;
	screen.all = all;
}

/* ---- the terminal ---- */

static void keys_set(const struct termios *t)
{
	if (screen.has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, t);
}

void screen_restore(void)
{
	keys_set(&screen.before);
}

/* Ends or stops the process as the signal's default action would. */
static void signal_pass(int number)
{
	int err = errno;

	screen_restore();
	if (number == SIGTSTP) {
		raise(SIGSTOP);
		keys_set(&screen.raw);
	} else {
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = err;
}

static void signals_pass(void)
{
	static const int numbers[] = { SIGTSTP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS,
				       SIGFPE,	SIGILL,	 SIGXCPU, SIGUSR1, SIGUSR2 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		signal(numbers[i], signal_pass);
}

/* A command may read the terminal itself; a background process would be stopped. */
static bool may_read_keys(const struct session *s)
{
	return !s->options.child.command && isatty(STDIN_FILENO) &&
	       tcgetpgrp(STDIN_FILENO) == getpgrp() && !tcgetattr(STDIN_FILENO, &screen.before);
}

void screen_open(struct session *s)
{
	struct buf unused;

	if (!s->options.report.screen || s->options.rows.json || !isatty(s->out.fd))
		return;
	screen.on = true;
	if (may_read_keys(s)) {
		screen.raw = screen.before;
		screen.raw.c_lflag &= ~(ICANON | ECHO);
		screen.raw.c_cc[VMIN] = 0; /* read() never waits */
		screen.raw.c_cc[VTIME] = 0;
		screen.has_keys = true;
		atexit(screen_restore);
		signals_pass();
		keys_set(&screen.raw);
	}
	buf_str(&s->out, CLEAR);
	buf_init(&unused, -1);
	cpu_append(&unused); /* begins the measurement */
	buf_free(&unused);
}

void screen_close(void)
{
	screen_restore();
	screen.on = screen.has_keys = false;
}

bool screen_is_on(void)
{
	return screen.on;
}

int screen_keys_fd(void)
{
	return screen.has_keys ? STDIN_FILENO : -1;
}

/* ---- frames ---- */

static void top_line_append(struct buf *o, const struct session *s)
{
	const struct field *f = report_sorted_by(&s->reporting.report);
	bool is_written = s->reporting.report.is_written;
	char line[128];
	double load[3];

	timestamp_write(o, now_ns(), TIMESTAMP_CLOCK);
	if (small_file_line("/proc/loadavg", line, sizeof(line)) > 0 &&
	    sscanf(line, "%lf %lf %lf", &load[0], &load[1], &load[2]) == 3)
		buf_printf(o, "  load %.2f %.2f %.2f", load[0], load[1], load[2]);
	cpu_append(o);
	if (f && !is_written)
		buf_printf(o, "  by %s", f->title ?: f->name);
	if (screen.has_keys)
		buf_str(o, is_written ? "  (q quit)" : "  (< > sort, q quit)");
	buf_char(o, '\n');
}

static unsigned terminal_lines(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row ? 24 : size.ws_row;
}

/* Appends as many lines as there is room for. The cursor stays on the last line, which is left empty. */
static void frame_append(struct buf *o, const char *text, size_t len, unsigned lines)
{
	const char *end = text + len, *newline;

	buf_str(o, FRAME_BEGIN);
	for (; lines > 1 && (newline = memchr(text, '\n', end - text)); lines--) {
		buf_bytes(o, text, newline - text);
		buf_str(o, LINE_END);
		text = newline + 1;
	}
	buf_str(o, FRAME_END);
}

/* Appends what is written to `body` as a frame. */
static int frame_end(struct session *s, struct buf *out, struct buf *body, int err)
{
	struct buf frame;

	s->sink.out = out;
	err = err ?: body->error;
	buf_init(&frame, -1);
	top_line_append(&frame, s);
	buf_bytes(&frame, body->data, body->len);
	err = err ?: frame.error;
	if (!err)
		frame_append(out, frame.data, frame.len, terminal_lines(out->fd));
	buf_free(&frame);
	buf_free(body);
	return err;
}

/* From now on, the report is written to `body`. Returns where it was written before. */
static struct buf *frame_begin(struct session *s, struct buf *body)
{
	struct buf *out = s->sink.out;

	buf_init(body, -1);
	terminal_resized(out);
	body->columns = out->columns;
	body->is_colored = out->is_colored;
	s->sink.out = body;
	s->reporting.report.is_timed = false;
	return out;
}

int screen_report(struct session *s)
{
	struct buf body, *out = frame_begin(s, &body);
	int err = s->report(s, &s->reporting.report) ?: report_end(&s->reporting.report);

	return frame_end(s, out, &body, err);
}

int screen_draw(struct session *s)
{
	struct buf body, *out;

	if (s->reporting.report.is_written) /* stacks are not kept */
		return 0;
	out = frame_begin(s, &body);
	return frame_end(s, out, &body, report_end(&s->reporting.report));
}

/* ---- keys ---- */

enum screen_key { SCREEN_NOTHING, SCREEN_DRAW, SCREEN_QUIT };

/* Handles one key. Arrows are ESC [ C and D, or ESC O C and D. */
static enum screen_key key_do(struct session *s, const char *keys, ssize_t n, ssize_t *at)
{
	char key = keys[*at];

	if (key == '\033' && *at + 2 < n && strchr("[O", keys[*at + 1])) {
		*at += 2;
		key = keys[*at] == 'C' ? '>' : keys[*at] == 'D' ? '<' : 0;
	}
	if (key == 'q' || key == 'Q')
		return SCREEN_QUIT;
	if (key != '<' && key != '>')
		return SCREEN_NOTHING;
	report_sort_move(&s->reporting.report, key == '>' ? 1 : -1);
	return SCREEN_DRAW;
}

bool screen_keys(struct session *s)
{
	enum screen_key most = SCREEN_NOTHING, one;
	char keys[64];
	ssize_t n = read(STDIN_FILENO, keys, sizeof(keys));

	if (n <= 0) /* readable but empty: the terminal was hung up */
		return n == 0 || errno != EINTR;
	for (ssize_t i = 0; i < n; i++) {
		one = key_do(s, keys, n, &i);
		most = one > most ? one : most;
	}
	if (most == SCREEN_DRAW && s->reporting.report.count && !screen_draw(s))
		buf_flush(&s->out);
	return most == SCREEN_QUIT;
}
