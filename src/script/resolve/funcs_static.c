/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_static.c - resolves functions evaluated at compile time: is_ptr, getopt, fail …
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "script/resolve/resolve.h"

/* ---- kinds of values ---- */

static bool is_of_kind(enum script_func func, const struct script_type *t)
{
	switch (func) {
	case FUNC_IS_ARRAY: return t->kind == SCRIPT_ARRAY;
	case FUNC_IS_INTEGER: return t->kind == SCRIPT_INT;
	case FUNC_IS_UNSIGNED_INTEGER: return t->kind == SCRIPT_INT && !t->is_signed;
	case FUNC_IS_PTR: return t->kind == SCRIPT_POINTER;
	default: return t->kind == SCRIPT_STRING;
	}
}

void func_is_kind(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (!failed(r) && type_is_known(r, e->items[0]))
		expr_set_bool(e, is_of_kind(e->func, &e->items[0]->type));
}

void func_is_literal(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	expr_set_bool(e, e->items[0]->is_constant);
}

void func_kfunc_exist(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	if (arg_text(r, e, 0))
		expr_set_bool(e, btf_lookup_kind(r, BTF_KIND_FUNC, e->items[0]->bytes) != 0);
}

void func_kfunc_allowed(struct resolve *r, struct script_expr *e)
{
	const struct script_world *w = r->c->world;

	infer_items(r, e);
	if (arg_text(r, e, 0))
		expr_set_bool(e, w->kfunc_allowed &&
					 w->kfunc_allowed(w->ctx, r->c->point->attach->kind,
							  e->items[0]->bytes));
}

/* ---- config ---- */

void func_config(struct resolve *r, struct script_expr *e)
{
	(void)r;
	e->type.kind = SCRIPT_MODE;
}

static void config_number(struct script_expr *e, uint32_t value)
{
	expr_set_number(e, value, false);
	e->type = script_int(8, false);
}

/* Returns 1 or 0, or -1 for any other text. */
static int truth_of(const char *value)
{
	if (!strcmp(value, "1") || !strcasecmp(value, "true"))
		return 1;
	return !strcmp(value, "0") || !strcasecmp(value, "false") ? 0 : -1;
}

static void config_text(struct script_expr *e, const char *text)
{
	expr_set_text(e, text, strlen(text));
}

/* Accepts a setting that changes nothing here. */
static void config_other(struct resolve *r, struct script_expr *e)
{
	const char *value = NULL;
	const struct script_setting *s = script_setting_find(&r->c->s->config, e->name, &value);

	if (!s || !value)
		script_fail(r->c, e->name_span, "unknown setting %s", e->name);
	else if (s->kind == SCRIPT_SETTING_NUMBER)
		config_number(e, strtoul(value, NULL, 0));
	else if (s->kind == SCRIPT_SETTING_BOOL)
		expr_set_bool(e, truth_of(value));
	else
		config_text(e, value);
}

void config_field(struct resolve *r, struct script_expr *e)
{
	static const char *const modes[] = { "bpftrace", "perf", "raw", "build_id" };
	static const char *const missing[] = { "error", "warn", "ignore" };
	const struct script_config *c = &r->c->s->config;

	if (!strcmp(e->name, "max_map_keys"))
		config_number(e, c->max_map_keys);
	else if (!strcmp(e->name, "max_strlen"))
		config_number(e, c->max_strlen);
	else if (!strcmp(e->name, "max_cat_bytes"))
		config_number(e, c->max_cat_bytes);
	else if (!strcmp(e->name, "max_probes"))
		config_number(e, c->max_probes);
	else if (!strcmp(e->name, "stack_mode"))
		config_text(e, modes[c->stack_mode]);
	else if (!strcmp(e->name, "missing_probes"))
		config_text(e, missing[c->missing_probes]);
	else if (!strcmp(e->name, "print_maps_on_exit"))
		expr_set_bool(e, c->print_maps_on_exit);
	else if (!strcmp(e->name, "str_trunc_trailer"))
		config_text(e, c->str_trunc_trailer);
	else if (!strcmp(e->name, "license"))
		config_text(e, c->license);
	else
		config_other(r, e);
}

/* ---- getopt ---- */

static struct script_option *option_find(const struct script_args *args, const char *name)
{
	for (size_t i = 0; i < args->option_count; i++) {
		if (!strcmp(args->options[i].name, name))
			return &args->options[i];
	}
	return NULL;
}

static void wrong_option(struct resolve *r, const struct script_expr *e, const char *value,
			 const char *wanted)
{
	script_fail(r->c, e->span, "--%s=%s: expected %s", e->items[0]->bytes, value, wanted);
}

