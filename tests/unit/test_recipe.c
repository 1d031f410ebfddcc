/* SPDX-License-Identifier: GPL-2.0-only */
/* test_recipe.c - texts of recipes, and what they make of the model, as argdump's command line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets.h"
#include "front/recipe/recipe.h"
#include "util/buf.h"
#include "util/escape.h"

#include "unit.h"

static void set_option(struct recipe *r, const char *option, const char *value)
{
	for (size_t i = 0; option && i < r->option_count; i++) {
		if (strcmp(r->options[i].spec.name, option))
			continue;
		r->options[i].is_given = true;
		r->options[i].value = value;
	}
}

/* The words for a recipe, of which one option was given; NULL: none was. */
static char *words_of(struct recipe *r, const char *text, const char *option, const char *value)
{
	struct model m = { 0 };
	struct buf o;

	buf_init(&o, -1);
	assert_int_equal(recipe_parse(r, strdup(text), "test"), 0);
	set_option(r, option, value);
	for (size_t i = 0; i < r->argument_count; i++)
		r->arguments[i].value = value;
	assert_int_equal(recipe_fill(r, &m, option && !strcmp(option, "folded"), NULL), 0);
	model_command_write(&o, &m);
	buf_char(&o, 0);
	model_free(&m);
	return o.data;
}

static void expect(const char *text, const char *option, const char *value, const char *words)
{
	struct recipe r;
	char *got = words_of(&r, text, option, value);

	assert_string_equal(got + 1, words);
	free(got);
	recipe_free(&r);
}

static void test_head(void **state)
{
	struct recipe r;

	(void)state;
	assert_int_equal(recipe_parse(&r,
				      strdup("# first\nrecipe a: b: c\n  one\n  two\n\n  three\n\n"
					     "theme disks\nvfs_read count\n  pos\n"
					     "example -x y: what: it\nexample : all\n"),
				      "test"),
			 0);
	assert_string_equal(r.name, "a");
	assert_string_equal(r.summary, "b: c");
	assert_string_equal(r.theme.text, "disks");
	assert_string_equal(r.description.data, "one two\n\nthree");
	assert_int_equal(r.line_count, 1);
	assert_string_equal(r.lines[0].text, "vfs_read count pos");
	assert_int_equal(r.example_count, 2);
	assert_string_equal(r.examples[0].command, "a -x y");
	assert_string_equal(r.examples[0].what, "what: it");
	assert_string_equal(r.examples[1].command, "a");
	recipe_free(&r);
}

static void test_definitions(void **state)
{
	(void)state;
	expect("d = a->b ?? c\nf d d=d x=d d:x 'd + 1' p->d $d @d '(struct d *)p' --if 'd > 1'",
	       NULL, NULL,
	       "f 'd=a->b ?? c' 'd=a->b ?? c' 'x=a->b ?? c' 'd=(a->b ?? c):x' '(a->b ?? c) + 1' 'p->d' "
	       "'$d' @d '(struct d *)p' --if '(a->b ?? c) > 1'");
	expect("d = p:str\nf d d:x 'd == \"d\"' '1 ? d : d' --by 'd,x=d , e' --on d --if d", NULL,
	       NULL,
	       "f d=p:str d=p:x 'p == \"d\"' '1 ? p : p' --by 'd=p:str,x=p:str , e' --on p --if p");
	expect("a = b + 1\nb = 2 * c\nf a", NULL, NULL, "f 'a=(2 * c) + 1'");
}

static void test_options(void **state)
{
	static const char text[] = "recipe a: b\noption -m, --min US: h\n  min = US * 1000\n"
				   "option -D, --disk DISK: h\n  --if 'd == \"DISK\" && DISK'\n"
				   "option -Q, --queue: h\n  --by d\n"
				   "min = 5\nf --hist '$lat / min'\n--top 3\ncolumns d\n";

	(void)state;
	expect(text, NULL, NULL, "--top 3 --show d f --hist '$lat / 5'");
	expect(text, "folded", NULL, "--show d f --hist '$lat / 5'");
	expect(text, "min", "7", "--top 3 --show d f --hist '$lat / (7 * 1000)'");
	expect(text, "disk", "s\"a",
	       "--if 'd == \"s\\\"a\" && (s\"a)' --top 3 --show d f --hist '$lat / 5'");
	expect(text, "queue", NULL, "--by d --top 3 --show d f --hist '$lat / 5'");
}

