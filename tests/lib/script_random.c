/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_random.c - random programs: what is in front of probes, probes, statements (script_random.h).
 */
#include <stdio.h>

#include "script_random_inside.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { DEPTH = 4, ROUNDS_MOST = 200 };

static const struct random_type *number_type(struct maker *m)
{
	return &m->types[RANDOM_NUMBER];
}

/* ---- variables ---- */

static struct random_var *var_new(struct maker *m, const struct random_type *t)
{
	struct random_var *v = &m->vars[m->var_count];

	if (m->var_count == VARS_MAX)
		return NULL;
	*v = (struct random_var){ .number = m->names++, .type = t };
	m->var_count++;
	return v;
}

/* True if the program may give values of this type here: those of images are of one place. */
static bool is_plain(const struct random_type *t)
{
	for (unsigned i = 0; i < t->count; i++)
		if (!is_plain(t->parts[i]))
			return false;
	return t->kind != RANDOM_IMAGE;
}

/* let $v: type; the value of a number is cast. */
static void let(struct maker *m, int depth)
{
	static const char *const types[] = { "int8",  "uint8",	"int16", "uint16",
					     "int32", "uint32", "int64", "uint64" };
	const char *type = types[pick(m, COUNT(types))];
	unsigned number = m->names;
	struct random_var *v;

	say(m, "let $v%u: %s", number, type);
	if (!one_in(m, 4)) {
		say(m, " = (%s)(", type);
		make_number(m, depth);
		say(m, ")");
	}
	say(m, "; ");
	m->names = number;
	v = var_new(m, number_type(m));
	if (v)
		v->is_fixed = true;
	m->names = m->names > number ? m->names : number + 1;
}

static void assign_new(struct maker *m, int depth)
{
	const struct random_type *t = make_type(m, 2);
	unsigned number = m->names++;
	struct random_var *v;

	if (m->var_count == VARS_MAX)
		return;
	say(m, one_in(m, 5) ? "let $v%u = " : "$v%u = ", number);
	make_value(m, t, depth);
	say(m, "; ");
	v = var_new(m, t);
	if (v)
		v->number = number;
}

static const char *oper(struct maker *m)
{
	static const char *const opers[] = { "+=", "-=", "*=", "/=",  "%=",
					     "&=", "|=", "^=", "<<=", ">>=" };

	return one_in(m, 2) ? "=" : opers[pick(m, COUNT(opers))];
}

static void assign_old(struct maker *m, int depth)
{
	struct random_var *v = m->var_count ? &m->vars[pick(m, m->var_count)] : NULL;

	if (!v || v->is_loop || v->is_fixed) {
		assign_new(m, depth);
		return;
	}
	say(m, "$v%u %s ", v->number, v->type->kind == RANDOM_NUMBER ? oper(m) : "=");
	make_value(m, v->type, depth);
	say(m, "; ");
}

/* ---- maps ---- */

static void counter(struct maker *m, struct random_map *map, int depth)
{
	static const char *const names[] = { "",    "count", "sum",  "min",   "max",
					     "avg", "stats", "hist", "lhist", "tseries" };
	static const char *const rests[COUNTERS] = {
		[COUNTER_LHIST] = ", -10, 100, 7",
		[COUNTER_TSERIES] = ", 1s, 5",
	};

	say(m, "%s(", names[map->counter]);
	if (map->counter != COUNTER_COUNT)
		make_number(m, depth);
	say(m, "%s)", rests[map->counter] ? rests[map->counter] : "");
}

static void map_assign(struct maker *m, struct random_map *map, int depth)
{
	say(m, "@m%d", (int)(map - m->maps));
	make_key(m, map, depth);
	if (map->counter) {
		say(m, " = ");
		counter(m, map, depth);
	} else {
		say(m, " %s ", map->value->kind == RANDOM_NUMBER ? oper(m) : "=");
		make_value(m, map->value, depth);
	}
	say(m, "; ");
}

static struct random_map *any_map(struct maker *m)
{
	return m->map_count && m->at ? &m->maps[pick(m, m->map_count)] : NULL;
}

static void map_assign_any(struct maker *m, int depth)
{
	struct random_map *map = any_map(m);

	if (map)
		map_assign(m, map, depth);
	else
		assign_old(m, depth);
}

