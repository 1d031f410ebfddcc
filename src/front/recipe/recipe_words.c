/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_words.c - a recipe with the options that were given → words of argdump's command line.
 *
 * Options for all probes come first, those that stand under given options, too; then the probes,
 * with --and between them.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe_spec.h"
#include "front/recipe/recipe.h"
#include "expr/legacy/legacy.h"
#include "cli/option_read.h"
#include "util/log.h"
#include "util/shell_words.h"

enum { WORDS_MAX = 256 };

struct words {
	struct recipe *r;
	char *list[WORDS_MAX + 1];
	size_t count;
	size_t probes;
	const struct recipe_option *from;
	unsigned line;
	const struct option_spec *given[WORDS_MAX]; /* those with one value, outside of options */
	size_t given_count;
};

static int word_add(struct words *w, const char *word)
{
	if (w->count == WORDS_MAX)
		return recipe_wrong(w->r, w->line, "there are too many words", NULL);
	w->list[w->count++] = (char *)word;
	return 0;
}

/* ---- which words are expressions ---- */

static const struct option_spec *spec_search(const struct option_spec *o, const char *word)
{
	for (; o->name; o++)
		if (!strncmp(word, "--", 2) ? !strcmp(o->name, word + 2) :
					      word[1] == o->letter && !word[2])
			return o;
	return NULL;
}

static const struct option_spec *spec_find(const char *word)
{
	const struct applet *argdump = applet_find("argdump");
	const struct option_spec *common = spec_search(options_common, word);

	return spec_search(argdump->options, word)		   ?:
		       common && (common->group & argdump->common) ? common :
								     NULL;
}

/* How an option's value is expanded follows from what its help calls it. */
static enum recipe_word kind_of(const struct option_spec *o)
{
	size_t len = strlen(o->name);

	if (!strncmp(o->arg, "EXPR", 4))
		return len >= 2 && !strcmp(o->name + len - 2, "if") ? RECIPE_EXPR : RECIPE_VALUE;
	if (!strncmp(o->arg, "KEY", 3))
		return RECIPE_EXPR;
	return !strncmp(o->arg, "NAME", 4) ? RECIPE_NAMES : RECIPE_PLAIN;
}

static bool takes_value(const struct option_spec *o)
{
	return o->arg && o->type != OPTION_FLAG && o->type != OPTION_COUNT &&
	       !option_may_be_bare(o);
}

static int expanded_add(struct words *w, const char *word, enum recipe_word kind)
{
	const char *text = recipe_expand(w->r, word, kind, w->from, w->line);

	return text ? word_add(w, text) : -EINVAL;
}

/* Options of the user override those of the lines, but two lines must not differ. */
static int given_check(struct words *w, const struct option_spec *o, const char *word)
{
	if (w->from || option_repeats(o))
		return 0;
	for (size_t i = 0; i < w->given_count; i++)
		if (w->given[i] == o)
			return recipe_wrong(
				w->r, w->line,
				"this option takes one value, and has been given before", word);
	if (w->given_count < WORDS_MAX)
		w->given[w->given_count++] = o;
	return 0;
}

/* --count NAME: what follows could be a PROBE, were it not in the same word. */
static int name_add(struct words *w, const struct option_spec *o, const char *name)
{
	char *word;

	if (asprintf(&word, "--%s=%s", o->name, name) < 0 || !recipe_own(w->r, word))
		return -ENOMEM;
	return word_add(w, word) ?: 2;
}

/* -1 and "-:NAME" are words like others. */
static bool is_option(const char *word)
{
	return word[0] == '-' && (isalpha((unsigned char)word[1]) || (word[1] == '-' && word[2]));
}

/* An option and its value. Returns the number of words that it takes, or -EINVAL. */
static int option_add(struct words *w, char **words, int count)
{
	const struct option_spec *o = spec_find(words[0]);
	int err;

	if (!o && strchr(words[0], '='))
		return recipe_wrong(w->r, w->line, "write --NAME VALUE, not", words[0]);
	if (!o)
		return recipe_wrong(w->r, w->line, "argdump has no such option", words[0]);
	if (o->not_in_files)
		return recipe_wrong(w->r, w->line, "a file cannot have this option", words[0]);
	err = given_check(w, o, words[0]);
	if (err)
		return err;
	if (o->may_be_bare && count > 1 && words[1][0] != '-')
		return name_add(w, o, words[1]);
	err = word_add(w, words[0]);
	if (err || !takes_value(o))
		return err ?: 1;
	if (count < 2)
		return recipe_wrong(w->r, w->line, "a value is missing after", words[0]);
	return expanded_add(w, words[1], kind_of(o)) ?: 2;
}

static int line_words(struct words *w, const struct recipe_line *line, char **words)
{
	size_t at;
	char *copy = recipe_own(w->r, strdup(line->text));
	int count = copy ? shell_words_split(copy, words, WORDS_MAX, &at) : -ENOMEM;

	w->line = line->number;
	if (count == -EINVAL)
		return recipe_wrong(w->r, w->line, "a quote does not end", NULL);
	if (count == -E2BIG)
		return recipe_wrong(w->r, w->line, "there are too many words", NULL);
	return count;
}

