/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_list.c - functions that are both in BTF and in ftrace's list.
 *
 * BTF is read first and sorted; then each line of the list is looked up in it. Nothing here knows
 * what is done with a function.
 */
#include "argdump/providers/function_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/ksyms.h"

struct search {
	const struct probe_spec *spec;
	struct function_list typed; /* the functions in BTF; `owned` is NULL in them */
	bool *listed;		    /* which of them ftrace lists */
	struct function_list *set;
};

static int set_add(struct function_list *set, const struct function *f)
{
	/* it grows at powers of two */
	if (!(set->count & (set->count - 1))) {
		size_t room = set->count ? set->count * 2 : 1;
		struct function *list = realloc(set->list, room * sizeof(*list));

		if (!list)
			return -ENOMEM;
		set->list = list;
	}
	set->list[set->count++] = *f;
	return 0;
}

static const char *module_of(const struct match_func *f)
{
	return f->module ? f->module : "";
}

static int names_compare(const struct match_func *a, const struct match_func *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(module_of(a), module_of(b));
}

static int function_compare(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	int order = names_compare(&x->types, &y->types);

	if (!order)
		order = (x->patched > y->patched) - (x->patched < y->patched);
	return order;
}

static void set_sort(struct function_list *set)
{
	if (set->count)
		qsort(set->list, set->count, sizeof(*set->list), function_compare);
}

/* ---- BTF ---- */

static int typed_take(const struct match_func *f, void *context)
{
	struct function function = { .types = *f };

	return set_add(context, &function);
}

/* BTF of some kernels lists a function twice: the first one stays. */
static void typed_unique(struct function_list *typed)
{
	size_t count = 0;

	for (size_t i = 0; i < typed->count; i++)
		if (!count || names_compare(&typed->list[count - 1].types, &typed->list[i].types))
			typed->list[count++] = typed->list[i];
	typed->count = count;
}

/* ---- ftrace's list: "ffffffff81002014 name [module]", or without the address ---- */

/* Does an item ask for that name without a parameter type, which would be unknown here? */
static bool name_wanted(const struct probe_spec *spec, const char *name, const char *module)
{
	for (size_t i = 0; i < spec->count; i++) {
		const struct probe_spec_item *item = &spec->items[i];

		if (item->type ||
		    (item->scope && !probe_spec_matches(item->scope, module ? module : "vmlinux")))
			continue;
		if (item->is_pattern ? probe_spec_matches(item->name, name) :
				       !strcmp(item->name, name))
			return true;
	}
	return false;
}

static int untyped_add(struct search *s, const struct match_func *names, uint64_t patched)
{
	size_t len = strlen(names->name) + 1;
	struct function f = { .patched = patched };
	int err;

	if (asprintf(&f.owned, "%s%c%s", names->name, 0, module_of(names)) < 0)
		return -ENOMEM;
	f.types.name = f.owned;
	f.types.module = names->module ? f.owned + len : NULL;
	err = set_add(s->set, &f);
	if (err)
		free(f.owned);
	return err;
}

static int listed_add(struct search *s, const struct match_func *names, uint64_t patched)
{
	struct function key = { .types = *names }, *typed = NULL;

	if (s->typed.count)
		typed = bsearch(&key, s->typed.list, s->typed.count, sizeof(key), function_compare);
	if (!typed)
		return name_wanted(s->spec, names->name, names->module) ?
			       untyped_add(s, names, patched) :
			       0;
	s->listed[typed - s->typed.list] = true;
	key = *typed;
	key.patched = patched;
	return set_add(s->set, &key);
}

static int line_take(struct search *s, char *line, bool addresses)
{
	struct match_func names = { .name = line };
	char *end, *module;
	uint64_t patched = 0;

	line[strcspn(line, "\n")] = 0;
	if (addresses) {
		patched = strtoull(line, &line, 16);
		line += *line == ' ';
	}
	if (!strncmp(line, "__ftrace_invalid_address__", 26)) /* the linker dropped it */
		return 0;
	names.name = line;
	end = line + strcspn(line, " \t");
	if (*end) {
		module = strchr(end, '[');
		*end = 0;
		names.module = module ? module + 1 : NULL;
		if (module)
			module[strcspn(module, "]")] = 0;
	}
	return listed_add(s, &names, patched);
}

/* The file with addresses exists since 6.5. */
static FILE *list_open(bool *addresses)
{
	static const char *const paths[] = {
		"/sys/kernel/tracing/available_filter_functions_addrs",
		"/sys/kernel/debug/tracing/available_filter_functions_addrs",
		"/sys/kernel/tracing/available_filter_functions",
		"/sys/kernel/debug/tracing/available_filter_functions",
	};
	FILE *f = NULL;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]) && !f; i++) {
		f = fopen(paths[i], "re");
		*addresses = i < 2;
	}
	return f;
}

