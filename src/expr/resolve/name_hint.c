/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_hint.c - names that are neither parameters nor constants: words of other tracers, macros of C,
 * texts without quotes, other functions.
 *
 * Part of resolve.
 */
#include "expr/resolve/name_hint.h"

#include <string.h>

#include "expr/hints.h"

static bool is_macro(const char *name)
{
	return name[0] && name[1] && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

bool name_hint(struct compile *c, struct node *n)
{
	char name[64];
	const char *say;

	compile_text(c, n->name, name, sizeof(name));
	say = hint_find(HINT_NAME, name, strlen(name));
	if (say)
		compile_hint(c, "%s", say);
	else if (is_macro(name))
		compile_hint(c, "a macro that is not among those known here: write the number");
	else if (hint_is_compared(c->slot->text, n->span.start))
		compile_hint(c, "text is written in quotes: \"%s\"", name);
	else if (n == c->slot->root && btf_view_func(c->in->btf, name))
		compile_hint(c, "several functions are one PROBE: '%s,%s'", c->p->func, name);
	else
		return false;
	return true;
}
