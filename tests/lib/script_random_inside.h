/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_random_inside.h - what the parts of script_random share: types, variables and maps of the program that is being
 * made, and the way from statements to expressions and back.
 */
#ifndef CORETAP_SCRIPT_RANDOM_INSIDE_H
#define CORETAP_SCRIPT_RANDOM_INSIDE_H

#include <stdbool.h>

#include "script_random.h"

enum random_kind {
	RANDOM_NUMBER,
	RANDOM_BOOL,
	RANDOM_TEXT,
	RANDOM_TUPLE,  /* parts by number … */
	RANDOM_RECORD, /* … or by name: a, b, c … */
	RANDOM_IMAGE,  /* what `image` gives */
};

struct random_type {
	enum random_kind kind;
	const char *image;
	unsigned count;
	const struct random_type *parts[4];
};

enum random_counter {
	COUNTER_NONE, /* a plain value */
	COUNTER_COUNT,
	COUNTER_SUM,
	COUNTER_MIN,
	COUNTER_MAX,
	COUNTER_AVG,
	COUNTER_STATS,
	COUNTER_HIST,
	COUNTER_LHIST,
	COUNTER_TSERIES,
	COUNTERS,
};

struct random_map {
	const struct random_type *key; /* NULL: none */
	const struct random_type *value;
	enum random_counter counter;
};

struct random_var {
	unsigned number;
	const struct random_type *type;
	bool is_fixed; /* let $v: int64 */
	bool is_loop;  /* nothing else assigns it */
};

enum { TYPES_MAX = 128, VARS_MAX = 64, MAPS_MAX = 8, FUNCTIONS_MAX = 3, STRUCTS_MAX = 3 };

struct maker {
	struct chance *c;
	const struct random_world *w;
	struct buf *o;
	const struct random_place *at; /* NULL: in a function */
	struct random_type types[TYPES_MAX];
	unsigned type_count;
	struct random_var vars[VARS_MAX];
	unsigned var_count, names;
	struct random_map maps[MAPS_MAX];
	unsigned map_count;
	unsigned function_count, struct_count;
	bool has_macros;
	int budget;	 /* of nodes */
	unsigned rounds; /* of all loops around, multiplied */
	unsigned loops;
	bool in_args; /* of an action */
};

static inline uint32_t pick(struct maker *m, uint32_t n)
{
	return chance_below(m->c, n);
}
static inline bool one_in(struct maker *m, uint32_t n)
{
	return !chance_below(m->c, n);
}
#define say(m_, ...) buf_printf((m_)->o, __VA_ARGS__)

/* script_random_expr.c: each appends an expression */
void make_number(struct maker *m, int depth);
void make_condition(struct maker *m, int depth);
void make_value(struct maker *m, const struct random_type *t, int depth);
/* [key] */
void make_key(struct maker *m, const struct random_map *map, int depth);
const struct random_type *make_type(struct maker *m, int depth);

/* script_random.c: statements, with their blanks and semicolons */
void make_statements(struct maker *m, unsigned count, int depth);

#endif
