/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.c - names in expressions: parameters of the function, and constants.
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/hints.h"
#include "expr/syntax/syntax.h"
#include "util/suggest.h"
#include "expr/resolve/format.h"
#include "output/field/flag_names.h"
#include "util/errname.h"

/* ---- hints for unknown names ---- */

static bool is_macro(const char *name)
{
	return name[0] && name[1] && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

static bool name_hint(struct compile *c, struct node *n)
{
	char name[64];
	const char *say;

	compile_text(c, n->name, name, sizeof(name));
	say = hint_find(HINT_NAME, name, strlen(name));
	if (say)
		compile_hint(c, "%s", say);
	else if (is_macro(name))
		compile_hint(c, "this macro is not known: write the number");
	else if (hint_is_compared(c->slot->text, n->span.start))
		compile_hint(c, "text is written in quotes: \"%s\"", name);
	else if (n == c->slot->root && btf_view_func(c->in->btf, name))
		compile_hint(c, "write several functions as one PROBE: '%s,%s'", c->p->func, name);
	else
		return false;
	return true;
}

/* ---- parameters ---- */

static void params_list(struct compile *c, char *buf, size_t size)
{
	size_t len = 0;

	*buf = '\0';
	for (unsigned i = 0; i < param_count(c) && len < size; i++) {
		const char *name = param_name(c, i);

		if (!*name && c->in->site.first_register)
			break;
		len += *name ? snprintf(buf + len, size - len, "%s%s", i ? ", " : "", name) :
			       snprintf(buf + len, size - len, "%s$arg%u", i ? ", " : "", i + 1);
	}
}

/* True if no parameter has a name: the kernel's types lack the function. On 5.10 they lack all
 * functions of modules. */
static bool params_are_nameless(struct compile *c)
{
	for (unsigned i = 0; i < param_count(c); i++)
		if (*param_name(c, i))
			return false;
	return param_count(c);
}

/* True for a member of the object that a method of C++ was called for. */
static bool is_of_this(struct compile *c, const char *name)
{
	const struct btf_view *b = c->in->btf;
	struct btf_found found;

	for (unsigned i = 0; c->in->site.own_types && i < param_count(c); i++) {
		struct ctype t = ctype_of(c->in->site.params ? c->in->site.params[i].id : 0);

		if (!strcmp(param_name(c, i), "this") && ctype_is_pointer(b, t))
			return ctype_is_composite(b, ctype_target(b, t)) &&
			       btf_view_member(b, ctype_target(b, t).id, name, strlen(name),
					       &found);
	}
	return false;
}

static void fail_no_param(struct compile *c, struct node *n)
{
	char name[64], list[200];
	struct suggestion nearest;
	const char *near;

	compile_text(c, n->name, name, sizeof(name));
	/* another variant may know it: events have arguments and, in tracefs, fields */
	c->is_elsewhere = c->in->site.params_elsewhere;
	(c->in->site.params_elsewhere ? compile_refuse : compile_fail)(
		c, n->name, "%s has no %s %s", c->p->func,
		c->in->target.method == EXPR_CTX_EVENT ? "field" :
		c->in->site.in_body		       ? "variable in scope:" :
							 "parameter",
		name);
	suggest_init(&nearest, name);
	for (unsigned i = 0; i < param_count(c); i++)
		suggest_offer(&nearest, param_name(c, i));
	near = suggest_get(&nearest);
	params_list(c, list, sizeof(list));
	if (name_hint(c, n))
		return;
	if (is_of_this(c, name))
		compile_hint(c, "did you mean this->%s?", name);
	else if (c->in->site.unnamed)
		compile_hint(c, "%s; $arg1 … $arg%u are the registers of its arguments",
			     c->in->site.unnamed, param_count(c));
	else if (c->in->site.params_unknown)
		compile_hint(c, "its parameters are not known here, only registers");
	else if (near)
		compile_hint(c, "did you mean %s? %s: %s", near,
			     c->in->site.in_body ? "In scope" : "Its parameters", list);
	else if (params_are_nameless(c) && !c->in->site.in_user)
		compile_hint(
			c,
			"this kernel has no types of it (5.10: of no module), so its parameters have no names: "
			"%s; a cast gives one a type: ((struct file *)$arg1)->f_pos",
			list);
	else
		compile_hint(c, "%s: %s", c->in->site.in_body ? "in scope" : "its parameters",
			     *list ? list : "none");
}

/* Words that every C program in the kernel knows. */
static bool resolve_word(struct compile *c, struct node *n)
{
	static const struct {
		const char *name;
		int value, stars;
	} words[] = { { "NULL", 0, 1 }, { "true", 1, 0 }, { "false", 0, 0 } };
	char name[16];

	compile_text(c, n->name, name, sizeof(name));
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(name, words[i].name))
			continue;
		n->kind = NODE_NUMBER;
		n->number = words[i].value;
		n->type = words[i].stars ? ctype_pointer_to(ctype_of(0)) : ctype_int(4, true);
		return true;
	}
	return false;
}

