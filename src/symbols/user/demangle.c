/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demangle.c - names of C++ and Rust from symbols, by the demanglers of libiberty.
 *
 * Short symbols can have names that are longer than any memory, because each part may refer to those before it: the
 * demangler is left once a name is too long. Its own limit of recursion, and so of the stack, applies.
 */
#include "symbols/user/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#elif __has_include(<demangle.h>)
#include <demangle.h>
#else
#error libiberty is missing: tools/setup build installs libiberty-dev; other distributions have it in binutils-devel
#endif

#include "util/hash.h"

struct output {
	char *name;
	size_t len;
	jmp_buf too_long;
};

static void part_append(const char *part, size_t len, void *ctx)
{
	struct output *o = ctx;

	if (len >= DEMANGLED_MAX - o->len)
		longjmp(o->too_long, 1);
	if (len) /* else `part` may be NULL */
		memcpy(o->name + o->len, part, len);
	o->len += len;
}

/* Older symbols of Rust are names of C++ as well, with a hash for the last part: 17h0123456789abcdefE. */
static bool may_be_rust(const char *symbol)
{
	return symbol[1] == 'R' || strstr(symbol, "17h");
}

bool demangle(const char *symbol, enum demangle_form form, char name[DEMANGLED_MAX])
{
	int options = DMGL_ANSI | (form == DEMANGLE_FULL ? DMGL_PARAMS : 0);
	struct output o = { .name = name };

	if (form == DEMANGLE_NOT || !demangle_may(symbol) || setjmp(o.too_long))
		return false;
	if (!may_be_rust(symbol) || !rust_demangle_callback(symbol, options, part_append, &o)) {
		o.len = 0;
		if (symbol[1] != 'Z' ||
		    !cplus_demangle_v3_callback(symbol, options, part_append, &o))
			return false;
	}
	name[o.len] = 0;
	return o.len;
}

/* Returns the parenthesis that the last one closes, or NULL; counts the commas that no bracket between them encloses. */
static const char *last_opened(const char *name, const char *end, int *commas)
{
	int depth = 0;

	for (*commas = 0; end-- > name;) {
		depth += strchr(")>]}", *end) ? 1 : strchr("(<[{", *end) ? -1 : 0;
		*commas += depth == 1 && *end == ',';
		if (!depth)
			return *end == '(' ? end : NULL;
	}
	return NULL;
}

int demangle_parameters(const char *symbol)
{
	char name[DEMANGLED_MAX];
	const char *begin, *end;
	int commas;

	if (symbol[0] != '_' || symbol[1] != 'Z' || !demangle(symbol, DEMANGLE_FULL, name))
		return -1;
	end = strrchr(name, ')');
	begin = end ? last_opened(name, end + 1, &commas) : NULL;
	if (!begin)
		return -1;
	if (end == begin + 1)
		return 0;
	return commas + !(end - begin > 3 && !strncmp(end - 3, "...", 3));
}

/* ---- names that were shown ---- */

enum { KEPT = 1024, KEPT_SYMBOL_MAX = 2048 };

/* One for each hash: the last symbol that has it. */
static struct kept {
	enum demangle_form form;
	char *symbol; /* owned */
	char *name;   /* owned; NULL: it has none */
} kept[KEPT];

static struct kept *kept_find(const char *symbol, enum demangle_form form, size_t len)
{
	struct kept *k = &kept[hash_add(HASH_BEGIN + form, symbol, len) % KEPT];
	char name[DEMANGLED_MAX];

	if (k->symbol && k->form == form && !strcmp(k->symbol, symbol))
		return k;
	free(k->symbol);
	free(k->name);
	*k = (struct kept){ form, strdup(symbol) };
	if (k->symbol && demangle(symbol, form, name))
		k->name = strdup(name);
	return k;
}

const char *demangle_shown(const char *symbol, enum demangle_form form)
{
	size_t len;

	if (form == DEMANGLE_NOT || !demangle_may(symbol))
		return symbol;
	len = strnlen(symbol, KEPT_SYMBOL_MAX);
	if (len == KEPT_SYMBOL_MAX)
		return symbol;
	return kept_find(symbol, form, len)->name ?: symbol;
}
