/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - resolves a single word: a builtin, or a constant of the program or the kernel.
 */
#include <stdio.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "script/resolve/resolve.h"
#include "util/errname.h"
#include "util/suggest.h"

/* ---- enums ---- */

static bool enum_value(const struct btf_view *btf, uint32_t id, const char *name, int64_t *value)
{
	const struct btf_type *t = btf_view_type(btf, id);
	const char *other;

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		*value = btf_view_enum_value(btf, t, i, &other);
		if (!strcmp(other, name))
			return true;
	}
	return false;
}

/* 8 bytes wide, as in bpftrace; unsigned unless the enum has negative numbers. */
static bool enum_constant(struct resolve *r, struct script_expr *e)
{
	const struct btf_view *btf = r->c->btf;
	uint32_t id = btf_lookup_enum_with(r, e->name);
	int64_t value;

	if (!id || !enum_value(btf, id, e->name, &value))
		return false;
	if (btf_view_kind(btf, id) == BTF_KIND_ENUM && !ctype_is_signed(btf, ctype_of(id)))
		value = (uint32_t)value;
	e->type = script_int(8, value < 0 && ctype_is_signed(btf, ctype_of(id)));
	e->type.c = ctype_of(id);
	e->type.btf = btf;
	e->is_constant = true;
	e->value = value;
	return true;
}

/* ---- macros of the kernel, which BTF lacks ---- */

static bool macro_constant(struct script_expr *e)
{
	for (const struct field_name *const *table = flags_constants; *table; table++) {
		for (const struct field_name *n = *table; n->name; n++) {
			if (strcmp(n->name, e->name))
				continue;
			expr_set_number(e, (int64_t)n->value, false);
			return true;
		}
	}
	return false;
}

/* EPERM … */
static bool error_constant(struct script_expr *e)
{
	enum { ERRORS_MAX = 600 };

	for (int n = 1; *e->name == 'E' && n < ERRORS_MAX; n++) {
		if (errname(n) && !strcmp(errname(n), e->name)) {
			expr_set_number(e, n, false);
			return true;
		}
	}
	return false;
}

/* __NR_read, SYS_read */
static bool call_constant(struct script_expr *e)
{
	const struct field_name *found = NULL;

	if (!strncmp(e->name, "__NR_", 5))
		found = field_name_find(flags_syscall, e->name + 5);
	else if (!strncmp(e->name, "SYS_", 4))
		found = field_name_find(flags_syscall, e->name + 4);
	if (found)
		expr_set_number(e, (int64_t)found->value, false);
	return found;
}

bool word_is_constant(struct resolve *r, struct script_expr *e)
{
	return enum_constant(r, e) || macro_constant(e) || error_constant(e) || call_constant(e);
}

/* ---- all ---- */

static void offer_constants(struct suggestion *nearest)
{
	for (const struct field_name *const *table = flags_constants; *table; table++) {
		for (const struct field_name *n = *table; n->name; n++)
			suggest_offer(nearest, n->name);
	}
}

static void fail_unknown(struct resolve *r, const struct script_expr *e)
{
	static const struct suggest_words words = {
		.otherwise = "variables have a $, maps a @; constants are those of the kernel's "
			     "enums and of #define",
	};
	struct suggestion nearest;

	r->c->is_missing |= !failed(r); /* a parameter that another kernel has */
	script_fail(r->c, e->span, "unknown word %s", e->name);
	suggest_init(&nearest, e->name);
	for (unsigned f = FUNC_NONE + 1; f < FUNCS; f++)
		suggest_offer(&nearest, func_name(f));
	offer_constants(&nearest);
	params_offer(r, &nearest);
	script_suggest(r->c, &nearest, &words);
}

/* True for a function that is no value by itself: path, or count outside of an assignment. */
static bool is_no_value(const struct resolve *r, const struct script_expr *e)
{
	return !e->has_call && (func_needs_arguments(e->func) ||
				(e->func == FUNC_COUNT && r->assigns_aggregate != e));
}

/* Resolves the name of a parameter: changes the tree to args.name. */
static void word_to_param(struct resolve *r, struct script_expr *e)
{
	struct script_expr *args = alloc_lasting(r, sizeof(*args));

	if (!args)
		return;
	args->kind = X_WORD;
	args->name = "args";
	args->span = args->name_span = e->span;
	e->kind = X_FIELD;
	e->func = FUNC_NONE;
	e->name_span = e->span;
	e->a = args;
	infer_field(r, e);
}

/* Fails for a statement that is the name of a function alone: exit. */
static bool is_call(struct resolve *r, const struct script_expr *e)
{
	if (e->has_call || (e->func != FUNC_EXIT && e->func != FUNC_TIME))
		return true;
	script_fail(r->c, e->span, "%s is a function", e->name);
	script_hint(r->c, "call it: %s()", e->name);
	return false;
}

void infer_word(struct resolve *r, struct script_expr *e)
{
	e->func = func_find(e->name, &e->param);
	if (!is_call(r, e))
		return;
	if (e->func != FUNC_NONE && !(is_no_value(r, e) && params_have(r, e->name)))
		func_resolve(r, e);
	else if (e->func == FUNC_NONE && (word_is_constant(r, e) || failed(r)))
		return;
	else if (params_have(r, e->name))
		word_to_param(r, e);
	else
		fail_unknown(r, e);
}
