/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_head.c - the lines of a recipe that begin with a keyword: its name, options, arguments, examples.
 */
#include "front/recipe/recipe_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces of a line ---- */

/* Ends the text before its first ": ". Returns what follows it, or NULL. */
static char *after_colon(char *text)
{
	char *colon = strstr(text, ": ");

	if (!colon)
		return NULL;
	*colon = 0;
	return colon + 2 + strspn(colon + 2, " ");
}

static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " ,\t"), *end = word + strcspn(word, " ,\t");

	*text = end + (*end != 0);
	*end = 0;
	return *word ? word : NULL;
}

/* ---- the lines ---- */

static int parse_recipe(struct recipe_reading *in, char *rest)
{
	struct recipe *r = in->r;

	if (r->name)
		return recipe_reading_wrong(in, "a file has only one head, but this is the second",
					    rest);
	r->summary = after_colon(rest);
	r->name = rest;
	if (!r->summary || !*rest || rest[strcspn(rest, " /")])
		return recipe_reading_wrong(in, "expected a head 'recipe NAME: SUMMARY', not",
					    rest);
	in->in_description = true;
	return 0;
}

/* -x, --long ARG */
static int option_words(struct recipe_reading *in, char *text, struct option_spec *spec)
{
	for (char *word; (word = next_word(&text));) {
		if (!strncmp(word, "--", 2))
			spec->name = word + 2;
		else if (*word == '-' && word[1] && !word[2])
			spec->letter = word[1];
		else if (!spec->arg && recipe_name_length(word) == strlen(word))
			spec->arg = word;
		else
			return recipe_reading_wrong(
				in, "expected an option '-x, --long ARG: HELP', not", word);
	}
	return spec->name ? 0 : recipe_reading_wrong(in, "an option needs a long name", NULL);
}

/* Returns the common option with the same name or letter that is in the groups, or in none of them. */
static const struct option_spec *common_find(const struct option_spec *spec, unsigned groups,
					     bool is_in)
{
	for (const struct option_spec *o = options_common; o->name; o++)
		if (!(o->group & groups) != is_in &&
		    (!strcmp(o->name, spec->name) || (o->letter && o->letter == spec->letter)))
			return o;
	return NULL;
}

/* Returns what already has the option's name or letter, or NULL. The common options mean the same in all
 * tools, but a recipe may redefine those that choose tasks: recipe_has_pid. */
static const char *name_owner(const struct recipe *r, const struct option_spec *spec)
{
	const unsigned free = OPTION_GROUP_FAILED | OPTION_GROUP_EXTENDED | OPTION_GROUP_TASK;
	const struct option_spec *common = common_find(spec, free, false);

	for (size_t i = 0; i + 1 < r->option_count; i++)
		if (!strcmp(r->options[i].spec.name, spec->name))
			return "another option of it";
	if (common)
		return common->name;
	return spec->letter == 'h' || spec->letter == 'V' ? "help or version" : NULL;
}

bool recipe_has_pid(const struct recipe *r)
{
	size_t i = 0;

	while (i < r->option_count && strcmp(r->options[i].spec.name, "pid"))
		i++;
	return i < r->option_count;
}

static int parse_option(struct recipe_reading *in, char *rest)
{
	struct recipe *r = in->r;
	struct recipe_option *o = &r->options[r->option_count];

	if (r->option_count == RECIPE_OPTIONS_MAX)
		return recipe_reading_wrong(in, "too many options", NULL);
	*o = (struct recipe_option){ .spec.help = after_colon(rest) };
	if (!o->spec.help)
		return recipe_reading_wrong(in, "expected an option '-x, --long ARG: HELP', not",
					    rest);
	if (option_words(in, rest, &o->spec))
		return -EINVAL;
	o->spec.type = o->spec.arg ? OPTION_STRING : OPTION_FLAG;
	o->spec.value = o->spec.arg ? (void *)&o->value : (void *)&o->is_given;
	r->specs[r->option_count++] = o->spec;
	if (name_owner(r, &o->spec))
		return recipe_reading_wrong(in, "the option's name or letter is already used by",
					    name_owner(r, &o->spec));
	in->option = o;
	return 0;
}