/* With its line, unless it is in the kernel's notation, which is read later. */
static int probe_check(const struct words *w, const char *probe, char **line, int count)
{
	struct probe_spec_error error;
	struct probe_spec spec;
	int err;

	if (legacy_words((const char *const *)line, count))
		return 0;
	err = probe_spec_parse(probe, &spec, &error);
	if (!err)
		probe_spec_free(&spec);
	if (err != -EINVAL)
		return err;
	recipe_wrong(w->r, w->line, "this is not a probe", error.message);
	log_caret(probe, error.start, error.end);
	if (error.hint[0])
		log_hint("%s", error.hint);
	return err;
}

/* The words of a line: a probe with its expressions, or options. */
static int line_add(struct words *w, const struct recipe_line *line)
{
	char *words[WORDS_MAX];
	int count = line_words(w, line, words), used, err;
	bool has_probe = count > 0 && is_option(words[0]);

	for (char **word = words; count > 0; word += used, count -= used) {
		if (is_option(word[0])) {
			used = option_add(w, word, count);
			if (used < 0)
				return used;
			continue;
		}
		err = expanded_add(w, word[0], has_probe ? RECIPE_VALUE : RECIPE_PLAIN);
		if (!err && !has_probe)
			err = probe_check(w, w->list[w->count - 1], word, count);
		has_probe = true;
		used = 1;
		if (err)
			return err;
	}
	return count < 0 ? count : 0;
}

static bool is_probe(const struct recipe_line *line)
{
	return !is_option(line->text);
}

static int lines_add(struct words *w, bool probes)
{
	for (size_t i = 0; i < w->r->line_count; i++) {
		int err = 0;

		if (is_probe(&w->r->lines[i]) != probes)
			continue;
		if (probes && w->probes++)
			err = word_add(w, "--and");
		if (!err)
			err = line_add(w, &w->r->lines[i]);
		if (err)
			return err;
	}
	return 0;
}

/* ---- options ---- */

/* NAME = EXPR under an option: appended to the recipe's own definitions. */
static bool definition_parse(struct recipe *r, const struct recipe_option *o, const char *text)
{
	size_t len = strcspn(text, " ");
	char *name;

	if (strncmp(text + len, " = ", 3) || r->definition_count == RECIPE_DEFINITIONS_MAX)
		return false;
	name = recipe_own(r, strndup(text, len));
	r->definitions[r->definition_count++] = (struct recipe_definition){
		name, text + len + 3 + strspn(text + len + 3, " "), o
	};
	return true;
}

static bool is_given(const struct recipe_option *o)
{
	return o->is_given || o->value;
}

static void definitions_of(struct recipe *r, struct recipe_option *o)
{
	for (size_t j = 0; is_given(o) && j < o->effect_count; j++)
		if (definition_parse(r, o, o->effects[j].text))
			o->effects[j].text = "";
}

void recipe_definitions_read(struct recipe *r)
{
	for (size_t i = 0; i < r->argument_count; i++)
		definitions_of(r, &r->arguments[i]);
	for (size_t i = 0; i < r->option_count; i++)
		definitions_of(r, &r->options[i]);
}

static int effects_of(struct words *w, const struct recipe_option *o)
{
	int err = 0;

	w->from = o;
	for (size_t j = 0; is_given(o) && j < o->effect_count && !err; j++)
		err = line_add(w, &o->effects[j]);
	w->from = NULL;
	return err;
}

static int effects_add(struct words *w)
{
	int err = 0;

	for (size_t i = 0; i < w->r->option_count && !err; i++)
		err = effects_of(w, &w->r->options[i]);
	for (size_t i = 0; i < w->r->argument_count && !err; i++)
		err = effects_of(w, &w->r->arguments[i]);
	return err;
}

/* ---- columns ---- */

bool recipe_has_word(const struct recipe *r, const char *option)
{
	for (size_t i = 0; i < r->line_count; i++)
		if (strstr(r->lines[i].text, option))
			return true;
	return false;
}

bool recipe_counts(const struct recipe *r)
{
	static const char *const counting[] = { "--count", "--sum",   "--avg",	  "--min", "--max",
						"--hist",  "--lhist", "--folded", "--pct" };

	for (size_t j = 0; j < sizeof(counting) / sizeof(counting[0]); j++)
		if (recipe_has_word(r, counting[j]))
			return true;
	return false;
}

bool recipe_has_intervals(const struct recipe *r)
{
	for (size_t i = 0; i < r->argument_count; i++)
		if (r->arguments[i].is_optional)
			return false;
	return recipe_counts(r) && !recipe_has_word(r, "--folded");
}

static int columns_add(struct words *w)
{
	const struct recipe_line *c = &w->r->columns;
	bool counts = recipe_counts(w->r);
	int err;

	if (!c->text)
		return 0;
	w->line = c->number;
	err = word_add(w, counts ? "--show" : "--columns");
	return err ?: expanded_add(w, c->text, counts ? RECIPE_VALUE : RECIPE_NAMES);
}

int recipe_words(struct recipe *r, char ***words, int *count)
{
	struct words w = { .r = r };
	int err = 0;

	recipe_definitions_read(r);
	err = word_add(&w, "argdump");
	if (!err)
		err = effects_add(&w);
	if (!err)
		err = lines_add(&w, false);
	if (!err)
		err = columns_add(&w);
	if (!err)
		err = lines_add(&w, true);
	if (err)
		return err;
	*words = malloc((w.count + 1) * sizeof(**words));
	if (!recipe_own(r, (char *)*words))
		return -ENOMEM;
	memcpy(*words, w.list, (w.count + 1) * sizeof(**words));
	*count = w.count;
	return 0;
}
