/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_random_expr.c - expressions of random programs (script_random.h).
 */
#include "script_random_inside.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- choices ---- */

static const char *item(struct maker *m, const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n ? list[pick(m, n)] : NULL;
}

/* One of this probe's, or of all probes'. */
static const char *leaf(struct maker *m, const char *const *own, const char *const *common)
{
	const char *text = m->at && !one_in(m, 3) ? item(m, own) : NULL;

	return text ? text : item(m, common);
}

#define LEAF(m_, list_) leaf(m_, (m_)->at ? (m_)->at->list_ : NULL, (m_)->w->common->list_)

static struct random_var *var_of(struct maker *m, const struct random_type *t)
{
	unsigned first = m->var_count ? pick(m, m->var_count) : 0;

	for (unsigned i = 0; i < m->var_count; i++) {
		struct random_var *v = &m->vars[(first + i) % m->var_count];

		if (v->type == t)
			return v;
	}
	return NULL;
}

/* Returns a map whose values are of the type; numbers may be aggregates. */
static struct random_map *map_of(struct maker *m, const struct random_type *t)
{
	unsigned first = m->map_count ? pick(m, m->map_count) : 0;

	if (!m->at)
		return NULL;
	for (unsigned i = 0; i < m->map_count; i++) {
		struct random_map *map = &m->maps[(first + i) % m->map_count];

		if (map->counter ? t->kind == RANDOM_NUMBER && map->counter <= COUNTER_AVG :
				   map->value == t)
			return map;
	}
	return NULL;
}

static void map_read(struct maker *m, const struct random_map *map, int depth)
{
	say(m, "@m%d", (int)(map - m->maps));
	make_key(m, map, depth);
}

/* Reads a part of a tuple in a variable. Returns false if there is none of that type. */
static bool part_read(struct maker *m, const struct random_type *t)
{
	unsigned first = m->var_count ? pick(m, m->var_count) : 0;

	for (unsigned i = 0; i < m->var_count; i++) {
		const struct random_var *v = &m->vars[(first + i) % m->var_count];

		for (unsigned part = 0; part < v->type->count; part++) {
			if (v->type->parts[part] != t)
				continue;
			if (v->type->kind == RANDOM_RECORD)
				say(m, "$v%u.%c", v->number, 'a' + part);
			else
				say(m, "$v%u.%u", v->number, part);
			return true;
		}
	}
	return false;
}

/* ---- types ---- */

static const struct random_type *type_add(struct maker *m, struct random_type t)
{
	m->types[m->type_count] = t;
	return &m->types[m->type_count++];
}

/* Of this place: what the images of other places give cannot be computed here. */
static bool is_here(struct maker *m, const struct random_type *t)
{
	const char *const *lists[] = { m->at ? m->at->images : NULL, m->w->common->images };

	for (unsigned i = 0; i < t->count; i++)
		if (!is_here(m, t->parts[i]))
			return false;
	if (t->kind != RANDOM_IMAGE)
		return true;
	for (size_t i = 0; i < COUNT(lists); i++)
		for (const char *const *l = lists[i]; l && *l; l++)
			if (*l == t->image)
				return true;
	return false;
}

const struct random_type *make_type(struct maker *m, int depth)
{
	struct random_type t = { .kind = pick(m, 3) };
	static const enum random_kind scalars[] = { RANDOM_NUMBER, RANDOM_BOOL, RANDOM_TEXT };

	if (m->type_count >= TYPES_MAX - 8 || depth < 1 || !one_in(m, 3))
		return &m->types[scalars[one_in(m, 3) ? pick(m, 3) : pick(m, 2) * 2]];
	if (one_in(m, 3)) {
		t = (struct random_type){ .kind = RANDOM_IMAGE, .image = LEAF(m, images) };
		for (unsigned i = 0; i < m->type_count; i++)
			if (m->types[i].kind == RANDOM_IMAGE && m->types[i].image == t.image)
				return &m->types[i];
		return t.image ? type_add(m, t) : &m->types[RANDOM_TEXT];
	}
	if (one_in(m, 2) && m->type_count > 3) { /* one that is there */
		unsigned i = pick(m, m->type_count);

		if (is_here(m, &m->types[i]))
			return &m->types[i];
	}
	t.kind = one_in(m, 4) ? RANDOM_RECORD : RANDOM_TUPLE;
	t.count = 1 + pick(m, 4);
	for (unsigned i = 0; i < t.count; i++)
		t.parts[i] = make_type(m, depth - 1);
	return type_add(m, t);
}

