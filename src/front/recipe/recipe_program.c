/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_program.c - a recipe whose tool is a program in bpftrace's language.
 *
 * What the recipe defines, and what its options define anew, is a #define in front of the program.
 */
#include <errno.h>
#include <string.h>

#include "front/recipe/recipe.h"
#include "util/buf.h"
#include "util/log.h"

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

/* A program has no options of argdump. */
static int effects_check(const struct recipe *r, const struct recipe_option *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < list[i].effect_count; j++)
			if (*list[i].effects[j].text == '-')
				return recipe_wrong(
					r, list[i].effects[j].number,
					"below an option of a program is NAME = EXPR, not",
					list[i].effects[j].text);
	return 0;
}

int recipe_program(struct recipe *r, const char **text)
{
	struct buf o;
	size_t begin;
	int err = effects_check(r, r->options, r->option_count) ?:
			  effects_check(r, r->arguments, r->argument_count);

	recipe_definitions_read(r);
	buf_init(&o, -1);
	for (size_t i = 0; i < r->definition_count && !err; i++)
		if (!is_replaced(r, i))
			err = definition_write(r, &o, &r->definitions[i]);
	begin = o.len;
	buf_str(&o, r->program.text);
	buf_char(&o, 0);
	if (!err && !o.error) {
		*text = recipe_own(r, o.data);
		log_source(*text, r->path, begin, r->program.number);
		return *text ? 0 : -ENOMEM;
	}
	buf_free(&o);
	return err ?: -ENOMEM;
}
