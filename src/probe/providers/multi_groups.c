/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_groups.c - two search trees (tsearch(3)): one of prototypes, one of programs by a digest.
 */
#include "probe/providers/multi_groups.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct group {
	const struct btf_view *btf;
	uint32_t proto;
	size_t probe;
};

struct program {
	struct expr_digest digest;
	size_t probe;
};

struct multi_groups {
	struct group *groups;	  /* owned */
	struct program *programs; /* owned */
	size_t group_count, program_count;
	void *by_prototype, *by_digest; /* trees of these */
};

struct multi_groups *multi_groups_new(size_t functions)
{
	struct multi_groups *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->groups = calloc(functions, sizeof(*g->groups));
	g->programs = calloc(functions, sizeof(*g->programs));
	if (g->groups && g->programs)
		return g;
	multi_groups_free(g);
	return NULL;
}

static void in_array(void *node)
{
	(void)node;
}

void multi_groups_free(struct multi_groups *g)
{
	if (!g)
		return;
	tdestroy(g->by_prototype, in_array);
	tdestroy(g->by_digest, in_array);
	free(g->groups);
	free(g->programs);
	free(g);
}

/* ---- prototypes ---- */

static int by_prototype(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->btf != y->btf)
		return x->btf < y->btf ? -1 : 1;
	return (x->proto > y->proto) - (x->proto < y->proto);
}

bool multi_groups_find(const struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		       size_t *probe)
{
	const struct group key = { .btf = btf, .proto = proto };
	struct group **found = tfind(&key, &g->by_prototype, by_prototype);

	if (found)
		*probe = (*found)->probe;
	return found;
}

void multi_groups_add(struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		      size_t probe)
{
	struct group *group = &g->groups[g->group_count++];

	*group = (struct group){ btf, proto, probe };
	tsearch(group, &g->by_prototype, by_prototype);
}

/* ---- programs ---- */

static int by_digest(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return memcmp(&x->digest, &y->digest, sizeof(x->digest));
}

size_t multi_groups_same(struct multi_groups *g, const struct expr_program *program, size_t probe)
{
	struct program *new = &g->programs[g->program_count++], **found;

	*new = (struct program){ expr_digest(program), probe };
	found = tsearch(new, &g->by_digest, by_digest);
	return found ? (*found)->probe : probe;
}
