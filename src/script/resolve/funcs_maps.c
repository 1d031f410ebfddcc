/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_maps.c - resolves functions for maps: keys, sizes, and aggregates.
 */
#include <string.h>

#include "script/resolve/resolve.h"

static void set_bool(struct script_expr *e)
{
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
}

/* ---- keys ---- */

void func_len(struct resolve *r, struct script_expr *e)
{
	struct script_expr *arg = e->items[0];

	e->type = script_int(8, true);
	if (arg->kind == X_MAP && !arg->count) {
		e->map = map_itself(r, arg, "len()");
		return;
	}
	infer_items(r, e);
	if (!failed(r))
		arg_of(r, e, 0, "a map or a stack",
		       arg->type.kind == SCRIPT_KSTACK || arg->type.kind == SCRIPT_USTACK);
}

/* is_scalar(@m): whether the map has no key */
void func_is_scalar(struct resolve *r, struct script_expr *e)
{
	const struct script_map *m = map_itself(r, e->items[0], func_name(e->func));

	if (m)
		expr_set_bool(e, !m->has_key);
}

/* Resolves the map and the key of f(@m, key). */
static struct script_map *map_and_key(struct resolve *r, struct script_expr *e)
{
	struct script_map *m = map_itself(r, e->items[0], func_name(e->func));

	e->map = m;
	if (!m)
		return NULL;
	infer_expr(r, e->items[1]);
	if (!failed(r))
		map_check_key(r, m, e->items[1]);
	return failed(r) ? NULL : m;
}

void func_has_key(struct resolve *r, struct script_expr *e)
{
	set_bool(e);
	map_and_key(r, e);
}

void func_find_key(struct resolve *r, struct script_expr *e)
{
	struct script_expr *var = e->items[2], value;
	struct script_map *m;

	set_bool(e);
	if (var->kind != X_VAR) {
		script_fail(r->c, var->span, "find() needs a variable for the value");
		return;
	}
	m = map_and_key(r, e);
	if (!m)
		return;
	value = (struct script_expr){ .kind = X_MAP, .span = e->span, .name = m->name };
	value.type = map_value_read(&m->value);
	if (script_is_aggregate(&value.type))
		script_fail(r->c, e->span, "a value of %s cannot be read", type_text(r, &m->value));
	else if (value.type.kind != SCRIPT_NONE)
		var_assign(r, var, &value);
	else if (!var_find(r, var->name))
		var->var = var_declare(r, var, false);
}

/* delete(@m, key), delete(@m[key]), delete(@m) */
void func_delete(struct resolve *r, struct script_expr *e)
{
	struct script_expr *arg = e->items[0];
	struct action_args none = { .count = 0 };

	set_bool(e);
	if (e->count == 2) {
		map_and_key(r, e);
	} else if (arg->kind == X_MAP && arg->count) {
		map_resolve_key(r, arg);
		e->map = arg->map;
	} else {
		e->map = map_itself(r, arg, "delete()");
		if (e->map && e->map->is_used && e->map->has_key)
			script_fail(r->c, arg->span, "missing key of @%s", arg->name);
		if (failed(r))
			script_hint(r->c, "delete(@%s, key) deletes one, clear(@%s) all", arg->name,
				    arg->name);
	}
	if (e->map)
		e->map->is_deleted = true;
	if (r->discarded == e && !failed(r))
		action_set(r, e, ACTION_DELETE_MISSED, NULL, &none);
}

void func_clear(struct resolve *r, struct script_expr *e)
{
	struct action_args none = { .count = 0 };

	e->type.kind = SCRIPT_VOID;
	e->map = map_itself(r, e->items[0], func_name(e->func));
	if (e->map)
		action_set(r, e, e->func == FUNC_CLEAR ? ACTION_CLEAR : ACTION_ZERO, NULL, &none);
}

/* ---- aggregates ---- */

/* count() is allowed only as the right side of an assignment to a map. */
static bool is_assigned(struct resolve *r, const struct script_expr *e)
{
	if (r->assigns_aggregate == e)
		return true;
	script_fail(r->c, e->span, "%s() can only be assigned to a map", func_name(e->func));
	script_hint(r->c, "@name = %s(…); as a statement of its own", func_name(e->func));
	return false;
}

static void set_aggregate(struct script_expr *e, enum script_kind kind, uint32_t size)
{
	e->type = (struct script_type){ .kind = kind, .size = size };
	if (!e->count || kind == SCRIPT_HIST || kind == SCRIPT_LHIST)
		return;
	e->type.is_signed = e->items[0]->type.is_signed;
	e->type.is_literal = e->items[0]->type.is_literal;
}

