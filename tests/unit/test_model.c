/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_model.c - what is to be traced: whose an option is, in which order probes come, and where in the user's text the
 * bytes of an expression are.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets.h"
#include "front/notation/notation.h"
#include "model/model.h"
#include "unit.h"

static const struct option_spec spec_if = { .name = "if", .setting = MODEL_IF, .arg = "EXPR" };
static const struct option_spec spec_return = { .name = "return",
						.letter = 'r',
						.setting = MODEL_RETURN };
static const struct option_spec spec_until = { .name = "until", .setting = MODEL_UNTIL };
static const struct option_spec spec_on = { .name = "on", .setting = MODEL_ON };
static const struct option_spec spec_count = { .name = "count",
					       .setting = MODEL_MEASURE,
					       .may_be_bare = true };
static const struct option_spec spec_and = { .name = "and", .setting = MODEL_AND };

/* Fills the model with words as the option parser does. */
static void fill(struct model *m, const char *words)
{
	static const struct option_spec *const specs[] = { &spec_if, &spec_until, &spec_on,
							   &spec_and };
	char copy[256], *word, *rest = copy;
	bool is_behind = false;

	snprintf(copy, sizeof(copy), "%s", words);
	while ((word = strtok_r(rest, " ", &rest))) {
		const struct option_spec *spec = NULL;

		for (size_t i = 0; i < COUNT(specs); i++)
			if (!strncmp(word, "--", 2) && !strcmp(word + 2, specs[i]->name))
				spec = specs[i];
		if (!strcmp(word, "-r"))
			assert_null(model_option_add(m, &spec_return, model_typed(NULL)));
		else if (!strcmp(word, "--count"))
			assert_null(model_option_add(m, &spec_count, model_typed(NULL)));
		else if (spec)
			assert_null(
				model_option_add(m, spec, model_typed(strtok_r(rest, " ", &rest))));
		else
			assert_int_equal(model_word_add(m, word, is_behind), 0);
		is_behind = !strcmp(word, "--count");
	}
}

/* The texts of one kind of option that hold for a probe, with blanks between. */
static const char *texts_of(const struct model *m, const struct model_probe *p,
			    enum model_setting setting)
{
	static char text[256];
	size_t len = 0;

	text[0] = 0;
	model_each(o, m, p, setting) len += snprintf(text + len, sizeof(text) - len, "%s%s",
						     len ? " " : "", o->text.text ?: "-");
	return text;
}

static void expect_texts(const struct model *m, unsigned number, enum model_setting setting,
			 const char *want)
{
	assert_string_equal(texts_of(m, number ? model_probe_at(m, number) : NULL, setting), want);
}

static void test_own(void **state)
{
	struct model m = { 0 };

	(void)state;
	fill(&m, "--if a f x --if b -r y --count n --and g --if c --count --until h");
	assert_int_equal(model_end(&m), 0);
	assert_int_equal(m.count, 2);
	expect_texts(&m, 0, MODEL_IF, "a");
	expect_texts(&m, 1, MODEL_IF, "a b");
	expect_texts(&m, 2, MODEL_IF, "a c");
	expect_texts(&m, 1, MODEL_MEASURE, "n");
	expect_texts(&m, 2, MODEL_MEASURE, "-");
	expect_texts(&m, 1, MODEL_RETURN, "-");
	expect_texts(&m, 2, MODEL_RETURN, "");
	expect_texts(&m, 1, MODEL_UNTIL, "");
	expect_texts(&m, 2, MODEL_UNTIL, "h");
	assert_int_equal(model_probe_at(&m, 1)->expr_count, 2);
	assert_string_equal(model_probe_at(&m, 1)->texts[1], "y");
	assert_string_equal(model_probe_at(&m, 2)->attach.text, "g");
	model_free(&m);
}

/* An option of the only probe applies to all; --count before it has no name. */
static void test_single(void **state)
{
	struct model m = { 0 };

	(void)state;
	fill(&m, "--count f --if b --count n");
	assert_int_equal(model_end(&m), 0);
	assert_int_equal(m.probes[0].own.count, 0);
	expect_texts(&m, 0, MODEL_IF, "b");
	expect_texts(&m, 0, MODEL_MEASURE, "- n");
	assert_string_equal(m.probes[0].attach.text, "f");
	model_free(&m);
}