/* ---- numbers ---- */

static void literal(struct maker *m)
{
	static const char *const edges[] = { "127",
					     "128",
					     "255",
					     "256",
					     "(-128)",
					     "(-129)",
					     "32767",
					     "32768",
					     "65535",
					     "65536",
					     "2147483647",
					     "2147483648",
					     "4294967295",
					     "4294967296",
					     "(-2147483648)",
					     "0x7fffffffffffffff",
					     "18446744073709551615",
					     "1e9",
					     "5ms",
					     "(-9223372036854775807)" };

	if (one_in(m, 5))
		say(m, "%s", edges[pick(m, COUNT(edges))]);
	else if (one_in(m, 6))
		say(m, "(-%u)", 1 + pick(m, 100));
	else
		say(m, "%u", pick(m, one_in(m, 3) ? 3 : 100));
}

static void number_leaf(struct maker *m)
{
	const struct random_type *number = &m->types[RANDOM_NUMBER];
	const struct random_var *v = var_of(m, number);
	const char *text;

	switch (pick(m, 6)) {
	case 0: literal(m); return;
	case 1:
	case 2:
		if (v) {
			say(m, "$v%u", v->number);
			return;
		}
		break;
	case 3:
		if (part_read(m, number))
			return;
		break;
	default: break;
	}
	text = LEAF(m, numbers);
	if (text)
		say(m, "%s", text);
	else
		literal(m);
}

static const char *const int_types[] = { "int8",  "uint8",  "int16", "uint16",
					 "int32", "uint32", "int64", "uint64" };

static void binary(struct maker *m, int depth)
{
	static const char *const opers[] = { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };
	const char *oper = opers[pick(m, COUNT(opers))];

	say(m, "(");
	if (one_in(m, 8))
		literal(m);
	else
		make_number(m, depth - 1);
	say(m, " %s ", oper);
	if ((*oper == '<' || *oper == '>') && !one_in(m, 3))
		say(m, "%u", pick(m, 64));
	else if (one_in(m, 3))
		say(m, "%u", 1 + pick(m, 1000));
	else if (*oper == '/') /* what ends with a / { may be a filter */
		number_leaf(m);
	else
		make_number(m, depth - 1);
	say(m, ")");
}

/* f(text, …) as a number */
static void of_texts(struct maker *m, int depth)
{
	static const char *const needles[] = { "a", "bash", "/etc/", "",
					       "longer than most of them" };
	const struct random_type *text = &m->types[RANDOM_TEXT];

	switch (pick(m, 6)) {
	case 0:
		say(m, "strlen(");
		make_value(m, text, depth - 1);
		say(m, ")");
		return;
	case 1:
		say(m, "strncmp(");
		make_value(m, text, depth - 1);
		say(m, ", ");
		make_value(m, text, depth - 1);
		say(m, ", %u)", pick(m, 30));
		return;
	case 2:
		say(m, "strstr(");
		make_value(m, text, depth - 1);
		say(m, ", \"%s\")", needles[pick(m, COUNT(needles))]);
		return;
	case 3:
		say(m, "memcmp(comm, %s, %u)", one_in(m, 2) ? "\"some text that is long\"" : "comm",
		    pick(m, 17));
		return;
	case 4:
		say(m, "strcap(");
		make_value(m, text, depth - 1);
		say(m, ")");
		return;
	default: say(m, "comm[%u]", pick(m, 16)); return;
	}
}

