/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate.h - calls counted in the kernel: the options, the maps and the rows made of them.
 *
 *	aggregate.c		options, maps
 *	aggregate_read.c	maps → rows: summed over CPUs
 *	aggregate_merge.c	rows whose keys look the same become one
 *	aggregate_schema.c	the schema of a row, from which reports are made
 *	aggregate_names.c	names of measures
 *
 * Nothing here knows about probes: any caller that has options of this kind and programs from expr/
 * can use it.
 */
#ifndef CORETAP_ARGDUMP_AGGREGATE_H
#define CORETAP_ARGDUMP_AGGREGATE_H

#include "argdump/program_load.h"
#include "output/hist.h"
#include "session/options.h"
#include "expr/expr.h"

struct aggregate_options {
	struct option_list measures; /* --count … --lhist, in the order given */
	struct option_list by;
	uint32_t keys;
};

/* Rows of an option table, into struct aggregate_options o_. */
#define AGGREGATE_MEASURE(o_, name_, arg_, help_)                                                  \
	{                                                                                          \
		.name = name_, .is_saved = true, .type = OPTION_LIST, .arg = arg_,                 \
		.value = &(o_).measures, .help = help_                                             \
	}
#define AGGREGATE_OPTIONS(o_)                                                                      \
	AGGREGATE_MEASURE(o_, "count", NULL,                                                       \
			  "count calls in the kernel instead of printing them"),                   \
		AGGREGATE_MEASURE(o_, "sum", "EXPR", "sum of EXPR"),                               \
		AGGREGATE_MEASURE(o_, "avg", "EXPR", "average of EXPR"),                           \
		AGGREGATE_MEASURE(o_, "min", "EXPR", "minimum of EXPR"),                           \
		AGGREGATE_MEASURE(o_, "max", "EXPR", "maximum of EXPR"),                           \
		AGGREGATE_MEASURE(                                                                 \
			o_, "hist", "EXPR",                                                        \
			"histogram of EXPR by powers of two, with percentiles (~ if estimated)"),  \
		AGGREGATE_MEASURE(o_, "lhist", "EXPR,LOW,HIGH,STEP",                               \
				  "histogram of EXPR in steps of STEP"),                           \
		{ .name = "by",                                                                    \
		  .is_saved = true,                                                                \
		  .type = OPTION_LIST,                                                             \
		  .arg = "EXPR,...",                                                               \
		  .value = &(o_).by,                                                               \
		  .help = "group results by EXPR: numbers, pointers, strings, paths" },            \
	{                                                                                          \
		.name = "keys", .is_saved = true, .type = OPTION_UINT, .arg = "N",                 \
		.value = &(o_).keys,                                                               \
		.help = "maximum number of groups (default: 16384, less if one takes much memory)" \
	}

struct aggregate {
	const struct aggregate_options *options;
	struct expr_measure measures[OPTION_LIST_MAX];
	const char *keys[OPTION_LIST_MAX];
	size_t key_count;
	char *texts[2 * OPTION_LIST_MAX]; /* owned: the texts that `input` points into */
	size_t text_count;
	struct expr_aggregate input; /* for the compiler; count 0: nothing to count */

	/* Set by the owner of the programs, and valid as long as they are: the table that all
	 * programs share, the key as each program has it, and the names, where keys contain the
	 * probed function. */
	const struct expr_table *table;
	const struct schema *const *key_schemas;
	const struct field_name *points;
	size_t point_count;

	/* owned, by aggregate_schemas_make: the rows of each program */
	struct schema *schemas;
	const struct schema **schema_list;
	uint32_t (*tag)(const void *row, size_t size); /* as in struct sink */
	struct field *fields;
	struct hist_axis *axes;
	char **names;
	size_t name_count;

	int cpus;
	unsigned programs; /* that share the maps */
	int maps[2];	   /* the one in use and, with --clear, the other … */
	int counted;	   /* … and the map that points to the one in use */
	int spare;	   /* owned: the second of the two maps */
};

/* Reads the options. Returns 0, or -EINVAL after printing an error. */
int aggregate_set(struct aggregate *a, const struct aggregate_options *options,
		  const struct options *common);
static inline bool aggregate_wanted(const struct aggregate *a)
{
	return a->input.count != 0;
}
/* Creates the counting maps that a program asks for, in `maps`; `programs` programs like it share
 * them. Returns 0 or -errno. */
int aggregate_open(struct aggregate *a, const struct expr_program *p, unsigned programs,
		   struct program_maps *maps);
/* Can the two programs share maps, because their keys and entries have the same layout? */
bool aggregate_alike(const struct expr_program *a, const struct expr_program *b);
void aggregate_close(struct aggregate *a);

#endif
