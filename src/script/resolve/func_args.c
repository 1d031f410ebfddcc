/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_args.c - finds builtins and functions by name, and checks their arguments.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "script/resolve/resolve.h"
#include "util/suggest.h"

static const struct {
	const char *name;
	uint8_t least, most;
} funcs[FUNCS] = {
#define SCRIPT_FUNC(id_, name_, least_, most_) [FUNC_##id_] = { name_, least_, most_ },
#include "script/funcs.def"
#undef SCRIPT_FUNC
};

const char *func_name(enum script_func func)
{
	return funcs[func].name;
}

bool func_needs_arguments(enum script_func func)
{
	return funcs[func].least > 0;
}

/* arg7, sarg2 */
static bool is_numbered(const char *name, const char *prefix, unsigned *number)
{
	size_t n = strlen(prefix);

	if (strncmp(name, prefix, n) || !name[n] || strlen(name + n) > 3)
		return false;
	*number = 0;
	for (const char *digit = name + n; *digit; digit++) {
		if (!isdigit((unsigned char)*digit))
			return false;
		*number = *number * 10 + (*digit - '0');
	}
	return true;
}

enum script_func func_find(const char *name, unsigned *number)
{
	if (is_numbered(name, "arg", number))
		return FUNC_ARG;
	if (is_numbered(name, "sarg", number))
		return FUNC_SARG;
	if (!strncmp(name, "__builtin_", 10))
		name += 10;
	for (unsigned f = FUNC_NONE + 1; f < FUNCS; f++) {
		if (!strcmp(funcs[f].name, name))
			return f;
	}
	return FUNC_NONE;
}

/* ---- arguments ---- */

static const char *plural(unsigned count)
{
	return count == 1 ? "argument" : "arguments";
}

bool func_arguments_fit(struct resolve *r, const struct script_expr *e)
{
	unsigned least = funcs[e->func].least, most = funcs[e->func].most;
	const char *name = funcs[e->func].name;

	if (e->count >= least && e->count <= most)
		return true;
	if (least == most)
		script_fail(r->c, e->span, "%s() takes %u %s, not %zu", name, least, plural(least),
			    e->count);
	else if (e->count < least)
		script_fail(r->c, e->span, "%s() needs at least %u %s", name, least, plural(least));
	else
		script_fail(r->c, e->span, "%s() takes at most %u %s, not %zu", name, most,
			    plural(most), e->count);
	return false;
}

/* Names the argument as users count: "the argument", "argument 2". */
static const char *which(struct resolve *r, const struct script_expr *e, size_t i)
{
	return e->count == 1 ? "its argument" : script_print(r->c, "argument %zu", i + 1);
}

static bool wrong_arg(struct resolve *r, struct script_expr *e, size_t i, const char *wanted)
{
	const struct script_expr *arg = e->items[i];

	script_fail(r->c, arg->span, "%s() needs %s as %s, but this is %s", funcs[e->func].name,
		    wanted, which(r, e, i), type_text(r, &arg->type));
	return false;
}

bool arg_number(struct resolve *r, struct script_expr *e, size_t i)
{
	if (failed(r) || !type_is_known(r, e->items[i]))
		return false;
	return type_is_number(&e->items[i]->type) || wrong_arg(r, e, i, "a number");
}

bool arg_constant(struct resolve *r, struct script_expr *e, size_t i)
{
	if (failed(r) || !type_is_known(r, e->items[i]))
		return false;
	if (expr_is_number(e->items[i]))
		return true;
	if (e->items[i]->type.kind != SCRIPT_INT)
		return wrong_arg(r, e, i, "a literal number");
	script_fail(r->c, e->items[i]->span, "%s() needs a literal number as %s",
		    funcs[e->func].name, which(r, e, i));
	return false;
}

bool arg_text(struct resolve *r, struct script_expr *e, size_t i)
{
	if (failed(r) || !type_is_known(r, e->items[i]))
		return false;
	if (expr_is_text(e->items[i]))
		return true;
	if (e->items[i]->type.kind != SCRIPT_STRING)
		return wrong_arg(r, e, i, "a literal text");
	script_fail(r->c, e->items[i]->span, "%s() needs a literal text as %s", funcs[e->func].name,
		    which(r, e, i));
	return false;
}

bool arg_address(struct resolve *r, struct script_expr *e, size_t i)
{
	enum script_kind kind;

	if (failed(r) || !type_is_known(r, e->items[i]))
		return false;
	kind = e->items[i]->type.kind;
	return kind == SCRIPT_INT || kind == SCRIPT_POINTER || wrong_arg(r, e, i, "an address");
}

bool arg_of(struct resolve *r, struct script_expr *e, size_t i, const char *wanted, bool is_right)
{
	if (failed(r) || !type_is_known(r, e->items[i]))
		return false;
	return is_right || wrong_arg(r, e, i, wanted);
}

int arg_mode(struct resolve *r, struct script_expr *arg, const char *const *words, size_t count)
{
	char list[200] = "";
	size_t length = 0;

	for (size_t i = 0; i < count && length < sizeof(list); i++) {
		if (arg->kind == X_WORD && !strcmp(arg->name, words[i])) {
			arg->type = (struct script_type){ .kind = SCRIPT_MODE };
			return i;
		}
		length += snprintf(list + length, sizeof(list) - length, "%s%s", i ? ", " : "",
				   words[i]);
	}
	script_fail(r->c, arg->span, "expected one of %s", list);
	return -1;
}

/* ---- all ---- */

static void fail_unknown(struct resolve *r, const struct script_expr *e)
{
	struct suggestion nearest;

	script_fail(r->c, e->name_span.end ? e->name_span : e->span, "unknown function %s()",
		    e->name);
	suggest_init(&nearest, e->name);
	for (unsigned f = FUNC_NONE + 1; f < FUNCS; f++)
		suggest_offer(&nearest, funcs[f].name);
	script_suggest(r->c, &nearest, &(struct suggest_words){ .after = "()" });
}

void infer_call(struct resolve *r, struct script_expr *e)
{
	e->func = func_find(e->name, &e->param);
	if (e->func == FUNC_NONE)
		fail_unknown(r, e);
	else
		func_resolve(r, e);
}
