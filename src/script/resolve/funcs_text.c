/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs_text.c - resolves functions for strings and bytes: str, buf, path, strlen …
 */
#include <string.h>

#include "script/resolve/resolve.h"

static uint32_t most(const struct resolve *r)
{
	return r->c->s->config.max_strlen;
}

/* Returns argument 1 if it is a literal length; -1 if it is missing or computed. */
static int64_t literal_length(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *length = e->count > 1 ? e->items[1] : NULL;

	if (!length || !arg_number(r, e, 1) || !length->is_constant)
		return -1;
	if (length->value < 0 && length->type.is_signed)
		script_fail(r->c, length->span, "a length must not be negative");
	return length->value >= 0 ? length->value : UINT32_MAX;
}

/* ---- str ---- */

/* str($1) is a text even if $1 is a number; str($1 + 2) is the rest of that text. */
static bool param_text(struct resolve *r, struct script_expr *e, const struct script_expr *arg)
{
	const struct script_args *args = &r->c->s->args;
	const struct script_expr *by = NULL;
	const char *word;
	size_t skip;

	if (arg->kind == X_BINARY && arg->oper == OPER_ADD && arg->a->kind == X_PARAM) {
		by = arg->b;
		arg = arg->a;
	}
	if (arg->kind != X_PARAM || !arg->number || (by && !expr_is_number(by)))
		return false;
	word = arg->number <= args->count ? args->words[arg->number - 1] : "";
	skip = by ? (size_t)by->value : 0;
	skip = skip < strlen(word) ? skip : strlen(word);
	expr_set_text(e, word + skip, strlen(word) - skip);
	return true;
}

/* Shortens a literal: str("hello", 3). */
static void text_cut(struct resolve *r, struct script_expr *e, const struct script_expr *arg,
		     int64_t length)
{
	uint32_t n = length >= 0 && length < arg->length ? length : arg->length;
	char *bytes = alloc_lasting(r, n + 1);

	if (!bytes)
		return;
	memcpy(bytes, arg->bytes, n);
	expr_set_text(e, bytes, n);
}

/* str(5) is "5", as str($1) is: an address is never a literal. */
static void number_text(struct resolve *r, struct script_expr *arg)
{
	const char *text;

	if (!expr_is_number(arg) || (arg->kind != X_INT && arg->kind != X_PARAM &&
				     arg->kind != X_UNARY && arg->kind != X_BINARY))
		return;
	text = script_print(r->c, arg->type.is_signed ? "%lld" : "%llu", (long long)arg->value);
	if (text)
		expr_set_text(arg, text, strlen(text));
}

void func_str(struct resolve *r, struct script_expr *e)
{
	struct script_expr *arg = e->items[0];
	enum script_kind kind;
	int64_t length;

	/* $1 + 2 is not a sum if $1 is a text */
	if (arg->kind == X_BINARY && arg->a->kind == X_PARAM)
		infer_expr(r, arg->b);
	if (e->count > 1)
		infer_expr(r, e->items[1]);
	length = failed(r) ? -1 : literal_length(r, e);
	if ((e->count == 1 || length >= 0) && param_text(r, e, arg)) {
		text_cut(r, e, e, length);
		return;
	}
	infer_items(r, e);
	if (failed(r) || !type_is_known(r, arg))
		return;
	kind = arg->type.kind;
	if (!arg_of(r, e, 0, "a string or a pointer to one",
		    kind == SCRIPT_STRING || kind == SCRIPT_INT || kind == SCRIPT_POINTER ||
			    kind == SCRIPT_ARRAY))
		return;
	length = literal_length(r, e);
	if (e->count == 1 || length >= 0)
		number_text(r, arg);
	if (expr_is_text(arg) && (e->count == 1 || length >= 0)) {
		text_cut(r, e, arg, length);
		return;
	}
	e->type = script_string((length >= 0 && length < most(r) ? length : most(r)) + 1);
	if (kind == SCRIPT_STRING && arg->type.size < e->type.size)
		e->type.size = arg->type.size;
}

/* ---- buf ---- */

void func_buf(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *arg = e->items[0];
	enum script_kind kind;
	int64_t length;

	infer_items(r, e);
	if (failed(r) || !type_is_known(r, arg))
		return;
	kind = arg->type.kind;
	if (!arg_of(r, e, 0, "an array, a string or an address",
		    kind == SCRIPT_STRING || kind == SCRIPT_INT || kind == SCRIPT_POINTER ||
			    kind == SCRIPT_ARRAY || (kind == SCRIPT_RECORD && e->is_formatted)))
		return;
	length = literal_length(r, e);
	if (e->count == 1 && kind != SCRIPT_ARRAY && kind != SCRIPT_STRING) {
		script_fail(r->c, e->span, "buf() needs a length");
		script_hint(r->c, "buf(address, length)");
		return;
	}
	if (e->count == 1)
		length = script_c_bytes(&arg->type);
	if (kind == SCRIPT_ARRAY && length > arg->type.size)
		length = arg->type.size;
	e->type = (struct script_type){ .kind = SCRIPT_BUFFER };
	e->type.size = (length >= 0 && length < most(r) ? length : most(r)) + 4;
}

/* ---- path ---- */

