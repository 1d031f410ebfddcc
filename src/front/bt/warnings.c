/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * warnings.c - warns, in bpftrace's words, of what is rarely meant: values that nothing uses, statements that are never
 * reached, variables without a value, signed numbers that are divided as unsigned ones.
 */
#include <string.h>

#include "front/bt/bt.h"

static unsigned loops; /* around the statement that is checked */

static void stmts_check(struct bt *b, const struct script_stmt *s);
static void expr_check(struct bt *b, const struct script_expr *e);

/* True if no statement after these runs. */
static bool leave(const struct script_stmt *s)
{
	for (; s; s = s->next)
		if (s->kind == S_RETURN || s->kind == S_BREAK || s->kind == S_CONTINUE ||
		    (s->kind == S_EXPR && s->a->kind == X_CALL && s->a->func == FUNC_EXIT) ||
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

/* ---- values ---- */

/* Warns with the types after the text; `b` may be NULL. */
static void types_warn(struct bt *bt, struct span where, const char *text,
		       const struct script_type *a, const struct script_type *b)
{
	struct buf types = {};

	script_type_write(bt->show.btf, a, &types);
	if (b) {
		buf_str(&types, ", ");
		script_type_write(bt->show.btf, b, &types);
	}
	bt_warning_show(&bt->show, where, "%s%.*s", text, (int)types.len, types.data);
	buf_free(&types);
}

/* A number that is only known from literals is signed. */
static bool has_sign(const struct script_expr *e)
{
	return e->type.kind == SCRIPT_INT && (e->type.is_signed || e->type.is_literal);
}

/* The kernel divides unsigned; a literal that is not negative can be either. */
static bool is_divided_signed(const struct script_expr *e)
{
	return has_sign(e) && !(e->is_constant && e->value >= 0);
}

/* Numbers of one type are no reason to warn, as in bpftrace. */
static void division_check(struct bt *b, enum oper oper, const struct script_expr *left,
			   const struct script_expr *right, struct span where)
{
	if ((oper != OPER_DIV && oper != OPER_MOD) ||
	    (left->type.size == right->type.size && has_sign(left) == has_sign(right)) ||
	    (!is_divided_signed(left) && !is_divided_signed(right)))
		return;
	bt_warning_show(&b->show, where,
			"signed operands for '%c' can lead to undefined behavior (cast to unsigned "
			"to silence warning)",
			oper == OPER_DIV ? '/' : '%');
}

/* A variable of a macro or function (x#1) is not the program's. */
static bool is_own(const struct script_expr *e)
{
	return e->kind == X_VAR && e->var && !strchr(e->name, '#');
}

/* True for a cast of a number or pointer to the type that it has. */
static bool is_idle(const struct script_expr *e)
{
	const struct script_type *to = &e->type, *from = &e->a->type;

	if (to->kind == SCRIPT_POINTER)
		return from->kind == SCRIPT_POINTER && script_type_equal(to, from);
	return to->kind == SCRIPT_INT && from->kind == SCRIPT_INT && to->size == from->size &&
	       !to->c.id == !from->c.id && to->is_signed == has_sign(e->a) &&
	       !(e->a->kind == X_MAP && script_is_aggregate(&e->a->map->value));
}

static void binary_check(struct bt *b, const struct script_expr *e)
{
	struct span where = { e->a->span.start, e->b->span.end };

	struct script_type left = script_type_target(&e->a->type),
			   right = script_type_target(&e->b->type);

	division_check(b, e->oper, e->a, e->b, where);
	if (e->a->type.kind == SCRIPT_POINTER && e->b->type.kind == SCRIPT_POINTER &&
	    !script_type_equal(&left, &right))
		types_warn(b, where, "comparison of distinct pointer types: ", &left, &right);
}

static void print_check(struct bt *b, const struct script_expr *e)
{
	if (e->count > 1 && e->map && e->map->value.kind == SCRIPT_STATS)
		bt_warning_show(&b->show, e->span,
				"print()'s top and div arguments are ignored when used on stats() "
				"maps.");
	if (loops && e->items[0]->kind == X_MAP && !e->items[0]->count)
		bt_warning_show(&b->show, e->span,
				"Due to it's asynchronous nature using 'print()' in a loop can "
				"lead to unexpected behavior. The map will likely be updated "
				"before the runtime can 'print' it.");
}

static void value_check(struct bt *b, const struct script_expr *e)
{
	if (is_own(e) && e->var->is_let && !e->var->is_assigned)
		bt_warning_show(&b->show, e->span, "Variable used before it was assigned: $%s",
				e->name);
	if (e->kind == X_PARAM && e->number > b->script->args.count)
		bt_warning_show(&b->show, e->span,
				"Positional parameter $%llu is empty or not provided. ",
				(unsigned long long)e->number);
	if (e->kind == X_BINARY && !e->is_constant)
		binary_check(b, e);
	if (e->kind == X_CAST && is_idle(e))
		types_warn(b, (struct span){ e->span.start, e->a->span.start },
			   "Unnecessary cast: expression is already of type ", &e->type, NULL);
	if (e->kind == X_CALL && e->func == FUNC_PRINT)
		print_check(b, e);
}

/* Marks a variable as assigned: by its address (&$x), or by find(@m, k, $x). */
static void target_note(const struct script_expr *e)
{
	if (e && is_own(e))
		e->var->is_assigned = true;
}

static void expr_check(struct bt *b, const struct script_expr *e)
{
	if (!e || e->kind == X_SIZEOF || e->kind == X_TYPE || e->kind == X_TYPEINFO)
		return;
	if (e->kind == X_ADDRESS)
		target_note(e->a);
	if (e->kind == X_CALL && e->func == FUNC_FIND)
		target_note(e->items[2]);
	value_check(b, e);
	stmts_check(b, e->body);
	expr_check(b, e->a);
	expr_check(b, e->b);
	expr_check(b, e->c);
	for (size_t i = 0; i < e->count; i++)
		if (e->func != FUNC_STR || e->items[i]->kind != X_PARAM) /* str($1) may be "" */
			expr_check(b, e->items[i]);
}

/* ---- statements ---- */

static void assign_check(struct bt *b, const struct script_stmt *s)
{
	const char *text = b->script->text;
	struct span where = { s->target->span.end, s->a->span.end };

	if (s->oper != OPER_NONE)
		value_check(b, s->target);
	while (text[where.start] == ' ')
		where.start++;
	division_check(b, s->oper, s->target, s->a, where);
}

static void let_check(struct bt *b, const struct script_stmt *s)
{
	struct span where = s->span;

	if (is_own(s->target) && !s->target->var->is_assigned)
		bt_warning_show(&b->show, where, "Variable $%s was never assigned to.",
				s->target->name);
}

static void stmt_check(struct bt *b, const struct script_stmt *s)
{
	bool is_loop = s->kind == S_WHILE || s->kind == S_FOR_RANGE || s->kind == S_FOR_MAP;

	if (s->kind == S_EXPR && is_lost(s->a))
		warn(b, s, "Return value discarded.");
	if (s->kind == S_WHILE)
		warn(b, s, "While loops are deprecated and may be removed in the future.");
	if (s->next && leaves(s))
		warn(b, s->next, "Unreachable statement.");
	expr_check(b, s->a);
	expr_check(b, s->b);
	if (s->kind == S_ASSIGN)
		assign_check(b, s);
	if (s->kind != S_LET || s->a)
		target_note(s->target);
	loops += is_loop;
	stmts_check(b, s->body);
	loops -= is_loop;
	stmts_check(b, s->otherwise);
}

/* A variable is assigned where it is visible: all statements of its block come first. */
static void stmts_check(struct bt *b, const struct script_stmt *s)
{
	for (const struct script_stmt *at = s; at; at = at->next)
		stmt_check(b, at);
	for (; s; s = s->next)
		if (s->kind == S_LET)
			let_check(b, s);
}

void bt_warnings_show(struct bt *b)
{
	for (size_t i = 0; i < b->script->probe_count; i++)
		if (b->script->probes[i].body) {
			expr_check(b, b->script->probes[i].condition);
			stmts_check(b, b->script->probes[i].body);
		}
}