static void test_instead(void **state)
{
	static const char text[] =
		"recipe a: b\noption --times: h\n  instead f --count --by d\n  instead h --count\n"
		"option --not N: h\n  --if 'd != N'\nd = e->f\ng d x=d:x\n--until z\ncolumns d, x\n";

	(void)state;
	expect(text, NULL, NULL, "--until z --columns 'd, x' g 'd=e->f' 'x=(e->f):x'");
	expect(text, "not", "7",
	       "--if '(e->f) != 7' --until z --columns 'd, x' g 'd=e->f' 'x=(e->f):x'");
	expect(text, "times", NULL, "f --count --by 'd=e->f' --and h --count");
}

static void test_arguments(void **state)
{
	(void)state;
	expect("recipe a: b\noption --lock LOCK: h\n  --if 'l == &@LOCK && @end(LOCK2)'\nf\n",
	       "lock", "a_mutex", "--if 'l == &@a_mutex && @end(LOCK2)' f");
	expect("recipe a: b\nargument FUNC: h\nFUNC -r x=FUNC\nt:FUNC --until u:a:FUNC\n", NULL,
	       "g_*", "'g_*' -r 'x=(g_*)' --and 't:g_*' --until 'u:a:g_*'");
	/* as they are written */
	expect("-s 7\nf -r x --if y\n--duration 5\ng --return\n", NULL, NULL,
	       "-s 7 --duration 5 f -r x --if y --and g --return");
	expect("recipe a: b\nargument HZ: h\nhz:HZ -1\ncolumns x, y\n", NULL, "99",
	       "--columns 'x, y' hz:99 -1");
}

/* What the value of an option becomes; NULL: it is refused. */
static const char *kind_of(const char *arg, const char *value)
{
	static struct recipe r;
	char *text;

	recipe_free(&r);
	assert_true(asprintf(&text, "recipe a: b\noption -x, --x %s: h\n  --if 'y == %s'\nf y\n",
			     arg, arg) > 0);
	assert_int_equal(recipe_parse(&r, text, "test"), 0);
	r.options[0].value = value;
	return recipe_values_read(&r) ? NULL : r.options[0].value;
}

static void test_kinds(void **state)
{
	static const struct {
		const char *arg, *value, *is;
	} cases[] = {
		{ "SIGNAL", "KILL", "9" },
		{ "SIGNAL", "SIGKILL", "9" },
		{ "SIGNAL", "sigusr1", "10" },
		{ "SIGNAL", "9", "9" },
		{ "SIGNAL", "0", "0" },
		{ "SIGNAL", "64", "64" },
		{ "SIGNAL", "65", NULL },
		{ "SIGNAL", "KILLL", NULL },
		{ "SIGNAL", "SIG", NULL },
		{ "SIGNAL", "", NULL },
		{ "SIGNAL", "-1", NULL },
		{ "SIGNAL", "1 || 1", NULL },
		{ "SIGNAL", "CLD", "17" },
		{ "SIGNAL", "RTMIN", "34" },
		{ "SIGNAL", "SIGRTMIN+2", "36" },
		{ "SIGNAL", "RTMAX-1", "63" },
		{ "SIGNAL", "RTMIN-1", NULL },
		{ "STATE", "D", "2" },
		{ "STATE", "t", "8" },
		{ "STATE", "T", "4" },
		{ "STATE", "Q", NULL },
		{ "STATE", "2", NULL },
		{ "SYSCALL", "read", "0" },
		{ "SYSCALL", "READ", NULL },
		{ "CAP", "net_admin", "12" },
		{ "CAP", "CAP_SYS_ADMIN", "21" },
		{ "CAP", "nothing", NULL },
		{ "N", "5", "5" },
		{ "N", "five", NULL },
		{ "N", "64K", "64K" },
		{ "PORT", "443", "443" },
		{ "PORT", "65536", NULL },
		{ "PORT", "80K", NULL },
		{ "N", "5ms", NULL },
		{ "MS", "10", "10000000" },
		{ "MS", "0", "0" },
		{ "MS", "0.1", "100000" },
		{ "MS", "10us", "10000" },
		{ "MS", "2s", "2000000000" },
		{ "US", "7", "7000" },
		{ "US", "1ms", "1000000" },
		{ "NS", "99", "99" },
		{ "MS", "-1", NULL },
		{ "MS", "10 ms", NULL },
		{ "MS", "10x", NULL },
		{ "MS", "1e30", NULL },
		{ "MS", "", NULL },
		{ "SEC", "0.5", "0.5" },
		{ "SEC", "500ms", "500ms" },
		{ "SEC", "five", NULL },
		{ "AGE", "0.5", "500000ns" },
		{ "AGE", "2s", "2000000000ns" },
		{ "TEXT", "KILL", "KILL" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *is = kind_of(cases[i].arg, cases[i].value);

#ifndef __x86_64__
		if (!strcmp(cases[i].arg, "SYSCALL"))
			continue;
#endif
		if (!is != !cases[i].is || (is && strcmp(is, cases[i].is)))
			fail_msg("%s %s: %s", cases[i].arg, cases[i].value, is ?: "refused");
	}
}

/* What is wrong, and is said with the line. */
static void test_wrong(void **state)
{
	static const char *const texts[] = {
		"recipe a b\nf",
		"recipe a/b: c\nf",
		"recipe a: b\nrecipe a: b\nf",
		"recipe a: b\n",
		"option -x: h\nf",
		"option --long ARG MORE: h\nf",
		"option -p, --port P: h\nf",
		"option --interval P: h\nf",
		"option -x, --a: h\noption --a: h\nf",
		"argument a b: c\nf",
		"f\n\n  \nexample x: y",
		"  indented\nf",
		"columns a\ncolumns b\nf",
		"f\nprogram\nbegin {}",
		"recipe a: b\nprogram\n\x1b",
	};
	struct recipe r;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (recipe_parse(&r, strdup(texts[i]), "test") != -EINVAL)
			fail_msg("taken: %s", texts[i]);
		recipe_free(&r);
	}
}

