/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe.c - what the parts of a recipe share: its texts, names and errors.
 */
#include "front/recipe/recipe_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

size_t recipe_name_length(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return isdigit((unsigned char)*text) ? 0 : len;
}

int recipe_reading_wrong(const struct recipe_reading *in, const char *what, const char *which)
{
	return recipe_wrong(in->r, in->number, what, which);
}
