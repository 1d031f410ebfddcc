/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_match.c - compares each function in BTF with the patterns, in one pass.
 *
 * Names are compared before types, because that rejects most functions quickly. This file does not know whether or
 * how a function can be attached to.
 */
#include "symbols/kernel/functions.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/glob.h"

/* ---- parameter types ---- */

/* Qualifiers are ignored: a pattern with struct sock * also matches const struct sock *. */

#define TYPE_DEPTH 32 /* modifiers in a row; damaged BTF may contain loops */

static const char *blanks_skip(const char *text)
{
	return text + strspn(text, " \t");
}

/* Returns the end of the next word of letters, or NULL if there is none. */
static const char *word_end(const char *text)
{
	const char *end = text;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	return end > text ? end : NULL;
}

static bool word_is(const char *text, const char *end, const char *word)
{
	return (size_t)(end - text) == strlen(word) && !memcmp(text, word, end - text);
}

/* Returns 0 if the word is not struct, union or enum. */
static unsigned kind_of_word(const char *text, const char *end)
{
	return word_is(text, end, "struct") ? BTF_KIND_STRUCT :
	       word_is(text, end, "union")  ? BTF_KIND_UNION :
	       word_is(text, end, "enum")   ? BTF_KIND_ENUM :
					      BTF_KIND_UNKN;
}

/* C's integer types have several names: unsigned long is long unsigned int in BTF. Returns the same number for the
 * same type, or 0 if the text contains another word. */
static unsigned integer_key(const char *text, size_t len)
{
	static const char *const words[] = { "int", "signed", "unsigned", "short", "char", "long" };
	enum { KEY_SIGNED = 1 << 1, KEY_CHAR = 1 << 4, KEY_LONG = 1 << 5 };
	const char *end = text + len, *stop;
	unsigned key = 0, i;

	for (; text < end; text = blanks_skip(stop)) {
		stop = word_end(text);
		for (i = 0; stop && i < 6 && !word_is(text, stop, words[i]);)
			i++;
		if (!stop || i == 6)
			return 0;
		key = i == 5 ? key + KEY_LONG : key | 1u << i;
	}
	if (key & KEY_CHAR) /* char and signed char are different types */
		return key;
	return (key & ~(unsigned)KEY_SIGNED) | 1;
}

/* Checks the name, which may have several words: unsigned int. */
static const char *name_check(const char *text, struct param_type *type)
{
	const char *end;

	type->name = text;
	while ((end = word_end(text))) {
		type->len = end - type->name;
		text = blanks_skip(end);
	}
	return text;
}

int param_type_parse(const char *text, struct param_type *type)
{
	const char *end;

	*type = (struct param_type){ 0 };
	text = blanks_skip(text);
	while ((end = word_end(text)) &&
	       (word_is(text, end, "const") || word_is(text, end, "volatile")))
		text = blanks_skip(end);
	type->kind = end ? kind_of_word(text, end) : BTF_KIND_UNKN;
	if (type->kind)
		text = blanks_skip(end);
	text = name_check(text, type);
	type->integer = type->kind ? 0 : integer_key(type->name, type->len);
	for (; *text == '*'; text = blanks_skip(text + 1))
		type->pointers++;
	return !type->len || *text ? -EINVAL : 0;
}

static bool kind_fits(unsigned wanted, const struct btf_type *t)
{
	unsigned kind = btf_kind(t);

	switch (wanted) {
	case BTF_KIND_STRUCT:
		return kind == wanted || (kind == BTF_KIND_FWD && !BTF_INFO_KFLAG(t->info));
	case BTF_KIND_UNION:
		return kind == wanted || (kind == BTF_KIND_FWD && BTF_INFO_KFLAG(t->info));
	case BTF_KIND_ENUM: return kind == wanted || kind == BTF_KIND_ENUM64;
	default: return true;
	}
}

bool param_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct param_type *type)
{
	const char *name;

	if (!kind_fits(type->kind, t))
		return false;
	name = btf_view_string(btf, t->name_off);
	if (type->integer && btf_kind(t) == BTF_KIND_INT)
		return type->integer == integer_key(name, strlen(name));
	return !strncmp(name, type->name, type->len) && !name[type->len];
}

/* True if following the modifiers of `id` leads to that type. Sets *id to the type after them. */
static bool chain_has(const struct btf_view *btf, uint32_t *id, const struct param_type *type)
{
	for (int depth = 0; depth < TYPE_DEPTH; depth++) {
		const struct btf_type *t = btf_view_type(btf, *id);

		if (!t) /* void */
			return !type->kind && word_is(type->name, type->name + type->len, "void");
		if (param_type_names(btf, t, type))
			return true;
		if (*id == btf_view_strip(btf, *id))
			return false;
		*id = t->type;
	}
	return false;
}

/* True if the type matches, ignoring qualifiers. A typedef matches by its own name and by its target. */
static bool param_type_is(const struct btf_view *btf, uint32_t id, const struct param_type *type)
{
	for (unsigned i = 0; i < type->pointers; i++) {
		const struct btf_type *t = btf_view_type(btf, btf_view_strip(btf, id));

		if (!t || btf_kind(t) != BTF_KIND_PTR)
			return false;
		id = t->type;
	}
	return chain_has(btf, &id, type);
}

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