static void test_wrong_lines(void **state)
{
	static const char *const texts[] = {
		"a = b\nb = a\nf a", "f --nosuch",  "f --top", "f 'x",
		"f --top 3 --top 3", "--load x\nf", "f -o x",  "--string 5 x\nf"
	};
	struct model m = { 0 };
	struct recipe r;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(recipe_parse(&r, strdup(texts[i]), "test"), 0);
		if (recipe_fill(&r, &m, false, NULL) != -EINVAL)
			fail_msg("taken: %s", texts[i]);
		recipe_free(&r);
		model_free(&m);
	}
}

static void expect_program(const char *text, const char *option, const char *value,
			   const char *program)
{
	const char *got = "";
	struct options o = {};
	struct recipe r;

	assert_int_equal(recipe_parse(&r, strdup(text), "test"), 0);
	set_option(&r, option, value);
	assert_int_equal(recipe_program(&r, &o, &got), program ? 0 : -EINVAL);
	assert_string_equal(got, program ?: "");
	assert_int_equal(o.limits.duration_ns, option && !strcmp(option, "sec") ? 7000000000 : 0);
	recipe_free(&r);
}

/* What an option defines replaces what the recipe defines; the program is as it was written. */
static void test_program(void **state)
{
	static const char text[] =
		"recipe a: b\noption -m, --min MS: h\n  least = MS * 2\noption -y, --who NAME: h\n"
		"  wanted = \"NAME\"\nleast = 0\nwanted = \"*\"\nprogram\n\n  x /y/ { z; }\n# w\n";
	static const char behind[] = "\n  x /y/ { z; }\n# w\n";
	char program[256];

	(void)state;
	snprintf(program, sizeof(program), "#define least (0)\n#define wanted (\"*\")\n%s", behind);
	expect_program(text, NULL, NULL, program);
	snprintf(program, sizeof(program), "#define wanted (\"*\")\n#define least (5 * 2)\n%s",
		 behind);
	expect_program(text, "min", "5", program);
	snprintf(program, sizeof(program), "#define least (0)\n#define wanted (\"a b\")\n%s",
		 behind);
	expect_program(text, "who", "a b", program);
	expect_program("option -x, --long: h\n  --if x\nprogram\nbegin {}\n", NULL, NULL, NULL);
	expect_program("option -s, --sec SEC: h\n  --duration SEC\nprogram\nbegin {}\n", "sec", "7",
		       "begin {}\n");
	expect_program("option -s, --sec SEC: h\n  --duration 5\nprogram\nbegin {}\n", NULL, NULL,
		       NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),	  cmocka_unit_test(test_definitions),
		cmocka_unit_test(test_options),	  cmocka_unit_test(test_instead),
		cmocka_unit_test(test_arguments), cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_wrong),	  cmocka_unit_test(test_wrong_lines),
		cmocka_unit_test(test_program),
	};

	applets = applets_all;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
