/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - rows that are collected (counts, histograms), unlike records, which are written as they arrive: sorted,
 * cut to the first few, and written as JSON or as a table whose columns are as wide as needed, with a line for the
 * total.
 *
 * The sink's schema defines the fields of a row, as for records. Rows are sorted by FIELD_SORT, empty FIELD_SPARSE
 * columns are omitted, and a FIELD_HIST is shown below its row. This file does not know where the rows come from.
 */
#ifndef CORETAP_OUTPUT_ROWS_REPORT_H
#define CORETAP_OUTPUT_ROWS_REPORT_H

#include "output/rows/sink.h"
#include "util/buf.h"

struct folded;
struct report;

/* The key of counted stacks. */
struct report_stacks {
	bool is_signed;
	bool is_time;	  /* the weights are ns */
	const char *unit; /* the name of the unit of a sum; NULL: calls were counted */
};

/* The form of a report. Its functions return 0 or -errno. */
struct report_form {
	int (*rows)(struct report *r); /* writes the rows, after they were sorted */
	int (*stacks)(struct report *r, struct folded *stacks, const struct report_stacks *about);
	void (*free)(struct report *r); /* frees r->state; or NULL */
};
extern const struct report_form report_form_svg;     /* a picture: svg_report.c */
extern const struct report_form report_form_heatmap; /* lines of a heat map: heatmap.c */

struct report_line {
	size_t offset, size; /* offset and size in report.bytes */
	double weight;
	double key;  /* its first column, of lines of the same weight */
	size_t text; /* offset in report.texts, if rows are sorted by text */
};

struct report {
	struct sink *sink; /* owned by the caller: where the rows are written, and their schema */
	uint32_t top;	   /* the most rows to write; 0: all */
	/* one of several reports: each starts with its time, in JSON each row has it */
	bool is_timed;
	/* CLOCK_MONOTONIC ns: the start of what is counted. The report ends with the total and the time since then;
	 * 0: no such line */
	uint64_t since;

	const struct report_form *form; /* NULL: text or JSON */
	const char *title;		/* the title of a picture */
	struct buf picture;		/* owned: the text of a picture */
	void *state;			/* owned by the form */

	bool has_blocks; /* counted stacks are blocks (stack_blocks.h), not folded lines */
	bool is_screen;	 /* … from the largest down */
	bool is_written; /* the caller has written the report itself */
	/* 1 + index of the field that rows are sorted by; 0: the FIELD_SORT one */
	size_t sort;
	bool sort_up;	  /* the smallest first */
	struct buf texts; /* owned: texts of the rows, if that field is no number */

	unsigned count;		   /* reports written so far */
	uint64_t now;		   /* time of this report, CLOCK_MONOTONIC ns */
	double total;		   /* the sum of FIELD_TOTAL, including rows that --top omits */
	struct buf bytes;	   /* owned: the rows of this report */
	struct report_line *lines; /* owned: where the rows are in `bytes` */
	size_t line_count, line_room;
};

/* Starts a report; `now` is CLOCK_MONOTONIC ns. */
void report_begin(struct report *r, uint64_t now);
/* Copies a row. Returns 0, -EBADMSG if its schema does not fit, or -ENOMEM. */
int report_row(struct report *r, const void *record, size_t size);
/* Writes the rows. May be called again after changing `sort`. Returns 0 or -errno. */
int report_end(struct report *r);
/* report_sort.c: sorts the lines by their weights. */
void report_lines_sort(struct report *r);
/* Writes stacks instead of rows. */
int report_stacks(struct report *r, struct folded *stacks, const struct report_stacks *about);
/* Writes the rows by the sink, one by one. For forms. */
int report_write_lines(struct report *r);
/* Returns the column that rows are sorted by; NULL: none. */
const struct field *report_sorted_by(const struct report *r);
/* Sorts by a column: NAME (numbers from the largest down, texts from A to Z), NAME:asc, NAME:desc or -NAME, which
 * equals NAME:desc. Returns -EINVAL after printing which columns exist. */
int report_sort_set(struct report *r, const char *text);
/* Sorts by the next column of numbers, or the one before (-1). */
void report_sort_move(struct report *r, int step);
void report_free(struct report *r);

/* Writes a count with its noun: "12 calls", "no calls". */
void report_write_count(const struct report *r, struct buf *o, uint64_t count);
const char *report_noun(const struct report *r);
/* Returns the duration of the run in ns; 0: unknown. */
static inline uint64_t report_elapsed(const struct report *r)
{
	return r->since ? r->now - r->since : 0;
}
/* Each report of several begins with a line of its time; this writes it. */
void report_write_time(const struct report *r, struct buf *o);

static inline const void *report_record(const struct report *r, const struct report_line *line)
{
	return r->bytes.data + line->offset;
}

#endif
