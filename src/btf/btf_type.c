/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_type.c - sizes and members of BTF types, through typedefs and qualifiers.
 *
 * Damaged data may make a type contain itself, so every walk is bounded. This file does not know
 * where the bytes come from.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "btf/btf_priv.h"
#include "util/suggest.h"

enum {
	DEPTH_MAX = 32,	       /* levels of nested types; the kernel needs far fewer */
	MEMBERS_MAX = 1 << 20, /* members visited in one search */
};

static bool is_modifier(unsigned kind)
{
	return kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG;
}

uint32_t btf_view_strip(const struct btf_view *b, uint32_t id)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (!t || !is_modifier(btf_kind(t)))
			return t ? id : 0;
		id = t->type;
	}
	return 0;
}

bool btf_view_tagged(const struct btf_view *b, uint32_t id, const char *tag)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (!t || !is_modifier(btf_kind(t)))
			return false;
		if (btf_kind(t) == BTF_KIND_TYPE_TAG &&
		    !strcmp(btf_view_string(b, t->name_off), tag))
			return true;
		id = t->type;
	}
	return false;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

uint64_t btf_view_size(const struct btf_view *b, uint32_t id)
{
	uint64_t count = 1;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct btf_type *t = btf_view_type(b, btf_view_strip(b, id));

		if (!t)
			return 0;
		switch (btf_kind(t)) {
		case BTF_KIND_ARRAY:
			count = multiply(count, btf_array(t)->nelems);
			id = btf_array(t)->type;
			continue;
		case BTF_KIND_PTR: return multiply(count, 8);
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION: return multiply(count, t->size);
		default: return 0;
		}
	}
	return 0;
}

int64_t btf_view_enum_value(const struct btf_view *b, const struct btf_type *t, unsigned i,
			    const char **name)
{
	const struct btf_enum64 *wide = &btf_enums64(t)[i];
	const struct btf_enum *e = &btf_enums(t)[i];

	if (btf_kind(t) == BTF_KIND_ENUM) {
		*name = btf_view_string(b, e->name_off);
		return e->val;
	}
	*name = btf_view_string(b, wide->name_off);
	return (uint64_t)wide->val_hi32 << 32 | wide->val_lo32;
}

int64_t btf_view_enumerator(const struct btf_view *b, uint32_t id, const char *name,
			    int64_t otherwise)
{
	const struct btf_type *t = id ? btf_view_type(b, id) : NULL;
	const char *other;

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		int64_t value = btf_view_enum_value(b, t, i, &other);

		if (!strcmp(other, name))
			return value;
	}
	return otherwise;
}

/* Before kind_flag existed, a bitfield's width was in a separate copy of the int type. */
static void int_bits(const struct btf_view *b, struct btf_found *found)
{
	const struct btf_type *t = btf_view_type(b, btf_view_strip(b, found->type));
	uint32_t info;

	if (!t || btf_kind(t) != BTF_KIND_INT)
		return;
	info = btf_int_info(t);
	if (!BTF_INT_OFFSET(info) && BTF_INT_BITS(info) == t->size * 8)
		return;
	found->bit_offset += BTF_INT_OFFSET(info);
	found->bit_size = BTF_INT_BITS(info);
}

void btf_view_member_at(const struct btf_view *b, const struct btf_type *t, unsigned i,
			struct btf_found *found)
{
	const struct btf_member *m = &btf_members(t)[i];

	*found = (struct btf_found){ .type = m->type, .bit_offset = m->offset };
	if (BTF_INFO_KFLAG(t->info)) {
		found->bit_offset = BTF_MEMBER_BIT_OFFSET(m->offset);
		found->bit_size = BTF_MEMBER_BITFIELD_SIZE(m->offset);
	} else {
		int_bits(b, found);
	}
}

/* A walk over members, including those of anonymous members. */
struct member_walk {
	const struct btf_view *b;
	const char *name; /* NULL: offer every name to `nearest` */
	size_t len;
	btf_member_fn *each; /* called for each member if `name` is NULL */
	void *ctx;
	struct btf_found found;
	int visits;
};

static bool name_is(const char *s, const char *name, size_t len)
{
	return !strncmp(s, name, len) && !s[len];
}

static bool walk_struct(struct member_walk *w, uint32_t id, uint32_t bit_offset, int depth);

/* True if this is the wanted member, or an anonymous one that contains it. */
static bool walk_member(struct member_walk *w, const struct btf_type *t, unsigned i,
			uint32_t bit_offset, int depth)
{
	const char *name = btf_view_string(w->b, btf_members(t)[i].name_off);
	struct btf_found found;

	if (!*name) {
		btf_view_member_at(w->b, t, i, &found);
		return walk_struct(w, found.type, bit_offset + found.bit_offset, depth + 1);
	}
	if (!w->name) {
		w->each(w->ctx, name, btf_members(t)[i].type);
		return false;
	}
	if (!name_is(name, w->name, w->len))
		return false;
	btf_view_member_at(w->b, t, i, &w->found);
	w->found.bit_offset += bit_offset;
	return true;
}

static bool walk_struct(struct member_walk *w, uint32_t id, uint32_t bit_offset, int depth)
{
	const struct btf_type *t = btf_view_type(w->b, btf_view_strip(w->b, id));

	if (!t || !btf_is_composite(t) || depth > DEPTH_MAX)
		return false;
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		if (++w->visits > MEMBERS_MAX)
			return false;
		if (walk_member(w, t, i, bit_offset, depth))
			return true;
	}
	return false;
}

