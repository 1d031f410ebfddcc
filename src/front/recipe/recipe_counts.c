/* SPDX-License-Identifier: GPL-2.0-only */
/* recipe_counts.c - what a recipe does, by its lines and its program: it counts, it prints at intervals. */
#include <ctype.h>
#include <string.h>

#include "front/recipe/recipe.h"

bool recipe_has_word(const struct recipe *r, const char *option)
{
	for (size_t i = 0; i < r->line_count; i++)
		if (strstr(r->lines[i].text, option))
			return true;
	return false;
}

bool recipe_has_probe(const struct recipe *r, const char *name)
{
	const char *at = r->program.text;
	size_t len = strlen(name);

	for (; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, name, len) && !isalnum((unsigned char)at[len]))
			return true;
	}
	return false;
}

bool recipe_text_counts(const char *text)
{
	static const char *const counting[] = { "--count", "--sum",   "--avg",	  "--min", "--max",
						"--hist",  "--lhist", "--folded", "--pct" };

	for (size_t j = 0; j < sizeof(counting) / sizeof(counting[0]); j++)
		if (strstr(text, counting[j]))
			return true;
	return false;
}

bool recipe_counts(const struct recipe *r)
{
	if (r->program.text && recipe_replacing(r))
		return recipe_is_replaced(r);
	if (recipe_has_probe(r, "report") || recipe_has_probe(r, "folded"))
		return true;
	for (size_t i = 0; i < r->line_count; i++)
		if (recipe_text_counts(r->lines[i].text))
			return true;
	return false;
}

bool recipe_has_intervals(const struct recipe *r)
{
	for (size_t i = 0; i < r->argument_count; i++)
		if (r->arguments[i].is_optional)
			return false;
	return recipe_counts(r) && !recipe_has_word(r, "--folded") &&
	       !recipe_has_probe(r, "folded");
}