/* Memory at an address, by a type of C or a struct of the program. */
static void of_memory(struct maker *m, int depth)
{
	static const char *const members[] = { "a",    "b",	  "c",
					       "d",    "e",	  "g[1]",
					       "in.x", "next->a", "next->next->c" };
	const char *address = one_in(m, 4) ? NULL : LEAF(m, addresses);
	unsigned form = pick(m, m->struct_count ? 3 : 2);

	if (form == 2)
		say(m, "((struct r%u *)", pick(m, m->struct_count));
	else
		say(m, "%s(%s *)", form ? "*" : "(", int_types[pick(m, COUNT(int_types))]);
	say(m, "(");
	if (address)
		say(m, "%s", address);
	else
		make_number(m, depth - 1);
	say(m, ")");
	if (form == 2)
		say(m, ")%s%s", one_in(m, 2) ? "->" : ".", members[pick(m, COUNT(members))]);
	if (form)
		return;
	say(m, ")[");
	if (one_in(m, 2))
		make_number(m, depth - 1);
	else
		say(m, "%u", pick(m, 5));
	say(m, "]");
}

/* A function, a macro. */
static void call(struct maker *m, int depth)
{
	unsigned i = pick(m, m->function_count + 3);

	if (i < m->function_count && m->at) {
		say(m, "f%u((int64)(", i);
		make_number(m, depth - 1);
		say(m, "), (uint64)(");
		make_number(m, depth - 1);
		say(m, "))");
	} else if (m->has_macros && one_in(m, 2)) {
		say(m, "twice(");
		make_number(m, depth - 1);
		say(m, ")");
	} else {
		say(m, "bswap(");
		make_number(m, depth - 1);
		say(m, ")");
	}
}

/* { …; value } */
static void block(struct maker *m, const struct random_type *t, int depth)
{
	unsigned vars = m->var_count;
	bool in_args = m->in_args;

	say(m, "{ ");
	m->in_args = true; /* no actions */
	make_statements(m, 1 + pick(m, 2), depth - 1);
	make_value(m, t, depth - 1);
	say(m, " }");
	m->in_args = in_args;
	m->var_count = vars;
}

/* a ? b : c, if a { b } else { c }, a ?: b */
static void choice(struct maker *m, const struct random_type *t, int depth)
{
	bool is_if = one_in(m, 4);

	if (t->kind == RANDOM_NUMBER && one_in(m, 4)) {
		say(m, "(");
		make_value(m, t, depth - 1);
		say(m, " ?: ");
		make_value(m, t, depth - 1);
		say(m, ")");
		return;
	}
	say(m, is_if ? "(if (" : "(");
	make_condition(m, depth - 1);
	say(m, is_if ? ") { " : " ? ");
	make_value(m, t, depth - 1);
	say(m, is_if ? " } else { " : " : ");
	make_value(m, t, depth - 1);
	say(m, is_if ? " })" : ")");
}

/* $x++; false: there is nothing to step. */
static bool step(struct maker *m, int depth)
{
	const struct random_type *number = &m->types[RANDOM_NUMBER];
	struct random_var *v = var_of(m, number);
	struct random_map *map = map_of(m, number);
	const char *sign = one_in(m, 2) ? "++" : "--";
	bool is_prefix = one_in(m, 2);

	if (v && !v->is_loop && one_in(m, 2)) {
		say(m, "%s$v%u%s", is_prefix ? sign : "", v->number, is_prefix ? "" : sign);
		return true;
	}
	if (!map || map->counter)
		return false;
	say(m, "%s", is_prefix ? sign : "");
	map_read(m, map, depth - 1);
	say(m, "%s", is_prefix ? "" : sign);
	return true;
}

static void unary(struct maker *m, int depth)
{
	if (one_in(m, 2)) {
		say(m, "(%s)(", int_types[pick(m, COUNT(int_types))]);
		make_number(m, depth - 1);
		say(m, ")");
	} else {
		say(m, one_in(m, 2) ? "(- " : "(~");
		make_number(m, depth - 1);
		say(m, ")");
	}
}

static bool counted(struct maker *m, int depth)
{
	const struct random_map *map = m->map_count && m->at ? &m->maps[pick(m, m->map_count)] :
							       NULL;

	if (!map || !map->key)
		return false;
	if (one_in(m, 4)) {
		say(m, "len(@m%d)", (int)(map - m->maps));
		return true;
	}
	say(m, "(int64)has_key(@m%d, ", (int)(map - m->maps));
	make_value(m, map->key, depth - 1);
	say(m, ")");
	return true;
}

