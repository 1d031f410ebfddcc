/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.c - builds the catalogue: BTF first, then one pass over each wanted list, which searches the functions
 * found so far for each line.
 *
 * This file does not know what the functions are used for.
 */
#include "symbols/kernel/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/kernel/ksyms.h"
#include "util/array.h"

/* A name that is not in BTF. */
struct function_name {
	struct function_name *next;
	char text[]; /* the name and the module, each with its NUL */
};

/* ---- the list ---- */

static struct function *function_add(struct functions *l, const struct function *f)
{
	if (!ARRAY_RESERVE(l->list, l->count, l->room, 256))
		return NULL;
	l->list[l->count] = *f;
	return &l->list[l->count++];
}

static int modules_compare(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

static int by_name(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int by_key(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int order = strcmp(x->name, y->name) ?: modules_compare(x->module, y->module);

	return order ?: (x->id > y->id) - (x->id < y->id);
}

static int by_key_and_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return by_key(a, b) ?: (x->patched > y->patched) - (x->patched < y->patched);
}

static void list_sort(struct functions *l)
{
	if (l->count)
		qsort(l->list, l->count, sizeof(*l->list), by_key_and_address);
	l->sorted = l->count;
}

/* Returns the first function of that name, in any module. Does not find those added since the last sort. */
static struct function *first_named(const struct functions *l, const char *name)
{
	const struct function key = { .name = name };
	struct function *f = NULL;

	if (l->sorted)
		f = bsearch(&key, l->list, l->sorted, sizeof(key), by_name);
	while (f && f > l->list && !strcmp(f[-1].name, name))
		f--;
	return f;
}

#define FOR_EACH_NAMED(l, f, name_)                                                                \
	for (struct function *f = first_named(l, name_);                                           \
	     f && f < (l)->list + (l)->sorted && !strcmp(f->name, name_); f++)

const struct function *functions_get(const struct functions *l, const char *name)
{
	return first_named(l, name); /* the kernel proper sorts before modules */
}

static bool is_same(const struct function *a, const struct function *b)
{
	return !strcmp(a->name, b->name) && !modules_compare(a->module, b->module);
}

/* Joins entries of one name: functions without types, which lists name once for each body; with `all` also those that
 * BTF has twice. */
static void list_join(struct functions *l, bool all)
{
	size_t kept = 0;

	list_sort(l);
	for (size_t i = 0; i < l->count; i++) {
		struct function *last = kept ? &l->list[kept - 1] : NULL, *f = &l->list[i];

		if (last && is_same(last, f) && (all || (!last->btf && !f->btf)))
			last->bodies += f->bodies;
		else
			l->list[kept++] = *f;
	}
	l->count = l->sorted = kept;
}

/* Sorts the functions that were added. */
static void list_settle(struct functions *l)
{
	if (l->known & FUNCTIONS_BODIES)
		list_sort(l);
	else
		list_join(l, false);
}

static int typed_add(const struct function_match *m, void *context)
{
	const struct function f = {
		.name = m->name, .module = m->module, .btf = m->btf, .id = m->id
	};

	return function_add(context, &f) ? 0 : -ENOMEM;
}

/* ---- ftrace's list ---- */

static int untyped_add(struct functions *l, const struct kernel_list_line *line)
{
	size_t len = strlen(line->name) + 1, rest = line->module ? strlen(line->module) + 1 : 0;
	struct function_name *name = malloc(sizeof(*name) + len + rest);
	struct function f = { .patched = line->patched, .ftrace = true };

	if (!name)
		return -ENOMEM;
	name->next = l->names;
	l->names = name;
	f.name = memcpy(name->text, line->name, len);
	if (rest)
		f.module = memcpy(name->text + len, line->module, rest);
	return function_add(l, &f) ? 0 : -ENOMEM;
}

/* A name may be in the list several times: once for each body. */
static int ftrace_add(const struct kernel_list_line *line, void *context)
{
	struct functions *l = context;
	struct function again = { 0 };
	bool known = false;

	l->has_ftrace = true;
	FOR_EACH_NAMED(l, f, line->name)
	{
		if (modules_compare(f->module, line->module))
			continue;
		if (f->ftrace && (l->known & FUNCTIONS_BODIES))
			again = *f;
		else
			f->patched = line->patched;
		f->ftrace = known = true;
	}
	again.patched = line->patched;
	if (again.name)
		return function_add(l, &again) ? 0 : -ENOMEM;
	if (known || !function_patterns_name(&l->patterns, line->name, line->module))
		return 0;
	return untyped_add(l, line);
}

/* True if the list would tell nothing more: the kernel said of each name whether ftrace can patch that one function. */
static bool answers_suffice(const struct functions *l)
{
	for (size_t i = 0; i < l->patterns.count; i++) {
		const struct function_pattern *p = &l->patterns.list[i];
		const struct function *f = first_named(l, p->name);

		if (p->answer == FUNCTION_UNKNOWN ||
		    (p->answer == FUNCTION_TRACEABLE && (!f || f->module)))
			return false;
	}
	return true;
}

static void answers_apply(struct functions *l)
{
	for (size_t i = 0; i < l->patterns.count; i++) {
		const struct function_pattern *p = &l->patterns.list[i];

		if (p->answer == FUNCTION_TRACEABLE)
			first_named(l, p->name)->ftrace = true;
	}
}

/* ---- symbols ---- */

/* Records suffixed names: parts of functions that the compiler moved elsewhere (which are not called), and copies
 * that it changed. */
static void suffix_add(struct functions *l, const struct ksym *s, const char *dot)
{
	char name[256];

	if (ksym_is_cold(s) || dot - s->name >= (int)sizeof(name))
		return;
	memcpy(name, s->name, dot - s->name);
	name[dot - s->name] = 0;
	FOR_EACH_NAMED(l, f, name)
	{
		if (!modules_compare(f->module, s->module))
			f->suffixed = f->suffixed ?: s->name;
	}
}

/* A symbol has the address of a function's first byte; ftrace patches the function a few bytes later. Only newer
 * kernels list that address; with older ones the order of the lines decides. */
static bool address_fits(const struct function *f, const struct ksym *s)
{
	enum { PATCH_MAX = 64 };

	return !f->address && (!f->patched || f->patched - s->address < PATCH_MAX);
}

static int symbol_add(struct functions *l, const struct ksym *s, bool at_boot, unsigned want)
{
	const char *dot = strchr(s->name, '.');
	struct function new = { .name = s->name, .module = s->module, .bodies = 1 };
	bool known = false, placed = at_boot || !(want & FUNCTIONS_ADDRESSES);

	new.at_boot = at_boot;
	new.address = placed ? 0 : s->address;
	if (dot)
		suffix_add(l, s, dot);
	FOR_EACH_NAMED(l, f, s->name)
	{
		if (modules_compare(f->module, s->module))
			continue;
		known = true;
		f->bodies += (want & FUNCTIONS_SYMBOLS) != 0;
		f->at_boot = at_boot;
		if (placed || !address_fits(f, s))
			continue;
		f->address = s->address;
		placed = true;
	}
	if (known || (l->known & FUNCTIONS_BODIES) || !(want & FUNCTIONS_SYMBOLS) ||
	    ksym_is_foreign(s) || ksym_is_cold(s) ||
	    !function_patterns_name(&l->patterns, s->name, s->module))
		return 0;
	return function_add(l, &new) ? 0 : -ENOMEM;
}

static int symbols_read(struct functions *l, unsigned want)
{
	enum ksym_part part = KSYM_TEXT;
	int err = ksyms_load();
	struct ksym s;

	l->hidden = err == -EPERM;
	l->symbols_err = l->hidden ? 0 : err;
	err = 0;
	for (size_t i = 0; !l->symbols_err && !err && ksyms_get(i, &s); i++)
		if (ksym_is_code(&s, &part))
			err = symbol_add(l, &s, part == KSYM_INIT, want);
	return err;
}

/* ---- the blacklist ---- */

/* The list names no modules: a name is protected in all of them. */
static int blacklist_add(const struct kernel_list_line *line, void *context)
{
	struct functions *l = context;

	FOR_EACH_NAMED(l, f, line->name)
	f->blacklisted = true;
	return 0;
}

/* ---- several functions of one name ---- */

static size_t duplicates_mark(struct functions *l)
{
	size_t count = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct function *f = &l->list[i];

		f->duplicate_symbol = (i && is_same(f - 1, f)) ||
				      (i + 1 < l->count && is_same(f, f + 1));
		count += f->duplicate_symbol;
	}
	return count;
}

