/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.c - slots → places in the record.
 *
 *	struct event_header | record_source | a status byte per slot, padded to 8 bytes |
 *	slots, each padded to 8 bytes | stacks
 *
 * A single status byte is in the header instead. record_source exists if several probes share the
 * ring.
 *
 * Counted calls have no record, but a key, which may also begin with a record_source and has its
 * own status bytes, followed by the measured values.
 *
 * Nothing here knows how a slot is filled.
 */
#include "expr/layout/layout.h"

#include <string.h>

enum {
	RECORD_MAX = 32000, /* the offset of an instruction is limited to 32 KiB */
	MEMBERS_MAX = 5000, /* of a struct; limits the search for lists */
	STATUS_IN_NAME = offsetof(struct event_header, comm) + EVENT_COMM_LEN - 1,
};

static uint32_t round_up(uint32_t n)
{
	return (n + 7) & ~7u;
}

/* Assigns one byte to each slot; bytes of slots that cannot fail stay 0. Whether one can fail
 * depends on the attach method, so the sides of a pair, and several begins, reserve all. */
static uint32_t layout_status(struct compile *c, size_t from, size_t to, uint32_t at)
{
	struct expr_program *p = c->p;

	for (size_t i = from; i < to; i++) {
		if (p->slots[i].plan.link_count || c->in->pair || c->in->site.many_places)
			p->slots[i].place.status = at + i - from;
	}
	return round_up(to - from);
}

/* True if the type contains a struct list_head. An empty one points at itself. *left bounds the
 * search: damaged types may contain themselves. */
static bool has_list(const struct btf_view *b, uint32_t id, int *left)
{
	uint32_t under = btf_view_strip(b, id);
	const struct btf_type *t = btf_view_type(b, under);

	if (t && btf_kind(t) == BTF_KIND_ARRAY)
		return --*left > 0 && has_list(b, btf_array(t)->type, left);
	if (!t || !btf_is_composite(t))
		return false;
	if (!strcmp(btf_view_name(b, under), "list_head"))
		return true;
	for (unsigned i = 0; i < btf_vlen(t) && --*left > 0; i++)
		if (has_list(b, btf_members(t)[i].type, left))
			return true;
	return false;
}

/* True if the record needs the struct's own address. For a followed pointer it is known. */
static bool wants_address(const struct compile *c, const struct slot *s)
{
	int left = MEMBERS_MAX;

	return s->store.kind == STORE_BYTES && s->store.type == FIELD_STRUCT &&
	       !s->followed.parent && !s->diff.part && !c->p->table.count &&
	       has_list(c->in->btf, s->root->type.id, &left);
}

/* Assigns places to the slots that the return of a call, or the end of a pair, fills (`late`), or
 * to the others. */
static uint32_t layout_side(struct compile *c, size_t from, size_t to, uint32_t at, bool late)
{
	struct expr_program *p = c->p;

	for (size_t i = from; i < to; i++) {
		struct slot *s = &p->slots[i];

		if ((s->store.kind == STORE_HEADER && !slot_is_key(p, s) && !s->at_end) ||
		    (c->in->pair ? s->at_end : s->at_return) != late)
			continue;
		s->place.offset = at;
		s->place.room = s->store.kind == STORE_SCALAR ? 8 : round_up(s->store.size);
		if (s->store.kind ==
		    STORE_PATH) /* the last name may begin at the end of the room */
			s->place.room += round_up(s->store.path.names_room) + 256;
		at += s->place.room;
		if (wants_address(c, s)) {
			s->place.address = at;
			at += 8;
		}
	}
	return at;
}

static uint32_t layout_values(struct compile *c, size_t from, size_t to, uint32_t at)
{
	c->p->calls.entry_end = layout_side(c, from, to, at, false);
	return layout_side(c, from, to, c->p->calls.entry_end, true);
}

/* A command name ends with a NUL, in its last byte at the latest, which is 0 already: a single
 * status byte is stored there. Not for calls, where the entry fills the status bytes, but the
 * return the name. Nor for pairs and several places, which may not agree on the slot that can
 * fail. */
