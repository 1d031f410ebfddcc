/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_actions.c - resolves functions with an effect: printf, print, exit … in user space, signal and override in
 * the kernel.
 */
#include <stdio.h>
#include <string.h>

#include "output/field/flag_names.h"
#include "script/resolve/resolve.h"

/* Adds a value; returns false if its type is not known yet. */
static bool args_add(struct resolve *r, struct action_args *args, const struct script_expr *e)
{
	if (failed(r) || !type_is_known(r, e))
		return false;
	if (e->type.kind == SCRIPT_TUPLE && !e->type.count) {
		script_fail(r->c, e->span, "an empty tuple cannot be printed");
		return false;
	}
	args->exprs[args->count] = e;
	args->types[args->count++] = type_stored(&e->type);
	return true;
}

static bool is_safe(struct resolve *r, const struct script_expr *e)
{
	if (r->c->world->has_unsafe)
		return true;
	script_fail(r->c, e->span, "%s() changes the traced system", func_name(e->func));
	script_hint(r->c, "allow it with --unsafe");
	return false;
}

/* ---- printf and other functions with a format ---- */

static enum script_action_kind printf_kind(enum script_func func)
{
	switch (func) {
	case FUNC_ERRORF: return ACTION_ERRORF;
	case FUNC_WARNF: return ACTION_WARNF;
	case FUNC_CAT: return ACTION_CAT;
	case FUNC_SYSTEM: return ACTION_SYSTEM;
	default: return ACTION_PRINTF;
	}
}

/* ---- values that the kernel prints ---- */

static void debugf_value(struct resolve *r, struct script_expr *e, size_t i, char letter)
{
	const struct script_expr *arg = e->items[i];

	if (!type_is_known(r, arg))
		return;
	if (letter != 's')
		arg_number(r, e, i);
	else if (arg->type.kind != SCRIPT_STRING)
		script_fail(r->c, arg->span, "%%s of %s() prints only strings", func_name(e->func));
}

/* ---- printf() of a pinned iterator, printed by the kernel: as debugf(), with widths ---- */

/* Returns the letter of the conversion at `at`, and its end. 0: the kernel cannot print it. */
static char seq_letter(const char *at, const char **end)
{
	const char *letter = at + 1 + strspn(at + 1, "-+ 0");

	letter += strspn(letter, "123456789");
	letter += strspn(letter, "l0123456789");
	*end = letter + (*letter != 0);
	return *letter && strchr("diuxXps%", *letter) ? *letter : 0;
}

static void seq_printf_check(struct resolve *r, struct script_expr *e)
{
	enum { VALUES_MAX = 12 };
	const char *at = e->items[0]->bytes, *end;

	for (size_t i = 1; (at = strchr(at, '%')) && !failed(r); at = end) {
		char letter = seq_letter(at, &end);

		if (!letter)
			script_fail(r->c, e->items[0]->span, "the kernel cannot print '%.*s'",
				    (int)(end - at), at);
		else if (letter != '%')
			debugf_value(r, e, i++, letter);
	}
	if (!failed(r) && e->count > 1 + VALUES_MAX)
		script_fail(r->c, e->items[1 + VALUES_MAX]->span,
			    "printf() of a pinned iterator prints at most %d values", VALUES_MAX);
}

void func_printf(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	e->type.kind = SCRIPT_VOID;
	if (e->func == FUNC_SYSTEM && !is_safe(r, e))
		return;
	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	format_check(r, e);
	if (e->func == FUNC_PRINTF && script_is_pinned(r->c->point->attach)) {
		seq_printf_check(r, e);
		return;
	}
	for (size_t i = 1; i < e->count; i++) {
		if (!args_add(r, &args, e->items[i]))
			return;
	}
	action_set(r, e, printf_kind(e->func), e->items[0]->bytes, &args);
}

/* ---- print ---- */

static void print_map(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	e->map = map_itself(r, e->items[0], "print()");
	if (!e->map)
		return;
	for (size_t i = 1; i < e->count; i++) {
		infer_expr(r, e->items[i]);
		if (!arg_constant(r, e, i) || !args_add(r, &args, e->items[i]))
			return;
	}
	if (e->map->value.kind == SCRIPT_TSERIES && e->count == 2)
		script_fail(r->c, e->span,
			    "print() of a series needs both ends of the scale: "
			    "print(@x, least, most)");
	action_set(r, e, ACTION_PRINT_MAP, NULL, &args);
}

