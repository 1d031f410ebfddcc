/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_lines.c - finds the line program that covers an address, and its row: DWARF 5, section 6.2.
 */
#include "symbols/user/dwarf_lines.h"

#include <errno.h>
#include <stdlib.h>

enum {
	/* bytes of a program that a lookup runs; longer programs are skipped */
	SEQUENCE_MAX = 1 << 20,
	KNOWN = 256, /* results to cache */
};

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
	p.file = found.line ? lines_file_name(l->sections, &u, found.file) : NULL;
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
	char path[DWARF_PATH_MAX]; /* of the file that was compared last */
};

enum { NAMES_COMPARED = 1 << 16 };

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

/* The last components are compared first: a path is found by reading two tables. */
static bool is_meant(struct search *s, uint64_t number)
{
	const char *slash = strrchr(s->file, '/'),
		   *name = lines_file_name(s->l->sections, &s->unit, number);

	if (!name || strcmp(name, slash ? slash + 1 : s->file))
		return false;
	lines_file_path(s->l->sections, &s->unit, number, s->path, sizeof(s->path));
	return dwarf_path_ends(s->path, s->file) || dwarf_path_ends(s->file, s->path);
}

/* True if the row is of the file. */
static bool search_matches(struct search *s)
{
	uint64_t number = s->row.file;

	if (number != s->number && s->left) {
		s->number = number;
		s->is_same = is_meant(s, number);
		s->left--;
	}
	return number == s->number && s->is_same;
}

void dwarf_lines_each(const struct dwarf_lines *l, const char *file, unsigned line, unsigned column,
		      bool (*visit)(void *ctx, uint64_t address, const char *path), void *ctx)
{
	struct search s = { .l = l, .file = file, .left = NAMES_COMPARED };

	while (search_next(&s))
		if (s.row.is_statement && s.row.line == line &&
		    (!column || s.row.column == column) && search_matches(&s) &&
		    visit(ctx, s.row.address, s.path))
			return;
}

unsigned dwarf_lines_after(const struct dwarf_lines *l, const char *file, unsigned line)
{
	struct search s = { .l = l, .file = file, .left = NAMES_COMPARED };
	unsigned best = 0;

	while (search_next(&s))
		if (s.row.is_statement && s.row.line > line && (!best || s.row.line < best) &&
		    search_matches(&s))
			best = (unsigned)s.row.line;
	return best;
}
