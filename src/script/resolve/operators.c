/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operators.c - resolves operators: numbers, pointers, comparisons of values with bytes, logic, ++ and --.
 *
 * Arithmetic uses 64 bits. It is signed if one side is; a difference always is, and a shift is if its left side is. A
 * literal takes the sign of the other side.
 */
#include <string.h>

#include "script/resolve/resolve.h"

static struct script_type bool_type(void)
{
	return (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
}

static void fail_operands(struct resolve *r, const struct script_expr *e)
{
	script_fail(r->c, e->name_span.end ? e->name_span : e->span,
		    "%s cannot be used with %s and %s", oper_text(e->oper),
		    type_text(r, &e->a->type), type_text(r, &e->b->type));
}

/* ---- pointers ---- */

static bool is_address(const struct script_type *t)
{
	return t->kind == SCRIPT_POINTER;
}

/* Pointer and number: the pointer must be on the left, except for +. */
static void resolve_pointer_offset(struct resolve *r, struct script_expr *e)
{
	struct script_expr *pointer = is_address(&e->a->type) ? e->a : e->b;
	struct script_expr *number = pointer == e->a ? e->b : e->a;
	struct script_type target = script_type_target(&pointer->type);

	if (!type_is_number(&number->type) ||
	    (e->oper != OPER_ADD && (e->oper != OPER_SUB || pointer == e->b))) {
		fail_operands(r, e);
		return;
	}
	if (target.kind == SCRIPT_RECORD && !target.size)
		script_fail(r->c, pointer->span,
			    "the size of %s is unknown, so its elements cannot be located",
			    type_text(r, &target));
	e->type = type_stored(&pointer->type);
}

static void resolve_pointers(struct resolve *r, struct script_expr *e)
{
	bool both = is_address(&e->a->type) && is_address(&e->b->type);
	const struct script_type *other = is_address(&e->a->type) ? &e->b->type : &e->a->type;

	if (oper_compares(e->oper)) {
		e->type = bool_type();
		if (!both && !type_is_number(other))
			fail_operands(r, e);
	} else if (both) {
		fail_operands(r, e);
	} else {
		resolve_pointer_offset(r, e);
	}
}

/* ---- numbers ---- */

static void resolve_numbers(struct resolve *r, struct script_expr *e)
{
	const struct script_type *a = &e->a->type, *b = &e->b->type;
	bool is_shift = e->oper == OPER_SHL || e->oper == OPER_SHR;

	if (fold_binary(r, e) || failed(r))
		return;
	if (!is_shift)
		constants_adapt(e->a, e->b);
	if (oper_compares(e->oper) || (a->kind == SCRIPT_BOOL && b->kind == SCRIPT_BOOL)) {
		e->type = bool_type();
		return;
	}
	e->type = script_int(8, script_sign_join(a, b) || e->oper == OPER_SUB);
	e->type.is_user = a->is_user || b->is_user;
}

/* ---- values with bytes ---- */

/* True for values printed as text: they compare as strings. */
static bool is_named(enum script_kind kind)
{
	return kind == SCRIPT_POINT || script_is_named(kind);
}

static bool is_comparable(const struct script_type *a, const struct script_type *b)
{
	if (a->kind != b->kind)
		return (is_named(a->kind) && b->kind == SCRIPT_STRING) ||
		       (is_named(b->kind) && a->kind == SCRIPT_STRING);
	switch (a->kind) {
	case SCRIPT_STRING:
	case SCRIPT_POINT:
	case SCRIPT_TUPLE:
	case SCRIPT_ERROR:
	case SCRIPT_SYSCALL:
	case SCRIPT_SIGNAL:
	case SCRIPT_INET:
	case SCRIPT_MAC:
	case SCRIPT_BUFFER:
	case SCRIPT_USER:
	case SCRIPT_KSYM:
	case SCRIPT_USYM: return true;
	case SCRIPT_ARRAY: return a->size == b->size && a->count == b->count;
	default: return false;
	}
}

/* Converts literal tuples to the layout of the comparison. */
static void compare_tuples(struct resolve *r, struct script_expr *e)
{
	struct script_type joined = e->a->type;

	if (type_grow(r, &joined, &e->b->type, NULL) == GROWN_NEVER) {
		fail_operands(r, e);
		return;
	}
	if (e->a->kind == X_TUPLE && !e->a->names)
		e->a->type = joined;
	if (e->b->kind == X_TUPLE && !e->b->names)
		e->b->type = joined;
}

static void resolve_bytes(struct resolve *r, struct script_expr *e)
{
	if (fold_binary(r, e) || failed(r))
		return;
	if (!is_comparable(&e->a->type, &e->b->type)) {
		fail_operands(r, e);
		if (oper_compares(e->oper) &&
		    (e->a->type.kind == SCRIPT_STRING || e->b->type.kind == SCRIPT_STRING))
			script_hint(r->c, "use str(…) for a string of a pointer to characters");
		return;
	}
	if (e->oper != OPER_EQ && e->oper != OPER_NE) {
		fail_operands(r, e);
		return;
	}
	if (e->a->type.kind == SCRIPT_TUPLE)
		compare_tuples(r, e);
	e->type = bool_type();
}

/* ---- func == "vfs_read" in a program at one point ---- */

static const char *point_text(const struct resolve *r, const struct script_type *t)
{
	const struct script_point *p = r->c->point;
	unsigned first = r->in->point.first;

	if (r->in->point.count != 1 || !p->names || first >= p->names->count)
		return NULL;
	return t->is_func ? p->names->all[first].func : p->names->all[first].probe;
}

void point_text_set(const struct resolve *r, struct script_expr *e)
{
	/* a variable or a map may hold that of another point */
	bool is_here = e->type.kind == SCRIPT_POINT && (e->kind == X_WORD || e->kind == X_CALL);
	const char *text = is_here ? point_text(r, &e->type) : NULL;

	if (text)
		expr_set_text(e, text, strlen(text));
}

static void points_fold(const struct resolve *r, struct script_expr *e)
{
	if (expr_is_text(e->b))
		point_text_set(r, e->a);
	else if (expr_is_text(e->a))
		point_text_set(r, e->b);
}

/* ---- all ---- */

/* True for the map itself: @x = @x + 1 and @x += 1 infer the type of @x. */
static bool is_own(const struct resolve *r, const struct script_expr *e)
{
	return e->kind == X_MAP && e->type.kind == SCRIPT_NONE && r->assigned &&
	       e->map == r->assigned;
}

static bool resolve_unknown(struct resolve *r, struct script_expr *e)
{
	struct script_expr *unknown = e->a->type.kind == SCRIPT_NONE ? e->a : e->b;
	struct script_expr *other = unknown == e->a ? e->b : e->a;

	if (unknown->type.kind != SCRIPT_NONE)
		return false;
	if (oper_compares(e->oper))
		e->type = bool_type();
	else if (is_own(r, unknown) && (type_is_number(&other->type) || is_own(r, other)))
		e->type = script_int(8, other->type.is_signed);
	else
		type_is_known(r, unknown);
	return true;
}

void infer_operands(struct resolve *r, struct script_expr *e)
{
	if (resolve_unknown(r, e))
		return;
	points_fold(r, e);
	if (is_address(&e->a->type) || is_address(&e->b->type))
		resolve_pointers(r, e);
	else if (type_is_number(&e->a->type) && type_is_number(&e->b->type))
		resolve_numbers(r, e);
	else
		resolve_bytes(r, e);
}

void infer_binary(struct resolve *r, struct script_expr *e)
{
	infer_expr(r, e->a);
	if (!failed(r))
		infer_expr(r, e->b);
	if (!failed(r))
		infer_operands(r, e);
}

void infer_unary(struct resolve *r, struct script_expr *e)
{
	infer_expr(r, e->a);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (e->oper == OPER_NOT ? !script_is_scalar(&e->a->type) : e->a->type.kind != SCRIPT_INT) {
		script_fail(r->c, e->span, "%s cannot be used with %s", oper_text(e->oper),
			    type_text(r, &e->a->type));
		return;
	}
	if (fold_unary(r, e))
		return;
	e->type = e->oper == OPER_NOT ? bool_type() : script_int(8, e->a->type.is_signed);
}

void infer_logical(struct resolve *r, struct script_expr *e)
{
	bool decides = e->kind == X_OR;

	infer_condition(r, e->a);
	if (failed(r))
		return;
	e->type = bool_type();
	if (e->a->is_constant && !e->a->value == !decides) {
		expr_set_bool(e, decides);
		return;
	}
	infer_condition(r, e->b);
	if (e->a->is_constant && e->b->is_constant)
		expr_set_bool(e, e->b->value);
}

/* ---- ++, -- ---- */

/* The result of -- may be negative. */
static bool step_is_signed(const struct script_expr *e, const struct script_type *t)
{
	return t->is_signed || e->oper == OPER_SUB;
}

static void step_var(struct resolve *r, struct script_expr *e)
{
	struct script_var *v = e->a->var;
	struct script_type stepped = script_int(8, step_is_signed(e, &v->type));

	if (v->type.kind == SCRIPT_INT && !v->is_fixed &&
	    type_grow(r, &v->type, &stepped, NULL) == GROWN)
		r->grew = true;
}

static void step_map(struct resolve *r, struct script_expr *e)
{
	struct script_type number = script_int(8, true);
	struct script_map *m = e->a->map;

	if (m->value.kind == SCRIPT_POINTER)
		return;
	if (m->value.kind == SCRIPT_INT)
		number.is_signed = step_is_signed(e, &m->value);
	map_grow(r, m, &number, NULL, e->span);
}

void infer_step(struct resolve *r, struct script_expr *e)
{
	const char *sign = e->oper == OPER_ADD ? "++" : "--";

	if (e->a->kind != X_VAR && e->a->kind != X_MAP) {
		script_fail(r->c, e->span, "%s needs a variable or a map", sign);
		return;
	}
	if (e->a->kind == X_MAP)
		map_resolve_key(r, e->a);
	if (e->a->kind == X_MAP && !failed(r))
		step_map(r, e);
	if (!failed(r)) {
		if (e->a->kind == X_MAP)
			infer_map(r, e->a);
		else
			infer_var(r, e->a);
	}
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (e->a->type.kind != SCRIPT_INT && !is_address(&e->a->type)) {
		script_fail(r->c, e->span, "%s cannot be used with %s", sign,
			    type_text(r, &e->a->type));
		return;
	}
	if (e->a->kind == X_VAR)
		step_var(r, e);
	e->type = type_stored(&e->a->type);
	if (e->type.kind == SCRIPT_INT && !(e->a->kind == X_VAR && e->a->var->is_fixed))
		e->type = script_int(8, step_is_signed(e, &e->type));
}
