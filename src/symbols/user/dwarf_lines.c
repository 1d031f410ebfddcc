/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_lines.c - finds the line program that covers an address, and its row: DWARF 5, section 6.2.
 */
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/dwarf_form.h"

#include <errno.h>
#include <stdlib.h>

enum {
	FORMATS_MAX = 16,
	/* bytes of a program that a lookup runs; longer programs are skipped */
	SEQUENCE_MAX = 1 << 20,
	KNOWN = 256, /* results to cache */
};

enum { CONTENT_PATH = 1 };

/* A contiguous range of code. */
struct sequence {
	uint64_t start, end;
	uint32_t unit, program; /* offsets in .debug_line */
};

struct dwarf_lines {
	struct dwarf_section sections[LINES_SECTIONS]; /* owned */
	struct sequence *sequences;		       /* sorted by start */
	size_t count;
	struct place {
		uint64_t address;
		const char *file; /* NULL: unknown */
		unsigned line;
	} known[KNOWN]; /* a cache indexed by address: stacks repeat the same frames */
};

/* ---- sequences ---- */

/* Skips sequences at address 0: linkers leave dropped code there. */
static size_t unit_walk(const struct dwarf_lines *l, const struct lines_unit *u, uint32_t at,
			struct sequence *to, size_t count)
{
	const uint8_t *start = (const uint8_t *)l->sections[LINES_PROGRAM].bytes;
	struct dwarf_bytes b = u->program;
	struct sequence s = { .unit = at, .program = b.at - start };
	struct lines_row r = { .is_end = true };
	bool is_first = true;

	while (lines_row_next(u, &b, &r)) {
		if (is_first)
			s.start = r.address;
		is_first = r.is_end;
		if (!r.is_end)
			continue;
		s.end = r.address;
		if (s.start && s.start < s.end && b.at - start - s.program <= SEQUENCE_MAX) {
			if (to)
				to[count] = s;
			count++;
		}
		s.program = b.at - start;
	}
	return count;
}

static size_t sequences_walk(const struct dwarf_lines *l, struct sequence *to)
{
	const struct dwarf_section *s = &l->sections[LINES_PROGRAM];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->size);
	struct lines_unit u = { 0 };
	size_t count = 0;

	while (dwarf_left(&all)) {
		uint32_t at = all.at - (const uint8_t *)s->bytes;

		if (!lines_unit_next(&all, &u))
			break;
		count = unit_walk(l, &u, at, to, count);
	}
	return count;
}

static int sequence_compare(const void *x, const void *y)
{
	const struct sequence *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->program < b->program ? -1 : a->program > b->program;
}

int dwarf_lines_read(struct dwarf_section *sections, struct dwarf_lines **out)
{
	struct dwarf_lines *l = calloc(1, sizeof(*l));
	int err = 0;

	*out = NULL;
	if (!l) {
		dwarf_sections_free(sections, LINES_SECTIONS);
		return -ENOMEM;
	}
	memcpy(l->sections, sections, sizeof(l->sections));
	for (int i = 0; i < LINES_SECTIONS && !err; i++)
		err = dwarf_section_fill(&l->sections[i]);
	if (l->sections[LINES_PROGRAM].size > UINT32_MAX)
		l->sections[LINES_PROGRAM].size = UINT32_MAX;
	if (!err)
		l->sequences = malloc((sequences_walk(l, NULL) + 1) * sizeof(*l->sequences));
	if (!l->sequences) {
		dwarf_lines_free(l);
		return err ?: -ENOMEM;
	}
	l->count = sequences_walk(l, l->sequences);
	if (l->count)
		qsort(l->sequences, l->count, sizeof(*l->sequences), sequence_compare);
	*out = l;
	return 0;
}

void dwarf_lines_free(struct dwarf_lines *l)
{
	if (!l)
		return;
	dwarf_sections_free(l->sections, LINES_SECTIONS);
	free(l->sequences);
	free(l);
}

size_t dwarf_lines_size(const struct dwarf_lines *l)
{
	size_t size = l ? sizeof(*l) + l->count * sizeof(*l->sequences) : 0;

	for (int i = 0; l && i < LINES_SECTIONS; i++)
		size += l->sections[i].size;
	return size;
}

/* ---- names of files ---- */

/* Skips a value; returns it if it is a text. */
static const char *form_read(const struct dwarf_lines *l, const struct lines_unit *u,
			     struct dwarf_bytes *b, uint64_t form)
{
	const struct dwarf_info info = { .sections = { [INFO_STR] = l->sections[LINES_OTHER_STR],
						       [INFO_LINE_STR] = l->sections[LINES_STR] } };
	const struct dwarf_unit unit = { .info = &info,
					 .version = u->version,
					 .offset_size = u->offset_size };
	struct dwarf_value v = dwarf_value_read(&unit, b, form, 0);

	return v.kind == VALUE_TEXT ? v.text : NULL;
}

/* Reads a table of DWARF 5 up to entry `wanted`, and returns its path. */
static const char *entries_read(const struct dwarf_lines *l, const struct lines_unit *u,
				struct dwarf_bytes *b, uint64_t wanted)
{
	uint64_t formats[FORMATS_MAX][2], count, entries;
	const char *path = NULL;