/* NAME: HELP, [NAME]: HELP, or NAME...: HELP */
static int parse_argument(struct recipe_reading *in, char *rest)
{
	struct recipe *r = in->r;
	struct recipe_option *a = &r->arguments[r->argument_count];
	char *help = after_colon(rest);
	bool is_optional = *rest == '[', is_list;
	size_t len = recipe_name_length(rest + is_optional);

	if (r->argument_count == RECIPE_ARGUMENTS_MAX)
		return recipe_reading_wrong(in, "too many arguments", NULL);
	is_list = help && len && !is_optional && !strcmp(rest + len, "...");
	if (!help || !len || (!is_list && rest[is_optional + len] != (is_optional ? ']' : 0)))
		return recipe_reading_wrong(
			in,
			"expected an argument 'NAME: HELP', '[NAME]: HELP' or 'NAME...: HELP', not",
			rest);
	rest[is_optional + len] = 0;
	*a = (struct recipe_option){ .spec = { .arg = rest + is_optional, .help = help },
				     .is_optional = is_optional,
				     .is_list = is_list };
	r->argument_count++;
	in->option = a;
	return 0;
}

static int parse_text(struct recipe_reading *in, struct recipe_line *line, char *rest)
{
	if (line->text)
		return recipe_reading_wrong(
			in, "a recipe has only one such line, but this is the second", rest);
	*line = (struct recipe_line){ rest, in->number };
	in->more = &line->text;
	return 0;
}

/* ARGS: WHAT; the tests run the command. */
static int parse_example(struct recipe_reading *in, char *rest)
{
	struct recipe *r = in->r;
	char *what = *rest == ':' ? rest + 1 + strspn(rest + 1, " ") : after_colon(rest);
	char *command;

	if (r->example_count == RECIPE_EXAMPLES_MAX)
		return recipe_reading_wrong(in, "too many examples", NULL);
	if (!what || !r->name)
		return recipe_reading_wrong(
			in, "expected an example 'ARGS: WHAT IT SHOWS' below the head, not", rest);
	*(*rest == ':' ? rest : what - 1) = 0;
	if (asprintf(&command, "%s%s%s", r->name, *rest ? " " : "", rest) < 0 ||
	    !recipe_own(r, command))
		return -ENOMEM;
	r->examples[r->example_count++] = (struct example){ command, what };
	return 0;
}

static const struct keyword {
	const char *word;
	int (*parse)(struct recipe_reading *in, char *rest);
	size_t text; /* without parse: the offset in struct recipe of the line's text */
} keywords[] = {
	{ "recipe", parse_recipe },
	{ "theme", .text = offsetof(struct recipe, theme) },
	{ "option", parse_option },
	{ "argument", parse_argument },
	{ "example", parse_example },
	{ "columns", .text = offsetof(struct recipe, columns) },
	{ "minor", .text = offsetof(struct recipe, minor) },
	{ "sees", .text = offsetof(struct recipe, sees) },
	{ "unseen", .text = offsetof(struct recipe, unseen) },
	{ 0 },
};

bool recipe_head_parse(struct recipe_reading *in, char *line, int *err)
{
	size_t len = recipe_name_length(line);

	for (const struct keyword *k = keywords; k->word; k++)
		if (line[len] == ' ' && strlen(k->word) == len && !strncmp(line, k->word, len) &&
		    strncmp(line + len, " = ", 3)) {
			char *rest = line + len + strspn(line + len, " ");

			*err = k->parse ? k->parse(in, rest) :
					  parse_text(in, (void *)((char *)in->r + k->text), rest);
			return true;
		}
	return false;
}

int recipe_head_check(const struct recipe_reading *in)
{
	const struct recipe *r = in->r;

	for (size_t i = 0; i < r->option_count && !recipe_has_pid(r); i++)
		if (common_find(&r->options[i].spec, OPTION_GROUP_TASK, true))
			return recipe_reading_wrong(in,
						    "this option chooses tasks: without a --pid of "
						    "the recipe's own it cannot be redefined",
						    r->options[i].spec.name);
	return 0;
}
