/* SPDX-License-Identifier: GPL-2.0-only */
/* user_statement.c - finds the code of a line of source, by the line numbers in a file's debug information. */
#include "probe/providers/user_statement.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "probe/name_parts.h"
#include "probe/probe_spec.h"
#include "probe/providers/providers.h"
#include "symbols/user/dwarf_find.h"
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms.h"
#include "util/array.h"
#include "util/log.h"

/* Cuts the last part of a text, after a colon, and returns it; NULL: it has none. */
static char *part_cut(char *text)
{
	char *colon = name_colon(text, strlen(text));

	if (!colon || colon == text)
		return NULL;
	*colon = 0;
	return colon + 1;
}

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

bool user_statement_parse(const struct session *s, const struct probe_spec_item *item,
			  struct user_statement *statement)
{
	char *source;

	*statement = (struct user_statement){ .line = (unsigned)item->offset };
	if (!item->scope || !item->has_offset || *item->name || item->offset > INT32_MAX ||
	    strlen(item->scope) >= sizeof(statement->file))
		return false;
	strcpy(statement->file, item->scope);
	source = part_cut(statement->file);
	if (source && is_number(source)) {
		statement->column = statement->line;
		statement->line = (unsigned)strtoul(source, NULL, 10);
		source = part_cut(statement->file);
	}
	if (!source || !*source || user_file_exists(s, item->scope))
		return false;
	return snprintf(statement->source, sizeof(statement->source), "%s", source) <
	       (int)sizeof(statement->source);
}

static int lines_open(int fd, struct dwarf_lines **lines)
{
	static const char *const names[] = { ".debug_line", ".debug_line_str", ".debug_str" };
	struct dwarf_section sections[LINES_SECTIONS] = { 0 };
	int err = dwarf_sections_read(fd, NULL, 0, names, sections, LINES_SECTIONS);

	if (err)
		return err;
	return sections[LINES_PROGRAM].bytes ? dwarf_lines_read(sections, lines) : -ENODATA;
}

/* ---- the code of a line ---- */

enum { SOURCES_MAX = 4 };

struct statement_code {
	const struct elf_file *elf;
	uint64_t *rows; /* owned; file offsets where code of the line begins */
	size_t count, room;
	char sources[SOURCES_MAX][DWARF_PATH_MAX]; /* the paths of files that have such a line */
	size_t source_count;
	bool is_full; /* out of memory */
	/* the first row of each function that has some */
	uint64_t *offsets;
	size_t kept, most;
};

/* Units may call one file by several paths, of which one ends as the other does. */
static bool source_is_known(const struct statement_code *c, const char *path)
{
	for (size_t i = 0; i < c->source_count; i++)
		if (dwarf_path_ends(c->sources[i], path) || dwarf_path_ends(path, c->sources[i]))
			return true;
	return false;
}

static bool row_visit(void *ctx, uint64_t address, const char *path)
{
	struct statement_code *c = ctx;
	uint64_t offset;

	if (!elf_code_offset(c->elf, address, &offset))
		return false;
	if (c->source_count < SOURCES_MAX && !source_is_known(c, path))
		snprintf(c->sources[c->source_count++], DWARF_PATH_MAX, "%s", path);
	c->is_full = !ARRAY_RESERVE(c->rows, c->count, c->room, 16);
	if (!c->is_full)
		c->rows[c->count++] = offset;
	return c->is_full;
}

static int row_compare(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

static bool offset_keep(struct statement_code *c, uint64_t offset)
{
	for (size_t i = 0; i < c->kept; i++)
		if (c->offsets[i] == offset)
			return false;
	if (c->kept < c->most)
		c->offsets[c->kept++] = offset;
	return c->kept == c->most;
}

static bool function_visit(void *ctx, const struct usym *s)
{
	struct statement_code *c = ctx;
	size_t first = 0, last = c->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (c->rows[middle] < s->offset)
			first = middle + 1;
		else
			last = middle;
	}
	return first < c->count && c->rows[first] - s->offset < s->size &&
	       offset_keep(c, c->rows[first]);
}

struct opened {
	struct dwarf_lines *lines;
	struct elf_file elf;
};

/* The caller frees o->lines, also after an error. */
static int file_open(int fd, struct opened *o)
{
	o->lines = NULL;
	return lines_open(fd, &o->lines) ?: elf_file_read(&o->elf, fd, NULL, 0);
}

/* Finds the rows of a line. The caller frees c->rows. Returns 0, or an error of user_statement_places. */
static int rows_find(const struct opened *o, const struct user_statement *statement,
		     struct statement_code *c)
{
	*c = (struct statement_code){ .elf = &o->elf };
	dwarf_lines_each(o->lines, statement->source, statement->line, statement->column, row_visit,
			 c);
	return c->is_full ? -ENOMEM : !c->count ? -ENOENT : c->source_count > 1 ? -ENOTUNIQ : 0;
}