/* The counter of the enclosing loop. */
static bool resolve_round(struct compile *c, struct node *n)
{
	struct span own = c->loop ? c->loop->node->argument : (struct span){};
	const char *text = c->slot->text;

	if (!own.end || own.end - own.start != n->name.end - n->name.start ||
	    memcmp(text + own.start, text + n->name.start, own.end - own.start))
		return false;
	n->kind = NODE_ROUND;
	n->type = ctype_int(4, true);
	n->category = CATEGORY_RVALUE;
	return true;
}

/*
 * ---- constants that are macros in the kernel's source, and so not in its BTF ----
 *
 * O_NONBLOCK, ENOENT, GFP_KERNEL. Enumerators are in BTF, and have precedence.
 */

enum { ERRNO_END = 600 }; /* after those internal to the kernel: linux/errno.h */

static bool names_find(const struct field_name *names, const char *name, uint64_t *value)
{
	for (; names && names->name; names++) {
		if (strcmp(names->name, name))
			continue;
		*value = names->value;
		return true;
	}
	return false;
}

static bool errno_find(const char *name, uint64_t *value)
{
	const char *known;

	for (int i = 1; *name == 'E' && i < ERRNO_END; i++) {
		known = errname(i);
		if (!known || strcmp(known, name))
			continue;
		*value = i;
		return true;
	}
	return false;
}

static bool constant_find(struct compile *c, const char *name, uint64_t *value)
{
	for (const struct field_name *const *names = flags_constants; *names; names++) {
		if (names_find(*names, name, value))
			return true;
	}
	return errno_find(name, value) ||
	       (strstr(name, "GFP_") && names_find(format_gfp_names(c), name, value));
}

/* As in C: an int if it fits. AT_FDCWD is stored in 32 bits. */
static bool macro_constant_find(struct compile *c, struct node *n)
{
	uint64_t value;
	char name[40];

	compile_text(c, n->name, name, sizeof(name));
	if (!constant_find(c, name, &value))
		return false;
	n->kind = NODE_NUMBER;
	n->number = strcmp(name, "AT_FDCWD") ? (int64_t)value : (int32_t)value;
	n->number_long = value > UINT32_MAX;
	n->number_unsigned = n->number > INT32_MAX;
	n->type = ctype_int(n->number_long ? 8 : 4, !n->number_unsigned);
	n->category = CATEGORY_RVALUE;
	return true;
}

/* ---- names ---- */

/* A parameter, else a word of the language, else a constant: an enumerator, which takes a search of the types, or a
 * macro. */
void resolve_name(struct compile *c, struct node *n)
{
	int i = param_find(c, n->name);

	if (resolve_round(c, n))
		return;
	if (i >= 0)
		resolve_param(c, n, i);
	else if (!resolve_word(c, n) && !resolve_bare(c, n) && !enum_constant_find(c, n->name, n) &&
		 !macro_constant_find(c, n))
		fail_no_param(c, n);
}
