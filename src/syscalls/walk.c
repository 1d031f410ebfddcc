/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.c - a struct in memory: which members are printed, their numbers, and how many elements they have.
 *
 * The memory comes from a record: every length in it is checked before it is used.
 */
#include <string.h>
#include <sys/stat.h>

#include "syscalls/walk.h"

uint64_t walk_number_at(const struct walk *w, const char *p, size_t len, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint32_t align, size = t->ptr == '*' ? member_size(t, w->out->event->abi, &align) :
					       type_size(t, w->out->event->abi, &align);
	uint64_t v;

	if (w->at[i] + size > len)
		return 0;
	v = memory_number(p + w->at[i], size);
	return t->kind == TYPE_BIT || t->kind == TYPE_REST ? type_bits(t, v) : v;
}

uint64_t walk_number(const struct walk *w, uint8_t i)
{
	if (w->l->members[i].type.ptr == '>' && w->after)
		return walk_number_at(w, w->after, w->after_len, i);
	return walk_number_at(w, w->p, w->len, i);
}

/* All bytes of it. */
static bool is_zero(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;
	uint32_t align, size = member_size(t, w->out->event->abi, &align);
	bool is_after = t->ptr == '>' && w->after;

	if ((t->kind != TYPE_BYTES && t->kind != TYPE_UUID && t->count < 2) ||
	    w->at[i] + size > (is_after ? w->after_len : w->len))
		return !walk_number(w, i);
	return !memory_any((is_after ? w->after : w->p) + w->at[i], size);
}

bool walk_holds(const struct walk *w, uint8_t i)
{
	const struct type *t = &w->l->members[i].type;

	switch (t->condition) {
	case '&': return walk_number(w, t->on) & t->with;
	case '=': return walk_number(w, t->on) == t->with;
	case '!': /* of a member that is there */
		return (w->l->members[t->on].type.condition != '=' || walk_holds(w, t->on)) &&
		       walk_number(w, t->on) != t->with;
	case '^': return !(walk_number(w, t->on) & t->with);
	case '*': return walk_number(w, t->on) < 64 && t->with >> walk_number(w, t->on) & 1;
	case '+': return w->at[t->on] < w->len;
	case '.': return !w->any;
	case '<': return w->out->event->ret < 0 && (t->on == COUNT_NONE || walk_number(w, t->on));
	case '>': return w->out->event->ret >= 0;
	default: return w->last != (int32_t)w->at[i];
	}
}

enum shown walk_shown(const struct walk *w, uint8_t i)
{
	const struct member *m = &w->l->members[i];
	bool is_short = m->type.hidden && !w->out->options->verbose && !w->out->json;

	if (m->type.kind == TYPE_HOLE && (is_short || w->out->json))
		return ABSENT;
	if ((name_is_hidden(m->name) && m->type.kind != TYPE_HOLE) ||
	    (m->type.ptr == '>' && !w->after))
		return ABSENT;
	if (m->type.offset == OFFSET_SAME && m->type.optional &&
	    (w->last == (int32_t)w->at[i] || (is_short && !m->type.condition)))
		return ABSENT; /* another is shown for it, or only with -v */
	if (m->type.optional && m->type.condition && !walk_holds(w, i))
		return ABSENT;
	if (m->type.optional && !m->type.condition && is_zero(w, i) &&
	    (!m->type.hidden || is_short || m->type.kind == TYPE_HOLE))
		return ABSENT;
	if (m->type.ptr == '*')
		return SHOWN;
	return is_short && (!m->type.optional || m->type.condition) ? HIDDEN : SHOWN;
}

static bool is_negative(const struct walk *w, uint8_t i, uint64_t v)
{
	return v >> (scalar_size(&w->l->members[i].type, w->out->event->abi) * 8 - 1) & 1;
}

uint64_t walk_list_most(const struct walk *w, const struct type *t)
{
	bool is_all = t->is_short && (w->out->options->verbose || w->out->json);

	return t->most && !is_all ? t->most : ~0ull;
}

uint64_t walk_list_count(const struct walk *w, const struct type *t)
{
	return type_is_counted_by_arg(t) ?
		       (uint32_t)w->out->event->args[t->count_arg - COUNT_OF_ARG] :
		       walk_number(w, t->count_arg);
}

uint32_t walk_count(const struct walk *w, uint8_t i, uint32_t size, size_t len)
{
	const struct type *t = &w->l->members[i].type;
	uint64_t n, room = size && w->at[i] < len ? (len - w->at[i]) / size : 0;

	if (t->count_arg == COUNT_NONE)
		return t->count;
	n = t->ptr == '>' ? walk_number_at(w, w->after, w->after_len, t->count_arg) :
			    walk_list_count(w, t);
	if (!type_is_counted_by_arg(t) && w->l->members[t->count_arg].type.kind == TYPE_INT &&
	    is_negative(w, t->count_arg, n))
		n = 0;
	n = walk_list_most(w, t) < n ? walk_list_most(w, t) : n;
	return (uint32_t)(n < room ? n : room);
}

uint64_t walk_told_count(const struct walk *w, const struct type *t, uint8_t by)
{
	bool is_after = t->is_filled && w->after;
	uint64_t n = is_after ? walk_number_at(w, w->after, w->after_len, by) : walk_number(w, by),
		 rest;

	if (!is_after || t->less_arg == COUNT_NONE)
		return n;
	rest = walk_number_at(w, w->after, w->after_len, t->less_arg);
	return rest <= n ? n - rest : n; /* a negative one is too large */
}

uint32_t walk_shared_size(const struct walk *w, const struct type *t)
{
	const struct member *first = type_is_inner(t) ? ((const struct layout *)t->of)->members :
							NULL;
	uint32_t align;

	return first && name_is_hidden(first->name) && first->type.offset < 0 ?
		       member_size(&first->type, w->out->event->abi, &align) :
		       0;
}

static const struct member *member_find(const struct layout *l, const char *name)
{
	for (uint8_t i = 0; i < l->count; i++)
		if (!strcmp(l->members[i].name, name))
			return &l->members[i];
	return NULL;
}

const char *walk_rdev(const struct walk *w, const char *p, size_t len)
{
	const struct member *mode = member_find(w->l, "st_mode"),
			    *rdev = member_find(w->l, "_rdev");
	unsigned bits;

	if (!mode || !rdev || len < (size_t)rdev->type.offset + 8)
		return NULL;
	bits = (unsigned)memory_number(p + mode->type.offset, 4);
	return S_ISCHR(bits) || S_ISBLK(bits) ? p + rdev->type.offset : NULL;
}
