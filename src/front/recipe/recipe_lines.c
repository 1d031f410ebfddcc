/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_lines.c - options that change which lines a recipe has: `instead PROBE` below an option replaces all of them,
 * `also PROBE` adds one, and `instead nothing` leaves only such lines. Of a program the only such line is `instead
 * report`: only with that option its rows are those of its report. With `default unless OPTIONS` the option applies
 * without being given.
 */
#include <errno.h>
#include <string.h>

#include "front/recipe/recipe.h"

const char *recipe_effect_after(const struct recipe_line *effect, const char *word)
{
	size_t len = strlen(word);

	return strncmp(effect->text, word, len) ? NULL : effect->text + len;
}

bool recipe_replaces(const struct recipe_option *o)
{
	for (size_t j = 0; j < o->effect_count; j++)
		if (recipe_effect_after(&o->effects[j], "instead "))
			return true;
	return false;
}

const struct recipe_option *recipe_replacing(const struct recipe *r)
{
	for (size_t i = 0; i < r->option_count; i++)
		if (recipe_replaces(&r->options[i]))
			return &r->options[i];
	return NULL;
}

bool recipe_is_replaced(const struct recipe *r)
{
	for (size_t i = 0; i < r->option_count; i++)
		if (recipe_is_given(&r->options[i]) && recipe_replaces(&r->options[i]))
			return true;
	return false;
}

/* ---- an option that is the default ---- */

static const char default_word[] = "default unless ";

/* True if the user has given one of the options --A, --B. */
static bool is_any_given(const struct recipe *r, const char *names)
{
	for (size_t i = 0; i < r->option_count; i++) {
		const struct recipe_option *o = &r->options[i];
		size_t len = strlen(o->spec.name);
		const char *at = names;

		while (recipe_is_given(o) && (at = strstr(at, "--"))) {
			at += 2;
			if (!strncmp(at, o->spec.name, len) && strchr(", ", at[len]))
				return true;
		}
	}
	return false;
}

void recipe_defaults_set(struct recipe *r, bool tasks_chosen)
{
	for (size_t i = 0; i < r->option_count; i++) {
		struct recipe_option *o = &r->options[i];

		for (size_t j = 0; j < o->effect_count; j++) {
			const char *names = recipe_effect_after(&o->effects[j], default_word);

			if (!names)
				continue;
			o->is_given |= !tasks_chosen && !is_any_given(r, names);
			o->effects[j].text = "";
		}
	}
}

/* ---- lines ---- */

/* Makes what follows the word below an option lines of the recipe. */
static int lines_move(struct recipe *r, struct recipe_option *o, const char *word)
{
	for (size_t j = 0; j < o->effect_count; j++) {
		const char *text = recipe_effect_after(&o->effects[j], word);

		if (!text)
			continue;
		if (!strcmp(text, "nothing")) {
			o->effects[j].text = "";
			continue;
		}
		if (r->line_count == RECIPE_LINES_MAX)
			return recipe_wrong(r, o->effects[j].number, "too many lines", word);
		r->lines[r->line_count++] = (struct recipe_line){ text, o->effects[j].number, o };
		o->effects[j].text = "";
	}
	return 0;
}

/* The columns of the recipe are those of its own lines. */
static int lines_replace(struct recipe *r, struct recipe_option *o)
{
	r->line_count = 0;
	r->columns.text = NULL;
	return lines_move(r, o, "instead ");
}

int recipe_lines_choose(struct recipe *r)
{
	int err = 0;

	/* at most one of the options that replace lines is given (recipe_given_check) */
	for (size_t i = 0; i < r->option_count && !err; i++)
		if (recipe_is_given(&r->options[i]) && recipe_replaces(&r->options[i]))
			err = lines_replace(r, &r->options[i]);
	for (size_t i = 0; i < r->option_count && !err; i++)
		if (recipe_is_given(&r->options[i]))
			err = lines_move(r, &r->options[i], "also ");
	return err;
}
