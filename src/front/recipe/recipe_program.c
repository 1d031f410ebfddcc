/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_program.c - a recipe whose tool is a program in bpftrace's language.
 *
 * What the recipe defines, and what its options define anew, is a #define in front of the program, or replaces ${NAME}.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_read.h"
#include "front/recipe/recipe.h"
#include "util/buf.h"
#include "util/log.h"

/* ---- ${NAME}: a definition as text, which is how an attach point has one ---- */

static const struct recipe_definition *definition_of(const struct recipe *r, const char *name,
						     size_t len)
{
	for (size_t i = r->definition_count; i-- > 0;)
		if (strlen(r->definitions[i].name) == len &&
		    !memcmp(r->definitions[i].name, name, len))
			return &r->definitions[i];
	return NULL;
}

/* True if the program has it as text. */
static bool is_text(const struct recipe *r, const struct recipe_definition *d)
{
	size_t len = strlen(d->name);

	for (const char *at = r->program.text; (at = strstr(at, "${")); at += 2)
		if (!strncmp(at + 2, d->name, len) && at[2 + len] == '}')
			return true;
	return false;
}

/* Writes a text behind the beginning of its word: a list A,B as that word with A, and that word with B. */
static int text_write(struct buf *o, const char *text)
{
	size_t begin = o->len, head;
	char *word;

	while (begin && !strchr(" \t\n", o->data[begin - 1]))
		begin--;
	head = o->len - begin;
	word = strndup(o->data + begin, head);
	for (const char *comma; word && (comma = strchr(text, ',')); text = comma + 1) {
		buf_bytes(o, text, comma - text);
		buf_str(o, ", ");
		buf_bytes(o, word, head);
	}
	buf_str(o, text);
	free(word);
	return word ? 0 : -ENOMEM;
}

/* Writes the program, with its definitions that are text. */
static int program_write(struct recipe *r, struct buf *o)
{
	const char *from = r->program.text, *at;

	while ((at = strstr(from, "${"))) {
		const char *end = strchr(at, '}');
		const struct recipe_definition *d = end ? definition_of(r, at + 2, end - (at + 2)) :
							  NULL;
		const char *text = d ? recipe_expand(r, d->text, RECIPE_PLAIN, d->from,
						     r->program.number) :
				       NULL;

		if (!d)
			recipe_wrong(r, r->program.number, "this name is not defined", at);
		if (!text)
			return -EINVAL;
		buf_bytes(o, from, at - from);
		if (text_write(o, text))
			return -ENOMEM;
		from = end + 1;
	}
	buf_str(o, from);
	return 0;
}

/* ---- the others ---- */

/* The last one of a name counts. */
static bool is_replaced(const struct recipe *r, size_t i)
{
	for (size_t j = i + 1; j < r->definition_count; j++)
		if (!strcmp(r->definitions[j].name, r->definitions[i].name))
			return true;
	return false;
}

static int definition_write(struct recipe *r, struct buf *o, const struct recipe_definition *d)
{
	const char *text = recipe_expand(r, d->text, RECIPE_EXPR, d->from, r->program.number);

	if (!text)
		return -EINVAL;
	buf_printf(o, "#define %s (%s)\n", d->name, text);
	return 0;
}

/* The words by which a program decides whose events it shows include the condition. */
static void condition_write(struct buf *o, const char *only)
{
	if (only)
		buf_printf(o, "#define traced (traced && %s)\n#define traces_all false\n", only);
}

/* Sets an option such as --duration ARG. A program has no options of argdump. */
static int effect_set(const struct recipe *r, const struct recipe_option *option,
		      const struct recipe_line *effect, struct options *o)
{
	static const char duration[] = "--duration ";
	const struct option_spec seconds = { .type = OPTION_SECONDS };
	const char *wrong = NULL;

	if (strncmp(effect->text, duration, sizeof(duration) - 1) || !option->spec.arg ||
	    strcmp(effect->text + sizeof(duration) - 1, option->spec.arg))
		return recipe_wrong(
			r, effect->number,
			"expected NAME = EXPR or --duration ARG below an option of a program, not",
			effect->text);
	if (option->value)
		wrong = option_read(&seconds, option->value, &o->limits.duration_ns);
	if (!wrong)
		return 0;
	log_error("%s: '%s': %s", option->spec.arg, option->value, wrong);
	return -EINVAL;
}

static int effects_set(const struct recipe *r, const struct recipe_option *list, size_t count,
		       struct options *o)
{
	int err = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < list[i].effect_count && !err; j++)
			if (*list[i].effects[j].text == '-')
				err = effect_set(r, &list[i], &list[i].effects[j], o);
	return err;
}

/* Sets the option at the start of a line, --interval SEC or --clear, unless the user has. Returns the rest of the line;
 * NULL after printing the error. */
static const char *line_option_set(const struct recipe *r, const struct recipe_line *line,
				   const char *at, struct options *o)
{
	size_t len = strcspn(at, " "), value = 0;
	char name[16] = "", text[16] = "";
	const struct option_spec *spec;

	snprintf(name, sizeof(name), "%.*s", (int)(len - 2), at + 2);
	spec = option_find(&argdump_applet, name);
	at += len + strspn(at + len, " ");
	if (spec && spec->arg) {
		value = strcspn(at, " ");
		snprintf(text, sizeof(text), "%.*s", (int)value, at);
		at += value + strspn(at + value, " ");
	}
	if (spec && (!strcmp(name, "interval") || !strcmp(name, "clear")) &&
	    !option_default(spec, text, o))
		return at;
	recipe_wrong(r, line->number, "expected --interval SEC or --clear before a program, not",
		     line->text);
	return NULL;
}

static int lines_set(const struct recipe *r, struct options *o)
{
	for (size_t i = 0; i < r->line_count; i++)
		for (const char *at = r->lines[i].text; *at;)
			if (strncmp(at, "--", 2) || !(at = line_option_set(r, &r->lines[i], at, o)))
				return -EINVAL;
	return 0;
}

int recipe_program(struct recipe *r, struct options *options, const char **text)
{
	struct buf o;
	size_t begin;
	int err = effects_set(r, r->options, r->option_count, options)		   ?:
			  effects_set(r, r->arguments, r->argument_count, options) ?:
			  lines_set(r, options);

	recipe_definitions_read(r);
	buf_init(&o, -1);
	for (size_t i = 0; i < r->definition_count && !err; i++)
		if (!is_replaced(r, i) && !is_text(r, &r->definitions[i]))
			err = definition_write(r, &o, &r->definitions[i]);
	condition_write(&o, r->only);
	begin = o.len;
	err = err ?: program_write(r, &o);
	buf_char(&o, 0);
	if (!err && !o.error) {
		*text = recipe_own(r, o.data);
		log_source(*text, r->path, begin, r->program.number);
		return *text ? 0 : -ENOMEM;
	}
	buf_free(&o);
	return err ?: -ENOMEM;
}