static void map_remove(struct maker *m, int depth)
{
	struct random_map *map = any_map(m);

	if (!map) {
		assign_new(m, depth);
	} else if (!map->key || one_in(m, 4)) {
		if (m->in_args)
			return;
		say(m, "%s(@m%d); ",
		    one_in(m, 2) ? "clear" :
		    one_in(m, 2) ? "zero" :
				   "print",
		    (int)(map - m->maps));
	} else if (!m->in_args) {
		say(m, "delete(@m%d, ", (int)(map - m->maps));
		make_value(m, map->key, depth);
		say(m, "); ");
	}
}

/* ---- actions ---- */

static void print(struct maker *m, int depth)
{
	say(m, "print(");
	m->in_args = true;
	make_value(m, make_type(m, 2), depth);
	m->in_args = false;
	say(m, "); ");
}

static void printf_(struct maker *m, int depth)
{
	static const char *const words[] = {
		"printf", "printf", "printf", "errorf", "warnf", "cat"
	};
	const struct random_type *types[12];
	unsigned count = pick(m, one_in(m, 5) ? COUNT(types) : 4);

	say(m, "%s(\"", words[pick(m, COUNT(words))]);
	for (unsigned i = 0; i < count; i++) {
		types[i] = make_type(m, 2);
		say(m, types[i]->kind > RANDOM_BOOL || one_in(m, 3) ? "%%s " :
		       one_in(m, 2)				    ? "%%d " :
								      "%%llx ");
	}
	say(m, "\\n\"");
	m->in_args = true;
	for (unsigned i = 0; i < count; i++) {
		say(m, ", ");
		make_value(m, types[i], depth);
	}
	m->in_args = false;
	say(m, "); ");
}

static void action(struct maker *m, int depth)
{
	static const char *const plain[] = { "time(); ",       "exit(); ",     "system(\"true\"); ",
					     "time(\"%H\"); ", "signal(10); ", "exit(3); " };

	if (m->in_args) {
		assign_old(m, depth);
	} else if (one_in(m, 12)) {
		say(m, "%s", plain[pick(m, COUNT(plain))]);
	} else if (one_in(m, 16)) {
		say(m, "assert(");
		make_condition(m, depth);
		say(m, ", \"text\"); ");
	} else if (one_in(m, 2)) {
		print(m, depth);
	} else {
		printf_(m, depth);
	}
}

/* ---- blocks and loops ---- */

static void body(struct maker *m, int depth)
{
	unsigned vars = m->var_count;

	say(m, "{ ");
	make_statements(m, 1 + pick(m, 3), depth - 1);
	say(m, "} ");
	m->var_count = vars;
}

static void branch(struct maker *m, int depth)
{
	say(m, "if (");
	make_condition(m, depth);
	say(m, ") ");
	body(m, depth);
	if (one_in(m, 4)) {
		say(m, "else if (");
		make_condition(m, depth);
		say(m, ") ");
		body(m, depth);
	}
	if (one_in(m, 2)) {
		say(m, "else ");
		body(m, depth);
	}
}

static void loop_body(struct maker *m, int depth, unsigned rounds)
{
	unsigned outer = m->rounds;

	m->rounds *= rounds;
	m->loops++;
	body(m, depth);
	m->loops--;
	m->rounds = outer;
}

/* $i = 0; while ($i < 5 && …) { $i++; … } */
static void loop_while(struct maker *m, int depth)
{
	unsigned most = 1 + pick(m, m->rounds > 1 ? 5 : 20), number = m->names++,
		 vars = m->var_count;
	unsigned outer = m->rounds;
	struct random_var *v;

	say(m, "$v%u = 0; while ($v%u < %u", number, number, most);
	v = var_new(m, number_type(m));
	if (v)
		v->number = number, v->is_loop = true;
	if (one_in(m, 3)) {
		say(m, " && ");
		make_condition(m, depth);
	}
	say(m, ") { $v%u++; ", number);
	m->rounds *= most;
	m->loops++;
	make_statements(m, 1 + pick(m, 3), depth - 1);
	m->loops--;
	m->rounds = outer;
	say(m, "} ");
	m->var_count = vars;
}

static void loop_range(struct maker *m, int depth)
{
	unsigned number = m->names++, vars = m->var_count,
		 rounds = 1 + pick(m, m->rounds > 1 ? 5 : 20);
	bool is_known = !one_in(m, 3);
	struct random_var *v;

	say(m, "for $v%u : ", number);
	if (is_known) {
		unsigned first = pick(m, 5);

		rounds = one_in(m, 8) ? 300 : rounds;
		say(m, "%u..%u ", first, first + rounds);
	} else {
		say(m, "0..(");
		make_number(m, depth > 2 ? 2 : depth);
		say(m, ") ");
		rounds = 20;
	}
	v = var_new(m, number_type(m));
	if (v)
		v->number = number, v->is_loop = true;
	loop_body(m, depth, rounds > ROUNDS_MOST ? ROUNDS_MOST : rounds);
	m->var_count = vars;
}

