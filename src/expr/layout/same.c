/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * same.c - programs that can replace each other, and records with the same layout (expr.h).
 */
#include <string.h>

#include "expr/maps.h"

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
	if (a->schema.count != b->schema.count || a->record_size != b->record_size)
		return false;
	for (size_t i = 0; i < a->schema.count; i++)
		if (!fields_same(&a->schema.fields[i], &b->schema.fields[i]))
			return false;
	return true;
}

static bool places_same(const struct slot *a, const struct slot *b)
{
	return a->role == b->role && a->at_end == b->at_end && a->sink == b->sink &&
	       a->field_type == b->field_type && a->offset == b->offset && a->size == b->size &&
	       a->bit_offset == b->bit_offset && a->bit_size == b->bit_size && a->count == b->count;
}

bool expr_keep_alike(const struct expr_program *a, const struct expr_program *b)
{
	if (a->slot_count != b->slot_count || a->record_size != b->record_size ||
	    a->kept_size != b->kept_size || a->hidden_count != b->hidden_count)
		return false;
	for (size_t i = a->filter_count; i < a->hidden_first + a->hidden_count; i++)
		if (!places_same(&a->slots[i], &b->slots[i]))
			return false;
	return true;
}

static bool code_same(const struct code *a, const struct code *b)
{
	return a->count == b->count && a->reloc_count == b->reloc_count &&
	       !memcmp(a->insns, b->insns, a->count * sizeof(*a->insns)) &&
	       (!a->reloc_count ||
		!memcmp(a->relocs, b->relocs, a->reloc_count * sizeof(*a->relocs)));
}

bool expr_same(const struct expr_program *a, const struct expr_program *b)
{
	if (!code_same(&a->code, &b->code) || !maps_same(a, b) || !expr_alike(a, b))
		return false;
	for (size_t i = 0; i < a->table.count; i++)
		if (a->results[i].is_signed != b->results[i].is_signed)
			return false;
	return true;
}
