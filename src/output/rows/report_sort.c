/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_sort.c - sorts the rows of a report.
 *
 * Rows of equal weight are sorted by their first column, then by their bytes, so that the order is always the same. Of
 * many rows, comparisons would take a third of the report: each of these three becomes a 64-bit number, and the rows are
 * distributed by its bytes, from the last number to the first (a radix sort). Only rows of which all three are equal are
 * compared.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "output/rows/report.h"

enum { ROWS_COMPARED = 512 }; /* up to that many rows are compared */

static int lines_compare(const void *x, const void *y, void *report)
{
	const struct report_line *a = x, *b = y;
	size_t size = a->size < b->size ? a->size : b->size;
	const struct report *r = report;
	int order = 0;

	if (a->weight != b->weight)
		order = a->weight < b->weight ? -1 : 1;
	else if (r->texts.len)
		order = strcmp(r->texts.data + a->text, r->texts.data + b->text);
	if (order)
		return r->sort_up ? order : -order;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return memcmp(report_record(report, a), report_record(report, b), size);
}

/* ---- many rows ---- */

/* Returns a number that compares as the double does. */
static uint64_t rank_of(double value)
{
	uint64_t bits;

	value += 0.0; /* -0 equals 0 */
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static uint64_t rank_by_weight(const struct report *r, const struct report_line *l)
{
	return r->sort_up ? rank_of(l->weight) : ~rank_of(l->weight);
}

static uint64_t rank_by_key(const struct report *r, const struct report_line *l)
{
	(void)r;
	return rank_of(l->key);
}

/* The first bytes of the row. A row of fewer is followed by zeros (report_row). */
static uint64_t rank_by_bytes(const struct report *r, const struct report_line *l)
{
	uint64_t bytes;

	memcpy(&bytes, report_record(r, l), sizeof(bytes));
	return htobe64(bytes);
}

struct ranked {
	uint64_t rank;
	size_t row;
};

/* Distributes rows by one byte of their ranks, keeping the order of equal ones. */
static void byte_distribute(struct ranked *to, const struct ranked *from, size_t count, int shift)
{
	size_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		at[from[i].rank >> shift & 0xff]++;
	for (size_t i = 0; i < 256; i++) {
		size_t rows = at[i];

		at[i] = sum;
		sum += rows;
	}
	for (size_t i = 0; i < count; i++)
		to[at[from[i].rank >> shift & 0xff]++] = from[i];
}

typedef uint64_t rank_fn(const struct report *r, const struct report_line *l);

/* Sorts by one number. Bytes that are the same in all rows are left out. Returns which of the two arrays has the rows. */
static struct ranked *rank_sort(const struct report *r, struct ranked *rows, struct ranked *other,
				rank_fn *rank)
{
	uint64_t differ = 0;

	for (size_t i = 0; i < r->line_count; i++) {
		rows[i].rank = rank(r, &r->lines[rows[i].row]);
		differ |= rows[i].rank ^ rows[0].rank;
	}
	for (int shift = 0; shift < 64; shift += 8) {
		struct ranked *sorted = other;

		if (!(differ >> shift & 0xff))
			continue;
		byte_distribute(sorted, rows, r->line_count, shift);
		other = rows;
		rows = sorted;
	}
	return rows;
}

static bool is_same_rank(const struct report *r, const struct report_line *a,
			 const struct report_line *b)
{
	return a->weight == b->weight && a->key == b->key &&
	       rank_by_bytes(r, a) == rank_by_bytes(r, b);
}

/* Sorts each run of rows that the numbers did not tell apart. */
static void runs_sort(struct report *r)
{
	for (size_t from = 0, to; from < r->line_count; from = to) {
		for (to = from + 1; to < r->line_count; to++)
			if (!is_same_rank(r, &r->lines[from], &r->lines[to]))
				break;
		if (to - from > 1)
			qsort_r(r->lines + from, to - from, sizeof(*r->lines), lines_compare, r);
	}
}

/* Returns the rows' numbers in their order, in one of two arrays of `both`. */
static const struct ranked *rows_rank(const struct report *r, struct ranked *both)
{
	static rank_fn *const ranks[] = { rank_by_bytes, rank_by_key, rank_by_weight };
	struct ranked *rows = both;

	for (size_t i = 0; i < r->line_count; i++)
		rows[i].row = i;
	for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++)
		rows = rank_sort(r, rows, rows == both ? both + r->line_count : both, ranks[i]);
	return rows;
}

/* Returns false without memory for it. */
static bool ranks_sort(struct report *r)
{
	struct ranked *both = reallocarray(NULL, r->line_count, 2 * sizeof(*both));
	struct report_line *lines = reallocarray(NULL, r->line_count, sizeof(*lines));
	const struct ranked *rows;
	bool has_room = both && lines;

	if (has_room) {
		rows = rows_rank(r, both);
		for (size_t i = 0; i < r->line_count; i++)
			lines[i] = r->lines[rows[i].row];
		memcpy(r->lines, lines, r->line_count * sizeof(*lines));
		runs_sort(r);
	}
	free(both);
	free(lines);
	return has_room;
}

void report_lines_sort(struct report *r)
{
	if (!r->line_count)
		return;
	if (r->line_count <= ROWS_COMPARED || r->texts.len || !ranks_sort(r))
		qsort_r(r->lines, r->line_count, sizeof(*r->lines), lines_compare, r);
}
