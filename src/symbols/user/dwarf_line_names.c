/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarf_line_names.c - names and folders of the source files of a line number program: DWARF 5, section 6.2.4. */
#include <stdio.h>
#include <string.h>

#include "symbols/user/dwarf_form.h"
#include "symbols/user/dwarf_lines.h"

enum { FORMATS_MAX = 16 };
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY = 2 };

/* A file or, without a number, a directory of a table. */
struct name {
	const char *text;   /* NULL: none */
	uint64_t directory; /* its number */
};

static struct dwarf_value form_read(const struct dwarf_section *sections,
				    const struct lines_unit *u, struct dwarf_bytes *b,
				    uint64_t form)
{
	const struct dwarf_info info = { .sections = { [INFO_STR] = sections[LINES_OTHER_STR],
						       [INFO_LINE_STR] = sections[LINES_STR] } };
	const struct dwarf_unit unit = { .info = &info,
					 .version = u->version,
					 .offset_size = u->offset_size };

	return dwarf_value_read(&unit, b, form, 0);
}

/* Reads a table of DWARF 5 up to entry `wanted`, and returns that. */
static struct name entries_read(const struct dwarf_section *sections, const struct lines_unit *u,
				struct dwarf_bytes *b, uint64_t wanted)
{
	uint64_t formats[FORMATS_MAX][2], count, entries;
	struct name name = { 0 };

	count = dwarf_unsigned(b, 1);
	if (count > FORMATS_MAX)
		return (struct name){ 0 };
	for (uint64_t i = 0; i < count * 2; i++)
		formats[i / 2][i % 2] = dwarf_uleb(b);
	entries = dwarf_uleb(b);
	for (uint64_t i = 0; count && i < entries && !b->bad; i++) {
		const uint8_t *from = b->at;

		for (uint64_t j = 0; j < count; j++) {
			struct dwarf_value v = form_read(sections, u, b, formats[j][1]);

			if (formats[j][0] == CONTENT_PATH)
				name.text = v.kind == VALUE_TEXT ? v.text : NULL;
			else if (formats[j][0] == CONTENT_DIRECTORY)
				name.directory = v.number;
		}
		if (b->at == from) /* entries of no bytes: damaged, and there may be very many */
			b->bad = true;
		if (i == wanted)
			return b->bad ? (struct name){ 0 } : name;
	}
	return (struct name){ 0 };
}

/* The same before DWARF 5: directories are texts ended by an empty one, then files are. Both count from 1. */
static struct name directory_old(struct dwarf_bytes *b, uint64_t wanted)
{
	struct name name = { 0 };
	const char *text;

	for (uint64_t i = 1; (text = dwarf_text(b)) && *text; i++)
		if (i == wanted)
			name.text = text;
	return name;
}

static struct name file_old(struct dwarf_bytes *b, uint64_t wanted)
{
	struct name name = { 0 };

	for (uint64_t i = 1; (name.text = dwarf_text(b)) && *name.text; i++) {
		name.directory = dwarf_uleb(b);
		if (i == wanted)
			return name;
		for (int j = 0; j < 2; j++) /* time and size */
			dwarf_uleb(b);
	}
	return (struct name){ 0 };
}

static struct name file_find(const struct dwarf_section *sections, const struct lines_unit *u,
			     uint64_t wanted)
{
	struct dwarf_bytes b = u->names;

	if (u->version < 5) {
		directory_old(&b, 0);
		return file_old(&b, wanted);
	}
	entries_read(sections, u, &b, UINT64_MAX);
	return b.bad ? (struct name){ 0 } : entries_read(sections, u, &b, wanted);
}

static const char *directory_find(const struct dwarf_section *sections, const struct lines_unit *u,
				  uint64_t number)
{
	struct dwarf_bytes b = u->names;

	return u->version < 5 ? directory_old(&b, number).text :
				entries_read(sections, u, &b, number).text;
}

const char *lines_file_name(const struct dwarf_section *sections, const struct lines_unit *u,
			    uint64_t wanted)
{
	const char *path = file_find(sections, u, wanted).text,
		   *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

void lines_file_path(const struct dwarf_section *sections, const struct lines_unit *u,
		     uint64_t number, char *to, size_t size)
{
	struct name file = file_find(sections, u, number);
	const char *directory = file.text && *file.text != '/' ?
					directory_find(sections, u, file.directory) :
					NULL;

	snprintf(to, size, "%s%s%s", directory ?: "", directory ? "/" : "", file.text ?: "");
}

bool dwarf_path_ends(const char *path, const char *end)
{
	size_t len = strlen(path), tail = strlen(end);

	return tail <= len && !strcmp(path + len - tail, end) &&
	       (tail == len || path[len - tail - 1] == '/');
}
