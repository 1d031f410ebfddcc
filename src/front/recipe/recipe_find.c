/* SPDX-License-Identifier: GPL-2.0-only */
/* recipe_find.c - finds the texts of recipes, in the binary, in folders and in files; and lists them. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/config.h"
#include "front/recipe/recipe.h"
#include "kernel/capabilities.h"
#include "util/log.h"
#include "util/terminal.h"
#include "util/unpack.h"

enum { TEXT_MAX = 64 << 10 }; /* largest file, in bytes */

/* packed by tools/pack-recipes: texts, each ended by a NUL, sorted by name */
extern const unsigned char recipes_packed[];
extern const size_t recipes_packed_size, recipes_size;

/* ---- in the binary ---- */

static const char *embedded(void)
{
	static char *texts;

	if (!texts)
		texts = unpack_embedded(recipes_packed, recipes_packed_size, recipes_size);
	return texts ?: "";
}

/* True if the text is the recipe of that name. */
static bool is_named(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *head = strncmp(text, "recipe ", 7) ? strstr(text, "\nrecipe ") : text - 1;

	return head && !strncmp(head + 8, name, len) && head[8 + len] == ':';
}

static char *embedded_find(const char *name)
{
	for (const char *text = embedded(); *text; text += strlen(text) + 1)
		if (is_named(text, name))
			return strdup(text);
	errno = ENOENT;
	return NULL;
}

/* ---- parts of programs ---- */

/* Returns the lines below `part NAME: WHAT`, the first line of the text. */
static const char *part_lines(const char *text, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(text, "part ", 5) || strncmp(text + 5, name, len) || text[5 + len] != ':')
		return NULL;
	return strchr(text, '\n');
}

const char *recipe_part(const char *name)
{
	const char *lines = NULL;

	for (const char *text = embedded(); *text && !lines; text += strlen(text) + 1)
		lines = part_lines(text, name);
	return lines;
}

/* ---- in files ---- */

static char *file_read(const char *path)
{
	size_t len;
	char *text = own_text_read(path, TEXT_MAX, &len);

	/* a NUL would end the text: it becomes a control character, which the parser refuses */
	for (size_t i = 0; text && i < len; i++)
		text[i] = text[i] ?: '\1';
	return text;
}

/* Folders of recipes, NAME.probe each; end with NULL. */
static const char *const *folders(void)
{
	static const char *list[3];
	const char *own = config_folder();

	list[0] = own ?: "/etc/coretap";
	list[1] = own ? "/etc/coretap" : NULL;
	return list;
}

/* True if the file exists. A folder that cannot be searched counts as empty: HOME may belong to another user, or not
 * be a folder. */
static bool is_there(const char *file)
{
	struct own_rights own = own_rights_begin();
	struct stat st;
	bool is = !stat(file, &st);

	own_rights_end(own);
	return is;
}

static char *folders_find(const char *name, const char **path)
{
	for (const char *const *folder = folders(); *folder; folder++) {
		char *file, *text;

		if (asprintf(&file, "%s/%s.probe", *folder, name) < 0)
			return NULL;
		text = file_read(file);
		if (text || (errno != ENOENT && is_there(file))) {
			*path = file;
			return text;
		}
		free(file);
	}
	errno = ENOENT;
	return NULL;
}

char *recipe_text(const char *name, const char **path, bool is_file)
{
	char *text;

	*path = name;
	if (is_file || strchr(name, '/'))
		return file_read(name);
	text = embedded_find(name);
	return text ?: folders_find(name, path);
}

/* ---- all ---- */

static void folder_each(const char *folder, void (*each)(char *, const char *, void *), void *ctx)
{
	struct own_rights own = own_rights_begin();
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort);

	own_rights_end(own);

	for (int i = 0; i < count; i++) {
		size_t len = strlen(entries[i]->d_name);
		bool fits = len > 6 && !strcmp(entries[i]->d_name + len - 6, ".probe");
		char *file, *text;

		if (fits && asprintf(&file, "%s/%s", folder, entries[i]->d_name) >= 0) {
			text = file_read(file);
			if (text)
				each(text, file, ctx);
			free(file);
		}
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

void recipe_each(void (*each)(char *text, const char *path, void *ctx), void *ctx)
{
	for (const char *text = embedded(); *text; text += strlen(text) + 1)
		if (strncmp(text, "part ", 5))
			each(strdup(text), "a built-in recipe", ctx);
	for (const char *const *folder = folders(); *folder; folder++)
		folder_each(*folder, each, ctx);
}

/* ---- all recipes: by theme for --list, by name for completion ---- */

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

/* Skips names that are already listed: the first one is the one that runs. */
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

		if (strcmp(theme, row->theme)) {
			buf_char(o, '\n');
			style_title(o, row->theme, ":\n");
		}
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
	const char *part = err == ENOENT ? recipe_part(name) : NULL;

	if (part)
		err = 0;
	if (!err) {
		buf_str(o, text ?: part + 1);
	} else if (err == ENOENT) {
		log_error("unknown recipe '%s'", name);
		log_hint("coretap --list shows all");
	} else { /* the text exists, but cannot be read */
		log_error("cannot read '%s': %s", path, strerror(err));
	}
	if (path != name)
		free((char *)path);
	free(text);
	return err ? EXIT_USAGE : EXIT_FINE;
}
