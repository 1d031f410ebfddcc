/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprdiff_chains.h - random chains of members that both readers of exprdiff.c take.
 *
 * They grow as a tree: each pointer that one goes through is a chain of its own.
 */
#ifndef CORETAP_EXPRDIFF_CHAINS_H
#define CORETAP_EXPRDIFF_CHAINS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fuzz.h"
#include "btf/btf.h"

enum {
	NODES = 56,	/* chains of one run, roots among them */
	TEXT_MAX = 64,	/* the kernel takes 63 bytes of an argument */
	DEREFS_MAX = 9, /* it takes 16 steps */
};

struct node {
	char text[TEXT_MAX];
	int parent; /* the pointer it goes through; -1: a parameter */
	unsigned derefs, bits;
	uint32_t target; /* the struct it points to; 0: none */
	bool known;	 /* counted in an earlier run */
};

static struct btf_view *btf;
static struct node nodes[NODES];
static int count;
static char **known; /* "FUNC CHAIN" of all runs */
static size_t known_count;

static bool is_known(const char *func, const char *text)
{
	char name[TEXT_MAX + 40];

	snprintf(name, sizeof(name), "%s %s", func, text);
	for (size_t i = 0; i < known_count; i++) {
		if (!strcmp(known[i], name))
			return true;
	}
	known = realloc(known, (known_count + 1) * sizeof(*known));
	known[known_count++] = strdup(name);
	return false;
}

static bool is_here(const char *text)
{
	for (int i = 0; i < count; i++) {
		if (!strcmp(nodes[i].text, text))
			return true;
	}
	return false;
}

/* The events know of no pointers into user space or per-CPU memory: none is gone through. */
static void node_type(struct node *n, uint32_t type, unsigned bit_size)
{
	uint32_t id = btf_view_strip(btf, type), to;
	const struct btf_type *t = btf_view_type(btf, id), *target;

	n->target = n->bits = 0;
	switch (btf_view_kind(btf, id)) {
	case BTF_KIND_PTR:
		to = btf_view_strip(btf, t->type);
		target = btf_view_type(btf, to);
		n->bits = 64;
		if (target && btf_is_composite(target) && btf_vlen(target) &&
		    !btf_view_tagged(btf, t->type, "user") &&
		    !btf_view_tagged(btf, t->type, "percpu"))
			n->target = to;
		break;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: n->bits = bit_size ?: btf_view_size(btf, id) * 8; break;
	}
}

/* A random member of struct `id`, through anonymous ones. */
static bool member_pick(struct chance *c, uint32_t id, const char **name, struct btf_found *found)
{
	const struct btf_type *t = btf_view_type(btf, id);
	unsigned i;

	if (!t || !btf_is_composite(t) || !btf_vlen(t))
		return false;
	i = chance_below(c, btf_vlen(t));
	btf_view_member_at(btf, t, i, found);
	*name = btf_view_string(btf, btf_members(t)[i].name_off);
	return **name || member_pick(c, btf_view_strip(btf, found->type), name, found);
}

/* Adds a chain through a valid pointer, to the first member that is not a struct. */
static bool node_grow(struct chance *c, struct node *n)
{
	const char *op = "->", *name;
	struct btf_found found;
	uint32_t id;
	size_t len;

	n->parent = chance_below(c, count);
	id = nodes[n->parent].target;
	n->derefs = nodes[n->parent].derefs + 1;
	if (!id || n->derefs > DEREFS_MAX)
		return false;
	len = strlen(nodes[n->parent].text);
	memcpy(n->text, nodes[n->parent].text, len + 1);
	do {
		if (!member_pick(c, id, &name, &found))
			return false;
		len += snprintf(n->text + len, TEXT_MAX - len, "%s%s", op, name);
		if (len >= TEXT_MAX)
			return false;
		op = ".";
		id = btf_view_strip(btf, found.type);
	} while (btf_is_composite(btf_view_type(btf, id)));
	node_type(n, found.type, found.bit_size);
	return n->bits && n->bits <= 64 && !is_here(n->text);
}

static bool nodes_grow(struct chance *c, const char *func)
{
	const struct btf_type *t = btf_view_type(btf, btf_view_func(btf, func));
	const struct btf_type *proto = t ? btf_view_type(btf, t->type) : NULL;

	count = 0;
	for (unsigned i = 0; proto && i < btf_vlen(proto); i++) {
		struct node *n = &nodes[count];

		*n = (struct node){ .parent = -1, .known = true };
		snprintf(n->text, TEXT_MAX, "%s",
			 btf_view_string(btf, btf_params(proto)[i].name_off));
		node_type(n, btf_params(proto)[i].type, 0);
		count += n->target != 0;
	}
	for (int tries = 0; count && count < NODES && tries < 100 * NODES; tries++) {
		struct node *n = &nodes[count];

		if (!node_grow(c, n))
			continue;
		n->known = is_known(func, n->text);
		count++;
	}
	return count;
}

#endif