void make_number(struct maker *m, int depth)
{
	const struct random_type *number = &m->types[RANDOM_NUMBER];
	const struct random_map *map;

	if (m->budget-- <= 0 || depth <= 0 || one_in(m, 4)) {
		number_leaf(m);
		return;
	}
	switch (pick(m, 18)) {
	case 0:
	case 1:
	case 2:
	case 3: binary(m, depth); return;
	case 4:
	case 5: unary(m, depth); return;
	case 6: of_texts(m, depth); return;
	case 7:
	case 8: of_memory(m, depth); return;
	case 9: call(m, depth); return;
	case 10: choice(m, number, depth); return;
	case 11: block(m, number, depth); return;
	case 12:
		say(m, "(int64)(");
		make_condition(m, depth - 1);
		say(m, ")");
		return;
	case 13:
		if (step(m, depth))
			return;
		break;
	case 14:
		if (counted(m, depth))
			return;
		break;
	case 15: say(m, "sizeof(%s)", int_types[pick(m, COUNT(int_types))]); return;
	default:
		map = map_of(m, number);
		if (map) {
			map_read(m, map, depth - 1);
			return;
		}
		break;
	}
	number_leaf(m);
}

/* ---- conditions ---- */

static void compared(struct maker *m, const struct random_type *t, int depth)
{
	say(m, "(");
	make_value(m, t, depth - 1);
	say(m, one_in(m, 2) ? " == " : " != ");
	make_value(m, t, depth - 1);
	say(m, ")");
}

static void of_numbers(struct maker *m, int depth)
{
	static const char *const opers[] = { "<", "<=", ">", ">=", "==", "!=" };

	say(m, "(");
	make_number(m, depth - 1);
	say(m, " %s ", opers[pick(m, COUNT(opers))]);
	make_number(m, depth - 1);
	say(m, ")");
}

static void joined(struct maker *m, int depth)
{
	say(m, "(");
	make_condition(m, depth - 1);
	say(m, one_in(m, 2) ? " && " : " || ");
	make_condition(m, depth - 1);
	say(m, ")");
}

static void contained(struct maker *m, int depth)
{
	static const char *const patterns[] = { "*sh", "/etc/*", "[a-f]?*", "*", "" };
	bool is_glob = one_in(m, 2);

	say(m, is_glob ? "globmatch(" : "strcontains(");
	make_value(m, &m->types[RANDOM_TEXT], depth - 1);
	say(m, ", \"%s\")", is_glob ? patterns[pick(m, COUNT(patterns))] : "as");
}

void make_condition(struct maker *m, int depth)
{
	const char *address;
	const struct random_type *t;

	if (m->budget-- <= 0 || depth <= 0) {
		number_leaf(m);
		return;
	}
	switch (pick(m, 12)) {
	case 0:
		say(m, "!");
		make_condition(m, depth - 1);
		return;
	case 1:
	case 2: joined(m, depth); return;
	case 3: compared(m, &m->types[RANDOM_TEXT], depth); return;
	case 4:
		t = make_type(m, 2);
		if (t->kind == RANDOM_TUPLE)
			compared(m, t, depth);
		else
			contained(m, depth);
		return;
	case 5:
		address = LEAF(m, addresses);
		if (address) {
			say(m, one_in(m, 2) ? "(%s != 0)" : "(%s == 0)", address);
			return;
		}
		break;
	case 6: make_number(m, depth - 1); return;
	default: break;
	}
	of_numbers(m, depth);
}

/* ---- texts ---- */

static void text_literal(struct maker *m)
{
	static const char letters[] = "abcdefghij/etc.passwd 0123456789-_";
	unsigned length = one_in(m, 12) ? pick(m, 200) : one_in(m, 4) ? pick(m, 70) : pick(m, 12);

	say(m, "\"");
	for (unsigned i = 0; i < length; i++)
		say(m, "%c", letters[pick(m, sizeof(letters) - 1)]);
	say(m, "\"");
}