static void loop_map(struct maker *m, int depth)
{
	struct random_map *map = any_map(m);
	unsigned number = m->names++, vars = m->var_count;
	struct random_type *t;
	struct random_var *v;

	if (!map || !map->key || map->counter > COUNTER_AVG || m->type_count == TYPES_MAX) {
		branch(m, depth);
		return;
	}
	t = &m->types[m->type_count++];
	*t = (struct random_type){ .kind = RANDOM_TUPLE, .count = 2 };
	t->parts[0] = map->key;
	t->parts[1] = map->counter ? number_type(m) : map->value;
	say(m, "for ($v%u : @m%d) ", number, (int)(map - m->maps));
	v = var_new(m, t);
	if (v)
		v->number = number, v->is_loop = true;
	loop_body(m, depth, 2);
	m->var_count = vars;
}

static void loop(struct maker *m, int depth)
{
	unsigned rounds = 1 + pick(m, 4);

	if (m->rounds > ROUNDS_MOST || m->loops > 2) {
		branch(m, depth);
		return;
	}
	switch (pick(m, 5)) {
	case 0:
	case 1: loop_while(m, depth); return;
	case 2: loop_range(m, depth); return;
	case 3: loop_map(m, depth); return;
	default:
		say(m, "unroll (%u) ", rounds);
		loop_body(m, depth, rounds);
		return;
	}
}

/* ---- statements ---- */

static void jump(struct maker *m, int depth)
{
	if (!m->at || m->in_args) {
		assign_new(m, depth);
		return;
	}
	say(m, "if (");
	make_condition(m, depth);
	say(m, ") { %s; } ",
	    !m->loops || one_in(m, 4) ? "return" :
	    one_in(m, 2)	      ? "break" :
					"continue");
}

static void other(struct maker *m, int depth)
{
	const char *const *own = m->at ? m->at->statements : NULL;
	const struct random_var *v = m->var_count ? &m->vars[pick(m, m->var_count)] : NULL;
	size_t count = 0;

	while (own && own[count])
		count++;
	if (count && !m->in_args && one_in(m, 2)) {
		say(m, "%s ", own[pick(m, count)]);
	} else if (m->has_macros && v && v->type->kind == RANDOM_NUMBER && !v->is_fixed &&
		   !v->is_loop) {
		say(m, "_ = bump($v%u, ", v->number);
		make_number(m, depth);
		say(m, "); ");
	} else if (one_in(m, 2)) {
		body(m, depth);
	} else {
		say(m, "_ = ");
		make_value(m, make_type(m, 2), depth);
		say(m, "; ");
	}
}

static void statement(struct maker *m, int depth)
{
	switch (pick(m, 16)) {
	case 0:
	case 1: assign_new(m, depth); return;
	case 2: assign_old(m, depth); return;
	case 3: let(m, depth); return;
	case 4:
	case 5:
	case 6: map_assign_any(m, depth); return;
	case 7: map_remove(m, depth); return;
	case 8:
	case 9: action(m, depth); return;
	case 10:
	case 11: (depth > 1 ? branch : action)(m, depth); return;
	case 12:
	case 13: (depth > 1 ? loop : action)(m, depth); return;
	case 14: jump(m, depth); return;
	default: (depth > 1 ? other : assign_old)(m, depth); return;
	}
}

void make_statements(struct maker *m, unsigned count, int depth)
{
	for (unsigned i = 0; i < count; i++)
		if (m->budget-- > 0)
			statement(m, depth);
}

/* ---- in front of probes ---- */

static void settings(struct maker *m)
{
	static const char *const all[] = { "max_strlen = 200", "max_map_keys = 10",
					   "stack_mode = perf", "max_strlen = 9" };

	if (one_in(m, 6))
		say(m, "config = { %s } ", all[pick(m, COUNT(all))]);
}

