/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_log.c - what reaches stderr, byte by byte, and which name is called near.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include "unit.h"

#include "terminal.h"
#include "util/log.h"
#include "util/suggest.h"
#include "run/lost.h"

static int saved, pipe_fds[2];

static void capture(void)
{
	assert_int_equal(pipe(pipe_fds), 0);
	saved = dup(STDERR_FILENO);
	dup2(pipe_fds[1], STDERR_FILENO);
	close(pipe_fds[1]);
}

static const char *captured(void)
{
	static char buf[32768];
	ssize_t n;

	dup2(saved, STDERR_FILENO);
	close(saved);
	n = read(pipe_fds[0], buf, sizeof(buf) - 1);
	close(pipe_fds[0]);
	assert_true(n >= 0);
	buf[n] = '\0';
	return buf;
}

#define SAYS(call, want)                                                                           \
	do {                                                                                       \
		capture();                                                                         \
		call;                                                                              \
		assert_string_equal(captured(), want);                                             \
	} while (0)

/* A verifier's log is printed whole, each line as one. */
static void test_lines(void **state)
{
	static const char line[] =
		"coretap: 1534: (bf) r3 = r7 ; R3_w=scalar(id=39,var_off=(0x0; 0x1fff))\n";
	enum { LINES = 200 };
	char text[LINES * sizeof(line)] = "", *at = text;
	const char *said;

	(void)state;
	log_verbose(2);
	for (int i = 0; i < LINES; i++)
		at = stpcpy(at, line + strlen("coretap: "));
	capture();
	log_debug_lines(2, text);
	said = captured();
	assert_int_equal(strlen(said), LINES * strlen(line));
	for (int i = 0; i < LINES; i++)
		assert_memory_equal(said + i * strlen(line), line, strlen(line));
	capture();
	log_debug_lines(3, strdupa("not asked for\n"));
	assert_string_equal(captured(), "");
	SAYS(log_debug_lines(1, strdupa("one\n\n\033two")), "coretap: one\ncoretap: \\x1btwo\n");
	log_verbose(0);
}

static void test_messages(void **state)
{
	(void)state;
	SAYS(log_error("no %s, %d", "luck", 7), "coretap: no luck, 7\n");
	log_name("opensnoop");
	SAYS(log_error("cannot attach"), "opensnoop: cannot attach\n");
	SAYS(log_warn("slow"), "opensnoop: warning: slow\n");
	SAYS(log_hint("try %s", "this"), "  try this\n");
	SAYS(log_note("hello"), "opensnoop: hello\n");
	SAYS(log_note("ends with a newline\n"), "opensnoop: ends with a newline\\n\n");
	SAYS(log_error("%s", ""), "opensnoop: \n");
}

/* Callers ask for errno again after the message. */
static void test_errno(void **state)
{
	int after;

	(void)state;
	capture();
	errno = EADDRINUSE;
	log_error("cannot listen");
	log_warn("slow");
	after = errno;
	captured();
	assert_int_equal(after, EADDRINUSE);
}

static bool has_keys_alone(const char *name, size_t len)
{
	return len == 4 && !strncmp(name, "keys", len);
}

/* A part of a hint that names an option that the tool has not is not printed. */
static void test_hints_fit(void **state)
{
	(void)state;
	log_options(has_keys_alone);
	SAYS(log_hint("a narrower filter; a larger --keys; fewer --funcs"),
	     "  a narrower filter; a larger --keys\n");
	SAYS(log_hint("fewer --funcs; a narrower filter"), "  a narrower filter\n");
	SAYS(log_hint("use --key or --keys-all"), "");
	SAYS(log_hint("coretap --list shows all; argdump --list, too"),
	     "  coretap --list shows all; argdump --list, too\n");
	SAYS(log_hint("argdump --count --by EXPR FUNC counts; fewer --funcs"),
	     "  argdump --count --by EXPR FUNC counts\n");
	SAYS(log_hint("my-argdump --funcs; argdumps --funcs; --funcs, as argdump --list"), "");
	SAYS(log_hint("put a command after --; -- COMMAND; a--b"),
	     "  put a command after --; -- COMMAND; a--b\n");
	SAYS(log_hint("%s", "--keys"), "  --keys\n");
	log_options(NULL);
	SAYS(log_hint("fewer --funcs"), "  fewer --funcs\n");
}