/* The same of a file. */
static int rows_read(int fd, const struct user_statement *statement, struct statement_code *c)
{
	struct opened o;
	int err = file_open(fd, &o);

	*c = (struct statement_code){ 0 };
	err = err ?: rows_find(&o, statement, c);
	dwarf_lines_free(o.lines);
	return err;
}

/* Finds the source that a function's code comes from. */
static int source_find(struct opened *o, uint64_t offset, struct user_statement *statement)
{
	const char *source;
	unsigned line;

	if (!dwarf_lines_find(o->lines, elf_address(&o->elf, offset), &source, &line))
		return -ENOENT;
	snprintf(statement->source, sizeof(statement->source), "%s", source);
	return 0;
}

/* Counts the line from the one on which a function is declared, whose name becomes that of its source. Finds the first row in
 * that function. Returns 1, or an error of user_statement_places. */
static ssize_t statement_in(int fd, struct user_statement *statement, uint64_t *offset)
{
	struct statement_code c = { 0 };
	uint64_t start, size, best = UINT64_MAX;
	struct opened o;
	unsigned declared;
	int err = user_function_line(fd, statement->source, &start, &size, &declared);

	if (err)
		return err == -ENOENT ? -ESRCH : err;
	statement->line += declared;
	err = file_open(fd, &o);
	err = err ?: source_find(&o, start, statement) ?: rows_find(&o, statement, &c);
	dwarf_lines_free(o.lines);
	for (size_t i = 0; i < c.count; i++)
		if (c.rows[i] - start < size && c.rows[i] < best)
			best = c.rows[i];
	free(c.rows);
	if (err && err != -ENOTUNIQ)
		return err;
	*offset = best;
	return best == UINT64_MAX ? -ENOENT : 1;
}

ssize_t user_statement_places(int fd, struct user_statement *statement, uint64_t *offsets,
			      size_t most)
{
	struct statement_code c;
	char self[32];
	int err;

	if (!strchr(statement->source, '.'))
		return statement_in(fd, statement, offsets);
	err = rows_read(fd, statement, &c);
	c.offsets = offsets;
	c.most = most;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (!err) {
		qsort(c.rows, c.count, sizeof(*c.rows), row_compare);
		err = usyms_each(self, function_visit, &c);
	}
	if (!err && !c.kept)
		offset_keep(&c, c.rows[0]);
	free(c.rows);
	return err ?: (ssize_t)c.kept;
}

int user_statement_find(int fd, struct user_statement *statement, uint64_t *offset)
{
	ssize_t count = user_statement_places(fd, statement, offset, 1);

	return count < 0 ? (int)count : 0;
}

/* ---- messages ---- */

/* Lists the files of which the line may be. */
static int ambiguous_report(int fd, const struct user_statement *statement)
{
	struct statement_code c;

	rows_read(fd, statement, &c);
	free(c.rows);
	log_error("%s:%u is a line of several files", statement->source, statement->line);
	for (size_t i = 0; i < c.source_count; i++)
		log_hint("%s:%u%s", c.sources[i], statement->line,
			 i + 1 == SOURCES_MAX ? " …" : "");
	return EXIT_USAGE;
}

int user_statement_report(const struct user_file *file, const struct user_statement *statement,
			  int err)
{
	struct dwarf_lines *lines = NULL;
	bool has_file;
	unsigned next;

	if (err == -ENODATA) {
		log_error("cannot find %s:%u: %s has no line numbers", statement->source,
			  statement->line, file->path);
		log_hint("compile it with -g, or install the debug information of its package");
		return EXIT_CANNOT;
	}
	if (err == -ESRCH) {
		log_error("%s has no function %s", file->path, statement->source);
		log_hint("SOURCE:LINE also names code of functions that are inlined");
		return EXIT_USAGE;
	}
	if (err == -ENOTUNIQ)
		return ambiguous_report(file->fd, statement);
	if (err != -ENOENT)
		return user_file_unread_report(file, err);
	err = lines_open(file->fd, &lines);
	next = err ? 0 : dwarf_lines_after(lines, statement->source, statement->line);
	has_file = next || (!err && dwarf_lines_after(lines, statement->source, 0));
	dwarf_lines_free(lines);
	if (has_file)
		log_error("%s has no code at %s:%u", file->path, statement->source,
			  statement->line);
	else
		log_error("%s has no code of %s", file->path, statement->source);
	if (next)
		log_hint("the next line with code is %u", next);
	else if (!has_file)
		log_hint("objdump --dwarf=decodedline lists the sources that a file has code of");
	return EXIT_USAGE;
}
