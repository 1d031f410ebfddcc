/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.c - argdump --list of kernel functions: those in BTF with their prototypes, and those known
 * only as symbols; how each can be attached to, or why not.
 *
 * Each of the kernel's lists is read once, however many functions match. list_row.c writes the
 * rows.
 */
#include "argdump/inspect/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "argdump/inspect/inspect.h"
#include "argdump/providers/match.h"
#include "util/log.h"
#include "symbols/functions.h"
#include "symbols/ksyms.h"

/* ---- the functions ---- */

static struct list_func *func_add(struct list *l, const char *name, const char *module)
{
	size_t room = l->room ? l->room * 2 : 256;
	struct list_func *larger;

	if (l->count == l->room) {
		larger = realloc(l->funcs, room * sizeof(*larger));
		if (!larger)
			return NULL;
		l->funcs = larger;
		l->room = room;
	}
	l->funcs[l->count] = (struct list_func){ .name = name, .module = module };
	return &l->funcs[l->count++];
}

static int func_take(const struct match_func *f, void *context)
{
	struct list_func *func = func_add(context, f->name, f->module);

	if (!func)
		return -ENOMEM;
	func->btf = f->btf;
	func->id = f->id;
	return 0;
}

static int key_compare(const char *name, const char *module, const struct list_func *f)
{
	int order = strcmp(name, f->name);

	if (order)
		return order;
	return strcmp(module ? module : "", f->module ? f->module : "");
}

static int by_name(const void *a, const void *b)
{
	const struct list_func *one = a, *other = b;
	int order = key_compare(one->name, one->module, other);

	return order ? order : (one->id > other->id) - (one->id < other->id);
}

/* The first function of that name (BTF may have several). Functions added since the last sort are
 * not found. */
static struct list_func *func_find(const struct list *l, const char *name, const char *module)
{
	size_t first = 0, last = l->sorted;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (key_compare(name, module, &l->funcs[middle]) > 0)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == l->sorted || key_compare(name, module, &l->funcs[first]))
		return NULL;
	return &l->funcs[first];
}

static void funcs_sort(struct list *l)
{
	if (l->count)
		qsort(l->funcs, l->count, sizeof(*l->funcs), by_name);
	l->sorted = l->count;
}

/* ---- what the kernel's lists say ---- */

/* Calls for every function of that name and module. */
#define FOR_EACH_NAMED(l, f, name_, module_)                                                       \
	for (struct list_func *f = func_find(l, name_, module_);                                   \
	     f && f < (l)->funcs + (l)->sorted && !key_compare(name_, module_, f); f++)

/* Parts of functions that the compiler moved elsewhere (no calls), and copies that it changed. */
static void suffix_look(struct list *l, const struct ksym *s, const char *dot)
{
	char name[256];

	if (strstr(dot, ".cold") || dot - s->name >= (int)sizeof(name))
		return;
	memcpy(name, s->name, dot - s->name);
	name[dot - s->name] = 0;
	FOR_EACH_NAMED(l, f, name, s->module)
	f->suffixed = f->suffixed ? f->suffixed : s->name;
}

/* Programs of other tracers, thunks and the jumps of static calls are not kernel functions. */
static bool is_foreign(const struct ksym *s)
{
	return !strncmp(s->name, "__SCT__", 7) ||
	       (s->module && (!strcmp(s->module, "bpf") || !strncmp(s->module, "__builtin__", 11)));
}

static int symbol_look(struct list *l, const struct probe_spec *spec, const struct ksym *s,
		       bool at_boot)
{
	const char *dot = strchr(s->name, '.');
	struct list_func *missing;
	bool known = false;

	if (dot)
		suffix_look(l, s, dot);
	FOR_EACH_NAMED(l, f, s->name, s->module)
	{
		f->bodies++;
		f->at_boot = at_boot;
		known = true;
	}
	if (known || is_foreign(s) || (dot && strstr(dot, ".cold")) ||
	    !match_name(spec, s->name, s->module))
		return 0;
	missing = func_add(l, s->name, s->module);
	if (!missing)
		return -ENOMEM;
	missing->at_boot = at_boot;
	missing->bodies = 1;
	return 0;
}

