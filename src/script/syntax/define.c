/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * define.c - #define: names that stand for lexemes, replaced as in C.
 *
 * A replacement has the span of the name. Within it the name is not replaced again (lexeme.hidden).
 */
#include "script/syntax/parser.h"

enum { REPLACED_MAX = 100000, ARGS_MAX = 32 };

struct lex_define {
	const char *name;
	bool is_gone;	  /* #undef */
	bool is_function; /* NAME(params) */
	bool has_rest;	  /* the last parameter is __VA_ARGS__ */
	const char **params;
	size_t param_count;
	const struct lex_pending *body;
	const struct lex_define *next; /* the previous definition */
};

const struct lex_define *define_find(const struct parser *p, const char *name)
{
	for (const struct lex_define *d = p->in.defines; d; d = d->next)
		if (!strcmp(d->name, name))
			return d->is_gone ? NULL : d;
	return NULL;
}

/* ---- definitions ---- */

static const struct lex_pending *rest_accept(struct parser *p, struct lex_define *d,
					     const struct lex_pending *at)
{
	d->has_rest = true;
	d->params[d->param_count++] = "__VA_ARGS__";
	at = at->next;
	if (!lexeme_is(&at->lexeme, ")"))
		syn_fail(p, at->lexeme.span, "'...' must be the last parameter");
	return at;
}

/* Parses a, b, …) after the opening parenthesis; returns the lexemes that follow. */
static const struct lex_pending *params_read(struct parser *p, struct lex_define *d,
					     const struct lex_pending *at)
{
	d->is_function = true;
	d->params = script_alloc(p->c, ARGS_MAX * sizeof(*d->params));
	while (d->params && !p->c->err && !lexeme_is(&at->lexeme, ")")) {
		if (d->param_count == ARGS_MAX) {
			syn_fail(p, at->lexeme.span, "a #define has at most %d parameters",
				 ARGS_MAX);
			return at;
		}
		if (lexeme_is(&at->lexeme, "...")) {
			at = rest_accept(p, d, at);
			break;
		}
		if (at->lexeme.kind != LEX_NAME) {
			syn_fail(p, at->lexeme.span,
				 "expected the name of a parameter in #define %s(…)", d->name);
			return at;
		}
		d->params[d->param_count++] = at->lexeme.bytes;
		at = at->next;
		if (lexeme_is(&at->lexeme, ","))
			at = at->next;
	}
	return at->lexeme.kind == LEX_END ? at : at->next;
}

static void define_push(struct parser *p, struct lex_define *d)
{
	d->next = p->in.defines;
	p->in.defines = d;
}

void define_add(struct parser *p, const struct lex_pending *line)
{
	struct lex_define *d = script_alloc(p->c, sizeof(*d));
	const struct lexeme *name = &line->lexeme;

	if (!d)
		return;
	if (name->kind != LEX_NAME) {
		syn_fail(p, name->span, "expected a name after #define");
		return;
	}
	d->name = name->bytes;
	line = line->next;
	/* after a blank, the parenthesis belongs to the replacement */
	if (lexeme_is(&line->lexeme, "(") && line->lexeme.text == name->text + name->length)
		line = params_read(p, d, line->next);
	d->body = line;
	for (; line->lexeme.kind != LEX_END && !p->c->err; line = line->next)
		if (lexeme_is(&line->lexeme, "#"))
			script_unsupported(p->c, line->lexeme.span, "# and ## in a #define");
	define_push(p, d);
}

void define_remove(struct parser *p, const struct lex_pending *line)
{
	struct lex_define *d = script_alloc(p->c, sizeof(*d));

	if (!d)
		return;
	if (line->lexeme.kind != LEX_NAME) {
		syn_fail(p, line->lexeme.span, "expected a name after #undef");
		return;
	}
	d->name = line->lexeme.bytes;
	d->is_gone = true;
	define_push(p, d);
}

/* Defines the macro that scripts test: the kernel describes its types. */
void constants_define(struct parser *p)
{
	static const struct lexeme name = { .kind = LEX_NAME,
					    .text = "BPFTRACE_HAVE_BTF",
					    .bytes = "BPFTRACE_HAVE_BTF" };
	static const struct lexeme one = {
		.kind = LEX_NUMBER, .text = "1", .length = 1, .number = 1
	};
	static const struct lexeme end = {};

	const struct lex_pending *line = lex_pend(p, &name,
						  lex_pend(p, &one, lex_pend(p, &end, NULL)));

	if (!p->c->err)
		define_add(p, line);
}

/* ---- replacement ---- */

/* The lexemes of one argument, in reverse order. */
struct define_args {
	const struct lex_pending *args[ARGS_MAX];
	size_t count;
};

