/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_notation.c - one-liners of bpftrace and bcc → words: those of tests/cli/notations.case that
 * have no options, and programs that are damaged anywhere.
 */
#include "unit.h"
#include "front/notation/notation.h"
#include "util/escape.h"
#include "util/shell_words.h"

static char *const none[] = { NULL };

/* false: this command line is not one program alone. */
static bool translate(struct notation *n, char **words, int count)
{
	bool is_bt = !strcmp(words[0], "bt");

	if (is_bt || !strcmp(words[0], "argdist") ? count != 3 : count != 2)
		return false;
	notation_init(n, words[count - 1]);
	n->params = is_bt ? none : NULL;
	if (is_bt)
		notation_bpftrace(n);
	else if (count == 2)
		notation_trace(n, 0, false);
	else
		notation_argdist(n, !strcmp(words[1], "-H"), 0, true);
	return true;
}

/* Behind " <- " is what the caret is below. */
static void place_check(const struct notation *n, const char *line, const char *place)
{
	size_t len = n->error.end - n->error.start;

	if (n->failed && (strlen(place) != len || memcmp(place, n->text + n->error.start, len)))
		fail_msg("%s\n  caret below %.*s\n  want        %s", line, (int)len,
			 n->text + n->error.start, place);
}

static void compare(const struct notation *n, const char *line, const char *want)
{
	const char *place = strstr(want, " <- ");
	struct buf o;

	want += !strncmp(want, "~ ", 2) * 2;
	buf_init(&o, -1);
	if (n->failed) {
		buf_printf(&o, "! %s", n->error.message);
		assert_true(n->error.start <= n->error.end && n->error.end <= strlen(n->text));
	} else if (!n->count) {
		buf_printf(&o, "- %s", n->banner);
		o.len -= o.data[o.len - 1] == '\n';
	} else {
		buf_str(&o, "argdump");
	}
	for (size_t i = 0; i < n->count && !n->failed; i++) {
		buf_char(&o, ' ');
		escape_write_shell(&o, n->words[i], strlen(n->words[i]));
	}
	if (place) {
		place_check(n, line, place + 4);
		buf_str(&o, place);
	}
	buf_char(&o, 0);
	if (strcmp(o.data, want) && strncmp(want, "- ", 2))
		fail_msg("%s\n  is   %s\n  want %s", line, o.data, want);
	buf_free(&o);
}

static void line_check(const char *line, const char *want, size_t *checked)
{
	char copy[1024], *words[16];
	struct notation n;
	size_t at;
	int count;

	snprintf(copy, sizeof(copy), "%s", line);
	count = shell_words_split(copy, words, COUNT(words), &at);
	assert_true(count > 1);
	if (!translate(&n, words, count))
		return;
	++*checked;
	compare(&n, line, want);
	notation_free(&n);
}

static void test_cases(void **state)
{
	FILE *f = fopen("tests/cli/notations.case", "r");
	char line[1024], want[8192];
	size_t checked = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || !line[0])
			continue;
		assert_non_null(fgets(want, sizeof(want), f));
		want[strcspn(want, "\n")] = 0;
		line_check(line, want + 1, &checked);
	}
	fclose(f);
	assert_true(checked > 90);
}

/* Each beginning of a program is one, or has a mistake in it. */
static void test_beginnings(void **state)
{
	static const char program[] =
		"kprobe:a /pid == 1 && @x[tid]/ { @x[tid] = nsecs; if (arg0 > 1) { printf(\"%d\", "
		"arg1); } else { $y = (struct file *)arg0; print($y->f_inode); } } kretprobe:a { @ = "
		"lhist(nsecs - @x[tid], 0, 100, 10); } interval:s:1 { print(@); clear(@); } END { }";
	struct notation n;
	char text[512];

	(void)state;
	for (size_t len = 0; len <= strlen(program); len++) {
		memcpy(text, program, len);
		text[len] = 0;
		notation_init(&n, text);
		n.params = none;
		notation_bpftrace(&n);
		assert_true(n.failed ? n.error.message[0] && n.error.end <= len : n.count > 0);
		notation_free(&n);
	}
}

static void check_one(const char *program, const char *want)
{
	struct notation n;

	notation_init(&n, program);
	n.params = none;
	notation_bpftrace(&n);
	compare(&n, program, want);
	notation_free(&n);
}

static void test_units(void **state)
{
	(void)state;
	check_one("profile:s:1 { @ = count() }", "argdump hz:1 --count");
	check_one("profile:us:100 { @ = count() }", "argdump hz:10000 --count");
	check_one("interval:ms:250 { @ = count() }", "argdump every:250ms --count");
	check_one("interval:us:1500 { @ = count() }", "argdump every:1500us --count");
	check_one("interval:hz:4 { @ = count() }", "argdump every:250ms --count");
	check_one("kprobe:a { @ = count() } interval:ms:2500 { print(@) }",
		  "argdump --interval 2.500000 a --count");
	check_one("software:cs: { @ = count() }", "argdump sw:context-switches --count");
	check_one("profile:fortnights:1 { @ = count() }", "! this needs a unit and a number");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_beginnings),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
