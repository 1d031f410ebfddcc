/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_similar.c - compares one name with those of all functions.
 */
#include "symbols/kernel/function_similar.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "symbols/kernel/ksym_kind.h"
#include "util/suggest.h"

enum { SIMILAR = 8, PROPOSALS = 3, NEAR_RANK = 4 };

struct similar {
	/* that contain the wanted name, or are contained in it; the most similar ones first */
	struct {
		const char *name;
		unsigned rank; /* smaller is more alike */
	} list[SIMILAR];
	size_t count;
	const char *nearest; /* by edit distance; NULL: none is near */
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
	/* the wanted name is the longer one: similar only if most of it matches */
	if (nl * 3 >= wl * 2 && strstr(w, n))
		return wl - nl + 1;
	return ~0u;
}

/* Keeps the most similar names, in order; of equally similar ones the first. */
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
		/* a name with a dot is of a copy made by the compiler */
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

static void propose(struct proposal *p, const char *name)
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
	/* a name with a few letters more or fewer is likelier meant than one with other letters */
	for (size_t i = 0; i < s.count && s.list[i].rank <= NEAR_RANK; i++)
		propose(&p, s.list[i].name);
	propose(&p, s.nearest);
	for (size_t i = 0; i < s.count; i++)
		propose(&p, s.list[i].name);
	if (p.count == 1)
		snprintf(text, size, "did you mean %s?", p.names[0]);
	else if (p.count == 2)
		snprintf(text, size, "did you mean %s or %s?", p.names[0], p.names[1]);
	else if (p.count == 3)
		snprintf(text, size, "did you mean %s, %s or %s?", p.names[0], p.names[1],
			 p.names[2]);
	return p.count;
}
