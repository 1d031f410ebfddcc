/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_fill.c - adds a recipe with the options that were given to the model.
 *
 * Options for all probes come first, including those listed under given options; then the probes.
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

struct fill {
	struct recipe *r;
	struct model *model;
	const struct recipe_option *from;
	unsigned line;
	/* options with one value outside of the recipe's options */
	const struct option_spec *given[WORDS_MAX];
	size_t given_count;
	bool folds; /* the user wants --folded */
	/* keys of the table that the user wants instead of the recipe's --folded; NULL: none */
	const char *stacks;
};

/* ---- options of argdump ---- */

/* The option's help, by its name for the value, decides how the value is expanded. */
static enum recipe_word kind_of(const struct option_spec *o)
{
	size_t len = strlen(o->name);

	if (!strncmp(o->arg, "EXPR", 4))
		return len >= 2 && !strcmp(o->name + len - 2, "if") ? RECIPE_EXPR : RECIPE_VALUE;
	if (!strncmp(o->arg, "KEY", 3))
		return RECIPE_EXPR;
	return !strncmp(o->arg, "NAME", 4) || !strncmp(o->arg, "COLUMN", 6) ? RECIPE_NAMES :
									      RECIPE_PLAIN;
}

static bool takes_value(const struct option_spec *o)
{
	return o->arg && o->type != OPTION_FLAG && o->type != OPTION_COUNT &&
	       !option_may_be_bare(o);
}

/* Options of the user override those of the lines, but two lines must not conflict. */
static int given_check(struct fill *f, const struct option_spec *o, const char *word)
{
	if (f->from || option_repeats(o))
		return 0;
	for (size_t i = 0; i < f->given_count; i++)
		if (f->given[i] == o)
			return recipe_wrong(f->r, f->line,
					    "this option takes one value, but is given twice",
					    word);
	if (f->given_count < WORDS_MAX)
		f->given[f->given_count++] = o;
	return 0;
}

/* The recipe's own way to print a table has no meaning for folded stacks; only words of the user conflict with these. */
static bool is_of_tables(const struct option_spec *o)
{
	static const char *const names[] = { "top", "sort", "interval", "clear" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(o->name, names[i]))
			return true;
	return false;
}

static bool is_replaced(const struct fill *f, const struct option_spec *o)
{
	return !f->from &&
	       ((f->folds && is_of_tables(o)) || (f->stacks && !strcmp(o->name, "folded")));
}

static int option_set(struct fill *f, const struct option_spec *o, const char *text)
{
	const char *wrong;
	char what[160];

	if (is_replaced(f, o))
		return 0;
	wrong = model_option_add(f->model, o, model_typed(text));
	if (!wrong)
		return 0;
	snprintf(what, sizeof(what), "--%s: %s", o->name, wrong);
	return recipe_wrong(f->r, f->line, what, text);
}

/* -1 and "-:NAME" are ordinary words. */
static bool is_option(const char *word)
{
	return word[0] == '-' && (isalpha((unsigned char)word[1]) || (word[1] == '-' && word[2]));
}

/* Sets an option and its value. Returns the number of consumed words, or -EINVAL. */
static int value_set(struct fill *f, const struct option_spec *o, char **words, int count)
{
	const char *text;
	int err = given_check(f, o, words[0]);

	if (err)
		return err;
	if (o->may_be_bare && count > 1 && words[1][0] != '-')
		return option_set(f, o, words[1]) ?: 2;
	if (!takes_value(o))
		return option_set(f, o, NULL) ?: 1;
	if (count < 2)
		return recipe_wrong(f->r, f->line, "a value is missing after", words[0]);
	text = recipe_expand(f->r, words[1], kind_of(o), f->from, f->line);
	return !text ? -EINVAL : option_set(f, o, text) ?: 2;
}

