/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * step.c - steps over lexemes, "expected …" errors, and new nodes.
 */
#include <stdio.h>

#include "script/syntax/parser.h"
#include "util/array.h"

/* ---- expected lexemes ---- */

bool syn_ended(const struct parser *p)
{
	return p->c->err || p->in.t.kind == LEX_END;
}

void syn_expected(struct parser *p, const char *what)
{
	const struct lexeme *t = &p->in.t;
	int length = t->length < 40 ? (int)t->length : 40;

	if (p->c->err)
		return;
	if (t->kind == LEX_END)
		syn_fail(p, t->span, "expected %s, but the program ends here", what);
	else
		syn_fail(p, t->span, "expected %s, not '%.*s'", what, length, t->text);
}

/* ---- steps ---- */

void lex_next(struct parser *p, struct lexeme *t)
{
	do
		lex_plain(p, t);
	while (t->kind == LEX_NAME && !p->is_plain && !p->c->err && define_apply(p, t));
	if (p->c->err)
		t->kind = LEX_END;
}

void syn_advance(struct parser *p)
{
	p->in.last = p->in.t.span;
	p->in.last_text = p->in.t.text;
	lex_next(p, &p->in.t);
	if (p->c->err)
		p->in.t.kind = LEX_END;
}

void syn_advance_plain(struct parser *p)
{
	p->is_plain = true;
	syn_advance(p);
	p->is_plain = false;
}

bool syn_is(const struct parser *p, const char *punct)
{
	return lexeme_is(&p->in.t, punct);
}

bool syn_is_word(const struct parser *p, const char *word)
{
	return p->in.t.kind == LEX_NAME && !strcmp(p->in.t.bytes, word);
}

bool syn_accept(struct parser *p, const char *punct)
{
	if (!syn_is(p, punct))
		return false;
	syn_advance(p);
	return true;
}

bool syn_accept_word(struct parser *p, const char *word)
{
	if (!syn_is_word(p, word))
		return false;
	syn_advance(p);
	return true;
}

bool syn_expect(struct parser *p, const char *punct, const char *what)
{
	char text[96];

	if (syn_accept(p, punct))
		return true;
	snprintf(text, sizeof(text), "'%s' %s", punct, what);
	syn_expected(p, text);
	return false;
}

const char *syn_name(struct parser *p, const char *what)
{
	const char *name = p->in.t.bytes;

	if (p->in.t.kind != LEX_NAME) {
		syn_expected(p, what);
		return NULL;
	}
	syn_advance(p);
	return name;
}

struct parse_place syn_mark(const struct parser *p)
{
	return p->in;
}

void syn_return(struct parser *p, const struct parse_place *to)
{
	p->in = *to;
	if (p->c->err)
		p->in.t.kind = LEX_END;
}

bool syn_then(struct parser *p, const char *punct)
{
	struct parse_place here = syn_mark(p);
	bool is;

	syn_advance(p);
	is = syn_is(p, punct);
	syn_return(p, &here);
	return is;
}

bool syn_enter(struct parser *p)
{
	if (++p->nesting > PARSE_NESTING_MAX)
		syn_fail(p, p->in.t.span, "the program is nested too deep: at most %d levels",
			 PARSE_NESTING_MAX);
	return !p->c->err;
}

void syn_leave(struct parser *p)
{
	p->nesting--;
}

void syn_skip_parentheses(struct parser *p)
{
	int open = 0;

	do {
		open += syn_is(p, "(");
		open -= syn_is(p, ")");
		syn_advance(p);
	} while (open > 0 && !syn_ended(p));
}

/* ---- nodes ---- */

struct script_expr *expr_new(struct parser *p, enum script_expr_kind kind, uint32_t start)
{
	struct script_expr *e = script_alloc(p->c, sizeof(*e));

	if (!e)
		return NULL;
	e->kind = kind;
	e->depth = 1;
	e->span = e->name_span = (struct span){ start,
						p->in.last.end > start ? p->in.last.end : start };
	return e;
}

static void depth_raise(uint16_t *depth, const struct script_expr *e)
{
	if (e && e->depth >= *depth)
		*depth = e->depth + 1;
}