static void option_bool(struct resolve *r, struct script_expr *e, const char *value)
{
	int is_true = value ? truth_of(value) : 1;

	if (is_true >= 0)
		expr_set_bool(e, is_true);
	else
		wrong_option(r, e, value, "true or false");
}

/* The number is signed if the default is negative. */
static void option_number(struct resolve *r, struct script_expr *e, const char *value,
			  bool is_signed)
{
	unsigned long long number;
	bool is_negative = value && *value == '-';
	char *end;

	errno = 0;
	number = value ? is_negative ? (unsigned long long)strtoll(value, &end, 0) :
				       strtoull(value, &end, 0) :
			 0;
	if (!value || end == value || *end || errno) {
		wrong_option(r, e, value ? value : "", "a number");
		return;
	}
	expr_set_number(e, (int64_t)number, !is_negative && number > INT64_MAX);
	e->type = script_int(8, is_signed && (is_negative || number <= INT64_MAX));
}

static void option_default(struct script_expr *e, const struct script_expr *value)
{
	if (!value)
		expr_set_bool(e, false);
	else if (value->type.kind == SCRIPT_STRING)
		expr_set_text(e, value->bytes, value->length);
	else if (value->type.kind == SCRIPT_BOOL)
		expr_set_bool(e, value->value);
	else
		expr_set_number(e, value->value, false);
	if (e->type.kind == SCRIPT_INT)
		e->type = script_int(8, true);
}

void func_getopt(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *value = e->count > 1 ? e->items[1] : NULL;
	struct script_option *option;

	infer_items(r, e);
	if (!arg_text(r, e, 0) || (e->count > 2 && !arg_text(r, e, 2)))
		return;
	if (value && !value->is_constant) {
		script_fail(r->c, value->span, "the default of an option must be a literal");
		return;
	}
	option = option_find(&r->c->s->args, e->items[0]->bytes);
	if (option)
		option->is_used = true;
	if (!option)
		option_default(e, value);
	else if (!value || value->type.kind == SCRIPT_BOOL)
		option_bool(r, e, option->value);
	else if (value->type.kind == SCRIPT_STRING)
		expr_set_text(e, option->value ? option->value : "",
			      option->value ? strlen(option->value) : 0);
	else
		option_number(r, e, option->value, value->value < 0);
}

/* ---- fail, static_assert ---- */

/* Appends argument `i` of fail() in place of its conversion. */
static void value_write(const struct script_expr *value, struct buf *o)
{
	if (value->type.kind == SCRIPT_STRING)
		buf_bytes(o, value->bytes, value->length);
	else if (value->type.kind == SCRIPT_INT && value->type.is_signed)
		buf_int(o, value->value);
	else
		buf_uint(o, (uint64_t)value->value);
}

static void message_write(const struct script_expr *e, struct buf *o)
{
	size_t next = 1;

	for (const char *at = e->items[0]->bytes; *at; at++) {
		if (*at != '%' || at[1] == '%') {
			buf_char(o, *at);
			at += *at == '%';
			continue;
		}
		at += strcspn(at + 1, "diouxXcspr") + 1;
		if (next < e->count)
			value_write(e->items[next++], o);
		if (!*at)
			return;
	}
}

void func_fail(struct resolve *r, struct script_expr *e)
{
	struct buf o;

	infer_items(r, e);
	e->type.kind = SCRIPT_VOID;
	if (!arg_text(r, e, 0))
		return;
	for (size_t i = 1; i < e->count; i++) {
		if (!e->items[i]->is_constant) {
			script_fail(r->c, e->items[i]->span, "fail() accepts only literals");
			return;
		}
	}
	if (!r->c->is_final) /* an enclosing condition may not be known yet */
		return;
	buf_init(&o, -1);
	message_write(e, &o);
	script_fail(r->c, e->span, "%.*s", (int)o.len, o.len ? o.data : "");
	buf_free(&o);
}

void func_static_assert(struct resolve *r, struct script_expr *e)
{
	infer_items(r, e);
	e->type.kind = SCRIPT_VOID;
	if (failed(r) || !type_is_known(r, e->items[0]) || !arg_text(r, e, 1))
		return;
	if (!e->items[0]->is_constant)
		script_fail(r->c, e->items[0]->span, "this is not a constant");
	else if (!e->items[0]->value && r->c->is_final)
		script_fail(r->c, e->items[0]->span, "%s", e->items[1]->bytes);
	e->is_constant = true; /* nothing to emit */
}