static int option_add(struct fill *f, char **words, int count)
{
	bool is_name = !strncmp(words[0], "--", 2);
	const struct option_spec *o = option_find(applet_find("argdump"), words[0] + 2 * is_name);
	int used;

	if (!o && strchr(words[0], '='))
		return recipe_wrong(f->r, f->line, "write --NAME VALUE, not", words[0]);
	if (!o)
		return recipe_wrong(f->r, f->line, "unknown option of argdump", words[0]);
	if (o->not_in_files)
		return recipe_wrong(f->r, f->line, "this option is not allowed in a file",
				    words[0]);
	used = value_set(f, o, words, count);
	if (used > 0 && is_name)
		model_option_spell(f->model);
	return used;
}

static int line_words(struct fill *f, const struct recipe_line *line, char **words)
{
	size_t at;
	char *copy = recipe_own(f->r, strdup(line->text));
	int count = copy ? shell_words_split(copy, words, WORDS_MAX, &at) : -ENOMEM;

	f->line = f->model->line = line->number;
	if (count == -EINVAL)
		return recipe_wrong(f->r, f->line, "missing closing quote", NULL);
	if (count == -E2BIG)
		return recipe_wrong(f->r, f->line, "too many words", NULL);
	return count;
}

/* Reports errors with the line, unless the probe is in the kernel's notation, which is parsed later. */
static int probe_check(const struct fill *f, const char *probe, char **line, int count)
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
	recipe_wrong(f->r, f->line, "this is not a probe", error.message);
	log_caret(probe, error.start, error.end);
	if (error.hint[0])
		log_hint("%s", error.hint);
	return err;
}

/* Adds a PROBE, which begins the line, or one of its expressions. */
static int word_add(struct fill *f, char **word, int count, bool is_first)
{
	const char *text = recipe_expand(f->r, word[0], is_first ? RECIPE_PLAIN : RECIPE_VALUE,
					 f->from, f->line);
	int err = text ? 0 : -EINVAL;

	if (err || !is_first)
		return err ?: model_expr_add(f->model, model_typed(text));
	err = probe_check(f, text, word, count);
	text += !strncmp(text, "-:", 2); /* as on a command line */
	return err ?: model_probe_add(f->model, model_typed(text));
}

/* True for a line whose probe an option has defined as `nothing`. */
static bool is_nothing(struct fill *f, const char *word)
{
	const char *text = is_option(word) ?
				   NULL :
				   recipe_expand(f->r, word, RECIPE_PLAIN, f->from, f->line);

	return text && !strcmp(text, "nothing");
}

/* Adds the words of a line: a probe with its expressions, or options. */
static int line_add(struct fill *f, const struct recipe_line *line)
{
	char *words[WORDS_MAX];
	int count = line_words(f, line, words), used;
	bool has_probe = count > 0 && !is_option(words[0]);

	if (has_probe && is_nothing(f, words[0]))
		return 0;
	for (char **word = words; count > 0; word += used, count -= used) {
		if (is_option(word[0]))
			used = option_add(f, word, count);
		else if (!has_probe)
			used = recipe_wrong(f->r, f->line, "this line belongs to no option",
					    word[0]);
		else
			used = word_add(f, word, count, word == words) ?: 1;
		if (used < 0)
			return used;
	}
	return count < 0 ? count : 0;
}

static bool is_probe(const struct recipe_line *line)
{
	return !is_option(line->text);
}

static int lines_add(struct fill *f, bool probes)
{
	int err = 0;

	for (size_t i = 0; i < f->r->line_count && !err; i++) {
		f->from = f->r->lines[i].from;
		if (is_probe(&f->r->lines[i]) == probes)
			err = line_add(f, &f->r->lines[i]);
	}
	f->from = NULL;
	return err;
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

static void definitions_of(struct recipe *r, struct recipe_option *o)
{
	for (size_t j = 0; recipe_is_given(o) && j < o->effect_count; j++)
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

static int effects_of(struct fill *f, const struct recipe_option *o)
{
	int err = 0;

	f->from = o;
	for (size_t j = 0; recipe_is_given(o) && j < o->effect_count && !err; j++)
		err = line_add(f, &o->effects[j]);
	f->from = NULL;
	return err;
}

static int effects_add(struct fill *f)
{
	int err = 0;

	for (size_t i = 0; i < f->r->option_count && !err; i++)
		err = effects_of(f, &f->r->options[i]);
	for (size_t i = 0; i < f->r->argument_count && !err; i++)
		err = effects_of(f, &f->r->arguments[i]);
	return err;
}

/* ---- columns ---- */

static int columns_add(struct fill *f)
{
	const struct recipe_line *c = &f->r->columns;
	bool counts = recipe_counts(f->r);
	const char *text;

	if (!c->text)
		return 0;
	f->line = c->number;
	text = recipe_expand(f->r, c->text, counts ? RECIPE_VALUE : RECIPE_NAMES, f->from, f->line);
	if (!text)
		return -EINVAL;
	return option_set(f, option_find(applet_find("argdump"), counts ? "show" : "columns"),
			  text);
}

/* Appends to a text of the recipe. */
static int text_append(struct recipe *r, const char **text, const char *between, const char *more)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *text, between, more) < 0)
		return -ENOMEM;
	*text = recipe_own(r, longer);
	return *text ? 0 : -ENOMEM;
}

