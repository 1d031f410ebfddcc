/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_why.c - why a kernel function cannot be traced: the text of each reason.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/kernel/functions.h"
#include "symbols/kernel/ksyms.h"
#include "util/suggest.h"

const char function_blacklisted[] = "the kernel's blacklist protects it: tracing it could crash";

static enum function_fault why_no_body(const struct function *f, char why[FUNCTION_WHY])
{
	if (f->suffixed) {
		snprintf(why, FUNCTION_WHY, "the compiler changed it: only %s is left",
			 f->suffixed);
		return FUNCTION_CHANGED;
	}
	snprintf(
		why, FUNCTION_WHY,
		f->module ?
			"the compiler inlined it, or it ran when the module was loaded and is gone" :
			"the compiler inlined it: it has no code of its own");
	return FUNCTION_INLINED;
}

enum function_fault function_why_not(const struct functions *l, const struct function *f,
				     char why[FUNCTION_WHY])
{
	bool has_symbols = (l->known & FUNCTIONS_SYMBOLS) && !l->symbols_err;

	if (has_symbols && !f->bodies)
		return why_no_body(f, why);
	if (f->ftrace || !(l->known & FUNCTIONS_FTRACE) || l->ftrace_err)
		return FUNCTION_FINE;
	if (!has_symbols && !f->at_boot) {
		snprintf(why, FUNCTION_WHY,
			 "ftrace does not list it: it is inlined, notrace, or ran at boot");
		return FUNCTION_NOTRACE;
	}
	if (f->at_boot) {
		snprintf(why, FUNCTION_WHY, "it runs at boot and is gone");
		return FUNCTION_AT_BOOT;
	}
	snprintf(why, FUNCTION_WHY,
		 "the kernel forbids tracing it (notrace, as all functions marked inline are)");
	return FUNCTION_NOTRACE;
}

bool function_why_untyped(const struct function *f, char why[FUNCTION_WHY])
{
	if (f->btf)
		return false;
	if (f->bodies > 1)
		snprintf(why, FUNCTION_WHY, "not in BTF: %u functions have this name", f->bodies);
	else if (strchr(f->name, '.'))
		snprintf(why, FUNCTION_WHY, "not in BTF: a copy that the compiler changed");
	else if (f->module)
		snprintf(why, FUNCTION_WHY, "not in BTF of module %s", f->module);
	else
		snprintf(why, FUNCTION_WHY, "not in BTF (assembler, or changed by the compiler)");
	return true;
}

/* ---- similar names ---- */

enum { SIMILAR = 8, PROPOSALS = 3, NEAR_RANK = 4 };

struct similar {
	/* names that contain the wanted one, or are contained in it, the most similar first */
	struct {
		const char *name;
		unsigned rank; /* smaller is more similar */
	} list[SIMILAR];
	size_t count;
	const char *nearest; /* the nearest by edit distance, or NULL */
};

static const char *underscores_skip(const char *name)
{
	return name + strspn(name, "_");
}

unsigned function_rank(const char *wanted, const char *name)
{
	const char *w = underscores_skip(wanted), *n = underscores_skip(name);
	size_t wl = strlen(w), nl = strlen(n);

	if (!wl)
		return ~0u;
	if (strstr(n, w))
		return nl - wl;
	/* the wanted name is longer: it is similar only if most of it matches */
	if (nl * 3 >= wl * 2 && strstr(w, n))
		return wl - nl + 1;
	return ~0u;
}

/* Inserts a name if it is among the most similar; of equally similar names the first stay. */
static void similar_offer(struct similar *s, const char *wanted, const char *name)
{
	unsigned rank = function_rank(wanted, name);
	size_t at = s->count;

	if (rank == ~0u)
		return;
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->list[i].name, name))
			return;
	while (at && s->list[at - 1].rank > rank)
		at--;
	if (at == SIMILAR)
		return;
	if (s->count < SIMILAR)
		s->count++;
	memmove(&s->list[at + 1], &s->list[at], (s->count - 1 - at) * sizeof(s->list[0]));
	s->list[at].name = name;
	s->list[at].rank = rank;
}

static void similar_find(struct similar *s, const char *wanted, const struct btf_view *btf)
{
	enum ksym_part part = KSYM_TEXT;
	struct suggestion near;
	int err = ksyms_load();
	struct ksym sym;

	*s = (struct similar){ 0 };
	suggest_init(&near, wanted);
	for (size_t i = 0; ksyms_get(i, &sym); i++) {
		/* a name with a dot belongs to a copy made by the compiler */
		if (!ksym_is_code(&sym, &part) || ksym_is_foreign(&sym) || strchr(sym.name, '.'))
			continue;
		similar_offer(s, wanted, sym.name);
		suggest_offer(&near, sym.name);
	}
	if (err && err != -EPERM && btf)
		btf_view_func_names(btf, &near);
	s->nearest = suggest_get(&near);
}

struct proposal {
	const char *wanted;
	const struct btf_view *btf;
	const char *names[PROPOSALS];
	size_t count;
};

static void proposal_add(struct proposal *p, const char *name)
{
	if (p->count == PROPOSALS || !name || !strcmp(name, p->wanted) ||
	    (p->btf && !btf_view_func(p->btf, name)))
		return;
	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->names[i], name))
			return;
	p->names[p->count++] = name;
}

bool function_suggest(const char *wanted, const struct btf_view *btf, char *text, size_t size)
{
	struct proposal p = { .wanted = wanted, .btf = btf };
	struct similar s;

	similar_find(&s, wanted, btf);
	/* names with a few letters more or fewer are offered before names with other letters */
	for (size_t i = 0; i < s.count && s.list[i].rank <= NEAR_RANK; i++)
		proposal_add(&p, s.list[i].name);
	proposal_add(&p, s.nearest);
	for (size_t i = 0; i < s.count; i++)
		proposal_add(&p, s.list[i].name);
	if (p.count == 1)
		snprintf(text, size, "did you mean %s?", p.names[0]);
	else if (p.count == 2)
		snprintf(text, size, "did you mean %s or %s?", p.names[0], p.names[1]);
	else if (p.count == 3)
		snprintf(text, size, "did you mean %s, %s or %s?", p.names[0], p.names[1],
			 p.names[2]);
	return p.count;
}