void func_path(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *arg = e->items[0];
	int64_t size;

	infer_items(r, e);
	if (failed(r) || !type_is_known(r, arg))
		return;
	if (!arg_of(r, e, 0, "a struct path, or a pointer to one",
		    arg->type.kind == SCRIPT_RECORD || arg->type.kind == SCRIPT_POINTER))
		return;
	if (!strcmp(script_type_struct(&arg->type), "file")) {
		script_fail(r->c, arg->span, "path() needs a struct path, but this is %s",
			    type_text(r, &arg->type));
		script_hint(r->c, "path(….f_path)");
		return;
	}
	if (e->count > 1 && !arg_constant(r, e, 1))
		return;
	size = literal_length(r, e);
	e->type = script_string(size > 0 && size < most(r) ? size : most(r));
}

/* ---- compare, search ---- */

/* Accepts a string, a pointer to characters, or an array of them. */
static bool arg_string(struct resolve *r, struct script_expr *e, size_t i)
{
	enum script_kind kind = e->items[i]->type.kind;

	return arg_of(r, e, i, "a string",
		      kind == SCRIPT_STRING || kind == SCRIPT_POINTER || kind == SCRIPT_ARRAY ||
			      kind == SCRIPT_POINT);
}

/* Requires that all arguments are strings. */
static bool arg_strings(struct resolve *r, struct script_expr *e, size_t count)
{
	infer_items(r, e);
	for (size_t i = 0; i < count; i++) {
		if (failed(r) || !arg_string(r, e, i))
			return false;
		point_text_set(r, e->items[i]);
	}
	return true;
}

static bool are_texts(const struct script_expr *e)
{
	return expr_is_text(e->items[0]) && expr_is_text(e->items[1]);
}

void func_strncmp(struct resolve *r, struct script_expr *e)
{
	e->type = script_int(8, false);
	if (!arg_strings(r, e, 2) || !arg_constant(r, e, 2))
		return;
	if (e->items[2]->value < 0)
		script_fail(r->c, e->items[2]->span, "a length must not be negative");
	else if (are_texts(e))
		expr_set_number(e,
				strncmp(e->items[0]->bytes, e->items[1]->bytes,
					(size_t)e->items[2]->value) != 0,
				false);
}

void func_strlen(struct resolve *r, struct script_expr *e)
{
	e->type = script_int(8, false);
	if (arg_strings(r, e, 1) && expr_is_text(e->items[0])) {
		expr_set_number(e, (int64_t)strlen(e->items[0]->bytes), false);
		e->type = script_int(8, false);
	}
}

enum { CONCAT_MOST = 1024 }; /* bytes, as in bpftrace */

void func_str_concat(struct resolve *r, struct script_expr *e)
{
	const struct script_type *a = &e->items[0]->type, *b = &e->items[1]->type;
	uint32_t size;
	char *text;

	if (!arg_strings(r, e, 2))
		return;
	for (size_t i = 0; i < 2; i++)
		if (!arg_of(r, e, i, "a string (use str(…))",
			    e->items[i]->type.kind == SCRIPT_STRING))
			return;
	size = a->size + b->size - 1 < CONCAT_MOST ? a->size + b->size - 1 : CONCAT_MOST;
	e->type = script_string(size);
	if (!are_texts(e))
		return;
	text = alloc_lasting(r, e->items[0]->length + e->items[1]->length + 1);
	if (!text)
		return;
	memcpy(text, e->items[0]->bytes, e->items[0]->length);
	memcpy(text + e->items[0]->length, e->items[1]->bytes, e->items[1]->length);
	expr_set_text(e, text, size - 1);
}

void func_strcap(struct resolve *r, struct script_expr *e)
{
	const struct script_type *t = &e->items[0]->type;

	e->type = script_int(8, true);
	if (!arg_strings(r, e, 1) || t->kind == SCRIPT_POINTER)
		return;
	expr_set_number(e, string_capacity(r, t), false);
	e->type = script_int(8, true);
}

void func_strcontains(struct resolve *r, struct script_expr *e)
{
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	if (arg_strings(r, e, 2) && are_texts(e))
		expr_set_bool(e, strstr(e->items[0]->bytes, e->items[1]->bytes));
}

void func_strstr(struct resolve *r, struct script_expr *e)
{
	const char *at;

	e->type = script_int(8, true);
	if (!arg_strings(r, e, 2) || !are_texts(e))
		return;
	at = strstr(e->items[0]->bytes, e->items[1]->bytes);
	expr_set_number(e, at ? at - e->items[0]->bytes : -1, false);
	e->type = script_int(8, true);
}

void func_globmatch(struct resolve *r, struct script_expr *e)
{
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	if (!arg_strings(r, e, 2))
		return;
	if (!expr_is_text(e->items[1]))
		script_unsupported(r->c, e->items[1]->span, "a pattern that is not a literal text");
}

void func_memcmp(struct resolve *r, struct script_expr *e)
{
	e->type = script_int(4, true);
	infer_items(r, e);
	if (failed(r) || !type_is_known(r, e->items[0]) || !type_is_known(r, e->items[1]) ||
	    !arg_number(r, e, 2))
		return;
	if (!e->items[2]->is_constant)
		script_unsupported(r->c, e->items[2]->span,
				   "memcmp() of a length that is computed");
}
