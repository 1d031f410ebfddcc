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
#include "output/flag_names.h"

static bool is_macro(const char *name)
{
	return name[0] && name[1] && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* The number that C gives a macro, if it is in one of the tables that formats use. */
static const struct field_name *macro_find(const char *name)
{
	static const struct field_name *const tables[] = {
		flags_open, flags_clone,  flags_prot,	flags_mmap,
		flags_msg,  flags_family, flags_signal,
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (const struct field_name *n = tables[i]; n->name; n++) {
			if (!strcmp(n->name, name))
				return n;
		}
	}
	return NULL;
}

static void macro_hint(struct compile *c, const char *name)
{
	const struct field_name *macro = macro_find(name);

	if (macro)
		compile_hint(c, "the kernel's types do not have C's macros: %s is 0x%llx", name,
			     (unsigned long long)macro->value);
	else
		compile_hint(c, "the kernel's types do not have C's macros: write the number");
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
		macro_hint(c, name);
	else if (hint_is_compared(c->slot->text, n->span.start))
		compile_hint(c, "text is written in quotes: \"%s\"", name);
	else if (n == c->slot->root && btf_view_func(c->in->btf, name))
		compile_hint(c, "several functions are one PROBE: '%s,%s'", c->p->func, name);
	else
		return false;
	return true;
}