/* One replacement. */
struct replacement {
	struct parser *p;
	const struct lex_define *define;
	const struct lexeme *use;
	struct span span;
	struct lex_pending *first, **end;
	const struct lex_hidden *hidden;
};

static bool is_hidden(const struct lexeme *t)
{
	for (const struct lex_hidden *h = t->hidden; h; h = h->next)
		if (!strcmp(h->name, t->bytes))
			return true;
	return false;
}

/* Parses the arguments after the parenthesis. If the last parameter is __VA_ARGS__, its argument may contain commas. */
static bool args_read(struct parser *p, const struct lex_define *d, struct define_args *a)
{
	int open = 1;
	struct lexeme t;

	while (!p->c->err) {
		lex_plain(p, &t);
		if (t.kind == LEX_END)
			return false;
		open += lexeme_is(&t, "(") || lexeme_is(&t, "[") || lexeme_is(&t, "{");
		open -= lexeme_is(&t, ")") || lexeme_is(&t, "]") || lexeme_is(&t, "}");
		if (!open)
			break;
		if (open == 1 && lexeme_is(&t, ",") &&
		    !(d->has_rest && a->count + 1 == d->param_count)) {
			if (++a->count == ARGS_MAX)
				return false;
			continue;
		}
		a->args[a->count] = lex_pend(p, &t, a->args[a->count]);
		p->replaced++;
	}
	a->count += a->count || a->args[0] || d->param_count;
	return a->count == d->param_count || (d->has_rest && a->count + 1 == d->param_count);
}

static void replaced_append(struct replacement *r, const struct lexeme *t,
			    const struct lex_hidden *hidden)
{
	struct lex_pending *more = script_alloc(r->p->c, sizeof(*more));

	if (++r->p->replaced > REPLACED_MAX)
		syn_fail(r->p, r->span, "the #defines of this program expand it too much");
	if (!more || r->p->c->err)
		return;
	more->lexeme = *t;
	more->lexeme.span = r->span;
	more->lexeme.hidden = hidden;
	*r->end = more;
	r->end = (struct lex_pending **)&more->next;
}

/* `arg` lists its lexemes in reverse order. */
static void arg_append(struct replacement *r, const struct lex_pending *arg)
{
	const struct lex_pending *forward = NULL;

	for (; arg; arg = arg->next)
		forward = lex_pend(r->p, &arg->lexeme, forward);
	for (; forward && !r->p->c->err; forward = forward->next)
		replaced_append(r, &forward->lexeme, forward->lexeme.hidden);
}

static int param_find(const struct lex_define *d, const struct lexeme *t)
{
	for (size_t i = 0; t->kind == LEX_NAME && i < d->param_count; i++)
		if (!strcmp(d->params[i], t->bytes))
			return (int)i;
	return -1;
}

static void body_append(struct replacement *r, const struct define_args *a)
{
	const struct lex_pending *t;

	for (t = r->define->body; t->lexeme.kind != LEX_END && !r->p->c->err; t = t->next) {
		int param = param_find(r->define, &t->lexeme);

		if (param >= 0)
			arg_append(r, a->args[param]);
		else
			replaced_append(r, &t->lexeme, r->hidden);
	}
}

/* Reads the next lexeme if it is a parenthesis; returns true if it was. */
static bool paren_read(struct parser *p)
{
	struct parse_place here = p->in;
	struct lexeme t;

	lex_plain(p, &t);
	if (lexeme_is(&t, "("))
		return true;
	p->in = here;
	return false;
}

static void replacement_build(struct replacement *r, const struct define_args *a)
{
	struct parser *p = r->p;
	struct lex_hidden *hidden = script_alloc(p->c, sizeof(*hidden));

	if (!hidden)
		return;
	hidden->name = r->define->name;
	hidden->next = r->use->hidden;
	r->hidden = hidden;
	r->end = &r->first;
	body_append(r, a);
	*r->end = (struct lex_pending *)p->in.pending;
	p->in.pending = r->first;
}

bool define_apply(struct parser *p, const struct lexeme *name)
{
	struct replacement r = {
		.p = p, .define = define_find(p, name->bytes), .use = name, .span = name->span
	};
	struct define_args args = {};
	const char *from = p->in.from;

	if (!r.define || is_hidden(name) || (r.define->is_function && !paren_read(p)))
		return false;
	if (r.define->is_function && !args_read(p, r.define, &args)) {
		syn_fail(p, name->span, "the #define '%s' needs %zu arguments", name->bytes,
			 r.define->param_count);
		return false;
	}
	replacement_build(&r, &args);
	p->in.from = from;
	return true;
}