void func_print(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };
	const struct script_expr *value = e->items[0];

	e->type.kind = SCRIPT_VOID;
	if (value->kind == X_MAP && !value->count) {
		print_map(r, e);
		return;
	}
	infer_expr(r, e->items[0]);
	if (failed(r) || !type_is_known(r, value))
		return;
	if (e->count > 1)
		script_fail(r->c, e->items[1]->span, "only a map has a number of entries to print");
	else if (value->type.kind == SCRIPT_VOID)
		script_fail(r->c, value->span, "this has no value to print");
	if (args_add(r, &args, value))
		action_set(r, e, ACTION_PRINT, NULL, &args);
}

/* ---- the others ---- */

void func_exit(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	e->type.kind = SCRIPT_VOID;
	infer_items(r, e);
	if (e->count && (!arg_number(r, e, 0) || !args_add(r, &args, e->items[0])))
		return;
	action_set(r, e, ACTION_EXIT, NULL, &args);
}

void func_time(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };
	const char *format = "%H:%M:%S\n";

	e->type.kind = SCRIPT_VOID;
	infer_items(r, e);
	if (e->count && !arg_text(r, e, 0))
		return;
	if (e->count)
		format = e->items[0]->bytes;
	action_set(r, e, ACTION_TIME, format, &args);
}

static bool is_list(const struct script_type *t)
{
	struct script_type element = { .kind = SCRIPT_NONE };

	if (t->kind == SCRIPT_ARRAY)
		element = script_type_target(t);
	return t->kind == SCRIPT_INT || t->kind == SCRIPT_POINTER || element.kind == SCRIPT_POINTER;
}

void func_join(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };
	const char *separator = " ";

	e->type.kind = SCRIPT_VOID;
	infer_items(r, e);
	if (failed(r) ||
	    !arg_of(r, e, 0, "the address of pointers, or an array of them",
		    is_list(&e->items[0]->type)) ||
	    (e->count > 1 && !arg_text(r, e, 1)))
		return;
	if (e->count > 1)
		separator = e->items[1]->bytes;
	if (!args_add(r, &args, e->items[0]))
		return;
	args.types[0] = (struct script_type){
		.kind = SCRIPT_BUFFER,
		.size = sizeof(struct script_join),
	};
	action_set(r, e, ACTION_JOIN, separator, &args);
}

void func_packet(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	infer_items(r, e);
	e->type.kind = SCRIPT_VOID;
	if (!arg_text(r, e, 0))
		return;
	for (size_t i = 1; i < e->count; i++)
		if (!args_add(r, &args, e->items[i]))
			return;
	action_set(r, e, ACTION_PACKET, e->items[0]->bytes, &args);
}

void func_unwatch(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	e->type.kind = SCRIPT_VOID;
	infer_items(r, e);
	if (arg_address(r, e, 0) && args_add(r, &args, e->items[0]))
		action_set(r, e, ACTION_UNWATCH, NULL, &args);
}

void func_assert(struct resolve *r, struct script_expr *e)
{
	struct action_args args = { .count = 0 };

	e->type.kind = SCRIPT_VOID;
	infer_condition(r, e->items[0]);
	if (!failed(r))
		infer_expr(r, e->items[1]);
	if (failed(r))
		return;
	arg_of(r, e, 1, "a text", e->items[1]->type.kind == SCRIPT_STRING);
	if (args_add(r, &args, e->items[1]))
		action_set(r, e, ACTION_ASSERT, NULL, &args);
}

/* ---- actions of the kernel ---- */

static bool signal_named(const struct script_expr *name, int64_t *number)
{
	const struct field_name *found = field_name_find(flags_signal, name->bytes);

	if (!found && name->length < 16) {
		char whole[24];

		snprintf(whole, sizeof(whole), "SIG%.16s", name->bytes);
		found = field_name_find(flags_signal, whole);
	}
	*number = found ? (int64_t)found->value : 0;
	return found;
}