	count = dwarf_unsigned(b, 1);
	if (count > FORMATS_MAX)
		return NULL;
	for (uint64_t i = 0; i < count * 2; i++)
		formats[i / 2][i % 2] = dwarf_uleb(b);
	entries = dwarf_uleb(b);
	for (uint64_t i = 0; count && i < entries && !b->bad; i++) {
		const uint8_t *from = b->at;

		for (uint64_t j = 0; j < count; j++) {
			const char *text = form_read(l, u, b, formats[j][1]);

			if (formats[j][0] == CONTENT_PATH)
				path = text;
		}
		if (b->at == from) /* entries of no bytes: damaged, and there may be very many */
			b->bad = true;
		if (i == wanted)
			return b->bad ? NULL : path;
	}
	return NULL;
}

/* Finds a file before DWARF 5: a list of texts ended by an empty one. Files count from 1. */
static const char *file_old(struct dwarf_bytes b, uint64_t wanted)
{
	const char *text;

	do
		text = dwarf_text(&b);
	while (text && *text);
	for (uint64_t i = 1; (text = dwarf_text(&b)) && *text; i++) {
		if (i == wanted)
			return text;
		for (int j = 0; j < 3; j++) /* directory, time and size */
			dwarf_uleb(&b);
	}
	return NULL;
}

static const char *file_name(const struct dwarf_lines *l, const struct lines_unit *u,
			     uint64_t wanted)
{
	struct dwarf_bytes b = u->names;
	const char *path, *slash;

	if (u->version < 5) {
		path = file_old(b, wanted);
	} else {
		entries_read(l, u, &b, UINT64_MAX); /* skips the table of directories */
		path = b.bad ? NULL : entries_read(l, u, &b, wanted);
	}
	slash = path ? strrchr(path, '/') : NULL;
	return slash ? slash + 1 : path;
}

/* ---- lookup ---- */

static const struct sequence *sequence_find(const struct dwarf_lines *l, uint64_t address)
{
	size_t first = 0, last = l->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (l->sequences[middle].start <= address)
			first = middle + 1;
		else
			last = middle;
	}
	return first && address < l->sequences[first - 1].end ? &l->sequences[first - 1] : NULL;
}

static bool sequence_open(const struct dwarf_lines *l, const struct sequence *s,
			  struct lines_unit *u, struct dwarf_bytes *b)
{
	const struct dwarf_section *programs = &l->sections[LINES_PROGRAM];
	struct dwarf_bytes all = dwarf_bytes(programs->bytes + s->unit, programs->size - s->unit);

	if (!lines_unit_next(&all, u))
		return false;
	*b = u->program;
	b->at = (const uint8_t *)programs->bytes + s->program;
	return true;
}

/* If several rows have the same address, the last one counts, as in other tools. */
static struct place line_find(const struct dwarf_lines *l, uint64_t address)
{
	const struct sequence *s = sequence_find(l, address);
	struct lines_row r = { .is_end = true }, found = { 0 };
	struct dwarf_bytes b;
	struct place p = { .address = address };
	struct lines_unit u = { 0 };

	if (!s || !sequence_open(l, s, &u, &b))
		return p;
	while (lines_row_next(&u, &b, &r) && !r.is_end && r.address <= address)
		found = r;
	p.file = found.line ? file_name(l, &u, found.file) : NULL;
	p.line = found.line;
	return p;
}

bool dwarf_lines_find(struct dwarf_lines *l, uint64_t address, const char **file, unsigned *line)
{
	struct place *p = &l->known[address % KNOWN];

	if (p->address != address)
		*p = line_find(l, address);
	*file = p->file;
	*line = p->line;
	return p->file != NULL;
}

/* A search for rows of one source file, which compares the names of few files: rows in a row are of the same. */
struct search {
	const struct dwarf_lines *l;
	const char *file;
	size_t next; /* sequence */
	struct lines_unit unit;
	struct dwarf_bytes program;
	struct lines_row row;
	uint64_t number; /* of the file that was compared last, of the current unit */
	bool is_open, is_same;
	unsigned
		left; /* how many more names are compared: in a damaged file, each may take long to find */
};

enum { NAMES_COMPARED = 1 << 16 };

static struct search search_begin(const struct dwarf_lines *l, const char *file)
{
	return (struct search){ .l = l, .file = file, .left = NAMES_COMPARED };
}

/* Reads the next row, of any file, into s->row. Returns false after the last one. */
static bool search_next(struct search *s)
{
	while (!s->is_open || !lines_row_next(&s->unit, &s->program, &s->row) || s->row.is_end) {
		if (s->next == s->l->count)
			return false;
		s->unit = (struct lines_unit){ 0 };
		s->row = (struct lines_row){ .is_end = true };
		s->number = UINT64_MAX;
		s->is_open = sequence_open(s->l, &s->l->sequences[s->next++], &s->unit,
					   &s->program);
	}
	return true;
}

/* True if the row is of the file. */
static bool search_matches(struct search *s)
{
	uint64_t number = s->row.file;
	const char *name;

	if (number != s->number && s->left) {
		name = file_name(s->l, &s->unit, number);
		s->number = number;
		s->is_same = name && !strcmp(name, s->file);
		s->left--;
	}
	return number == s->number && s->is_same;
}

bool dwarf_lines_address(const struct dwarf_lines *l, const char *file, unsigned line,
			 unsigned column, uint64_t *address)
{
	struct search s = search_begin(l, file);

	while (search_next(&s))
		if (s.row.line == line && (!column || s.row.column == column) &&
		    search_matches(&s)) {
			*address = s.row.address;
			return true;
		}
	return false;
}

unsigned dwarf_lines_after(const struct dwarf_lines *l, const char *file, unsigned line)
{
	struct search s = search_begin(l, file);
	unsigned best = 0;

	while (search_next(&s))
		if (s.row.line > line && (!best || s.row.line < best) && search_matches(&s))
			best = (unsigned)s.row.line;
	return best;
}