static int list_read(struct search *s)
{
	bool addresses;
	FILE *f = list_open(&addresses);
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	if (!f)
		return 0;
	while (!err && getline(&line, &size, f) > 0) {
		s->set->has_list = true;
		err = line_take(s, line, addresses);
	}
	free(line);
	fclose(f);
	return err;
}

/* The functions in BTF that no list named. */
static int rest_take(struct search *s)
{
	int err = 0;

	for (size_t i = 0; i < s->typed.count && !err; i++) {
		if (s->listed[i])
			continue;
		if (!s->set->has_list) {
			err = set_add(s->set, &s->typed.list[i]);
		} else if (!s->set->untraceable++) {
			s->set->one = s->typed.list[i].types.name;
		}
	}
	return err;
}

/* ---- functions that share a name ---- */

static bool same_name(const struct function_list *set, size_t i, size_t j)
{
	return !names_compare(&set->list[i].types, &set->list[j].types);
}

static size_t namesakes_mark(struct function_list *set)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct function *f = &set->list[i];

		f->duplicate_symbol = (i && same_name(set, i - 1, i)) ||
				      (i + 1 < set->count && same_name(set, i, i + 1));
		count += f->duplicate_symbol;
	}
	return count;
}

/* The first function with the name of the symbol; the count of the set if there is none. */
static size_t named_find(const struct function_list *set, const struct match_func *symbol)
{
	size_t first = 0, last = set->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (names_compare(&set->list[middle].types, symbol) < 0)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

/* A symbol is the address of the first byte of a function, which ftrace patches a little further
 * on. The exact place is only in the newer of ftrace's lists; otherwise the order tells. */
static void symbol_take(struct function_list *set, const struct ksym *sym)
{
	const struct match_func names = { .name = sym->name, .module = sym->module };
	enum { PATCH_MAX = 64 };

	if (!strchr("TtWw", sym->type))
		return;
	for (size_t i = named_find(set, &names);
	     i < set->count && !names_compare(&set->list[i].types, &names); i++) {
		struct function *f = &set->list[i];

		if (f->address || (f->patched && f->patched - sym->address >= PATCH_MAX))
			continue;
		f->address = sym->address;
		return;
	}
}

/* If addresses are hidden, one function of each name stays; otherwise those that have a symbol,
 * because ftrace's lists also name places of functions that the linker dropped. */
static void namesakes_drop(struct function_list *set, bool hidden)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct function *f = &set->list[i];
		bool again = count && !names_compare(&set->list[count - 1].types, &f->types);

		if (f->duplicate_symbol && (hidden ? again : !f->address)) {
			free(f->owned);
			set->unreachable += hidden;
			continue;
		}
		set->list[count++] = *f;
	}
	set->count = count;
}

static bool addresses_find(struct function_list *set)
{
	bool hidden = ksyms_load() != 0;
	struct ksym sym;

	for (size_t i = 0; !hidden && ksyms_get(i, &sym); i++)
		symbol_take(set, &sym);
	return !hidden;
}

/* Finding addresses needs a search of all symbols: done only where names are not enough. */
static void addresses_settle(struct function_list *set)
{
	if (!namesakes_mark(set))
		return;
	namesakes_drop(set, !addresses_find(set));
	namesakes_mark(set);
}

void function_list_locate(struct function_list *set)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->list[i].address)
			continue;
		addresses_find(set);
		return;
	}
}

int function_list_find(const struct probe_spec *spec, const struct btf_view *kernel,
		       struct btf_modules *modules, struct function_list *set,
		       struct probe_spec_error *error)
{
	struct search s = { .spec = spec, .set = set };
	int err;

	*set = (struct function_list){ 0 };
	err = match_functions(spec, kernel, modules, typed_take, &s.typed, error);
	set_sort(&s.typed);
	typed_unique(&s.typed);
	s.listed = calloc(s.typed.count + 1, sizeof(*s.listed));
	if (!err && !s.listed)
		err = -ENOMEM;
	if (!err)
		err = list_read(&s);
	if (!err)
		err = rest_take(&s);
	set_sort(set);
	addresses_settle(set);
	free(s.listed);
	free(s.typed.list);
	if (err)
		function_list_free(set);
	return err;
}

void function_list_free(struct function_list *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->list[i].owned);
	free(set->list);
	*set = (struct function_list){ 0 };
}

size_t function_list_named(const struct function_list *set, const char *name)
{
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		count += !strcmp(set->list[i].types.name, name);
	return count;
}