/* Returns what was written to the terminal `fds`, which may arrive at its other side in parts. */
static const char *shown(int fds[2])
{
	static char buf[1024];
	size_t len = 0;
	ssize_t n;

	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fds[1]);
	while ((n = read(fds[0], buf + len, sizeof(buf) - 1 - len)) > 0) /* EIO: that is all */
		len += n;
	close(fds[0]);
	buf[len] = '\0';
	return buf;
}

/* The line in place is for a terminal alone, and gone before anything else is written. */
static void test_busy(void **state)
{
	struct termios raw = { 0 };
	int fds[2];

	(void)state;
	terminal_needed();
	log_name("argdump");
	SAYS(log_busy_begin(); log_busy("attaching", 0, 386); log_busy_end(), "");
	assert_int_equal(openpty(&fds[0], &fds[1], NULL, &raw, NULL), 0);
	saved = dup(STDERR_FILENO);
	dup2(fds[1], STDERR_FILENO);
	log_busy("attaching", 0, 386); /* not yet */
	log_busy_begin();
	log_busy("attaching", 0, 99);  /* too few to take long … */
	log_busy("attaching", 0, 100); /* … but not these */
	log_note("so");
	log_note("it is");
	log_busy("attaching", 0, 386);
	log_busy_end();
	log_busy("attaching", 0, 386);
	assert_string_equal(shown(fds), "\rargdump: attaching 100 functions..."
					"\r                                   \rargdump: so\n"
					"argdump: it is\n"
					"\rargdump: attaching 386 functions..."
					"\r                                   \r");
}

static void test_levels(void **state)
{
	(void)state;
	SAYS(log_debug(1, "detail"), "");
	log_verbose(1);
	SAYS(log_debug(1, "detail"), "opensnoop: detail\n");
	SAYS(log_debug(2, "more"), "");
	log_verbose(2);
	SAYS(log_debug(2, "more"), "opensnoop: more\n");
	log_quiet(true);
	SAYS(log_note("hello"), "");
	SAYS(log_error("still"), "opensnoop: still\n");
	SAYS(log_warn("still"), "opensnoop: warning: still\n");
	log_quiet(false);
	SAYS(log_note("hello"), "opensnoop: hello\n");
	log_verbose(0);
}

/* A name can neither drive the terminal nor pass for a message of its own. */
static void test_hostile_names(void **state)
{
	char longer[5000];

	(void)state;
	SAYS(log_error("no file '%s'", "a\x1b[2J\nopensnoop: all is well"),
	     "opensnoop: no file 'a\\x1b[2J\\nopensnoop: all is well'\n");
	SAYS(log_error("%s", "\xe2\x80\xae\xff\x7f"), "opensnoop: \\u202e\\xff\\x7f\n");
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	capture();
	log_error("%s", longer);
	assert_int_equal(strlen(captured()), strlen("opensnoop: \n") + sizeof(longer) - 1);
}

static void test_caret(void **state)
{
	(void)state;
	SAYS(log_caret("file->f_inde->i_sb", 6, 12), "    file->f_inde->i_sb\n"
						     "          ^~~~~~\n");
	SAYS(log_caret("a+", 2, 2), "    a+\n      ^\n"); /* at the end */
	SAYS(log_caret("a+b", 1, 2), "    a+b\n     ^\n");
	SAYS(log_caret("", 0, 0), "    \n    ^\n");
	SAYS(log_caret("ab", 7, 9), "    ab\n      ^\n"); /* outside of the text */
	SAYS(log_caret("ab", 1, 0), "    ab\n    ^\n");
	/* escapes are wider than their bytes, letters narrower: the caret goes by what is shown */
	SAYS(log_caret("\t\xc3\xa9 + x\n", 6, 8), "    \\t\xc3\xa9 + x\\n\n"
						  "          ^~~\n");
}

