/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate.h - calls counted in the kernel: the options, the maps and the rows made of them.
 *
 *	aggregate.c		options
 *	aggregate_maps.c	maps, and the table of several programs
 *	aggregate_read.c	maps → rows: summed over CPUs
 *	aggregate_read.c	rows whose keys look the same become one
 *	aggregate_folded.c	rows as lines for flame graphs (--folded)
 *	aggregate_schema.c	the schema of a row, from which reports are made
 *	aggregate_names.c	names of measures
 *	show.c, show_eval.c	columns computed from a row
 *
 * Nothing here knows about probes: any caller that has options of this kind and programs from expr/
 * can use it.
 */
#ifndef CORETAP_COUNT_AGGREGATE_H
#define CORETAP_COUNT_AGGREGATE_H

#include "count/aggregate_names.h"
#include "count/show.h"
#include "program/program_load.h"
#include "output/field/hist.h"
#include "cli/options.h"
#include "expr/expr.h"
#include "model/model.h"

/* The options of the whole table. */
struct aggregate_options {
	struct option_list show;
	uint32_t keys;
};

/* Rows of an option table: measures and keys are passed to add_, the rest is stored in struct aggregate_options o_. */
#define AGGREGATE_MEASURE(add_, name_, arg_, help_, ...)                                           \
	{                                                                                          \
		.name = name_, .is_saved = true, .type = OPTION_LIST, .setting = MODEL_MEASURE,    \
		.arg = arg_, .add = add_, .help = help_, .section = SECTION_COUNT, ##__VA_ARGS__   \
	}
#define AGGREGATE_OPTIONS(add_, o_)                                                                \
	AGGREGATE_MEASURE(add_, "count", "NAME",                                                   \
			  "count calls in the kernel instead of printing them; with NAME after "   \
			  "PROBE, or as --count=NAME, in a column of that name",                   \
			  .may_be_bare = true, .brief = "count calls in the kernel"),              \
		AGGREGATE_MEASURE(add_, "sum", "EXPR", "sum of EXPR"),                             \
		AGGREGATE_MEASURE(add_, "avg", "EXPR", "average of EXPR", .rank = RANK_NEVER),     \
		AGGREGATE_MEASURE(add_, "min", "EXPR", "minimum of EXPR", .rank = RANK_NEVER),     \
		AGGREGATE_MEASURE(add_, "max", "EXPR", "maximum of EXPR", .rank = RANK_NEVER),     \
		AGGREGATE_MEASURE(                                                                 \
			add_, "hist", "EXPR",                                                      \
			"histogram of EXPR by powers of two, with percentiles (~ if estimated)",   \
			.brief = "histogram of EXPR by powers of two"),                            \
		AGGREGATE_MEASURE(add_, "lhist", "EXPR,LOW,HIGH,STEP",                             \
				  "histogram of EXPR in steps of STEP", .rank = RANK_NEVER),       \
		AGGREGATE_MEASURE(add_, "pct", "N,...=EXPR",                                       \
				  "percentiles of EXPR, a column each: '50,90,99=$lat'",           \
				  .rank = RANK_ROOM),                                              \
		{ .name = "by",                                                                    \
		  .is_saved = true,                                                                \
		  .setting = MODEL_BY,                                                             \
		  .type = OPTION_LIST,                                                             \
		  .arg = "EXPR,...",                                                               \
		  .add = add_,                                                                     \
		  .section = SECTION_COUNT,                                                        \
		  .brief = "group results by EXPR",                                                \
		  .help = "group results by EXPR: numbers, pointers, strings, paths, stacks" },    \
		{ .name = "show",                                                                  \
		  .is_saved = true,                                                                \
		  .type = OPTION_LIST,                                                             \
		  .arg = "EXPR,...",                                                               \
		  .value = &(o_).show,                                                             \
		  .rank = RANK_ROOM,                                                               \
		  .section = SECTION_COUNT,                                                        \
		  .brief = "columns computed from results: 'pct=100*bad/n'",                       \
		  .help = "print these columns, computed from the results by name: "               \
			  "'n,bad,pct=100*bad/n'" },                                               \
	{                                                                                          \
		.name = "keys", .is_saved = true, .type = OPTION_UINT, .arg = "N",                 \
		.value = &(o_).keys, .section = SECTION_COUNT, .rank = RANK_NEVER,                 \
		.help = "maximum number of groups, and of begins of --until that have not ended "  \
			"(default: 16384, less if one takes much memory)"                          \
	}