/* A probe of one of these kinds runs in bt, or in whatever task a timer interrupts. */
static bool is_in_traced_task(struct resolve *r, const struct script_expr *e)
{
	enum script_probe_kind kind = r->c->point->attach->kind;

	if (kind != PROBE_BEGIN && kind != PROBE_END && kind != PROBE_SELF &&
	    kind != PROBE_INTERVAL && kind != PROBE_ITER)
		return true;
	script_fail(r->c, e->span, "%s() needs a probe that runs in the traced task",
		    func_name(e->func));
	return false;
}

void func_signal(struct resolve *r, struct script_expr *e)
{
	enum { SIGNAL_MAX = 64 };
	const struct script_expr *arg = e->items[0];

	e->type.kind = SCRIPT_VOID;
	if (!is_safe(r, e) || !is_in_traced_task(r, e))
		return;
	infer_items(r, e);
	if (failed(r) || !type_is_known(r, arg))
		return;
	if (expr_is_text(arg)) {
		if (!signal_named(arg, &e->value))
			script_fail(r->c, arg->span, "unknown signal %s", arg->bytes);
		return;
	}
	if (!arg_number(r, e, 0) || !arg->is_constant)
		return;
	e->value = arg->value;
	if (e->value < 1 || e->value > SIGNAL_MAX)
		script_fail(r->c, arg->span, "signals have numbers from 1 to %d", SIGNAL_MAX);
}

void func_override(struct resolve *r, struct script_expr *e)
{
	e->type.kind = SCRIPT_VOID;
	if (!is_safe(r, e))
		return;
	if (r->c->point->attach->kind != PROBE_KPROBE) {
		script_fail(r->c, e->span, "override() is for kprobe");
		return;
	}
	infer_items(r, e);
	arg_number(r, e, 0);
}

/* Returns the bytes to write: a string, or the target of &$x. */
static const struct script_expr *written_bytes(const struct script_expr *from)
{
	while (from->kind == X_CAST)
		from = from->a;
	return from->kind == X_ADDRESS ? from->a : from;
}

void func_write_user(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *from = written_bytes(e->items[1]);

	e->type.kind = SCRIPT_VOID;
	if (!is_safe(r, e))
		return;
	infer_items(r, e);
	if (!arg_address(r, e, 0) || !type_is_known(r, from) || !arg_constant(r, e, 2))
		return;
	if (from->type.kind == SCRIPT_POINTER || from->kind == X_MAP)
		script_fail(r->c, from->span, "write_user() writes a variable's bytes: &$x");
	else if (e->items[2]->value < 1 || e->items[2]->value > from->type.size)
		script_fail(r->c, e->items[2]->span, "this has %u bytes", from->type.size);
}

/* Returns the letter of a conversion that bpf_trace_printk() of 5.10 has, without flags; or 0. */
static char debugf_letter(const char *at)
{
	const char *letter = at + 1 + strspn(at + 1, "l");

	if (letter > at + 3 || !*letter)
		return 0;
	return strchr(letter == at + 1 ? "diuxps%" : "diux", *letter) ? *letter : 0;
}

static void debugf_check(struct resolve *r, struct script_expr *e)
{
	const char *at = e->items[0]->bytes;

	for (size_t i = 1; (at = strchr(at, '%')) && !failed(r);) {
		char letter = debugf_letter(at);

		if (!letter) {
			script_fail(r->c, e->items[0]->span, "the kernel cannot print '%.3s'", at);
			script_hint(
				r->c,
				"debugf() supports %%d %%u %%x %%ld %%lld %%p %%s …, without widths");
		}
		at += 1 + strspn(at + 1, "l") + (letter != 0);
		if (letter && letter != '%')
			debugf_value(r, e, i++, letter);
	}
}

void func_debugf(struct resolve *r, struct script_expr *e)
{
	enum { VALUES_MAX = 3 };

	e->type.kind = SCRIPT_VOID;
	infer_items(r, e);
	if (!arg_text(r, e, 0))
		return;
	format_check(r, e);
	if (!failed(r))
		debugf_check(r, e);
	if (!failed(r) && e->count > 1 + VALUES_MAX)
		script_fail(r->c, e->items[1 + VALUES_MAX]->span,
			    "debugf() prints at most %d values", VALUES_MAX);
}
