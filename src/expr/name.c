// SPDX-License-Identifier: GPL-2.0
/*
 * name.c - what an expression begins with: a parameter of the function, or a built-in.
 *
 * Part of resolve.
 */
#include <stdio.h>
#include <string.h>

#include "core/diag.h"
#include "expr/compiler.h"

static const struct builtin builtins[] = {
	{ "pid", BUILTIN_PID, 4, offsetof(struct event_header, pid) },
	{ "tid", BUILTIN_TID, 4, offsetof(struct event_header, tid) },
	{ "uid", BUILTIN_UID, 4, -1 },
	{ "comm", BUILTIN_COMM, 0, offsetof(struct event_header, comm) },
	{ "cpu", BUILTIN_CPU, 4, -1 },
};
enum { BUILTIN_COUNT = sizeof(builtins) / sizeof(builtins[0]) };

/* ---- parameters ---- */

static const struct btf_type *prototype(struct compile *c)
{
	return btf_view_type(c->in->btf, c->p->proto);
}

/* The last one of a variadic function has type 0. */
static unsigned param_count(const struct btf_type *proto)
{
	unsigned count = btf_vlen(proto);

	return count && !btf_params(proto)[count - 1].type ? count - 1 : count;
}

static const char *param_name(struct compile *c, unsigned i)
{
	return btf_view_string(c->in->btf, btf_params(prototype(c))[i].name_off);
}

static void params_list(struct compile *c, char *buf, size_t size)
{
	unsigned count = param_count(prototype(c));
	size_t len = 0;

	*buf = '\0';
	for (unsigned i = 0; i < count && len < size; i++)
		len += snprintf(buf + len, size - len, "%s%s", i ? ", " : "", param_name(c, i));
}

static void fail_no_param(struct compile *c, struct node *n)
{
	char name[64], list[200];
	struct nearest nearest;
	const char *near;

	compile_text(c, n->name, name, sizeof(name));
	compile_fail(c, n->name, "%s has no parameter %s", c->p->func, name);
	nearest_init(&nearest, name);
	for (unsigned i = 0; i < param_count(prototype(c)); i++)
		nearest_offer(&nearest, param_name(c, i));
	near = nearest_get(&nearest);
	params_list(c, list, sizeof(list));
	if (near)
		compile_hint(c, "did you mean %s? Its parameters: %s", near, list);
	else
		compile_hint(c, "its parameters: %s", *list ? list : "none");
}

static void param_take(struct compile *c, struct node *n, unsigned i)
{
	n->param = i;
	n->type = ctype_of(btf_params(prototype(c))[i].type);
	n->place = PLACE_VALUE;
	if (ctype_is_composite(c->in->btf, n->type) || ctype_is_array(c->in->btf, n->type))
		compile_fail(c, n->span, "parameter %s is a struct passed by value",
		             param_name(c, i));
}

void resolve_name(struct compile *c, struct node *n)
{
	size_t len = n->name.end - n->name.start;

	for (unsigned i = 0; i < param_count(prototype(c)); i++) {
		const char *name = param_name(c, i);

		if (strlen(name) == len && !memcmp(name, c->slot->text + n->name.start, len)) {
			param_take(c, n, i);
			return;
		}
	}
	fail_no_param(c, n);
}

/* ---- built-ins ---- */

static void fail_no_builtin(struct compile *c, struct node *n)
{
	char name[64], list[128];
	struct nearest nearest;
	size_t len = 0;

	compile_text(c, n->name, name, sizeof(name));
	compile_fail(c, n->name, "there is no %s", name);
	nearest_init(&nearest, name + 1);
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		nearest_offer(&nearest, builtins[i].name);
		len += snprintf(list + len, sizeof(list) - len, "$%s ", builtins[i].name);
	}
	if (nearest_get(&nearest))
		compile_hint(c, "did you mean $%s?", nearest_get(&nearest));
	else
		compile_hint(c, "known: %s$arg1 …", list);
}

/* $arg1 is the first parameter, with its type. */
static void resolve_argument(struct compile *c, struct node *n, const char *digits)
{
	unsigned count = param_count(prototype(c)), number = 0;

	for (; *digits >= '0' && *digits <= '9' && number < 100; digits++)
		number = number * 10 + *digits - '0';
	if (*digits)
		fail_no_builtin(c, n);
	else if (!number || number > count)
		compile_fail(c, n->name, "%s has %u parameter%s", c->p->func, count,
		             count == 1 ? "" : "s");
	else
		param_take(c, n, number - 1);
}

void resolve_builtin(struct compile *c, struct node *n)
{
	char name[64];

	compile_text(c, n->name, name, sizeof(name));
	if (!strncmp(name, "$arg", 4) && name[4]) {
		resolve_argument(c, n, name + 4);
		return;
	}
	for (size_t i = 0; i < BUILTIN_COUNT; i++) {
		if (strcmp(name + 1, builtins[i].name))
			continue;
		n->builtin = &builtins[i];
		n->type = ctype_int(builtins[i].int_size, false);
		n->place = PLACE_VALUE;
		return;
	}
	fail_no_builtin(c, n);
}