/* Joins symbols of one name that is not in BTF into one row. */
static void missing_join(struct list *l)
{
	size_t kept = 0;

	funcs_sort(l);
	for (size_t i = 0; i < l->count; i++) {
		struct list_func *last = kept ? &l->funcs[kept - 1] : NULL;

		if (last && !last->btf && !l->funcs[i].btf && !by_name(last, &l->funcs[i]))
			last->bodies++;
		else
			l->funcs[kept++] = l->funcs[i];
	}
	l->count = l->sorted = kept;
}

static int symbols_look(struct list *l, const struct probe_spec *spec)
{
	enum function_part part = FUNCTION_PART_TEXT;
	int err = ksyms_load();
	struct ksym s;

	l->symbols_err = err == -EPERM ? 0 : err; /* only the addresses are hidden */
	err = 0;
	for (size_t i = 0; !l->symbols_err && !err && ksyms_get(i, &s); i++)
		if (function_is_code(&s, &part))
			err = symbol_look(l, spec, &s, part == FUNCTION_PART_INIT);
	missing_join(l);
	return err;
}

static void ftrace_take(const char *name, const char *module, void *context)
{
	struct list *l = context;

	FOR_EACH_NAMED(l, f, name, module)
	f->ftrace = true;
}

/* The list does not tell modules: the name is protected in all of them. */
static void blacklist_take(const char *name, const char *module, void *context)
{
	struct list *l = context;

	(void)module;
	FOR_EACH_NAMED(l, f, name, NULL)
	f->blacklisted = true;
	for (struct list_func *f = l->funcs; f < l->funcs + l->count; f++)
		f->blacklisted |= f->module && !strcmp(f->name, name);
}

static int lists_look(struct list *l, const struct probe_spec *spec)
{
	int err = symbols_look(l, spec);

	if (err)
		return err;
	l->ftrace_err = function_list_each(FUNCTION_LIST_FTRACE, ftrace_take, l);
	l->blacklist_err = function_list_each(FUNCTION_LIST_BLACKLIST, blacklist_take, l);
	return 0;
}

/* ---- what the kernel supports ---- */

static void kernel_look(struct list *l, const struct btf_view *btf)
{
	struct btf_query queries[] = {
		{ BTF_KIND_STRUCT, "bpf_kprobe_multi_link", 0 },
		{ BTF_KIND_STRUCT, "btf_func_model", 0 },
	};
	struct btf_found found;

	if (btf_view_find_all(btf, queries, 2))
		return;
	l->has_multi = queries[0].id;
	/* since 6.0, flags describe arguments of more than 8 bytes */
	l->has_struct_args = btf_view_member(btf, queries[1].id, "arg_flags", strlen("arg_flags"),
					     &found);
}

/* ---- all of it ---- */

static int nothing_matches(struct session *s, const struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;

	if (request->spec.count == 1 && !item->is_pattern && !item->scope && !s->options.btf)
		return attach_explain(item->name, s->btf, -ENOENT);
	log_error("no function matches '%s'", request->text);
	if (item->type && !inspect_type_known(s, item->type))
		return EXIT_USAGE;
	if (item->scope)
		log_hint("a module's functions are known once it is loaded; see " BTF_FOLDER);
	else if (item->type)
		log_hint("no function of such a name has a parameter of that type");
	else if (!item->is_pattern)
		log_hint("'*%s*' finds names that contain it", item->name);
	return EXIT_USAGE;
}

static int funcs_collect(struct session *s, struct list *l, const struct argdump_request *request)
{
	struct probe_spec_error error;
	int err = match_functions(&request->spec, s->btf, l->modules, func_take, l, &error);

	if (err == -EINVAL) {
		log_error("%s", error.message);
		log_caret(request->text, error.start, error.end);
		log_hint("%s", error.hint);
		return EXIT_USAGE;
	}
	funcs_sort(l);
	kernel_look(l, s->btf);
	if (!err && !l->types_alone)
		err = lists_look(l, &request->spec);
	if (!err)
		return EXIT_FINE;
	log_error("cannot list %s: %s", request->text, strerror(-err));
	return EXIT_CANNOT;
}

int list_functions(struct session *s, const struct argdump_request *request)
{
	struct list l = { .types_alone = s->options.btf != NULL };
	int code;

	if (!l.types_alone)
		btf_modules_open(s->btf, NULL, &l.modules);
	code = funcs_collect(s, &l, request);
	if (!code && !l.count)
		code = nothing_matches(s, request);
	if (!code)
		list_rows(&l, s->options.json, &s->out);
	free(l.funcs);
	btf_modules_close(l.modules);
	return code;
}