/* columns NAME=EXPR under an option: adds a value to each probe, and a column after those of the recipe. */
static int column_add(struct recipe *r, const struct recipe_line *line, const char *value)
{
	char *name = recipe_own(r, strndup(value, strcspn(value, "=")));
	int err;

	if (!r->columns.text)
		return recipe_wrong(r, line->number,
				    "the recipe has no line of columns to add this to", value);
	err = name ? text_append(r, &r->columns.text, ", ", name) : -ENOMEM;
	for (size_t i = 0; i < r->line_count && !err && strchr(value, '='); i++)
		if (is_probe(&r->lines[i]))
			err = text_append(r, &r->lines[i].text, " ", value);
	return err;
}

static int columns_of(struct recipe *r, struct recipe_option *o)
{
	int err = 0;

	for (size_t j = 0; recipe_is_given(o) && j < o->effect_count && !err; j++) {
		const char *names = recipe_effect_after(&o->effects[j], "columns ");

		if (!names)
			continue;
		err = column_add(r, &o->effects[j], names);
		o->effects[j].text = "";
	}
	return err;
}

static int columns_collect(struct recipe *r)
{
	int err = 0;

	for (size_t i = 0; i < r->option_count && !err; i++)
		err = columns_of(r, &r->options[i]);
	return err;
}

/* Options that define probes as `nothing` may leave none. */
static int probes_check(const struct fill *f)
{
	const struct recipe_option *last = NULL;
	struct buf names;
	bool any;

	if (f->model->count || f->r->program.text)
		return 0;
	buf_init(&names, -1);
	for (size_t i = 0; i < f->r->definition_count; i++) {
		const struct recipe_definition *d = &f->r->definitions[i];

		if (d->from && d->from != last && !strcmp(d->text, "nothing"))
			buf_printf(&names, " --%s", d->from->spec.name);
		last = d->from;
	}
	any = names.len;
	buf_char(&names, 0);
	if (any)
		log_error("nothing is left to trace with%s", names.data);
	buf_free(&names);
	return any ? -EINVAL : 0;
}

/* Adds what --folded would have added: a count by both stacks. */
static int stacks_add(struct fill *f)
{
	const struct applet *argdump = applet_find("argdump");
	int err = 0;

	if (!f->stacks || !recipe_has_word(f->r, "--folded"))
		return 0;
	if (!model_has(f->model, MODEL_MEASURE))
		err = option_set(f, option_find(argdump, "count"), NULL);
	if (!err && !model_has(f->model, MODEL_BY))
		err = option_set(f, option_find(argdump, "by"), f->stacks);
	return err;
}

int recipe_fill(struct recipe *r, struct model *m, bool folds, const char *stacks)
{
	struct fill f = { .r = r, .model = m, .folds = folds, .stacks = stacks };

	recipe_definitions_read(r);
	return recipe_lines_choose(r)	    ?:
		       columns_collect(r)   ?:
		       effects_add(&f)	    ?:
		       lines_add(&f, false) ?:
		       stacks_add(&f)	    ?:
		       columns_add(&f)	    ?:
		       lines_add(&f, true)  ?:
					      probes_check(&f);
}
