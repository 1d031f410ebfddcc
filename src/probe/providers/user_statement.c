/* SPDX-License-Identifier: GPL-2.0-only */
/* user_statement.c - finds the code of a line of source, by the line numbers in a file's debug information. */
#include "probe/providers/user_statement.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "probe/probe_spec.h"
#include "probe/providers/user_file.h"
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "util/log.h"

/* Cuts the last part of a text, after a colon, and returns it; NULL: it has none. */
static char *part_cut(char *text)
{
	char *colon = strrchr(text, ':');

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
	char *source, *slash;

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
	if (!source || !strchr(source, '.') || user_file_exists(s, item->scope))
		return false;
	slash = strrchr(source, '/');
	return snprintf(statement->source, sizeof(statement->source), "%s",
			slash ? slash + 1 : source) < (int)sizeof(statement->source);
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

int user_statement_find(int fd, const struct user_statement *statement, uint64_t *offset)
{
	struct dwarf_lines *lines = NULL;
	struct elf_file elf;
	uint64_t address;
	int err = lines_open(fd, &lines);

	if (!err && !dwarf_lines_address(lines, statement->source, statement->line,
					 statement->column, &address))
		err = -ENOENT;
	dwarf_lines_free(lines);
	if (!err)
		err = elf_file_read(&elf, fd, NULL, 0);
	if (!err && !elf_code_offset(&elf, address, offset))
		err = -ENOENT;
	return err;
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