/* If addresses are hidden, keeps one function of each name. Otherwise keeps those that have a symbol, because
 * ftrace's lists also name places of functions that the linker dropped. */
static void duplicates_drop(struct functions *l, bool hidden)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct function *f = &l->list[i];
		bool again = kept && is_same(&l->list[kept - 1], f);

		if (f->duplicate_symbol && (hidden ? again : !f->address))
			l->unreachable += hidden;
		else
			l->list[kept++] = *f;
	}
	l->count = l->sorted = kept;
}

/* Finding addresses requires a search of all symbols: done only if names are not enough. */
static int duplicates_locate(struct functions *l)
{
	int err;

	if (!duplicates_mark(l))
		return 0;
	err = functions_read(l, FUNCTIONS_ADDRESSES);
	duplicates_drop(l, l->hidden || l->symbols_err);
	duplicates_mark(l);
	return err;
}

/* ---- the catalogue ---- */

static int ftrace_read(struct functions *l)
{
	int err = kernel_list_read(KERNEL_LIST_FTRACE, ftrace_add, l);

	list_settle(l);
	if (err == -ENOMEM)
		return err;
	/* under lockdown the file is empty */
	l->ftrace_err = err ?: l->has_ftrace ? 0 : -ENODATA;
	return 0;
}

