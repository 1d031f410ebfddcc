/* SPDX-License-Identifier: GPL-2.0-only */
/* aggregate_read.h - the rows of the counting maps: read, described by a schema, reported. */
#ifndef CORETAP_COUNT_AGGREGATE_READ_H
#define CORETAP_COUNT_AGGREGATE_READ_H

#include "count/aggregate.h"
#include "output/rows/report.h"

/* Rows: a key, then the words of the entry (struct expr_table), summed over all CPUs. */
struct aggregate_rows {
	char *bytes; /* owned */
	size_t stride, count;
};

static inline const void *row_key(const struct aggregate_rows *r, size_t i)
{
	return r->bytes + i * r->stride;
}

static inline const uint64_t *row_words(const struct aggregate *a, const struct aggregate_rows *r,
					size_t i)
{
	return (const void *)(r->bytes + i * r->stride + a->table->key_size);
}

static inline const struct schema *row_key_schema(const struct aggregate *a, const void *key)
{
	uint32_t program = a->table->has_source ? *(const uint32_t *)key : 0;

	return a->key_schemas[program < a->programs ? program : 0];
}

/* Adds the words of one entry to another; of minima and maxima, keeps the better value. */
void aggregate_words_add(const struct expr_table *t, uint64_t *sum, const uint64_t *one);
/* Returns the value of a measure: number of calls, sum, minimum or maximum, or the count of a histogram. *n is the
 * number of values; an average is the sum divided by it. */
int64_t aggregate_value(const struct expr_result *r, const uint64_t *words, uint64_t *n);
/* Reads everything counted so far; with --clear, counting restarts from 0. The caller frees rows->bytes, even after
 * an error. Returns 0 or -errno. */
int aggregate_rows_read(struct aggregate *a, struct aggregate_rows *rows);
/* Merges rows whose keys are shown the same way. Returns 0 or -ENOMEM. */
int aggregate_merge(const struct aggregate *a, struct aggregate_rows *rows);
/* Merges rows that have the same key. */
void aggregate_rows_merge_equal(const struct aggregate *a, struct aggregate_rows *rows);
/* Adds the rows to the report. Returns 0 or -errno. */
int aggregate_report(struct aggregate *a, struct aggregate_rows *rows, struct report *out);

/* ---- --folded: calls are counted by their stacks, and printed for flame graphs ---- */

/* Adds the options that --folded implies: --count, --by '$comm,$ustack,$kstack'. Returns 0, or -EINVAL
 * after printing an error. */
int aggregate_fold(struct aggregate *a, const struct options *common);
/* True with --folded, and for a picture of calls that are counted by a stack. */
bool aggregate_folds(const struct aggregate *a, const struct options *common);
/* As aggregate_report, but writes the lines itself. */
int aggregate_report_folded(struct aggregate *a, struct aggregate_rows *rows, struct report *out);

/* ---- the schemas of the rows ---- */

/* Builds the schemas for the sink. Returns 0, -ENOMEM, or -EINVAL after printing an error. */
int aggregate_schemas_build(struct aggregate *a);
/* Reports the same errors before there is anything to show, using the key of one program. */
int aggregate_schemas_check(struct aggregate *a, const struct schema *key);
void aggregate_schemas_free(struct aggregate *a);

#endif
