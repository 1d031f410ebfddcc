/* SPDX-License-Identifier: GPL-2.0 */
/*
 * aggregate.h - calls counted in the kernel: options → what is measured, the maps, what they hold.
 *
 *	aggregate.c		options, maps
 *	aggregate_read.c	maps → rows: CPUs added up, sorted; aggregate_merge.c
 *	aggregate_show.c	rows → a table or blocks (_table.c), JSON (_json.c)
 *
 * It must not know of probes: whoever has options of this kind and programs that expr/ made can use
 * it.
 */
#ifndef CORETAP_AGGREGATE_H
#define CORETAP_AGGREGATE_H

#include "core/options.h"
#include "core/out.h"
#include "expr/expr.h"

struct aggregate_options {
	struct option_list measures; /* --count … --lhist, in the order given */
	struct option_list by;
	uint32_t top, keys;
	uint64_t interval_ns;
	bool clear;
};

/* Rows of an option table, into struct aggregate_options o_. */
#define AGGREGATE_MEASURE(o_, name_, arg_, help_)                                                 \
	{ .name = name_, .is_saved = true, .type = OPTION_LIST, .arg = arg_, .value = &(o_).measures, .help = help_ }
#define AGGREGATE_OPTIONS(o_)                                                                     \
	AGGREGATE_MEASURE(o_, "count", NULL, "count calls in the kernel, instead of printing them"),\
	AGGREGATE_MEASURE(o_, "sum", "EXPR", "sum of EXPR over the calls"),                       \
	AGGREGATE_MEASURE(o_, "avg", "EXPR", "average of EXPR"),                                  \
	AGGREGATE_MEASURE(o_, "min", "EXPR", "least EXPR"),                                       \
	AGGREGATE_MEASURE(o_, "max", "EXPR", "largest EXPR"),                                     \
	AGGREGATE_MEASURE(o_, "hist", "EXPR", "histogram of EXPR by powers of two, with "          \
					      "percentiles estimated from it"),                   \
	AGGREGATE_MEASURE(o_, "lhist", "EXPR,LOW,HIGH,STEP", "histogram of EXPR by steps"),       \
	{ .name = "by", .is_saved = true, .type = OPTION_LIST, .arg = "EXPR,...", .value = &(o_).by,                \
	  .help = "all that for each value of EXPR by itself: numbers, pointers, strings" },       \
	{ .name = "top", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &(o_).top,                     \
	  .help = "print only the N largest" },                                                   \
	{ .name = "interval", .type = OPTION_SECONDS, .arg = "SEC", .value = &(o_).interval_ns,   \
	  .help = "print what was counted every SEC seconds, not only at the end" },              \
	{ .name = "clear", .type = OPTION_FLAG, .value = &(o_).clear,                             \
	  .help = "with --interval: begin anew after each print" },                               \
	{ .name = "keys", .is_saved = true, .type = OPTION_UINT, .arg = "N", .value = &(o_).keys,                   \
	  .help = "room for N values of --by (default: 16384, less where one takes much memory)" }

struct aggregate {
	const struct aggregate_options *options;
	struct expr_measure measures[OPTION_LIST_MAX];
	const char *keys[OPTION_LIST_MAX];
	size_t key_count;
	char *texts[2 * OPTION_LIST_MAX]; /* owned: what these are pieces of */
	size_t text_count;
	struct expr_aggregate input; /* what the compiler gets; count 0: nothing is asked for */

	/* whoever has the programs sets these, for as long as they are there: the table of all of
	 * them, the key as each one has it, and where keys tell from where they are, its name */
	const struct expr_table *table;
	const struct schema *(*schema)(void *ctx, uint32_t probe);
	const char *(*source)(void *ctx, uint32_t probe, uint32_t point);
	void *ctx;
	int cpus;
	unsigned programs;
	int maps[2]; /* the one that is used, and with --clear the other */
	uint64_t reports, rows; /* printed */
};

/* What the options ask for. Returns 0, or -EINVAL having said what is wrong. */
int aggregate_set(struct aggregate *a, const struct aggregate_options *options);
static inline bool aggregate_wanted(const struct aggregate *a)
{
	return a->input.count != 0;
}
/* The maps for a program that was compiled without them; `programs` like it will share them. Returns 0
 * or -errno, with nothing left open. */
int aggregate_open(struct aggregate *a, const struct expr_program *p, unsigned programs);
/* Can they share maps: are keys and entries alike? */
bool aggregate_alike(const struct expr_program *a, const struct expr_program *b);
void aggregate_close(struct aggregate *a);

/* ---- what the maps hold ---- */

/* Rows: a key, then the entry's words (struct expr_table), all CPUs together. */
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

static inline const struct schema *row_schema(const struct aggregate *a, const void *key)
{
	return a->schema(a->ctx, a->table->has_source ? ((const uint32_t *)key)[0] : 0);
}
/* "vfs_read", in front of the key; NULL: keys have none. */
static inline const char *row_source(const struct aggregate *a, const void *key)
{
	const uint32_t *source = key;

	return a->table->has_source ? a->source(a->ctx, source[0], source[1]) : NULL;
}

/* All that was counted, the largest first; with --clear it is then counted from 0. Free rows->bytes,
 * after an error too. */
int aggregate_read(struct aggregate *a, struct aggregate_rows *rows);
/* Rows whose keys look the same become one. 0 or -ENOMEM. */
int aggregate_merge(const struct aggregate *a, struct aggregate_rows *rows);
/* One entry's words are added to another's; of what is the best, the better one stays. */
void aggregate_words_add(const struct expr_table *t, uint64_t *sum, const uint64_t *one);
/* A measure's value: calls, the sum, the best, what a histogram holds. *n: of so many values; a sum
 * is to be divided by it for an average. */
int64_t aggregate_value(const struct expr_result *r, const uint64_t *words, uint64_t *n);

/* Reads and prints, a line or a block a key; `now` is CLOCK_MONOTONIC ns. 0 or -errno. */
int aggregate_report(struct aggregate *a, struct out *o, bool json, enum timestamp_form form,
		     uint64_t now);

#endif