/* ---- nearest ---- */

static const char *nearest(const char *wanted, const char *const *names)
{
	struct suggestion n;

	suggest_init(&n, wanted);
	for (; *names; names++)
		suggest_offer(&n, *names);
	return suggest_get(&n);
}

#define NEAREST(wanted, ...) nearest(wanted, (const char *const[]){ __VA_ARGS__, NULL })

static void test_nearest(void **state)
{
	(void)state;
	assert_string_equal(NEAREST("i_sbb", "i_ino", "i_sb", "i_mode"), "i_sb");
	assert_string_equal(NEAREST("__vfs_read", "vfs_write", "vfs_read", "read"), "vfs_read");
	assert_string_equal(NEAREST("opensnop", "execsnoop", "opensnoop"), "opensnoop");
	assert_string_equal(NEAREST("nmae", "name"), "name"); /* a swap is one step */
	assert_string_equal(NEAREST("abc", "abc"), "abc");
	assert_null(NEAREST("foo", "vfs_read", "bar"));
	assert_null(NEAREST("a", "bc"));
	assert_null(NEAREST("", "a", ""));
	assert_null(NEAREST("abc", ""));
	assert_string_equal(NEAREST("vfs_raed", "vfs_road", "vfs_read"), "vfs_read");
	assert_string_equal(NEAREST("abcdex", "abcdey", "abcdez"),
			    "abcdey"); /* the first of equals */
}

/* Against the plain recursive definition, without rows, limits or early ends. */
static unsigned slow_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned d, other;

	if (!n || !m)
		return (unsigned)(n + m);
	d = slow_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
	other = slow_distance(a, n - 1, b, m) + 1;
	d = other < d ? other : d;
	other = slow_distance(a, n, b, m - 1) + 1;
	d = other < d ? other : d;
	if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
		other = slow_distance(a, n - 2, b, m - 2) + 1;
		d = other < d ? other : d;
	}
	return d;
}

static void test_distances(void **state)
{
	uint64_t seed = 31;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		size_t n = 1 + random_next(&seed) % 7, m = 1 + random_next(&seed) % 7;
		unsigned limit = n < 6 ? 1 : (unsigned)n / 3, d;
		char a[8] = "", b[8] = "";
		struct suggestion near;

		for (size_t c = 0; c < n; c++)
			a[c] = (char)('a' + random_next(&seed) % 3);
		for (size_t c = 0; c < m; c++)
			b[c] = (char)('a' + random_next(&seed) % 3);
		d = slow_distance(a, n, b, m);
		suggest_init(&near, a);
		suggest_offer(&near, b);
		assert_ptr_equal(suggest_get(&near), d <= limit ? b : NULL);
		if (d <= limit)
			assert_int_equal(near.distance, d);
	}
}

static void test_long_names(void **state)
{
	char longest[128], other[128], over[600];

	(void)state;
	memset(longest, 'n', 127);
	longest[127] = '\0';
	memcpy(other, longest, 128);
	other[60] = 'm';
	memset(over, 'n', 599);
	over[599] = '\0';
	assert_string_equal(NEAREST(longest, over, other), other);
	assert_null(NEAREST(over, over, longest));
}

/* ---- the ledger ---- */

static void tell(struct lost *l, enum loss kind, uint64_t count, bool final)
{
	l->local[kind] = count;
	lost_read(l);
	lost_report(l, NULL, 1, final);
}

