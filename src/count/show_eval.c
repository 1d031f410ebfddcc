/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_eval.c - computes with the fields of a row: signed numbers of 128 bits, so that sums of u64 and their
 * multiples are exact.
 */
#include <string.h>

#include "count/gauge.h"
#include "count/show.h"
#include "event.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/value.h"

typedef __int128 number;
typedef unsigned __int128 bits; /* unsigned, because overflow is then defined */

struct eval {
	const struct show_column *column;
	const void *record;
	bool none; /* an operand has no value */
};

/* ---- fields ---- */

static bool is_named(const struct field *f, const char *name, size_t len)
{
	return f->name && !strncmp(f->name, name, len) &&
	       (!f->name[len] || !strcmp(f->name + len, field_unit_suffix(f)) ||
		(f->unit == FIELD_UNIT_NONE && !strcmp(f->name + len, "_ns")));
}

const struct field *show_find(const struct schema *row, const char *name, size_t len)
{
	size_t skip = len && *name == '$';

	for (size_t i = 0; i < row->count; i++)
		if (is_named(&row->fields[i], name + skip, len - skip))
			return &row->fields[i];
	return NULL;
}

bool show_is_number(const struct field *f)
{
	const struct field_kind *kind = field_kind(f);

	return !f->count && !(kind->flags & KIND_BELOW) &&
	       (kind->weight || kind->load == load_unsigned || kind->load == load_signed);
}

static number field_number(struct eval *e, const struct node *n)
{
	const struct schema *row = e->column->row;
	const struct field *f = show_find(row, e->column->slot->text + n->name.start,
					  n->name.end - n->name.start);
	struct value v;
	double weight;

	if (!f || field_load(f, e->record, row->record_min, &v) || v.status != EVENT_OK) {
		e->none = true;
		return 0;
	}
	if (field_kind(f)->weight) {
		weight = field_weight(f, &v);
		e->none |= weight <= -1e30;
		return (number)weight;
	}
	return field_kind(f)->flags & KIND_SIGNED ? (number)(int64_t)v.u : (number)v.u;
}

static number gauge_number(struct eval *e, const struct node *n)
{
	uint64_t value = 0;

	e->none |= !gauge_meminfo(e->column->slot->text + n->argument.start,
				  n->argument.end - n->argument.start, &value);
	return value;
}

/* ---- operators ---- */

static number divide(struct eval *e, enum oper oper, number a, number b)
{
	e->none |= !b;
	if (!b)
		return 0;
	if (b == -1) /* the most negative number cannot be negated */
		return oper == OPER_DIV ? (number) - (bits)a : 0;
	return oper == OPER_DIV ? a / b : a % b;
}

static number shift(enum oper oper, number a, number by)
{
	if (by < 0 || by > 127)
		return oper == OPER_SHR && a < 0 ? -1 : 0;
	return oper == OPER_SHL ? (number)((bits)a << by) : a >> by;
}

static number binary(struct eval *e, enum oper oper, number a, number b)
{
	switch (oper) {
	case OPER_MUL: return (number)((bits)a * (bits)b);
	case OPER_DIV:
	case OPER_MOD: return divide(e, oper, a, b);
	case OPER_ADD: return (number)((bits)a + (bits)b);
	case OPER_SUB: return (number)((bits)a - (bits)b);
	case OPER_SHL:
	case OPER_SHR: return shift(oper, a, b);
	case OPER_LT: return a < b;
	case OPER_GT: return a > b;
	case OPER_LE: return a <= b;
	case OPER_GE: return a >= b;
	case OPER_EQ: return a == b;
	case OPER_NE: return a != b;
	case OPER_AND: return a & b;
	case OPER_XOR: return a ^ b;
	default: return a | b;
	}
}

static number unary(enum oper oper, number a)
{
	return oper == OPER_NOT ? !a : oper == OPER_COMPLEMENT ? ~a : (number) - (bits)a;
}

/* The parser bounds the depth. */
static number eval(struct eval *e, const struct node *n)
{
	number a;

	switch (n->kind) {
	case NODE_NAME: return field_number(e, n);
	case NODE_BUILTIN: return n->argument.end ? gauge_number(e, n) : field_number(e, n);
	case NODE_NUMBER: return n->number_unsigned ? (number)(uint64_t)n->number : n->number;
	case NODE_UNARY: return unary(n->oper, eval(e, n->child));
	case NODE_AND: return eval(e, n->child) && eval(e, n->other);
	case NODE_OR: return eval(e, n->child) || eval(e, n->other);
	case NODE_CHOICE: return eval(e, n->child) ? eval(e, n->other) : eval(e, n->third);
	default: a = eval(e, n->child); return binary(e, n->oper, a, eval(e, n->other));
	}
}

void show_value(const struct field *f, const void *record, struct value *v)
{
	struct eval e = { .column = f->context, .record = record };

	v->u = (uint64_t)eval(&e, e.column->slot->root);
	if (e.none)
		*v = (struct value){ .status = EVENT_NONE };
}