/* How rows tell which function or event was counted. */
enum aggregate_source {
	AGGREGATE_SOURCE_COLUMN, /* in a column of its own: there is no --by and no --until */
	AGGREGATE_SOURCE_KEY,	 /* a key of --by names it */
	AGGREGATE_SOURCE_NONE,	 /* not at all: equal keys are one row */
};

/* The expressions of --by, for the programs of one owner. */
struct aggregate_keys {
	unsigned owner; /* as in expr_measure */
	const char *texts[OPTION_LIST_MAX];
	size_t count;
};

/* The rows of each program. Owned; set by aggregate_schemas_build. */
struct aggregate_schemas {
	struct schema *schemas, *rows; /* rows: with all fields, from which --show chooses */
	const struct schema **list;
	uint32_t (*tag)(const void *row, size_t size); /* as in struct sink */
	struct field *fields;
	struct hist_axis *axes;
	char **names;
	size_t name_count;
};

struct aggregate {
	struct aggregate_options options;
	enum aggregate_source source;
	struct expr_measure measures[OPTION_LIST_MAX];
	uint32_t percents[OPTION_LIST_MAX][PERCENTS_MAX + 1]; /* for each measure, ended by 0 */
	struct aggregate_keys keys[OPTION_LIST_MAX];	      /* one for each owner */
	size_t keys_count;				      /* number of owners */
	struct show show;				      /* --show; no slots: all columns */
	char *texts[OPTION_LIST_MAX];			      /* owned: the texts of --show */
	size_t text_count;
	struct expr_aggregate input; /* for the compiler; count 0: nothing to count */
	bool is_folded;		     /* rows are lines for flame graphs */
	bool is_drained; /* --dwarf: keys are of one call each, and the maps are emptied all the time (probe/copies.h) */

	/* Set by the owner of the programs, and valid as long as they are: the table that all programs share, the key
	 * of each program, and the names for keys that contain the probed function. */
	const struct expr_table *table; /* aggregate_table_build */
	const struct schema *const *key_schemas;
	const struct field_name *points;
	size_t point_count;

	struct aggregate_schemas shown;

	struct expr_table whole; /* owned: its results */
	int cpus;
	unsigned slot;	   /* words from the values of a processor to those of the next */
	unsigned programs; /* number of programs that share the maps */
	int maps[2];	   /* the one in use and, with --clear, the other */
	int counted;	   /* with --clear, the map that points to the one in use */
	int spare;	   /* owned: the second of the two maps */
};

/* Parses the options; cuts texts of the model, into which `a` points. Returns 0, or -EINVAL after printing an error. */
int aggregate_set(struct aggregate *a, const struct model *m, const struct options *common);
/* Returns the --by of an owner: its own, else the common one, else the last one given. */
const struct aggregate_keys *aggregate_keys(const struct aggregate *a, unsigned owner);
/* True if the owner has something to measure. */
bool aggregate_measures(const struct aggregate *a, unsigned owner);
static inline bool aggregate_wanted(const struct aggregate *a)
{
	return a->input.count != 0;
}
/* Creates in `maps` the counting maps that some of the programs need; `all` programs like them share these. Returns 0
 * or -errno. */
int aggregate_open(struct aggregate *a, const struct expr_program *const *programs, size_t count,
		   unsigned all, struct program_maps *maps);
/* Returns NULL if the two programs can share maps, for which keys and entries need the same layout; else the reason. */
const char *aggregate_unlike(const struct expr_program *a, const struct expr_program *b);
/* Sets a->table: each measure as it is in a program that has it. Valid as long as the programs. Returns 0 or
 * -ENOMEM. */
int aggregate_table_build(struct aggregate *a, const struct expr_program *const *programs,
			  size_t count);
void aggregate_close(struct aggregate *a);

#endif