static void test_loaded(void **state)
{
	struct model m = { 0 };

	(void)state;
	fill(&m, "--if a f --if b");
	model_load_begin(&m, "file");
	fill(&m, "--if c g --if d --and h");
	assert_int_equal(model_end(&m), 0);
	assert_string_equal(model_probe_at(&m, 1)->attach.text, "g");
	assert_string_equal(model_probe_at(&m, 2)->attach.text, "h");
	assert_string_equal(model_probe_at(&m, 3)->attach.text, "f");
	assert_null(model_probe_at(&m, 4));
	assert_true(model_probe_at(&m, 1)->is_loaded && !model_probe_at(&m, 3)->is_loaded);
	expect_texts(&m, 1, MODEL_IF, "a c d");
	expect_texts(&m, 3, MODEL_IF, "a c b");
	model_free(&m);
}

static void test_refused(void **state)
{
	struct model m = { 0 };

	(void)state;
	fill(&m, "f --until a --and g --until b");
	assert_int_equal(model_end(&m), 0);
	assert_false(model_is_twice(&m, MODEL_UNTIL));
	model_free(&m);
	fill(&m, "--until a --until b f --and g");
	assert_int_equal(model_end(&m), 0);
	assert_true(model_is_twice(&m, MODEL_UNTIL));
	model_free(&m);
	fill(&m, "--and f --and g");
	assert_int_equal(model_end(&m), -EINVAL);
	model_free(&m);
	assert_non_null(model_option_add(&m, &spec_if, model_typed("")));
	for (int i = 0; i < OPTION_LIST_MAX; i++)
		assert_null(model_option_add(&m, &spec_if, model_typed("x")));
	assert_non_null(model_option_add(&m, &spec_if, model_typed("x")));
	assert_null(model_option_add(&m, &spec_on, model_typed("x")));
	model_free(&m);
}

/* The end of one probe replaces that of all, and with it what belongs to that pair. */
static void test_own_end(void **state)
{
	struct model m = { 0 };
	const struct model_option *o;

	(void)state;
	fill(&m, "--until a --on x f --and g --until b --on y");
	assert_int_equal(model_end(&m), 0);
	assert_false(model_is_twice(&m, MODEL_UNTIL));
	o = model_next(&m, model_probe_at(&m, 1), MODEL_ON, NULL);
	assert_string_equal(o->text.text, "x");
	assert_null(model_next(&m, model_probe_at(&m, 1), MODEL_ON, o));
	o = model_next(&m, model_probe_at(&m, 2), MODEL_ON, NULL);
	assert_string_equal(o->text.text, "y");
	assert_null(model_next(&m, model_probe_at(&m, 2), MODEL_ON, o));
	o = model_next(&m, model_probe_at(&m, 2), MODEL_UNTIL, NULL);
	assert_string_equal(o->text.text, "b");
	model_free(&m);
	/* without an end of its own, its key is added to those of all */
	fill(&m, "--until a --on x f --and g --on y");
	assert_int_equal(model_end(&m), 0);
	o = model_next(&m, model_probe_at(&m, 2), MODEL_ON, NULL);
	assert_non_null(model_next(&m, model_probe_at(&m, 2), MODEL_ON, o));
	model_free(&m);
	fill(&m, "--until a --on x f --until b");
	assert_int_equal(model_end(&m), 0);
	assert_false(model_is_twice(&m, MODEL_UNTIL));
	assert_null(model_next(&m, model_probe_at(&m, 1), MODEL_ON, NULL));
	model_free(&m);
}

static void test_written(void **state)
{
	struct model m = { 0 };
	struct buf o;

	(void)state;
	fill(&m, "--if a f -r x --on b --if c --and g --count n");
	buf_init(&o, -1);
	model_command_write(&o, &m);
	buf_char(&o, 0);
	assert_string_equal(o.data, " --if a f -r x --on b --if c --and g --count=n");
	o.len = 0;
	assert_int_equal(model_end(&m), 0);
	model_probe_write(&o, model_probe_at(&m, 1));
	buf_char(&o, 0);
	assert_string_equal(o.data, "f x --if c --return --on b");
	buf_free(&o);
	model_free(&m);
}

/* ---- places ---- */

/* The message of a caret, which goes to stderr. */
static const char *caret_text(const struct model *m, const char *text, size_t start, size_t end)
{
	static char said[512];
	FILE *f = tmpfile();
	int kept = dup(STDERR_FILENO);
	size_t len;

	assert_non_null(f);
	dup2(fileno(f), STDERR_FILENO);
	model_caret(model_text_of(m, text), text, start, end);
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	rewind(f);
	len = fread(said, 1, sizeof(said) - 1, f);
	said[len] = 0;
	fclose(f);
	return said;
}

