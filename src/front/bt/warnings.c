/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * warnings.c - warns of statements without effect: values that nothing uses, and what is never reached.
 */
#include "front/bt/bt.h"

static void stmts_check(struct bt *b, const struct script_stmt *s);

/* True if no statement after these runs. */
static bool leave(const struct script_stmt *s)
{
	for (; s; s = s->next)
		if (s->kind == S_RETURN || s->kind == S_BREAK || s->kind == S_CONTINUE ||
		    (s->kind == S_BLOCK && leave(s->body)) ||
		    (s->kind == S_IF && leave(s->body) && leave(s->otherwise)))
			return true;
	return false;
}

static bool leaves(const struct script_stmt *s)
{
	struct script_stmt alone = *s;

	alone.next = NULL;
	return leave(&alone);
}

/* The result of delete() is rarely wanted, unlike in bpftrace no reason to warn. Branches that a constant excludes have
 * no types. */
static bool is_lost(const struct script_expr *e)
{
	return e->kind != X_STEP && e->type.kind != SCRIPT_VOID && e->type.kind != SCRIPT_NONE &&
	       !(e->kind == X_CALL && e->func == FUNC_DELETE);
}

/* As in bpftrace the location includes the semicolon. */
static void warn(struct bt *b, const struct script_stmt *s, const char *text)
{
	struct span where = s->span;

	where.end += b->script->text[where.end] == ';';
	bt_warning_show(&b->show, where, "%s", text);
}

static void stmt_check(struct bt *b, const struct script_stmt *s)
{
	if (s->kind == S_EXPR && is_lost(s->a))
		warn(b, s, "Return value discarded.");
	if (s->next && leaves(s))
		warn(b, s->next, "Unreachable statement.");
	stmts_check(b, s->body);
	stmts_check(b, s->otherwise);
}

static void stmts_check(struct bt *b, const struct script_stmt *s)
{
	for (; s; s = s->next)
		stmt_check(b, s);
}

void bt_warnings_show(struct bt *b)
{
	for (size_t i = 0; i < b->script->probe_count; i++)
		if (b->script->probes[i].body)
			stmts_check(b, b->script->probes[i].body);
}
