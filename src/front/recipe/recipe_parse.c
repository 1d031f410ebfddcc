/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_parse.c - splits the text of a recipe into its parts. It does not know what they mean to argdump.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/recipe/recipe_read.h"
#include "util/escape.h"
#include "util/log.h"

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

static int parse_definition(struct recipe_reading *in, char *name, char *value)
{
	struct recipe *r = in->r;

	if (r->definition_count == RECIPE_DEFINITIONS_MAX)
		return recipe_reading_wrong(in, "too many definitions", NULL);
	r->definitions[r->definition_count] = (struct recipe_definition){ name, value, NULL };
	in->more = &r->definitions[r->definition_count++].text;
	return 0;
}

static int parse_line(struct recipe_reading *in, char *line)
{
	struct recipe *r = in->r;

	if (r->line_count == RECIPE_LINES_MAX)
		return recipe_reading_wrong(in, "too many lines", NULL);
	r->lines[r->line_count] = (struct recipe_line){ line, in->number };
	in->more = &r->lines[r->line_count++].text;
	return 0;
}

static int parse_outdented(struct recipe_reading *in, char *line)
{
	char *value;
	int err;

	*in = (struct recipe_reading){ .r = in->r, .number = in->number };
	if (recipe_head_parse(in, line, &err))
		return err;
	value = definition_value(line);
	return value ? parse_definition(in, line, value) : parse_line(in, line);
}

/* ---- lines that begin with blanks ---- */

static int line_append(struct recipe_reading *in, const char *text)
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

static int parse_indented(struct recipe_reading *in, char *text)
{
	struct recipe_option *o = in->option;

	if (in->in_description)
		return description_append(&in->r->description, text);
	if (in->more)
		return line_append(in, text);
	if (!o)
		return recipe_reading_wrong(
			in, "this line begins with blanks, but continues nothing", NULL);
	if (o->effect_count == RECIPE_EFFECTS_MAX)
		return recipe_reading_wrong(in, "too many lines below the option", NULL);
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
static int bytes_check(const struct recipe_reading *in, const char *line)
{
	size_t len = strlen(line), at = 0;

	while ((at += escape_first(line + at, len - at)) < len && line[at] == '\t')
		at++;
	if (at == len)
		return 0;
	recipe_reading_wrong(
		in, "the file contains a control character, or a byte that is not UTF-8", NULL);
	log_caret(line, at, at + 1);
	log_hint("in a word of a command, escape it as in bash: $'\\x1b'");
	return -EINVAL;
}

static int line_read(struct recipe_reading *in, char *line)
{
	char *text = trimmed(line);

	if (*line == '#' || (!*text && !in->in_description))
		return 0;
	if (bytes_check(in, line))
		return -EINVAL;
	return text == line && *text ? parse_outdented(in, line) : parse_indented(in, text);
}

static int whole_check(struct recipe_reading *in)
{
	struct recipe *r = in->r;
	struct buf *d = &r->description;

	if (recipe_head_check(in))
		return -EINVAL;
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
		return recipe_reading_wrong(in, "the file has no probe", NULL);
	return d->error;
}

/* Reads everything after the line `program`, unchanged except for line ends of Windows, which lines above may also
 * have. */
static int program_read(struct recipe_reading *in, char *text)
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
	struct recipe_reading in = { .r = r };
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