static void depth_raise_stmts(uint16_t *depth, const struct script_stmt *s)
{
	for (; s; s = s->next)
		if (s->depth >= *depth)
			*depth = s->depth + 1;
}

static bool depth_check(struct parser *p, uint16_t depth, struct span span)
{
	if (depth > PARSE_DEPTH_MAX)
		syn_fail(p, span,
			 "this is nested too deep or too long: at most %d operators in a row",
			 PARSE_DEPTH_MAX);
	return !p->c->err;
}

bool expr_measure(struct parser *p, struct script_expr *e)
{
	e->depth = 1;
	depth_raise(&e->depth, e->a);
	depth_raise(&e->depth, e->b);
	depth_raise(&e->depth, e->c);
	for (size_t i = 0; i < e->count; i++)
		depth_raise(&e->depth, e->items[i]);
	depth_raise_stmts(&e->depth, e->body);
	return depth_check(p, e->depth, e->span);
}

struct script_expr *expr_close(struct parser *p, struct script_expr *e)
{
	if (!e)
		return NULL;
	if (p->in.last.end > e->span.end)
		e->span.end = p->in.last.end;
	return expr_measure(p, e) ? e : NULL;
}

struct script_stmt *stmt_new(struct parser *p, enum script_stmt_kind kind, uint32_t start)
{
	struct script_stmt *s = script_alloc(p->c, sizeof(*s));

	if (!s)
		return NULL;
	s->kind = kind;
	s->depth = 1;
	s->span = (struct span){ start, p->in.last.end > start ? p->in.last.end : start };
	return s;
}

bool stmt_measure(struct parser *p, struct script_stmt *s)
{
	s->depth = 1;
	depth_raise(&s->depth, s->target);
	depth_raise(&s->depth, s->a);
	depth_raise(&s->depth, s->b);
	depth_raise_stmts(&s->depth, s->body);
	depth_raise_stmts(&s->depth, s->otherwise);
	return depth_check(p, s->depth, s->span);
}

struct script_stmt *stmt_close(struct parser *p, struct script_stmt *s)
{
	if (!s)
		return NULL;
	if (p->in.last.end > s->span.end)
		s->span.end = p->in.last.end;
	return stmt_measure(p, s) ? s : NULL;
}

/* ---- lists ---- */

bool expr_list_add(struct parser *p, struct expr_list *l, struct script_expr *e, const char *name)
{
	size_t room = l->room ? 2 * l->room : 4;
	struct script_expr **items;
	const char **names;

	if (l->count == l->room) {
		items = script_alloc(p->c, room * sizeof(*items));
		names = script_alloc(p->c, room * sizeof(*names));
		if (!items || !names)
			return false;
		for (size_t i = 0; i < l->count; i++) {
			items[i] = l->items[i];
			names[i] = l->names[i];
		}
		l->items = items;
		l->names = names;
		l->room = room;
	}
	l->items[l->count] = e;
	l->names[l->count++] = name;
	return true;
}

struct script_map *syn_map_add(struct parser *p, const char *name, struct span span)
{
	struct script *s = p->c->s;
	struct script_map *m = script_alloc(p->c, sizeof(*m));

	for (size_t i = 0; i < s->map_count; i++)
		if (!strcmp(s->maps[i]->name, name)) {
			syn_fail(p, span, "@%s is already declared", name);
			return NULL;
		}
	if (!m)
		return NULL;
	if (!ARRAY_RESERVE(s->maps, s->map_count, s->map_room, 8)) {
		p->c->err = -ENOMEM;
		return NULL;
	}
	m->name = name;
	m->span = span;
	m->is_declared = true;
	m->number = s->map_count;
	s->maps[s->map_count++] = m;
	return m;
}

void cdef_add(struct parser *p, struct script_cdef *def)
{
	for (const struct script_cdef *d = p->c->s->types; d; d = d->next)
		if (d->kind == def->kind && *d->name && !strcmp(d->name, def->name))
			syn_fail(p, def->span, "'%s' is defined twice", def->name);
	*p->cdefs_end = def;
	p->cdefs_end = &def->next;
}
