/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_name.c - parses types as programs write them: in casts, let, sizeof and offsetof.
 *
 * Integers of C get the names of the kernel's type information: "long unsigned int".
 */
#include <ctype.h>

#include "script/syntax/parser.h"

static bool type_is_known(const char *name)
{
	static const char *const known[] = {
		"bool",	      "int8",	  "int16",    "int32",	   "int64",	"uint8",
		"uint16",     "uint32",	  "uint64",   "void",	   "string",	"inet",
		"buffer",     "min_t",	  "max_t",    "sum_t",	   "count_t",	"avg_t",
		"stats_t",    "umin_t",	  "umax_t",   "usum_t",	   "ucount_t",	"uavg_t",
		"ustats_t",   "hist_t",	  "lhist_t",  "timestamp", "macaddr_t", "cgroup_path_t",
		"strerror_t", "username", "kstack_t", "ustack_t",  "int",	"char",
		"short",      "long",	  "unsigned", "signed",	   "float",	"double",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i]))
			return true;
	return false;
}

/* ---- integers of C ---- */

struct c_words {
	unsigned longs, shorts, chars, ints, signeds, unsigneds;
};

static bool c_word_accept(struct parser *p, struct c_words *w)
{
	const struct {
		const char *word;
		unsigned *count;
	} all[] = {
		{ "long", &w->longs },	       { "short", &w->shorts },
		{ "char", &w->chars },	       { "int", &w->ints },
		{ "signed", &w->signeds },     { "unsigned", &w->unsigneds },
		{ "__signed__", &w->signeds },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (syn_accept_word(p, all[i].word)) {
			++*all[i].count;
			return true;
		}
	return false;
}

static const char *c_words_name(const struct c_words *w)
{
	bool is_unsigned = w->unsigneds;

	if (w->chars)
		return is_unsigned ? "unsigned char" : w->signeds ? "signed char" : "char";
	if (w->shorts)
		return is_unsigned ? "short unsigned int" : "short int";
	if (w->longs > 1)
		return is_unsigned ? "long long unsigned int" : "long long int";
	if (w->longs)
		return is_unsigned ? "long unsigned int" : "long int";
	return is_unsigned ? "unsigned int" : "int";
}

bool type_qualifier_accept(struct parser *p)
{
	static const char *const words[] = { "const", "volatile", "restrict", "__user",
					     "__rcu", "__percpu", "__kernel" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (syn_accept_word(p, words[i]))
			return true;
	return false;
}

static void qualifiers_skip(struct parser *p)
{
	while (type_qualifier_accept(p))
		;
}

static bool tag_accept(struct parser *p)
{
	return syn_accept_word(p, "struct") || syn_accept_word(p, "union") ||
	       syn_accept_word(p, "enum");
}

const char *syn_type_words(struct parser *p)
{
	struct span where = p->in.t.span;
	struct c_words w = {};
	const char *tag = NULL, *name, *first;
	bool is_c = false;

	qualifiers_skip(p);
	first = p->in.t.bytes;
	while (c_word_accept(p, &w)) {
		qualifiers_skip(p);
		is_c = true;
	}
	if (is_c) {
		if (w.longs > 2 || w.shorts > 1 || w.chars > 1 || w.ints > 1 ||
		    (w.longs && w.shorts) || (w.signeds && w.unsigneds) ||
		    (w.chars && w.longs + w.shorts + w.ints))
			syn_fail(p, where, "C has no such type");
		return c_words_name(&w);
	}
	if (tag_accept(p))
		tag = first;
	name = syn_name(p, tag ? "the name of a type" : "a type");
	qualifiers_skip(p);
	return tag && name ? script_print(p->c, "%s %s", tag, name) : name;
}

/* ---- whole types ---- */

static void stars_read(struct parser *p, struct script_type_name *t)
{
	while (syn_accept(p, "*")) {
		if (t->stars < UINT8_MAX)
			t->stars++;
		qualifiers_skip(p);
	}
}

/* Turns a type with C's notation around the name into a typedef: the array that `t` is, under a name that no program
 * can write. */
static void array_typedef_add(struct parser *p, struct script_type_name *t)
{
	struct script_cmember *m = script_alloc(p->c, sizeof(*m));
	struct script_cdef *def = script_alloc(p->c, sizeof(*def));
	const char *name = script_print(p->c, "#%u", ++p->expansions);

	if (!m || !def || !name)
		return;
	if (!t->name || !t->count) {
		script_unsupported(p->c, t->span, "arrays of such a type");
		return;
	}
	*m = (struct script_cmember){ .span = t->span, .name = name, .type = *t };
	m->type.is_array = false;
	m->counts[0] = t->count;
	*def = (struct script_cdef){
		.kind = CDEF_TYPEDEF, .span = t->span, .name = name, .members = m, .count = 1
	};
	cdef_add(p, def);
	*t = (struct script_type_name){ .span = t->span, .name = name };
}

/* Parses [] and [count]; returns false if there are none. */
static bool brackets_read(struct parser *p, struct script_type_name *t)
{
	if (!syn_accept(p, "["))
		return false;
	t->is_array = true;
	t->count = 0;
	if (p->in.t.kind == LEX_NUMBER) {
		if (p->in.t.number == 0 || p->in.t.number > 1 << 20)
			syn_fail(p, p->in.t.span, "an array must have 1 to %d elements", 1 << 20);
		t->count = p->in.t.number;
		syn_advance(p);
	}
	return syn_expect(p, "]", "after the size of the array");
}

/* True for `string`, `buffer` and `inet`, whose number is a size and not a count of elements. */
static bool has_size(const struct script_type_name *t)
{
	return t->name && !t->stars &&
	       (!strcmp(t->name, "string") || !strcmp(t->name, "buffer") ||
		!strcmp(t->name, "inet"));
}

/* Parses stars and brackets, from the left: int32*[4] is an array of pointers, int32[4]* a pointer to an array. */
static void type_suffixes(struct parser *p, struct script_type_name *t)
{
	stars_read(p, t);
	while (!p->c->err && brackets_read(p, t)) {
		t->span.end = p->in.last.end;
		if (has_size(t) || (!t->stars && !syn_is(p, "*") && !syn_is(p, "[") &&
				    (!t->name || !strpbrk(t->name, " #"))))
			return;
		array_typedef_add(p, t);
		stars_read(p, t);
	}
}

static bool typeof_parse(struct parser *p, struct script_type_name *t)
{
	struct script_type_name *inner;

	if (!syn_expect(p, "(", "after typeof"))
		return false;
	if (!type_is_next(p)) {
		t->of = syn_expression(p);
		return t->of && syn_expect(p, ")", "after the value of typeof");
	}
	inner = syn_type(p);
	if (!inner || !syn_expect(p, ")", "after the type"))
		return false;
	inner->span.start = t->span.start;
	*t = *inner;
	if (inner->is_array && (syn_is(p, "*") || syn_is(p, "[")) && !has_size(inner))
		array_typedef_add(p, t);
	return true;
}

struct script_type_name *syn_type(struct parser *p)
{
	struct script_type_name *t = script_alloc(p->c, sizeof(*t));

	if (!t)
		return NULL;
	t->span.start = p->in.t.span.start;
	if (!syn_enter(p))
		;
	else if (syn_accept_word(p, "typeof"))
		typeof_parse(p, t);
	else
		t->name = syn_type_words(p);
	syn_leave(p);
	if (!p->c->err)
		type_suffixes(p, t);
	t->span.end = p->in.last.end;
	return p->c->err ? NULL : t;
}

/* ---- tests for a type ---- */

bool syn_is_param(const struct parser *p)
{
	for (size_t i = 0; i < p->param_count && p->in.t.kind == LEX_NAME; i++)
		if (!strcmp(p->in.t.bytes, p->params[i]))
			return true;
	return false;
}

/* True for a name that is a value and not a type. */
static bool word_is_value(const struct parser *p, const char *name)
{
#define SCRIPT_FUNC(id_, name_, least_, most_) (least_) == 0 ? name_ : NULL,
	static const char *const words[] = {
#include "script/funcs.def"
	};
#undef SCRIPT_FUNC
	const char *digits = !strncmp(name, "sarg", 4) ? name + 4 :
			     !strncmp(name, "arg", 3)  ? name + 3 :
							 "";

	if (isdigit((unsigned char)*digits) || !strncmp(name, "__builtin_", 10))
		return true;
	if (syn_is_param(p))
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i] && !strcmp(name, words[i]))
			return true;
	return !strcmp(name, "true") || !strcmp(name, "false");
}

