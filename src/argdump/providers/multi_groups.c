/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_groups.c - two trees (tsearch(3)): of prototypes, and of programs by a digest.
 */
#include "argdump/providers/multi_groups.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct group {
	const struct btf_view *btf;
	uint32_t proto;
	size_t probe;
};

struct program {
	uint64_t digest;
	const struct expr_program *program;
	size_t probe;
	struct program *next; /* another one with that digest; NULL: none */
};

struct multi_groups {
	struct group *groups;	  /* owned */
	struct program *programs; /* owned */
	size_t group_count, program_count;
	void *by_prototype, *by_digest; /* trees over them */
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

static uint64_t digest_add(uint64_t digest, const void *bytes, size_t size)
{
	for (const uint8_t *b = bytes, *end = b + size; b < end; b++)
		digest = (digest ^ *b) * 0x100000001b3; /* FNV-1a */
	return digest;
}

/* Equal for programs that do the same (expr_same), and rarely for others. */
static uint64_t digest_of(const struct expr_program *p)
{
	const struct schema *schema = expr_schema(p);
	size_t count;
	const struct bpf_insn *insns = expr_insns(p, &count);
	uint64_t digest = digest_add(0xcbf29ce484222325, insns, count * sizeof(*insns));

	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		digest = digest_add(digest, f->name, strlen(f->name) + 1);
		digest = digest_add(digest, &f->btf_id, sizeof(f->btf_id));
	}
	return digest;
}

static int by_digest(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return (x->digest > y->digest) - (x->digest < y->digest);
}

size_t multi_groups_same(struct multi_groups *g, const struct expr_program *program, size_t probe)
{
	struct program *new = &g->programs[g->program_count++], **found;

	*new = (struct program){ digest_of(program), program, probe, NULL };
	found = tsearch(new, &g->by_digest, by_digest);
	if (!found || *found == new)
		return probe;
	for (const struct program *p = *found; p; p = p->next)
		if (expr_same(p->program, program))
			return p->probe;
	new->next = (*found)->next;
	(*found)->next = new;
	return probe;
}
