/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_list.c - all recipes: by theme for --list, by name for completion and the like.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/recipe/recipe.h"
#include "util/log.h"

struct listed {
	char *name, *summary, *theme;
};

struct list {
	struct listed *rows;
	size_t count;
};

static void list_add(char *text, const char *path, void *ctx)
{
	struct recipe r;
	struct list *list = ctx;
	struct listed *rows = realloc(list->rows, (list->count + 1) * sizeof(*rows));

	if (rows && !recipe_parse(&r, text, path) && r.name)
		rows[list->count++] = (struct listed){ strdup(r.name), strdup(r.summary),
						       strdup(r.theme.text ?: "other") };
	list->rows = rows ?: list->rows;
	if (rows)
		recipe_free(&r);
}

static int by_theme(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	return strcmp(x->theme, y->theme) ?: strcmp(x->name, y->name);
}

static void listed_free(struct listed *row)
{
	free(row->name);
	free(row->summary);
	free(row->theme);
}

/* The first of a name is the one that runs. */
static void name_add(char *text, const char *path, void *ctx)
{
	struct list *list = ctx;
	size_t before = list->count;

	list_add(text, path, list);
	for (size_t i = 0; i < before && before < list->count; i++)
		if (!strcmp(list->rows[i].name, list->rows[before].name))
			listed_free(&list->rows[--list->count]);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->name, ((const struct listed *)b)->name);
}

const char *const *recipe_names(void)
{
	static const char **names;
	struct list list = { 0 };

	if (names)
		return names;
	recipe_each(name_add, &list);
	names = calloc(list.count + 1, sizeof(*names));
	if (!names)
		abort(); /* a few hundred bytes */
	if (list.count)
		qsort(list.rows, list.count, sizeof(*list.rows), by_name);
	for (size_t i = 0; i < list.count; i++) {
		names[i] = list.rows[i].name;
		free(list.rows[i].summary);
		free(list.rows[i].theme);
	}
	free(list.rows);
	return names;
}

void recipe_list(struct buf *o)
{
	struct list list = { 0 };
	const char *theme = "";

	recipe_each(list_add, &list);
	if (list.count)
		qsort(list.rows, list.count, sizeof(*list.rows), by_theme);
	for (size_t i = 0; i < list.count; i++) {
		const struct listed *row = &list.rows[i];

		if (strcmp(theme, row->theme))
			buf_printf(o, "\n%s:\n", row->theme);
		theme = row->theme;
		buf_printf(o, "  %-13s %s\n", row->name, row->summary);
	}
	for (size_t i = 0; i < list.count; i++)
		listed_free(&list.rows[i]);
	free(list.rows);
}

int recipe_print(const char *name, struct buf *o)
{
	const char *path;
	char *text = recipe_text(name, &path, false);
	int err = text ? 0 : errno;

	if (text) {
		buf_str(o, text);
	} else if (err == ENOENT) {
		log_error("there is no recipe '%s'", name);
		log_hint("coretap --list shows all");
	} else { /* it is there */
		log_error("cannot read '%s': %s", path, strerror(err));
	}
	if (path != name)
		free((char *)path);
	free(text);
	return err ? EXIT_USAGE : EXIT_FINE;
}
