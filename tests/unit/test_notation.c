/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_notation.c - one-liners of bcc → probes of the model: those of tests/cli/notations.case that
 * have no options, and programs that are damaged anywhere.
 */
#include "unit.h"
#include "applets.h"
#include "front/notation/notation.h"
#include "util/escape.h"
#include "util/shell_words.h"

/* false: this command line is not one program alone. */
static bool translate(struct notation *n, struct model *m, char **words, int count)
{
	bool is_trace = count == 2 && !strcmp(words[0], "trace");

	if (!is_trace && (count != 3 || strcmp(words[0], "argdist")))
		return false;
	notation_init(n, words[count - 1], m);
	if (is_trace)
		notation_trace(n, false);
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
	} else {
		buf_str(&o, "argdump");
		buf_str(&o, strncmp(line, "argdist", 7) ?
				    "" :
				    " --interval 1 --clear"); /* of the applet */
	}
	if (!n->failed)
		model_command_write(&o, n->model);
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
	struct model m = { 0 };
	struct notation n;
	size_t at;
	int count;

	snprintf(copy, sizeof(copy), "%s", line);
	count = shell_words_split(copy, words, COUNT(words), &at);
	assert_true(count > 1);
	if (!translate(&n, &m, words, count))
		return;
	++*checked;
	compare(&n, line, want);
	notation_free(&n);
	model_free(&m);
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
	assert_true(checked > 40);
}

/* Each beginning of a SPEC is one, or has a mistake in it. */
static void test_beginnings(void **state)
{
	static const char spec[] =
		"r::vfs_read(struct file *f, char *b, size_t n) (n == 1 && retval > 0) \"%d of n=%s\", retval, n";
	struct model m = { 0 };
	struct notation n;
	char text[512];

	(void)state;
	for (size_t len = 0; len <= strlen(spec); len++) {
		memcpy(text, spec, len);
		text[len] = 0;
		notation_init(&n, text, &m);
		notation_trace(&n, false);
		assert_true(n.failed ? n.error.message[0] && n.error.end <= len : m.count == 1);
		notation_free(&n);
		model_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_beginnings),
	};

	applets = applets_all;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
