/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_btf.c - converts the types of a unit to BTF, so that all other code handles the kernel's and programs' types
 * alike.
 *
 * A unit's types may refer to those of other units, which are converted with it. Each entry that is a type or a
 * function gets an id, in their order, before any is written, because they refer to each other. The first id is a
 * pointer to void.
 */
#include "symbols/user/dwarf_btf.h"

#include <errno.h>
#include <stdlib.h>

enum {
	ENTRIES_MAX = 1 << 20,
	BYTES_MAX = 64 << 20,
};

/* ---- ids ---- */

/* Returns how many ids an entry needs. */
static unsigned ids_of(struct dwarf_build *b, const struct dwarf_entry *e)
{
	uint64_t counts[DWARF_DIMENSIONS_MAX];

	switch (e->tag) {
	case TAG_ARRAY: return dwarf_build_dimensions(b, e, counts);
	case TAG_FUNCTION:
	case TAG_MEMBER_POINTER: /* and the words of it */
	case TAG_POINTER:	 /* and its tag */
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE:
	case TAG_VARIANT_PART: /* the number, the variants */ return 2;
	case TAG_CLASS:
	case TAG_ENUM:
	case TAG_STRUCT:
	case TAG_SUBROUTINE_TYPE:
	case TAG_TYPEDEF:
	case TAG_UNION:
	case TAG_BASE:
	case TAG_CONST:
	case TAG_VOLATILE:
	case TAG_RESTRICT:
	case TAG_ATOMIC: return 1;
	case TAG_UNSPECIFIED: return dwarf_build_is_null(e);
	default: return 0;
	}
}

static int number_add(struct dwarf_build *b, uint32_t offset, unsigned ids)
{
	if (b->count == ENTRIES_MAX)
		return -E2BIG;
	if (b->count == b->room) {
		size_t room = 2 * b->room + 256;
		struct dwarf_numbered *more = realloc(b->all, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		b->all = more;
		b->room = room;
	}
	b->all[b->count++] = (struct dwarf_numbered){ offset, b->next };
	b->next += ids;
	return 0;
}

static int unit_number(struct dwarf_build *b)
{
	struct dwarf_bytes at = b->u->entries;
	struct dwarf_entry e;
	int err = 0;

	while (!err && dwarf_entry_next(b->u, &at, &e)) {
		unsigned ids = ids_of(b, &e);

		if (ids)
			err = number_add(b, e.offset, ids);
	}
	return err;
}

static int all_number(struct dwarf_build *b)
{
	int err = 0;

	b->next += 2; /* the ids of the pointer to void */
	for (size_t i = 0; i < b->unit_count && !err; i++) {
		b->u = b->units[i];
		err = unit_number(b);
	}
	return err;
}

/* ---- all units ---- */

static int all_write(struct dwarf_build *b)
{
	struct dwarf_entry e;

	b->u = b->main;
	dwarf_build_pointer(b, "", b->first, 0);
	for (size_t i = 0; i < b->count; i++) {
		b->u = dwarf_unit_of(b->u, b->all[i].offset);
		if (!b->u || !dwarf_entry_at(b->u, b->all[i].offset, &e))
			return -EBADMSG;
		dwarf_build_entry(b, &e);
		if (b->out.types.len + b->out.strings.len > BYTES_MAX || b->steps > DWARF_STEPS_MAX)
			return -E2BIG;
	}
	return b->out.types.error ?: b->out.strings.error;
}

int dwarf_btf_build(const struct dwarf_unit *u, const struct btf_view *base, struct dwarf_types *t)
{
	struct dwarf_build b = { .main = u, .u = u, .first = btf_view_count(base) };
	int err;

	*t = (struct dwarf_types){ 0 };
	b.next = b.first;
	btf_write_begin(&b.out, base);
	err = dwarf_units_collect(u, &b.units, &b.unit_count);
	err = err ?: all_number(&b) ?: all_write(&b);
	if (!err) {
		t->bytes = btf_write_bytes(&b.out, &t->size);
		err = t->bytes ? 0 : -ENOMEM;
	}
	btf_write_free(&b.out);
	free(b.units);
	t->all = b.all;
	t->count = b.count;
	if (err)
		dwarf_types_free(t);
	return err;
}
