/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * match.c - one pass over the functions in BTF, comparing each with the items of a list.
 *
 * Names are compared before types, because that rejects most functions quickly. Nothing here knows
 * how a function is attached to, or whether it can be.
 */
#include "argdump/providers/match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_parameter(const struct btf_view *btf, const struct btf_type *func,
			  const struct match_type *type)
{
	const struct btf_type *proto = btf_view_type(btf, func->type);

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
		return false;
	for (unsigned i = 0; i < btf_vlen(proto); i++)
		if (btf_params(proto)[i].type &&
		    match_type_is(btf, btf_params(proto)[i].type, type))
			return true;
	return false;
}

/* ---- functions ---- */

struct matcher {
	const struct probe_spec *spec;
	const struct btf_view *kernel;
	struct match_type *types; /* owned, one per item */
	/* owned: the items that matched a function of the kernel proper */
	bool *found;
	int (*take)(const struct match_func *f, void *context);
	void *context;
};

static bool scope_fits(const struct matcher *m, size_t i, const char *module)
{
	const struct probe_spec_item *item = &m->spec->items[i];

	if (!item->scope)
		return !module || item->is_pattern || !m->found[i];
	return probe_spec_matches(item->scope, module ? module : "vmlinux");
}

static bool item_takes(const struct matcher *m, size_t i, const struct match_func *f,
		       const struct btf_type *t)
{
	const struct probe_spec_item *item = &m->spec->items[i];

	if (item->is_pattern ? !probe_spec_matches(item->name, f->name) :
			       strcmp(item->name, f->name) != 0)
		return false;
	return scope_fits(m, i, f->module) &&
	       (!item->type || has_parameter(f->btf, t, &m->types[i]));
}

bool match_name(const struct probe_spec *spec, const char *name, const char *module)
{
	for (size_t i = 0; i < spec->count; i++) {
		const struct probe_spec_item *item = &spec->items[i];

		if (!item->type && probe_spec_matches(item->name, name) &&
		    (!item->scope || probe_spec_matches(item->scope, module ? module : "vmlinux")))
			return true;
	}
	return false;
}

static int func_offer(struct matcher *m, struct match_func *f, const struct btf_type *t)
{
	bool taken = false;

	f->name = btf_view_string(f->btf, t->name_off);
	for (size_t i = 0; i < m->spec->count; i++) {
		if ((taken && f->module) || !item_takes(m, i, f, t))
			continue;
		taken = true;
		if (!f->module)
			m->found[i] = true;
	}
	return taken ? m->take(f, m->context) : 0;
}

static int view_match(struct matcher *m, const struct btf_view *btf, const char *module)
{
	struct match_func f = { .btf = btf, .module = module };
	uint32_t count = btf_view_count(btf);
	int err = count ? 0 : -EBADMSG;

	for (f.id = btf_view_first(btf); f.id < count && !err; f.id++) {
		const struct btf_type *t = btf_view_type(btf, f.id);

		if (t && btf_kind(t) == BTF_KIND_FUNC)
			err = func_offer(m, &f, t);
	}
	return err;
}

/* Looks up plain names: one pass over the names is quicker than reading all types. */
static int kernel_match(struct matcher *m)
{
	size_t count = m->spec->count;
	struct btf_query *queries = calloc(count, sizeof(*queries));
	bool patterns = false;
	int err = queries ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !err; i++) {
		patterns |= m->spec->items[i].is_pattern;
		queries[i] = (struct btf_query){ BTF_KIND_FUNC, m->spec->items[i].name, 0 };
	}
	if (!err && patterns)
		err = view_match(m, m->kernel, NULL);
	else if (!err)
		err = btf_view_find_all(m->kernel, queries, count);
	for (size_t i = 0; i < count && !err && !patterns; i++) {
		struct match_func f = { m->kernel, queries[i].id, queries[i].name, NULL };

		if (!f.id || m->found[i] || !scope_fits(m, i, NULL))
			continue;
		err = func_offer(m, &f, btf_view_type(m->kernel, f.id));
	}
	free(queries);
	return err;
}

static bool module_wanted(const struct matcher *m, const char *module)
{
	for (size_t i = 0; i < m->spec->count; i++)
		if (scope_fits(m, i, module))
			return true;
	return false;
}

static int modules_match(struct matcher *m, struct btf_modules *modules)
{
	int err = 0;

	for (size_t i = 0; i < btf_modules_count(modules) && !err; i++) {
		const char *name = btf_modules_name(modules, i);
		const struct btf_view *btf;

		if (!module_wanted(m, name))
			continue;
		err = btf_modules_view(modules, i, &btf);
		if (err == -ENOENT) /* unloaded meanwhile */
			err = 0;
		else if (!err)
			err = view_match(m, btf, name);
	}
	return err;
}

static int types_parse(struct matcher *m, struct probe_spec_error *error)
{
	for (size_t i = 0; i < m->spec->count; i++) {
		const struct probe_spec_item *item = &m->spec->items[i];

		if (!item->type || !match_type_parse(item->type, &m->types[i]))
			continue;
		*error = (struct probe_spec_error){ .start = item->start, .end = item->end };
		snprintf(error->message, sizeof(error->message),
			 "'%.80s' is no type of a parameter", item->type);
		snprintf(error->hint, sizeof(error->hint),
			 "'*(struct sk_buff *)' is all that have such a parameter");
		return -EINVAL;
	}
	return 0;
}

int match_functions(const struct probe_spec *spec, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*take)(const struct match_func *f, void *context), void *context,
		    struct probe_spec_error *error)
{
	struct matcher m = { .spec = spec, .kernel = kernel, .take = take, .context = context };
	int err = -ENOMEM;

	m.types = calloc(spec->count, sizeof(*m.types));
	m.found = calloc(spec->count, sizeof(*m.found));
	if (m.types && m.found)
		err = types_parse(&m, error);
	if (!err)
		err = kernel_match(&m);
	if (!err)
		err = modules_match(&m, modules);
	free(m.types);
	free(m.found);
	return err;
}