/* Each has the members that of_memory reads. */
static void struct_make(struct maker *m, unsigned number)
{
	static const char *const ints[] = {
		"char", "unsigned char", "short", "unsigned short",
		"int",	"unsigned",	 "long",  "unsigned long long"
	};

	say(m, "struct r%u { %s a; %s b; ", number, ints[pick(m, COUNT(ints))],
	    ints[pick(m, COUNT(ints))]);
	say(m, "unsigned c : %u, d : %u; long e : %u; ", 1 + pick(m, 16), 1 + pick(m, 32),
	    1 + pick(m, 60));
	say(m, "%s g[%u]; struct { %s x; } in; ", ints[pick(m, COUNT(ints))], 2 + pick(m, 20),
	    ints[pick(m, COUNT(ints))]);
	say(m, "struct r%u *next; char text[%u]; } ", number, 1 + pick(m, 40));
}

static void structs(struct maker *m)
{
	m->struct_count = one_in(m, 2) ? pick(m, STRUCTS_MAX) : 0;
	for (unsigned i = 0; i < m->struct_count; i++)
		struct_make(m, i);
}

static void macros(struct maker *m)
{
	m->has_macros = one_in(m, 3);
	if (m->has_macros)
		say(m, "macro twice(x) { x + x } macro bump($v, n) { $v += n; $v } ");
}

static void functions(struct maker *m)
{
	unsigned count = one_in(m, 4) ? 1 + pick(m, FUNCTIONS_MAX) : 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned first = m->names;

		m->names += 2;
		say(m, "fn f%u($v%u: int64, $v%u: uint64): int64 { ", i, first, first + 1);
		m->var_count = 2;
		m->vars[0] = (struct random_var){ first, number_type(m), true, false };
		m->vars[1] = (struct random_var){ first + 1, number_type(m), true, false };
		m->in_args = true;
		make_statements(m, 1 + pick(m, 2), 2);
		if (one_in(m, 2)) {
			say(m, "if (");
			make_condition(m, 2);
			say(m, ") { return (int64)(");
			make_number(m, 2);
			say(m, "); } ");
		}
		say(m, "return (int64)(");
		make_number(m, 2);
		say(m, "); } ");
		m->in_args = false;
		m->var_count = 0;
		m->function_count = i + 1;
	}
}

static const struct random_type *plain_type(struct maker *m, int depth)
{
	for (int tries = 0; tries < 8; tries++) {
		const struct random_type *t = make_type(m, depth);

		if (is_plain(t))
			return t;
	}
	return number_type(m);
}

/* Some have sizes. */
static void maps(struct maker *m)
{
	unsigned count = pick(m, 5);

	for (m->map_count = 0; m->map_count < count; m->map_count++) {
		struct random_map *map = &m->maps[m->map_count];

		*map = (struct random_map){ .value = plain_type(m, 2) };
		if (!one_in(m, 3))
			map->key = plain_type(m, 2);
		if (one_in(m, 3))
			map->counter = 1 + pick(m, COUNTERS - 1);
		if (map->key && !map->counter && one_in(m, 8))
			say(m, "let @m%u = %s(%u); ", m->map_count,
			    one_in(m, 2) ? "hash" : "lruhash", 1 + pick(m, 100));
	}
}

/* ---- probes ---- */

/* Each map is assigned somewhere, so that its types are known. */
static void maps_assign(struct maker *m)
{
	for (unsigned i = 0; i < m->map_count; i++)
		map_assign(m, &m->maps[i], 0);
}

static void probe(struct maker *m, bool is_last)
{
	m->at = &m->w->places[pick(m, m->w->place_count)];
	m->var_count = 0;
	m->rounds = 1;
	m->budget = 40 + 10 * (int)pick(m, 1 + m->w->size);
	say(m, "%s ", m->at->attach);
	if (one_in(m, 5)) {
		say(m, "/ ");
		m->in_args = true;
		make_condition(m, 2);
		m->in_args = false;
		say(m, " / ");
	}
	say(m, "{ ");
	make_statements(m, 1 + pick(m, m->w->size), 1 + pick(m, DEPTH));
	if (is_last)
		maps_assign(m);
	say(m, "} ");
}

void script_random(struct chance *c, const struct random_world *w, struct buf *o)
{
	struct maker m = { .c = c, .w = w, .o = o, .rounds = 1, .budget = 60 };
	unsigned count = one_in(&m, 3) ? 2 : 1;

	for (m.type_count = 0; m.type_count <= RANDOM_TEXT; m.type_count++)
		m.types[m.type_count].kind = m.type_count;
	settings(&m);
	structs(&m);
	macros(&m);
	functions(&m);
	maps(&m);
	for (unsigned i = 0; i < count; i++)
		probe(&m, i + 1 == count);
}
