/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_twice.c - refuses values that are given twice, and options of which only one can have an effect.
 */
#include <errno.h>
#include <string.h>

#include "cli/option_read.h"
#include "front/front.h"
#include "front/recipe/recipe.h"
#include "util/log.h"

/* ---- an argument, and an option with the same effect ---- */

/* Returns the length of NAME in "NAME = EXPR", or of an option of argdump; 0: neither. */
static size_t effect_name(const char *text)
{
	return strcspn(text, " ");
}

static bool is_same_effect(const struct recipe_option *a, const struct recipe_option *b)
{
	const char *first = a->effect_count ? a->effects[0].text : "";
	size_t len = b->effect_count ? effect_name(first) : 0;

	if (!len || len != effect_name(b->effects[0].text) ||
	    strncmp(first, b->effects[0].text, len))
		return false;
	return *first != '-' || !strcmp(first, b->effects[0].text);
}

static bool has_effect(const struct recipe_option *a, const char *option)
{
	return a->value && a->effect_count && !strncmp(a->effects[0].text, option, strlen(option));
}

/* Refuses a value given twice, as `fileslower -m 5 10` or `profile -d 3 5`: neither has precedence. */
static int twice(const char *name, const char *value, const char *option)
{
	log_error("%s is given twice, by --%s and as '%s'", name, option, value);
	log_hint("leave one of them out");
	return -EINVAL;
}

static int argument_check(const struct recipe *r, const struct options *o,
			  const struct recipe_option *a)
{
	const char *by = has_effect(a, "--duration ") && o->limits.duration_ns ? "duration" : NULL;

	for (size_t i = 0; i < r->option_count && !by; i++)
		if (r->options[i].value && is_same_effect(a, &r->options[i]))
			by = r->options[i].spec.name;
	if (!by || !a->value)
		return 0;
	return twice(a->spec.arg, a->value, by);
}

int recipe_intervals_check(const struct recipe *r, int argc, char **argv)
{
	static const char *const effects[INTERVALS_ARGS] = { "--interval ", "--duration " },
				 *const names[INTERVALS_ARGS] = { "INTERVAL", "COUNT" };

	for (int i = 0; i < argc; i++)
		for (size_t j = 0; j < r->option_count; j++)
			if (has_effect(&r->options[j], effects[i]))
				return twice(names[i], argv[i], r->options[j].spec.name);
	return 0;
}

/* ---- two options ---- */

/* Options that choose opposite parts of the same events. Others define the same name. */
static const char *const opposites[][2] = { { "ipv4", "ipv6" },
					    { "kernel", "user" },
					    { "user-threads", "kernel-threads" } };

static bool is_one_of(const char *name, const char *const pair[2])
{
	return !strcmp(name, pair[0]) || !strcmp(name, pair[1]);
}

/* True if both define a name. */
static bool defines_same(const struct recipe_option *a, const struct recipe_option *b)
{
	for (size_t i = 0; i < a->effect_count; i++)
		for (size_t j = 0; j < b->effect_count; j++) {
			const char *x = a->effects[i].text, *y = b->effects[j].text;
			size_t len = effect_name(x);

			if (!strncmp(x + len, " = ", 3) && !strncmp(x, y, len + 3))
				return true;
		}
	return false;
}

/* The lines that replace the recipe's have columns of their own. */
static bool has_columns(const struct recipe_option *a)
{
	for (size_t i = 0; i < a->effect_count; i++)
		if (recipe_effect_after(&a->effects[i], "columns "))
			return true;
	return recipe_replaces(a);
}

/* True if the option replaces lines that count by lines that print. */
static bool prints_instead(const struct recipe_option *a)
{
	for (size_t i = 0; i < a->effect_count; i++)
		if (recipe_text_counts(a->effects[i].text))
			return false;
	return recipe_replaces(a);
}

/* True if the option adds a key of what is counted. */
static bool adds_key(const struct recipe_option *a)
{
	for (size_t i = 0; i < a->effect_count; i++)
		if (recipe_effect_after(&a->effects[i], "--by "))
			return true;
	return false;
}

static bool excludes(const struct recipe_option *a, const struct recipe_option *b)
{
	for (size_t i = 0; i < sizeof(opposites) / sizeof(opposites[0]); i++)
		if (is_one_of(a->spec.name, opposites[i]) && is_one_of(b->spec.name, opposites[i]))
			return true;
	return defines_same(a, b) || (recipe_replaces(a) && has_columns(b)) ||
	       (has_columns(a) && recipe_replaces(b)) || (prints_instead(a) && adds_key(b)) ||
	       (adds_key(a) && prints_instead(b));
}

static int options_check(const struct recipe *r)
{
	for (size_t i = 0; i < r->option_count; i++)
		for (size_t j = i + 1; j < r->option_count; j++) {
			const struct recipe_option *a = &r->options[i], *b = &r->options[j];

			if (!recipe_is_given(a) || !recipe_is_given(b) || !excludes(a, b))
				continue;
			log_error("--%s and --%s exclude each other", a->spec.name, b->spec.name);
			log_hint("leave one of them out");
			return -EINVAL;
		}
	return 0;
}

int recipe_given_check(const struct recipe *r, const struct options *o)
{
	int err = options_check(r);

	for (size_t i = 0; i < r->argument_count && !err; i++)
		err = argument_check(r, o, &r->arguments[i]);
	return err;
}
