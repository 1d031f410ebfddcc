/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_match.c - compares each function in BTF with the patterns, in one pass.
 *
 * Names are compared before types, because that rejects most functions quickly. This file does not know whether or
 * how a function can be attached to.
 */
#include "symbols/kernel/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/glob.h"

static bool has_parameter(const struct btf_view *btf, const struct btf_type *func,
			  const struct param_type *type)
{
	const struct btf_type *proto = btf_view_type(btf, func->type);

	if (!proto || btf_kind(proto) != BTF_KIND_FUNC_PROTO)
		return false;
	for (unsigned i = 0; i < btf_vlen(proto); i++)
		if (btf_params(proto)[i].type &&
		    param_type_is(btf, btf_params(proto)[i].type, type))
			return true;
	return false;
}

/* ---- functions by pattern ---- */

struct matcher {
	struct function_patterns *patterns;
	const struct btf_view *kernel;
	struct param_type *types; /* owned, one for each pattern */
	/* owned: the patterns that matched a function of the kernel proper */
	bool *found;
	int (*fn)(const struct function_match *f, void *context);
	void *context;
};

static bool module_fits(const struct matcher *m, size_t i, const char *module)
{
	const struct function_pattern *p = &m->patterns->list[i];

	if (!p->module)
		return !module || p->is_pattern || !m->found[i];
	return wildcard_matches(p->module, module ? module : "vmlinux");
}

static bool pattern_matches(const struct matcher *m, size_t i, const struct function_match *f,
			    const struct btf_type *t)
{
	const struct function_pattern *p = &m->patterns->list[i];

	if (p->is_pattern ? !wildcard_matches(p->name, f->name) : strcmp(p->name, f->name) != 0)
		return false;
	return module_fits(m, i, f->module) && (!p->type || has_parameter(f->btf, t, &m->types[i]));
}

bool function_patterns_name(const struct function_patterns *patterns, const char *name,
			    const char *module)
{
	for (size_t i = 0; i < patterns->count; i++) {
		const struct function_pattern *p = &patterns->list[i];

		if (!p->type && wildcard_matches(p->name, name) &&
		    (!p->module || wildcard_matches(p->module, module ? module : "vmlinux")))
			return true;
	}
	return false;
}

static int func_offer(struct matcher *m, struct function_match *f, const struct btf_type *t)
{
	bool matches = false;

	f->name = btf_view_string(f->btf, t->name_off);
	for (size_t i = 0; i < m->patterns->count; i++) {
		if ((matches && f->module) || !pattern_matches(m, i, f, t))
			continue;
		matches = true;
		if (!f->module)
			m->found[i] = true;
	}
	return matches ? m->fn(f, m->context) : 0;
}

static int view_match(struct matcher *m, const struct btf_view *btf, const char *module)
{
	struct function_match f = { .btf = btf, .module = module };
	uint32_t count = btf_view_count(btf);
	int err = count ? 0 : -EBADMSG;

	for (f.id = btf_view_first(btf); f.id < count && !err; f.id++) {
		const struct btf_type *t = btf_view_type(btf, f.id);

		if (t && btf_kind(t) == BTF_KIND_FUNC)
			err = func_offer(m, &f, t);
	}
	return err;
}

/* Looks up plain names: one pass over the names is faster than reading all types. */
static int kernel_match(struct matcher *m)
{
	size_t count = m->patterns->count;
	struct btf_query *queries = calloc(count, sizeof(*queries));
	bool patterns = false;
	int err = queries ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && !err; i++) {
		patterns |= m->patterns->list[i].is_pattern;
		queries[i] = (struct btf_query){ BTF_KIND_FUNC, m->patterns->list[i].name, 0 };
	}
	if (!err && patterns)
		err = view_match(m, m->kernel, NULL);
	else if (!err)
		err = btf_view_find_all(m->kernel, queries, count);
	for (size_t i = 0; i < count && !err && !patterns; i++) {
		struct function_match f = { m->kernel, queries[i].id, queries[i].name, NULL };

		if (!f.id || m->found[i] || !module_fits(m, i, NULL))
			continue;
		err = func_offer(m, &f, btf_view_type(m->kernel, f.id));
	}
	free(queries);
	return err;
}

static bool module_wanted(const struct matcher *m, const char *module)
{
	for (size_t i = 0; i < m->patterns->count; i++)
		if (module_fits(m, i, module))
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
		if (err == -ENOENT) /* the module was unloaded in the meantime */
			err = 0;
		else if (!err)
			err = view_match(m, btf, name);
	}
	return err;
}

static int types_parse(struct matcher *m)
{
	for (size_t i = 0; i < m->patterns->count; i++) {
		const char *type = m->patterns->list[i].type;

		if (!type || !param_type_parse(type, &m->types[i]))
			continue;
		m->patterns->wrong = i;
		return -EINVAL;
	}
	return 0;
}

int functions_match(struct function_patterns *patterns, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*fn)(const struct function_match *f, void *context), void *context)
{
	struct matcher m = { .patterns = patterns, .kernel = kernel, .fn = fn, .context = context };
	int err = -ENOMEM;

	m.types = calloc(patterns->count, sizeof(*m.types));
	m.found = calloc(patterns->count, sizeof(*m.found));
	if (m.types && m.found)
		err = types_parse(&m);
	if (!err && kernel)
		err = kernel_match(&m);
	if (!err)
		err = modules_match(&m, modules);
	free(m.types);
	free(m.found);
	return err;
}