bool btf_view_member(const struct btf_view *b, uint32_t struct_id, const char *name, size_t len,
		     struct btf_found *found)
{
	struct member_walk walk = { .b = b, .name = name, .len = len };

	if (!len || !walk_struct(&walk, struct_id, 0, 0))
		return false;
	*found = walk.found;
	return true;
}

void btf_view_member_each(const struct btf_view *b, uint32_t struct_id, btf_member_fn *each,
			  void *ctx)
{
	struct member_walk walk = { .b = b, .each = each, .ctx = ctx };

	walk_struct(&walk, struct_id, 0, 0);
}

static void member_offer(void *nearest, const char *name, uint32_t type)
{
	(void)type;
	suggest_offer(nearest, name);
}

void btf_view_member_names(const struct btf_view *b, uint32_t struct_id, struct suggestion *n)
{
	btf_view_member_each(b, struct_id, member_offer, n);
}

/* ---- the enum that has a constant ---- */

/* Every name that is neither a parameter nor a variable may be a constant, so this is queried often, and mostly in
 * vain. One pass over the types collects the names of all constants. After that, a name is searched in the strings,
 * and its offset among the collected ones. */

/* Both kinds of values begin with the offset of their name. */
_Static_assert(!offsetof(struct btf_enum, name_off) && !offsetof(struct btf_enum64, name_off), "");

/* Adds the values of an enum whose bytes are all in memory. */
static int enum_note(struct view_constants *k, const struct btf_type *t, uint32_t id)
{
	size_t words = (btf_kind(t) == BTF_KIND_ENUM64 ? sizeof(struct btf_enum64) :
							 sizeof(struct btf_enum)) /
		       sizeof(uint32_t);
	const uint32_t *name = (const uint32_t *)(t + 1);
	struct view_constant *more = realloc(k->all,
					     (k->count + (size_t)btf_vlen(t)) * sizeof(*more) + 1);

	if (!more)
		return -ENOMEM;
	k->all = more;
	for (unsigned i = 0; i < btf_vlen(t); i++, name += words)
		k->all[k->count++] = (struct view_constant){ *name, id };
	return 0;
}

static bool is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

/* Collects the enums whose headers are in the window; advances `id` with the types. Returns the number of bytes read,
 * which ends before an enum that is only partly in the window, or -errno. */
static ssize_t window_note(struct view_constants *k, const struct view_window *w, uint32_t *id)
{
	size_t at = 0;

	while (at + sizeof(struct btf_type) <= w->len) {
		const struct btf_type *t = (const void *)(w->data + at);
		size_t size = view_type_size(t);
		int err = 0;

		if (!size)
			return -EBADMSG;
		if (is_enum(t) && at + size > w->len)
			break;
		if (is_enum(t))
			err = enum_note(k, t, *id);
		if (err)
			return err;
		at += size;
		++*id;
	}
	return at;
}

/* Collects all constants of the view's own types, up to the first damaged type. */
static void constants_note(struct btf_view *b)
{
	uint32_t off = b->types, id = btf_view_first(b);
	struct view_window window;
	ssize_t seen = 1;

	if (b->constants.noted || view_window_init(&window, b))
		return;
	b->constants.noted = true;
	while (seen > 0 && off < b->types_end && !view_window_move(&window, b, off, b->types_end)) {
		seen = window_note(&b->constants, &window, &id);
		off += seen > 0 ? seen : 0;
	}
	view_window_free(&window);
}

static uint32_t constant_enum(const struct btf_view *b, uint32_t name)
{
	/* cast: every view is created non-const (see btf.h) */
	constants_note((struct btf_view *)b);
	for (uint32_t i = 0; i < b->constants.count; i++)
		if (b->constants.all[i].name == name)
			return b->constants.all[i].id;
	return 0;
}

static uint32_t enum_with(const struct btf_view *b, uint32_t offset)
{
	uint32_t id = b->base && offset < b->base_strings ? enum_with(b->base, offset) : 0;

	return id ?: constant_enum(b, offset);
}

static uint32_t enum_search(const struct btf_view *b, const char *name)
{
	uint32_t offset = view_string_find(b, name);

	return offset ? enum_with(b, offset) : 0;
}

/* Each probe of a run asks for the same names, most of which are no constants. */
uint32_t btf_view_enum_with(const struct btf_view *b, const char *name)
{
	struct btf_query q = { VIEW_CONSTANT, name, 0 };

	if (!view_cached(b, &q)) {
		q.id = enum_search(b, name);
		view_cache(b, &q);
	}
	return q.id;
}

static bool has_constant(const struct btf_view *b, const struct btf_type *t, const char *name)
{
	const char *own;

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		btf_view_enum_value(b, t, i, &own);
		if (!strcmp(own, name))
			return true;
	}
	return false;
}

uint32_t btf_view_enum_own(const struct btf_view *b, const char *name)
{
	for (uint32_t id = btf_view_first(b); id < btf_view_count(b); id++) {
		const struct btf_type *t = btf_view_type(b, id);
		unsigned kind = t ? btf_kind(t) : BTF_KIND_UNKN;

		if ((kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) && has_constant(b, t, name))
			return id;
	}
	return 0;
}
