/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_recipe.c - damaged recipes, with odd values for their options. They may be refused; of one that is
 * taken all words are there, and end.
 *
 *	fuzz_recipe [COUNT [SEED]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets.h"
#include "front/recipe/recipe.h"
#include "fuzz.h"

enum { TEXTS_MAX = 256, TEXT_MAX = 4096, WORDS_MAX = 257 };

static char *texts[TEXTS_MAX];
static size_t text_count;

static void text_keep(char *text, const char *path, void *ctx)
{
	(void)path;
	(void)ctx;
	if (text_count < TEXTS_MAX && strlen(text) < TEXT_MAX / 2)
		texts[text_count++] = text;
	else
		free(text);
}

static const char *const pieces[] = {
	"\n",
	"\n  ",
	"option -x, --y Z: h\n  ",
	"argument FUNC: h\n",
	"x = x\n",
	" = ",
	"--if ",
	"--by ",
	"'",
	"\"",
	"\\",
	"??",
	"?",
	":",
	"=",
	",",
	"(",
	"->",
	"@end(",
	"$lat",
	"$depth",
	"$irq",
	"--and ",
	"--count ",
	"columns ",
	"recipe a: b\n",
	"example ",
	"-r ",
	"-",
	"--",
	"#",
	"FUNC",
	"MS",
	"disk",
	"min",
	"\t",
	" ",
	"\xff",
	"[",
	"-:a",
	"--hist x=y ",
	"theme t\n",
};

/* Puts a piece, a line of another recipe, or nothing in place of some bytes. */
static void damage(struct chance *c, char *text)
{
	size_t len = strlen(text), at = chance_below(c, len + 1), cut = chance_below(c, 8);
	const char *other = texts[chance_below(c, text_count)];
	char rest[TEXT_MAX * 2], put[256] = "";

	if (chance_below(c, 3))
		snprintf(put, sizeof(put), "%s",
			 pieces[chance_below(c, sizeof(pieces) / sizeof(pieces[0]))]);
	else if (chance_below(c, 2))
		snprintf(put, sizeof(put), "\n%.*s\n", (int)(20 + chance_below(c, 100)),
			 other + chance_below(c, strlen(other)));
	snprintf(rest, sizeof(rest), "%s", text + (at + cut < len ? at + cut : len));
	snprintf(text + at, TEXT_MAX * 2 - at, "%s%s", put, rest);
	text[TEXT_MAX - 1] = 0;
}

static void values_give(struct chance *c, struct recipe *r)
{
	static const char *const values[] = { "5", "a\"b", "",	   "x + 1", "\\",
					      "'", "FUNC", "$pid", "-1",    "\xff\n" };

	for (size_t i = 0; i < r->option_count; i++) {
		r->options[i].is_given = chance_below(c, 2);
		if (r->options[i].spec.arg && chance_below(c, 2))
			r->options[i].value =
				values[chance_below(c, sizeof(values) / sizeof(values[0]))];
	}
	for (size_t i = 0; i < r->argument_count; i++)
		r->arguments[i].value = values[chance_below(c, sizeof(values) / sizeof(values[0]))];
}

/* A line is a probe or has options, so there is one of both; and it can be written. */
static void model_check(struct model *m)
{
	struct buf o;

	FUZZ_CHECK(m->count || m->all.count);
	buf_init(&o, -1);
	model_command_write(&o, m);
	FUZZ_CHECK(o.len > 1 && o.len < 1 << 20);
	buf_free(&o);
	if (!model_end(m))
		for (unsigned i = 1; i <= m->count; i++)
			FUZZ_CHECK(model_probe_at(m, i));
}

static bool one_round(struct chance *c)
{
	char *text = malloc(TEXT_MAX * 2);
	struct model m = { 0 };
	struct options options = { 0 };
	const char *program;
	struct recipe r;
	int err;

	snprintf(text, TEXT_MAX * 2, "%s", texts[chance_below(c, text_count)]);
	for (uint32_t n = chance_below(c, 6); n; n--)
		damage(c, text);
	err = recipe_parse(&r, text, "fuzz");
	if (!err)
		values_give(c, &r);
	if (!err && r.program.text) {
		err = recipe_program(&r, &options, &program);
		FUZZ_CHECK(err || strlen(program) < 1 << 20);
	} else if (!err) {
		err = recipe_fill(&r, &m, false, NULL);
		if (!err)
			model_check(&m);
	}
	model_free(&m);
	recipe_free(&r);
	return !err;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size + 1);
	struct model m = { 0 };
	struct recipe r;

	memcpy(text, data, size);
	if (!recipe_parse(&r, text, "fuzz"))
		recipe_fill(&r, &m, false, NULL);
	model_free(&m);
	recipe_free(&r);
	return 0;
}
#else
int main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 0) : 20000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1, good = 0;

	applets = applets_all;
	recipe_each(text_keep, NULL);
	FUZZ_CHECK(text_count && freopen("/dev/null", "w", stderr)); /* each refusal is printed */
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = { ((uint64_t)seed << 40 ^ i) * 0x9e3779b97f4a7c15ull | 1 };

		good += one_round(&c);
	}
	printf("%lu taken, %lu refused\n", good, count - good);
	for (size_t i = 0; i < text_count; i++)
		free(texts[i]);
	return 0;
}
#endif