/* It grows and grows: that is said once, and how much it came to, at the end. */
static void test_losses(void **state)
{
	struct lost l = { .map_fd = -1 };
	const char *text;

	(void)state;
	log_quiet(false);
	capture();
	tell(&l, LOSS_FAULT, 576, false);
	text = captured();
	assert_non_null(strstr(
		text, "so far, 576 values that could not be read\n  the records show <fault>"));
	SAYS(tell(&l, LOSS_FAULT, 1159, false), "");
	SAYS(tell(&l, LOSS_FAULT, 1730, false), "");
	capture();
	tell(&l, LOSS_RING_FULL, 3, false);
	text = captured();
	assert_non_null(strstr(text, "warning: so far, 3 records lost"));
	assert_null(strstr(text, "values"));
	capture();
	tell(&l, LOSS_RING_FULL, 5, true);
	text = captured();
	assert_null(strstr(text, "so far"));
	assert_non_null(strstr(
		text,
		"warning: in total, 5 records lost: the ring buffer was full\n  use a larger --buffer"));
	assert_non_null(
		strstr(text, ": in total, 1730 values that could not be read\n  the records"));
	log_quiet(true);
	capture();
	tell(&l, LOSS_FAULT, 1731, true);
	text = captured();
	assert_null(strstr(text, "1731"));
	assert_null(strstr(text, "their records"));
	assert_non_null(strstr(text, "5 records lost"));
	log_quiet(false);
}

/* One is one, and what was not reported before is not called a total. */
static void test_losses_once(void **state)
{
	static const char *const ones[LOSS_MAX] = {
		[LOSS_RING_FULL] = ": warning: 1 record lost: the ring buffer was full\n",
		[LOSS_MAP_FULL] = ": warning: 1 record lost: too many calls in flight\n",
		[LOSS_NO_ENTRY] = ": 1 return of a call that began before the tracing\n",
		[LOSS_FAULT] = ": 1 value that could not be read\n",
		[LOSS_CUT] = ": 1 value cut to fit\n",
		[LOSS_RECURSION] =
			": warning: 1 event missed: the probe was already running on that CPU\n",
		[LOSS_MISSED] = ": warning: 1 event missed by the kernel's own probes\n",
		[LOSS_NO_RETURN] = ": 1 call that never returned\n",
		[LOSS_REPLACED] = ": 1 start replaced by a later one with the same key\n",
		[LOSS_KEYS_FULL] = ": warning: 1 call not counted: no room for more keys\n",
		[LOSS_PROCESS] =
			": warning: 1 process not followed at the fork: events there are missing\n",
		[LOSS_STACKS_FULL] = ": 1 stack not kept: no room for more\n",
		[LOSS_NOT_LEFT] = ": 1 call of --in or $depth whose return was not seen\n",
		[LOSS_TOO_DEEP] =
			": 1 call of --in nested too deeply to store the values of @in( )\n",
		[LOSS_GONE] =
			": warning: 1 module or file gone with the probes in it: events of its successor are missing\n",
		[LOSS_LOOKUP] = ": warning: 1 event lost: the kernel did not find their memory\n",
		[LOSS_ROUNDS] = ": 1 loop cut short: the kernel does not allow so many rounds\n",
		[LOSS_TORN] = ": warning: 1 tree torn by lost events, and not shown\n",
		[LOSS_OUTPUT] = ": warning: 1 record lost: not written before the end\n",
		[LOSS_BEGIN_BUSY] = ": warning: 1 start lost: the place of the key was in use\n",
		[LOSS_END_BUSY] = ": warning: 1 end lost: the place of the key was in use\n",
		[LOSS_SWITCHED_OFF] =
			": warning: 1 time tracing was switched off in the kernel: events of that time are missing\n",
		[LOSS_CPU] =
			": warning: 1 processor came online and cannot be sampled: samples there are missing\n",
	};

	(void)state;
	for (int i = 0; i < LOSS_MAX; i++) {
		struct lost l = { .map_fd = -1 };
		const char *text;

		capture();
		tell(&l, i, 1, true);
		text = captured();
		if (!strstr(text, ones[i]))
			fail_msg("%s%s", text, ones[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	  cmocka_unit_test(test_messages),
		cmocka_unit_test(test_errno),	  cmocka_unit_test(test_hints_fit),
		cmocka_unit_test(test_levels),	  cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_caret),	  cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_distances), cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_losses),	  cmocka_unit_test(test_losses_once),
		cmocka_unit_test(test_busy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