int functions_read(struct functions *l, unsigned want)
{
	unsigned new = want & ~l->known,
		 of_symbols = new &(FUNCTIONS_SYMBOLS | FUNCTIONS_ADDRESSES);
	int err = 0;

	l->known |= new;
	if (new &FUNCTIONS_FTRACE)
		err = ftrace_read(l);
	if (!err && of_symbols)
		err = symbols_read(l, of_symbols);
	if (of_symbols)
		list_settle(l);
	if (!err && (new &FUNCTIONS_BLACKLIST))
		l->blacklist_err = kernel_list_read(KERNEL_LIST_BLACKLIST, blacklist_add, l);
	return err;
}

int functions_find(struct functions *l, const struct function_patterns *patterns,
		   const struct btf_view *kernel, struct btf_modules *modules, unsigned want)
{
	int err;

	*l = (struct functions){ .patterns = *patterns, .known = want & FUNCTIONS_BODIES };
	err = functions_match(&l->patterns, kernel, modules, typed_add, l);
	list_join(l, want & FUNCTIONS_BODIES);
	if (!err && answers_suffice(l)) {
		answers_apply(l);
		want &= ~FUNCTIONS_FTRACE;
	}
	if (!err)
		err = functions_read(l, want);
	if (!err && (want & FUNCTIONS_BODIES))
		err = duplicates_locate(l);
	return err;
}

void functions_drop_untraceable(struct functions *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++)
		if (l->list[i].ftrace || l->ftrace_err)
			l->list[kept++] = l->list[i];
	l->count = l->sorted = kept;
}

void functions_free(struct functions *l)
{
	while (l->names) {
		struct function_name *next = l->names->next;

		free(l->names);
		l->names = next;
	}
	free(l->list);
	*l = (struct functions){ 0 };
}
