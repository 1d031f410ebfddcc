/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * same.c - compares layouts of records, and computes digests of programs (expr.h).
 */
#include <string.h>

#include "expr/compile.h"

static bool names_same(const struct field_name *a, const struct field_name *b)
{
	if (!a || !b || a == b)
		return a == b;
	for (; a->name && b->name; a++, b++)
		if (a->value != b->value || strcmp(a->name, b->name))
			return false;
	return !a->name && !b->name;
}

static bool links_same(const char *const *a, const char *const *b)
{
	if (!a || !b)
		return a == b;
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b))
			return false;
	return !*a && !*b;
}

static bool fields_same(const struct field *a, const struct field *b)
{
	return !strcmp(a->name, b->name) && a->type == b->type && a->flags == b->flags &&
	       a->offset == b->offset && a->size == b->size && a->bit_offset == b->bit_offset &&
	       a->bit_size == b->bit_size && a->status == b->status && a->count == b->count &&
	       a->btf == b->btf && a->btf_id == b->btf_id && !a->follow_count && !b->follow_count &&
	       links_same(a->links, b->links) &&
	       (a->name_count || names_same(a->names, b->names)); /* points belong to the caller */
}

bool expr_alike(const struct expr_program *a, const struct expr_program *b)
{
	if (a->record.schema.count != b->record.schema.count || a->record.size != b->record.size)
		return false;
	for (size_t i = 0; i < a->record.schema.count; i++)
		if (!fields_same(&a->record.schema.fields[i], &b->record.schema.fields[i]))
			return false;
	return true;
}

static bool places_same(const struct slot *a, const struct slot *b)
{
	return a->role == b->role && a->at_end == b->at_end && a->store.kind == b->store.kind &&
	       a->store.type == b->store.type && a->place.offset == b->place.offset &&
	       a->store.size == b->store.size && a->store.bit_offset == b->store.bit_offset &&
	       a->store.bit_size == b->store.bit_size && a->store.count == b->store.count;
}

static bool all_places_same(const struct slot *a, const struct slot *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!places_same(&a[i], &b[i]))
			return false;
	return true;
}

bool expr_keep_alike(const struct expr_program *a, const struct expr_program *b)
{
	size_t kept = a->slot_count - a->filter_count;

	/* hidden slots begin behind all that could be shown, which differs */
	return kept == b->slot_count - b->filter_count && a->record.size == b->record.size &&
	       a->pair.size == b->pair.size && a->hidden_count == b->hidden_count &&
	       all_places_same(a->slots + a->filter_count, b->slots + b->filter_count, kept) &&
	       all_places_same(a->slots + a->hidden_first, b->slots + b->hidden_first,
			       a->hidden_count);
}

/* ---- digests ---- */

/* FNV-1a, 128 bits. */
typedef unsigned __int128 digest;
#define DIGEST_BASIS ((digest)0x6c62272e07bb0142 << 64 | 0x62b821756295c58d)
#define DIGEST_PRIME ((digest)1 << 88 | 0x13b)

static void add_bytes(digest *d, const void *bytes, size_t size)
{
	for (const uint8_t *b = bytes, *end = b + size; b < end; b++)
		*d = (*d ^ *b) * DIGEST_PRIME;
}

static void add_number(digest *d, uint64_t number)
{
	add_bytes(d, &number, sizeof(number));
}

/* With its NUL. NULL differs from "". */
static void add_text(digest *d, const char *text)
{
	add_number(d, text != NULL);
	if (text)
		add_bytes(d, text, strlen(text) + 1);
}

static void add_code(digest *d, const struct code *code)
{
	add_number(d, code->count);
	add_bytes(d, code->insns, code->count * sizeof(*code->insns));
	add_number(d, code->reloc_count);
	for (size_t i = 0; i < code->reloc_count; i++) {
		add_number(d, code->relocs[i].insn);
		add_number(d, code->relocs[i].map);
		add_number(d, code->relocs[i].fact);
	}
}

static void add_map(digest *d, const struct expr_map *map)
{
	const uint64_t numbers[] = { map->kind,	      map->type,    map->key_size,
				     map->value_size, map->entries, map->bytes != NULL };

	add_bytes(d, numbers, sizeof(numbers));
	if (map->bytes)
		add_bytes(d, map->bytes, map->value_size);
}

/* Names of points belong to the caller, and differ. */
static void add_names(digest *d, const struct field *f)
{
	for (const struct field_name *n = f->name_count ? NULL : f->names; n && n->name; n++) {
		add_number(d, n->value);
		add_text(d, n->name);
	}
}

static void add_field(digest *d, const struct field *f)
{
	const uint64_t numbers[] = {
		f->type,	   f->flags,	     f->offset,	      f->size,	     f->bit_offset,
		f->bit_size,	   f->status,	     f->count,	      f->name_count, f->btf_id,
		(uintptr_t)f->btf, f->names != NULL, f->follow_count, f->follow_at,  f->own_link,
		f->left_out,	   f->address,
	};

	add_text(d, f->name);
	add_bytes(d, numbers, sizeof(numbers));
	add_names(d, f);
	for (const char *const *link = f->links; link && *link; link++)
		add_text(d, *link);
	add_text(d, NULL);
	for (unsigned i = 0; i < f->follow_count; i++)
		add_field(d, &f->follows[i]);
}

struct expr_digest expr_digest(const struct expr_program *p)
{
	digest d = DIGEST_BASIS;

	add_code(&d, &p->code);
	add_code(&d, &p->return_code);
	add_number(&d, p->maps.count);
	for (size_t i = 0; i < p->maps.count; i++)
		add_map(&d, &p->maps.items[i]);
	add_number(&d, p->record.size);
	add_number(&d, p->record.schema.count);
	for (size_t i = 0; i < p->record.schema.count; i++)
		add_field(&d, &p->record.schema.fields[i]);
	for (size_t i = 0; i < p->table.count; i++)
		add_number(&d, p->results[i].is_signed);
	return (struct expr_digest){ { (uint64_t)d, (uint64_t)(d >> 64) } };
}