static bool status_in_name(struct compile *c)
{
	struct expr_program *p = c->p;
	struct slot *only = NULL;

	for (struct slot *s = p->slots + p->filter_count; s < p->slots + p->slot_count; s++) {
		if (s->plan.link_count && only)
			return false;
		if (s->plan.link_count)
			only = s;
	}
	if (c->in->scope == EXPR_SCOPE_CALL || c->in->pair || c->in->site.many_places)
		return false;
	if (only)
		only->place.status = STATUS_IN_NAME;
	return true;
}

/* Layout of what a begin keeps: the time, its key, the record as far as it can fill it, the other
 * numbers that the end needs. */
static void pair_layout(struct compile *c)
{
	struct expr_program *p = c->p;
	uint32_t at = p->record.size, key = 0;

	for (size_t i = p->hidden_first; i < p->hidden_first + p->hidden_count; i++) {
		struct slot *s = &p->slots[i];
		uint32_t *next = s->role == SLOT_KEPT ? &at : &key;

		if (s->role == SLOT_KEY && s->at_end)
			continue;
		s->place.offset = *next;
		s->place.room = 8;
		*next += 8;
		if (s->role == SLOT_KEY) /* the end's side of the key is next */
			s[1].place.offset = s->place.offset;
	}
	p->pair.key_size = key;
	if (!key)
		return;
	p->pair.record = offsetof(struct call_kept, key) + key;
	p->pair.size = p->pair.record + at;
}

static void layout_record(struct compile *c)
{
	struct expr_program *p = c->p;
	uint32_t at = sizeof(struct event_header);

	if (c->in->run.many)
		at += sizeof(struct record_source);
	p->record.status_at = at;
	if (!status_in_name(c))
		p->record.status_size = layout_status(c, p->filter_count, p->slot_count, at);
	at = layout_values(c, p->filter_count, p->slot_count, at + p->record.status_size);
	if (c->in->scope == EXPR_SCOPE_CALL || c->in->pair)
		call_layout(p);
	p->record.size = stacks_layout(c, at);
	pair_layout(c);
	if (p->record.size > RECORD_MAX)
		compile_fail(c, (struct span){}, "a record of %u bytes is too large",
			     p->record.size);
}

static void layout_key(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t keys = p->filter_count, measured = keys + p->key_count;
	uint32_t size = c->in->run.many ? sizeof(struct record_source) : 0;

	size = layout_values(c, keys, measured, size);
	/* status bytes last: an offset of 0 means none */
	size += layout_status(c, keys, measured, size);
	p->table.key_size = size;
	p->table.has_source = c->in->run.many;
	p->record.status_at = layout_values(c, measured, p->slot_count, size);
	p->record.status_size = layout_status(c, measured, p->slot_count, p->record.status_at);
	p->record.size = p->record.status_at + p->record.status_size;
	if (c->in->scope == EXPR_SCOPE_CALL || c->in->pair)
		call_layout(p);
	pair_layout(c);
	if (size <= KEY_LIMIT)
		return;
	compile_fail(c, (struct span){}, "a key of %u bytes is too large: the maximum is %d", size,
		     KEY_LIMIT);
	compile_hint(c, "shorten strings: EXPR:32");
}

void expr_layout(struct compile *c)
{
	c->p->record.has_points = c->in->run.many && c->in->run.points && !c->p->table.count;
	c->p->record.is_compat = c->in->run.many && c->in->site.compat && !c->p->table.count;
	stacks_measure(c);
	if (c->p->table.count)
		layout_key(c);
	else
		layout_record(c);
	for (size_t i = c->p->filter_count; i < c->p->slot_count && !c->err; i++)
		slot_name(c, &c->p->slots[i]);
	if (!c->p->table.count) {
		schema_build(c);
		return;
	}
	schema_build_key(c);
	if (!c->err)
		measures_layout(c);
}

uint32_t expr_record_probe(const void *record, size_t size)
{
	const struct event_header *header = record;
	const struct record_source *source = (const void *)(header + 1);

	return size < sizeof(*header) + sizeof(*source) ? UINT32_MAX : source->probe;
}
