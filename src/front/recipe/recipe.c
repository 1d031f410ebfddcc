/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe.c - splits the text of a recipe into its parts. It does not know what they mean to argdump.
 */
#include "front/recipe/recipe.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/escape.h"
#include "util/log.h"

int recipe_wrong(const struct recipe *r, unsigned line, const char *what, const char *which)
{
	log_error("%s:%u: %s%s%s", r->path, line, what, which ? ": " : "", which ?: "");
	return -EINVAL;
}

char *recipe_own(struct recipe *r, char *string)
{
	char **owned = string ? realloc(r->owned, (r->owned_count + 1) * sizeof(*owned)) : NULL;

	if (!owned) {
		free(string);
		return NULL;
	}
	r->owned = owned;
	return owned[r->owned_count++] = string;
}

void recipe_free(struct recipe *r)
{
	for (size_t i = 0; i < r->owned_count; i++)
		free(r->owned[i]);
	free(r->owned);
	buf_free(&r->description);
	free(r->text);
	*r = (struct recipe){ 0 };
}

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

size_t recipe_name_length(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return isdigit((unsigned char)*text) ? 0 : len;
}

/* ---- the lines of the head ---- */

/* The item that a line beginning with blanks continues: one of the last three. */
struct reading {
	struct recipe *r;
	unsigned number; /* of the line */
	struct recipe_option *option;
	const char **more; /* a text */
	bool in_description;
};

static int wrong(const struct reading *in, const char *what, const char *which)
{
	return recipe_wrong(in->r, in->number, what, which);
}

static int parse_recipe(struct reading *in, char *rest)
{
	struct recipe *r = in->r;

	if (r->name)
		return wrong(in, "a file has only one head, but this is the second", rest);
	r->summary = after_colon(rest);
	r->name = rest;
	if (!r->summary || !*rest || rest[strcspn(rest, " /")])
		return wrong(in, "expected a head 'recipe NAME: SUMMARY', not", rest);
	in->in_description = true;
	return 0;
}