static bool words_skip(struct parser *p)
{
	const char *name = p->in.t.bytes;
	struct c_words w = {};

	if (syn_accept_word(p, "typeof")) {
		if (!syn_is(p, "("))
			return false;
		syn_skip_parentheses(p);
		return true;
	}
	qualifiers_skip(p);
	if (c_word_accept(p, &w)) {
		while (c_word_accept(p, &w))
			qualifiers_skip(p);
		return true;
	}
	if (!tag_accept(p) && (p->in.t.kind != LEX_NAME || word_is_value(p, name)))
		return false;
	syn_advance(p);
	qualifiers_skip(p);
	return true;
}

bool type_skip(struct parser *p)
{
	if (p->in.t.kind != LEX_NAME || !words_skip(p))
		return false;
	while (syn_is(p, "*") || syn_is(p, "[")) {
		bool is_array = syn_is(p, "[");

		syn_advance(p);
		qualifiers_skip(p);
		if (is_array && p->in.t.kind == LEX_NUMBER)
			syn_advance(p);
		if (is_array && !syn_accept(p, "]"))
			return false;
	}
	return true;
}

bool type_is_sure(struct parser *p)
{
	static const char *const begins[] = { "struct", "union", "enum",
					      "typeof", "const", "volatile" };

	if (p->in.t.kind != LEX_NAME)
		return false;
	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (syn_is_word(p, begins[i]))
			return true;
	return type_is_known(p->in.t.bytes);
}

bool type_is_next(struct parser *p)
{
	struct parse_place here = syn_mark(p);
	bool is = type_skip(p) && (syn_is(p, ")") || syn_is(p, ","));

	syn_return(p, &here);
	return is;
}