static void text_read(struct maker *m, int depth)
{
	const char *address = LEAF(m, addresses);

	if (!address) {
		text_literal(m);
		return;
	}
	say(m, "str((uint64)%s", address);
	if (one_in(m, 2)) {
		say(m, ", ");
		if (one_in(m, 2))
			say(m, "%u", 1 + pick(m, one_in(m, 4) ? 400 : 64));
		else
			make_number(m, depth - 1);
	}
	say(m, ")");
}

static void make_text(struct maker *m, int depth)
{
	const struct random_type *text = &m->types[RANDOM_TEXT];
	const struct random_var *v = var_of(m, text);
	const struct random_map *map;

	if (m->budget-- <= 0 || depth <= 0)
		goto simple;
	switch (pick(m, 10)) {
	case 0: choice(m, text, depth); return;
	case 1: block(m, text, depth); return;
	case 2: text_read(m, depth); return;
	case 3:
		say(m, "str(");
		make_text(m, depth - 1);
		say(m, ", %u)", 1 + pick(m, 80));
		return;
	case 4:
		map = map_of(m, text);
		if (map) {
			map_read(m, map, depth - 1);
			return;
		}
		break;
	case 5:
		if (part_read(m, text))
			return;
		break;
	default: break;
	}
simple:
	if (v && one_in(m, 2))
		say(m, "$v%u", v->number);
	else if (one_in(m, 2))
		text_literal(m);
	else
		say(m, "%s", LEAF(m, texts));
}

/* ---- values of a type ---- */

static void tuple(struct maker *m, const struct random_type *t, int depth)
{
	say(m, "(");
	for (unsigned i = 0; i < t->count; i++) {
		if (t->kind == RANDOM_RECORD)
			say(m, "%c=", 'a' + i);
		make_value(m, t->parts[i], depth - 1);
		say(m, i + 1 < t->count				? ", " :
		       t->count == 1 && t->kind == RANDOM_TUPLE ? ",)" :
								  ")");
	}
}

static void bytes(struct maker *m, const struct random_type *t, int depth)
{
	const struct random_var *v = var_of(m, t);
	const struct random_map *map = map_of(m, t);

	if (m->budget-- > 0 && depth > 0 && one_in(m, 8))
		choice(m, t, depth);
	else if (depth > 1 && t->count && one_in(m, 12))
		block(m, t, depth);
	else if (v && one_in(m, 2))
		say(m, "$v%u", v->number);
	else if (map && depth > 0 && one_in(m, 3))
		map_read(m, map, depth - 1);
	else if (t->kind == RANDOM_IMAGE)
		say(m, "%s", t->image);
	else
		tuple(m, t, depth);
}

static void truth(struct maker *m, int depth)
{
	const struct random_var *v = var_of(m, &m->types[RANDOM_BOOL]);
	const struct random_map *map = map_of(m, &m->types[RANDOM_BOOL]);

	if (v && one_in(m, 3)) {
		say(m, "$v%u", v->number);
	} else if (map && depth > 0 && one_in(m, 4)) {
		map_read(m, map, depth - 1);
	} else if (one_in(m, 6)) {
		say(m, one_in(m, 2) ? "true" : "false");
	} else {
		say(m, "(bool)(");
		make_condition(m, depth - 1);
		say(m, ")");
	}
}

void make_value(struct maker *m, const struct random_type *t, int depth)
{
	switch (t->kind) {
	case RANDOM_NUMBER: make_number(m, depth); return;
	case RANDOM_BOOL: truth(m, depth); return;
	case RANDOM_TEXT: make_text(m, depth); return;
	default: bytes(m, t, depth); return;
	}
}

void make_key(struct maker *m, const struct random_map *map, int depth)
{
	if (!map->key)
		return;
	say(m, "[");
	if (map->key->kind == RANDOM_TUPLE && map->key->count > 1 && one_in(m, 2)) {
		for (unsigned i = 0; i < map->key->count; i++) {
			make_value(m, map->key->parts[i], depth - 1);
			say(m, i + 1 < map->key->count ? ", " : "");
		}
	} else {
		make_value(m, map->key, depth);
	}
	say(m, "]");
}
