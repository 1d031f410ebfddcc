/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cdefs.c - looks up types of a point by name: the program's own on top of the kernel's. Results are cached, because
 * a search takes milliseconds and there may be thousands of points.
 */
#include <stdlib.h>
#include <string.h>

#include "script/resolve/resolve.h"

/* The result of a search. Id 0, not found, is cached as well. */
struct view_name {
	unsigned kind; /* 0: the enum that defines the constant `name` */
	const char *name;
	uint32_t id;
	struct view_name *next;
};

enum { VIEW_NAMES = 64 };

struct script_view {
	const struct btf_view *base, *view;
	struct btf_view *split; /* owned; NULL: the program has no types of its own */
	void *bytes;		/* of `split`; owned */
	uint32_t
		own_first; /* id of the first of script.types; the others follow in order. 0: none */
	struct view_name *names[VIEW_NAMES];
	struct script_view *next;
};

struct script_views {
	struct script_view *first;
};

static struct script_view *view_of(const struct script *s, const struct btf_view *view)
{
	struct script_view *v = s->views ? s->views->first : NULL;

	while (v && v->view != view)
		v = v->next;
	return v;
}

static struct script_view *view_on(const struct script *s, const struct btf_view *base)
{
	struct script_view *v = s->views ? s->views->first : NULL;

	while (v && v->base != base)
		v = v->next;
	return v;
}

static struct script_view *view_new(struct script_state *c, const struct btf_view *base)
{
	struct script_view *v = arena_alloc(&c->s->arena, sizeof(*v));

	if (v && !c->s->views)
		c->s->views = arena_alloc(&c->s->arena, sizeof(*c->s->views));
	if (!v || !c->s->views) {
		c->err = -ENOMEM;
		return NULL;
	}
	v->base = v->view = base;
	v->next = c->s->views->first;
	c->s->views->first = v;
	return v;
}

/* Adds the program's own types on top. */
static void view_extend(struct script_state *c, struct script_view *v)
{
	size_t size;
	int err;

	c->btf = v->base;
	v->own_first = v->base ? btf_view_count(v->base) : 1;
	v->bytes = cdefs_build(c, v->base, v->own_first, &size);
	if (!v->bytes)
		return;
	err = btf_view_from_split(v->base, v->bytes, size, &v->split);
	if (err)
		c->err = err == -ENOMEM ? err : -EINVAL;
	else
		v->view = v->split;
}

const struct btf_view *script_view(struct script_state *c, const struct btf_view *base)
{
	struct script_view *v = view_on(c->s, base);

	if (v)
		return v->view;
	v = view_new(c, base);
	if (!v)
		return NULL;
	if (c->s->types)
		view_extend(c, v);
	return c->err ? NULL : v->view;
}

void script_views_free(struct script *s)
{
	for (struct script_view *v = s->views ? s->views->first : NULL; v; v = v->next) {
		btf_view_close(v->split);
		free(v->bytes);
	}
}

/* ---- the program's own types, which are searched first ---- */

static bool is_kind(const struct script_cdef *def, unsigned kind)
{
	switch (def->kind) {
	case CDEF_STRUCT: return kind == BTF_KIND_STRUCT;
	case CDEF_UNION: return kind == BTF_KIND_UNION;
	case CDEF_ENUM: return kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64;
	default: return kind == BTF_KIND_TYPEDEF;
	}
}

static bool has_constant(const struct script_cdef *def, const char *name)
{
	for (size_t i = 0; def->kind == CDEF_ENUM && i < def->count; i++) {
		if (!strcmp(def->members[i].name, name))
			return true;
	}
	return false;
}

uint32_t cdef_find(const struct script *s, uint32_t first, unsigned kind, const char *name)
{
	for (const struct script_cdef *def = s->types; def; def = def->next, first++) {
		if (kind ? is_kind(def, kind) && *name && !strcmp(def->name, name) :
			   has_constant(def, name))
			return first;
	}
	return 0;
}

/* ---- searches ---- */

static unsigned hash_of(unsigned kind, const char *name)
{
	unsigned hash = kind;

	while (*name)
		hash = hash * 31 + (unsigned char)*name++;
	return hash % VIEW_NAMES;
}

/* Searches both: a type of the program may have the name of a kernel type. */
static uint32_t search(const struct btf_view *btf, unsigned kind, const char *name, bool in_user)
{
	uint32_t id = 0;

	if (in_user && btf_view_first(btf) > 1)
		id = kind ? btf_view_find_own(btf, kind, name) : btf_view_enum_own(btf, name);
	return id ?: kind ? btf_view_find(btf, kind, name) : btf_view_enum_with(btf, name);
}

static uint32_t find(struct resolve *r, unsigned kind, const char *name)
{
	struct script_view *v = view_of(r->c->s, r->c->btf);
	unsigned hash = hash_of(kind, name);
	struct view_name *n;

	if (!v)
		return 0;
	for (n = v->names[hash]; n; n = n->next) {
		if (n->kind == kind && !strcmp(n->name, name))
			return n->id;
	}
	n = alloc_lasting(r, sizeof(*n));
	if (!n)
		return 0;
	n->kind = kind;
	n->name = arena_text(&r->c->s->arena, name, strlen(name));
	n->id = v->own_first ? cdef_find(r->c->s, v->own_first, kind, name) : 0;
	if (!n->id && v->base)
		n->id = search(v->base, kind, name, r->in && r->in->site.in_user);
	n->next = v->names[hash];
	v->names[hash] = n;
	return n->id;
}

uint32_t btf_lookup_kind(struct resolve *r, unsigned kind, const char *name)
{
	return find(r, kind, name);
}

uint32_t btf_lookup_enum_with(struct resolve *r, const char *name)
{
	return find(r, 0, name);
}