void func_aggregate(struct resolve *r, struct script_expr *e)
{
	static const struct {
		enum script_func func;
		enum script_kind kind;
		uint32_t size;
	} kinds[] = {
		{ FUNC_COUNT, SCRIPT_COUNT, 8 },
		{ FUNC_SUM, SCRIPT_SUM, 8 },
		{ FUNC_MIN, SCRIPT_MIN, sizeof(struct script_extreme) },
		{ FUNC_MAX, SCRIPT_MAX, sizeof(struct script_extreme) },
		{ FUNC_AVG, SCRIPT_AVG, sizeof(struct script_stats) },
		{ FUNC_STATS, SCRIPT_STATS, sizeof(struct script_stats) },
	};

	if (!is_assigned(r, e))
		return;
	infer_items(r, e);
	if (failed(r) || (e->count && !arg_number(r, e, 0)))
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].func == e->func)
			set_aggregate(e, kinds[i].kind, kinds[i].size);
	}
}

void func_hist(struct resolve *r, struct script_expr *e)
{
	enum { BITS_MAX = 5 };
	uint8_t bits = 0;

	if (!is_assigned(r, e))
		return;
	infer_items(r, e);
	if (!arg_number(r, e, 0) || (e->count > 1 && !arg_constant(r, e, 1)))
		return;
	if (e->count > 1 && (e->items[1]->value < 0 || e->items[1]->value > BITS_MAX)) {
		script_fail(r->c, e->items[1]->span, "the bits of hist() must be 0 to %d",
			    BITS_MAX);
		return;
	}
	if (e->count > 1)
		bits = e->items[1]->value;
	set_aggregate(e, SCRIPT_HIST, script_hist_buckets(bits) * 8);
	e->type.bits = bits;
}

static bool check_steps(struct resolve *r, const struct script_expr *e)
{
	enum { STEPS_MAX = 1000 };
	int64_t low = e->items[1]->value, high = e->items[2]->value, step = e->items[3]->value;

	if (step < 1)
		script_fail(r->c, e->items[3]->span, "the step must be at least 1");
	else if (low >= high)
		script_fail(r->c, e->items[2]->span,
			    "the maximum, %lld, must be above the minimum, %lld", (long long)high,
			    (long long)low);
	else if ((uint64_t)high - low < (uint64_t)step)
		script_fail(r->c, e->items[3]->span,
			    "the step, %lld, is larger than the whole range", (long long)step);
	else if (((uint64_t)high - low) / step > STEPS_MAX)
		script_fail(r->c, e->span, "lhist() allows at most %d steps, but this is %llu",
			    STEPS_MAX, (unsigned long long)((uint64_t)high - low) / step);
	return !failed(r);
}

void func_lhist(struct resolve *r, struct script_expr *e)
{
	if (!is_assigned(r, e))
		return;
	infer_items(r, e);
	if (!arg_number(r, e, 0) || !arg_constant(r, e, 1) || !arg_constant(r, e, 2) ||
	    !arg_constant(r, e, 3) || !check_steps(r, e))
		return;
	set_aggregate(e, SCRIPT_LHIST, 0);
	e->type.low = e->items[1]->value;
	e->type.high = e->items[2]->value;
	e->type.step = e->items[3]->value;
	e->type.count = (e->type.high - e->type.low) / e->type.step;
	e->type.size = (e->type.count + 2) * 8;
}

static int series_of(struct resolve *r, const struct script_expr *e)
{
	static const char *const names[] = {
		[SCRIPT_SERIES_AVG] = "avg",
		[SCRIPT_SERIES_MAX] = "max",
		[SCRIPT_SERIES_MIN] = "min",
		[SCRIPT_SERIES_SUM] = "sum",
	};

	for (size_t i = SCRIPT_SERIES_AVG; i <= SCRIPT_SERIES_SUM; i++) {
		if (!strcmp(e->bytes, names[i]))
			return i;
	}
	script_fail(r->c, e->span, "the aggregate must be avg, max, min or sum");
	return 0;
}

void func_tseries(struct resolve *r, struct script_expr *e)
{
	enum { INTERVALS_MAX = 1000000 };

	if (!is_assigned(r, e))
		return;
	if (script_is_forbidden(&r->c->s->config, SCRIPT_UNSTABLE_TSERIES))
		script_fail(r->c, e->span, "the program's unstable_tseries forbids tseries()");
	infer_items(r, e);
	if (!arg_number(r, e, 0) || !arg_constant(r, e, 1) || !arg_constant(r, e, 2) ||
	    (e->count > 3 && !arg_text(r, e, 3)))
		return;
	if (e->items[1]->value < 1)
		script_fail(r->c, e->items[1]->span, "the interval must be at least 1 ns");
	else if (e->items[2]->value < 1 || e->items[2]->value > INTERVALS_MAX)
		script_fail(r->c, e->items[2]->span, "the number of intervals must be 1 to %d",
			    INTERVALS_MAX);
	if (failed(r))
		return;
	set_aggregate(e, SCRIPT_TSERIES, 0);
	e->type.step = e->items[1]->value;
	e->type.count = e->items[2]->value;
	e->type.size = e->type.count * sizeof(struct script_interval);
	if (e->count > 3)
		e->type.mode = series_of(r, e->items[3]);
}
