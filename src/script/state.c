/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.c - shared by the stages of script/: errors, memory, walks over trees.
 */
#include <stdarg.h>
#include <stdio.h>

#include "script/inside.h"
#include "util/suggest.h"

/* ---- errors ---- */

static bool error_begin(struct script_state *c, struct span where, int err)
{
	if (c->err)
		return false;
	c->err = err;
	if (!c->error)
		return false;
	*c->error = (struct script_error){ .span = where };
	return true;
}

void script_fail(struct script_state *c, struct span where, const char *fmt, ...)
{
	va_list args;

	if (!error_begin(c, where, -EINVAL))
		return;
	va_start(args, fmt);
	vsnprintf(c->error->message, sizeof(c->error->message), fmt, args);
	va_end(args);
}

void script_unsupported(struct script_state *c, struct span where, const char *fmt, ...)
{
	char what[200];
	va_list args;

	if (!error_begin(c, where, -EINVAL))
		return;
	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	c->error->is_later = true;
	snprintf(c->error->message, sizeof(c->error->message), "not supported yet: %s", what);
}

void script_refuse(struct script_state *c, struct span where, const char *fmt, ...)
{
	va_list args;

	if (!error_begin(c, where, -EOPNOTSUPP))
		return;
	va_start(args, fmt);
	vsnprintf(c->error->message, sizeof(c->error->message), fmt, args);
	va_end(args);
}

static bool wants_hint(const struct script_state *c)
{
	return c->err && c->error && !c->error->hint[0];
}

void script_hint(struct script_state *c, const char *fmt, ...)
{
	va_list args;

	if (!wants_hint(c))
		return;
	va_start(args, fmt);
	vsnprintf(c->error->hint, sizeof(c->error->hint), fmt, args);
	va_end(args);
}

void script_suggest(struct script_state *c, const struct suggestion *n,
		    const struct suggest_words *words)
{
	if (wants_hint(c))
		suggest_write(n, words, c->error->hint, sizeof(c->error->hint));
}

/* ---- memory ---- */

void *script_alloc(struct script_state *c, size_t size)
{
	void *bytes = arena_alloc(c->arena, size);

	if (!bytes && !c->err)
		c->err = -ENOMEM;
	return bytes;
}

const char *script_print(struct script_state *c, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = arena_print(c->arena, fmt, args);
	va_end(args);
	if (!text && !c->err)
		c->err = -ENOMEM;
	return text;
}

/* ---- walks ---- */

void script_walk(struct script_expr *e, void (*fn)(struct script_expr *e, void *ctx), void *ctx)
{
	if (!e)
		return;
	if (e->type_name && e->type_name->of)
		script_walk((struct script_expr *)e->type_name->of, fn, ctx);
	script_walk(e->a, fn, ctx);
	script_walk(e->b, fn, ctx);
	script_walk(e->c, fn, ctx);
	for (size_t i = 0; i < e->count; i++)
		script_walk(e->items[i], fn, ctx);
	script_walk_stmts(e->body, fn, ctx);
	fn(e, ctx);
}

void script_walk_stmts(struct script_stmt *first, void (*fn)(struct script_expr *e, void *ctx),
		       void *ctx)
{
	for (struct script_stmt *s = first; s; s = s->next) {
		if (s->type_name && s->type_name->of)
			script_walk((struct script_expr *)s->type_name->of, fn, ctx);
		script_walk(s->target, fn, ctx);
		script_walk(s->a, fn, ctx);
		script_walk(s->b, fn, ctx);
		script_walk_stmts(s->body, fn, ctx);
		script_walk_stmts(s->otherwise, fn, ctx);
	}
}
