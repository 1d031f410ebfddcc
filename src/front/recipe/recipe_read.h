/* SPDX-License-Identifier: GPL-2.0-only */
/* recipe_read.h - the text of a recipe while it is split into its parts, line by line. */
#ifndef CORETAP_FRONT_RECIPE_READ_H
#define CORETAP_FRONT_RECIPE_READ_H

#include <stdbool.h>

#include "front/recipe/recipe.h"

/* The item that a line beginning with blanks continues: one of the last three. */
struct recipe_reading {
	struct recipe *r;
	unsigned number; /* of the line */
	struct recipe_option *option;
	const char **more; /* a text */
	bool in_description;
};

/* Prints what is wrong with the line that is read. Returns -EINVAL. */
int recipe_reading_wrong(const struct recipe_reading *in, const char *what, const char *which);
/* recipe_head.c: parses a line that begins with a keyword; *err is 0 or -errno after printing any error. Returns false
 * if it begins with none. */
bool recipe_head_parse(struct recipe_reading *in, char *line, int *err);
/* Checks the head when the file has been read. Returns 0, or -EINVAL after printing an error. */
int recipe_head_check(const struct recipe_reading *in);

#endif