/* -x, --long ARG */
static int option_words(struct reading *in, char *text, struct option_spec *spec)
{
	for (char *word; (word = next_word(&text));) {
		if (!strncmp(word, "--", 2))
			spec->name = word + 2;
		else if (*word == '-' && word[1] && !word[2])
			spec->letter = word[1];
		else if (!spec->arg && recipe_name_length(word) == strlen(word))
			spec->arg = word;
		else
			return wrong(in, "expected an option '-x, --long ARG: HELP', not", word);
	}
	return spec->name ? 0 : wrong(in, "an option needs a long name", NULL);
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

static int parse_option(struct reading *in, char *rest)
{
	struct recipe *r = in->r;
	struct recipe_option *o = &r->options[r->option_count];

	if (r->option_count == RECIPE_OPTIONS_MAX)
		return wrong(in, "too many options", NULL);
	*o = (struct recipe_option){ .spec.help = after_colon(rest) };
	if (!o->spec.help)
		return wrong(in, "expected an option '-x, --long ARG: HELP', not", rest);
	if (option_words(in, rest, &o->spec))
		return -EINVAL;
	o->spec.type = o->spec.arg ? OPTION_STRING : OPTION_FLAG;
	o->spec.value = o->spec.arg ? (void *)&o->value : (void *)&o->is_given;
	r->specs[r->option_count++] = o->spec;
	if (name_owner(r, &o->spec))
		return wrong(in, "the option's name or letter is already used by",
			     name_owner(r, &o->spec));
	in->option = o;
	return 0;
}

/* NAME: HELP, [NAME]: HELP, or NAME...: HELP */
static int parse_argument(struct reading *in, char *rest)
{
	struct recipe *r = in->r;
	struct recipe_option *a = &r->arguments[r->argument_count];
	char *help = after_colon(rest);
	bool is_optional = *rest == '[', is_list;
	size_t len = recipe_name_length(rest + is_optional);

	if (r->argument_count == RECIPE_ARGUMENTS_MAX)
		return wrong(in, "too many arguments", NULL);
	is_list = help && len && !is_optional && !strcmp(rest + len, "...");
	if (!help || !len || (!is_list && rest[is_optional + len] != (is_optional ? ']' : 0)))
		return wrong(
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

static int parse_text(struct reading *in, struct recipe_line *line, char *rest)
{
	if (line->text)
		return wrong(in, "a recipe has only one such line, but this is the second", rest);
	*line = (struct recipe_line){ rest, in->number };
	in->more = &line->text;
	return 0;
}

/* ARGS: WHAT; the tests run the command. */
static int parse_example(struct reading *in, char *rest)
{
	struct recipe *r = in->r;
	char *what = *rest == ':' ? rest + 1 + strspn(rest + 1, " ") : after_colon(rest);
	char *command;

	if (r->example_count == RECIPE_EXAMPLES_MAX)
		return wrong(in, "too many examples", NULL);
	if (!what || !r->name)
		return wrong(in, "expected an example 'ARGS: WHAT IT SHOWS' below the head, not",
			     rest);
	*(*rest == ':' ? rest : what - 1) = 0;
	if (asprintf(&command, "%s%s%s", r->name, *rest ? " " : "", rest) < 0 ||
	    !recipe_own(r, command))
		return -ENOMEM;
	r->examples[r->example_count++] = (struct example){ command, what };
	return 0;
}

static const struct keyword {
	const char *word;
	int (*parse)(struct reading *in, char *rest);
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

/* ---- definitions, probes ---- */

/* Returns EXPR of NAME = EXPR, or NULL. */
static char *definition_value(char *text)
{
	size_t len = recipe_name_length(text), gap = len + strspn(text + len, " ");

	if (!len || gap == len || text[gap] != '=' || text[gap + 1] != ' ')
		return NULL;
	text[len] = 0;
	return text + gap + 1 + strspn(text + gap + 1, " ");
}

static int parse_definition(struct reading *in, char *name, char *value)
{
	struct recipe *r = in->r;

	if (r->definition_count == RECIPE_DEFINITIONS_MAX)
		return wrong(in, "too many definitions", NULL);
	r->definitions[r->definition_count] = (struct recipe_definition){ name, value, NULL };
	in->more = &r->definitions[r->definition_count++].text;
	return 0;
}

static int parse_line(struct reading *in, char *line)
{
	struct recipe *r = in->r;

	if (r->line_count == RECIPE_LINES_MAX)
		return wrong(in, "too many lines", NULL);
	r->lines[r->line_count] = (struct recipe_line){ line, in->number };
	in->more = &r->lines[r->line_count++].text;
	return 0;
}

static int parse_outdented(struct reading *in, char *line)
{
	size_t len = recipe_name_length(line);
	char *value, *rest;

	*in = (struct reading){ .r = in->r, .number = in->number };
	for (const struct keyword *k = keywords; k->word; k++)
		if (line[len] == ' ' && strlen(k->word) == len && !strncmp(line, k->word, len) &&
		    strncmp(line + len, " = ", 3)) {
			rest = line + len + strspn(line + len, " ");
			return k->parse ? k->parse(in, rest) :
					  parse_text(in, (void *)((char *)in->r + k->text), rest);
		}
	value = definition_value(line);
	return value ? parse_definition(in, line, value) : parse_line(in, line);
}

/* ---- lines that begin with blanks ---- */

static int line_append(struct reading *in, const char *text)
{
	char *longer;

	if (asprintf(&longer, "%s %s", *in->more, text) < 0)
		return -ENOMEM;
	*in->more = recipe_own(in->r, longer);
	return *in->more ? 0 : -ENOMEM;
}

static int description_append(struct buf *o, const char *text)
{
	if (o->len && *text && o->data[o->len - 1] != '\n')
		buf_char(o, ' ');
	if (o->len || *text)
		buf_str(o, *text ? text : "\n\n");
	return o->error;
}

static int parse_indented(struct reading *in, char *text)
{
	struct recipe_option *o = in->option;

	if (in->in_description)
		return description_append(&in->r->description, text);
	if (in->more)
		return line_append(in, text);
	if (!o)
		return wrong(in, "this line begins with blanks, but continues nothing", NULL);
	if (o->effect_count == RECIPE_EFFECTS_MAX)
		return wrong(in, "too many lines below the option", NULL);
	o->effects[o->effect_count++] = (struct recipe_line){ text, in->number };
	return 0;
}

static char *trimmed(char *line)
{
	size_t len = strlen(line);

	while (len && strchr(" \t\r\n", line[len - 1]))
		line[--len] = 0;
	return line + strspn(line, " \t");
}

/* Refuses bytes that control a terminal: help and man pages print the texts of a recipe as they are. */
static int bytes_check(const struct reading *in, const char *line)
{
	size_t len = strlen(line), at = 0;

	while ((at += escape_first(line + at, len - at)) < len && line[at] == '\t')
		at++;
	if (at == len)
		return 0;
	wrong(in, "the file contains a control character, or a byte that is not UTF-8", NULL);
	log_caret(line, at, at + 1);
	log_hint("in a word of a command, escape it as in bash: $'\\x1b'");
	return -EINVAL;
}

static int line_read(struct reading *in, char *line)
{
	char *text = trimmed(line);

	if (*line == '#' || (!*text && !in->in_description))
		return 0;
	if (bytes_check(in, line))
		return -EINVAL;
	return text == line && *text ? parse_outdented(in, line) : parse_indented(in, text);
}

bool recipe_has_pid(const struct recipe *r)
{
	size_t i = 0;

	while (i < r->option_count && strcmp(r->options[i].spec.name, "pid"))
		i++;
	return i < r->option_count;
}

static int whole_check(struct reading *in)
{
	struct recipe *r = in->r;
	struct buf *d = &r->description;

	for (size_t i = 0; i < r->option_count && !recipe_has_pid(r); i++)
		if (common_find(&r->options[i].spec, OPTION_GROUP_TASK, true))
			return wrong(in,
				     "this option chooses tasks: without a --pid of "
				     "the recipe's own it cannot be redefined",
				     r->options[i].spec.name);
	while (d->len && d->data[d->len - 1] == '\n')
		d->len--;
	buf_char(d, 0);
	if (r->program.text && r->columns.text)
		return recipe_wrong(r, r->columns.number,
				    "a program's columns are those of its emit(); remove",
				    r->columns.text);
	for (size_t i = 0; r->program.text && i < r->line_count; i++)
		if (strncmp(r->lines[i].text, "--", 2))
			return recipe_wrong(r, r->lines[i].number,
					    "a recipe has either a program or probes",
					    r->lines[i].text);
	if (!r->program.text && !r->line_count)
		return wrong(in, "the file has no probe", NULL);
	return d->error;
}

/* Reads everything after the line `program`, unchanged except for line ends of Windows, which lines above may also
 * have. */
static int program_read(struct reading *in, char *text)
{
	char *line = text;
	int err = 0;

	in->r->program = (struct recipe_line){ text, in->number + 1 };
	for (char *end; *line && !err; line = end + (*end != 0)) {
		char *copy;

		end = strchrnul(line, '\n');
		if (end > line && end[-1] == '\r')
			end[-1] = ' ';
		copy = strndup(line, end - line);
		in->number++;
		err = copy ? bytes_check(in, copy) : -ENOMEM;
		free(copy);
	}
	return err;
}

static bool is_program(const char *line)
{
	static const char word[] = "program";
	const char *rest = line + sizeof(word) - 1;

	return !strncmp(line, word, sizeof(word) - 1) && !rest[strspn(rest, " \t\r")];
}

int recipe_parse(struct recipe *r, char *text, const char *path)
{
	struct reading in = { .r = r };
	int err = 0;

	*r = (struct recipe){ .text = text, .path = path };
	buf_init(&r->description, -1);
	for (char *line = text, *end; *line && !err; line = end) {
		end = strchrnul(line, '\n');
		if (*end)
			*end++ = 0;
		in.number++;
		if (is_program(line))
			return program_read(&in, end) ?: whole_check(&in);
		err = line_read(&in, line);
	}
	return err ?: whole_check(&in);
}