/* The bytes below the caret, of the line above it. */
static void expect_caret(const struct model *m, const char *text, const char *at, size_t len,
			 const char *line, const char *want)
{
	const char *said = caret_text(m, text, at - text, at - text + len), *caret;
	size_t indent, below;

	assert_non_null(strstr(said, line));
	caret = strchr(said, '\n') + 1;
	indent = strspn(caret, " ");
	below = strspn(caret + indent, "^~");
	assert_int_equal(below, strlen(want));
	assert_memory_equal(said + indent, want, below);
}

/* Both probes have the same expression: the caret is below the one that is meant. */
static void test_same_texts(void **state)
{
	static const char line[] = "p::vfs_read (arg3 > 7) \"%d %d\", arg3 + 1, arg3 + 1";
	struct model m = { 0 };
	struct notation n;
	const struct model_text *first, *second;
	char *want;

	(void)state;
	notation_init(&n, line, &m);
	notation_trace(&n, false);
	assert_false(n.failed);
	assert_int_equal(model_end(&m), 0);
	first = &m.probes[0].exprs[0];
	second = &m.probes[0].exprs[1];
	assert_non_null(strstr(first->text, "$arg3 + 1"));
	for (int i = 0; i < 2; i++) {
		const struct model_text *t = i ? second : first;
		const char *at = strstr(t->text, "$arg3");
		const char *said = caret_text(&m, t->text, at - t->text, at - t->text + 5);
		const char *place = strstr(line, "arg3 + 1");

		place = i ? strstr(place + 1, "arg3 + 1") : place;
		assert_int_equal(strspn(strchr(said, '\n') + 1, " ") - 4, place - line);
	}
	want = "p::vfs_read";
	expect_caret(&m, m.probes[0].attach.text, m.probes[0].attach.text, 3, line, want);
	assert_int_equal(m.probes[0].attach.place_count, 1);
	want = "arg3 > 7";
	expect_caret(&m, m.all.list[0].text.text, m.all.list[0].text.text,
		     strlen(m.all.list[0].text.text), line, want);
	notation_free(&n);
	model_free(&m);
}

/* In a text that is copied unchanged, each byte has its place. */
static void test_same_bytes(void **state)
{
	static const char line[] = "  vfs_re-ad \"%d\", arg3 + 12";
	struct model m = { 0 };
	struct notation n;
	const char *text;

	(void)state;
	notation_init(&n, line, &m);
	notation_trace(&n, false);
	assert_false(n.failed);
	text = m.probes[0].attach.text;
	expect_caret(&m, text, strchr(text, '-'), 1, line, "-");
	text = m.probes[0].exprs[0].text;
	expect_caret(&m, text, strchr(text, '2'), 1, line, "2");
	expect_caret(&m, text, strchr(text, '+'), 1, line, "arg3 + 12");
	notation_free(&n);
	model_free(&m);
}

/* A piece of --on or --by that was cut off is found in what the user typed. */
static void test_pieces(void **state)
{
	static const char line[] = "p::vfs_read():u64,u64:arg3,arg3->nosuch";
	const char *pieces[4];
	const struct model_option *by;
	struct model m = { 0 };
	struct notation n;
	size_t count = 0;

	(void)state;
	notation_init(&n, line, &m);
	notation_argdist(&n, false, 0, true);
	assert_false(n.failed);
	assert_int_equal(model_end(&m), 0);
	by = model_next(&m, NULL, MODEL_BY, NULL);
	assert_non_null(by);
	for (int again = 0; again < 2; again++) {
		count = 0;
		assert_int_equal(
			option_list_split("by", model_cut(by), pieces, COUNT(pieces), &count), 0);
		assert_int_equal(count, 2);
	}
	expect_caret(&m, pieces[1], strstr(pieces[1], "->nosuch") + 2, 6, line, "arg3->nosuch");
	assert_string_equal(by->text.text, "arg3=$arg3,nosuch=$arg3->nosuch");
	assert_null(model_text_of(&m, line));
	notation_free(&n);
	model_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own),	   cmocka_unit_test(test_single),
		cmocka_unit_test(test_loaded),	   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_own_end),	   cmocka_unit_test(test_written),
		cmocka_unit_test(test_same_texts), cmocka_unit_test(test_same_bytes),
		cmocka_unit_test(test_pieces),
	};

	applets = applets_all;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
