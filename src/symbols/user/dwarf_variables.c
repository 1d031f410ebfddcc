/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_variables.c - the variables in scope at a place inside a function: of its blocks there, and of the inlined
 * function that the place is in.
 */
#include <string.h>

#include "symbols/user/dwarf_place.h"

struct scope {
	struct dwarf_reader reader;
	uint64_t address, steps;
	struct dwarf_param *list;
	size_t count;
	bool is_start; /* of an inlined function, whose variables have no values yet */
};

/* Declared again in an inner block: the outer one is hidden. Those of the inner block are read first. */
static bool is_hidden(const struct scope *s, const struct dwarf_param *v)
{
	for (size_t i = 0; i < s->count; i++)
		if (!strcmp(s->list[i].name, v->name))
			return true;
	return !*v->name;
}

static void variable_add(struct scope *s, const struct dwarf_entry *e)
{
	struct dwarf_param v;

	if (s->count == DWARF_PARAMS_MAX || e->is_declaration ||
	    (e->tag != TAG_PARAMETER && (e->tag != TAG_VARIABLE || s->is_start)))
		return;
	dwarf_param_read(&s->reader, e, s->address, &v);
	if (!is_hidden(s, &v))
		s->list[s->count++] = v;
}

typedef bool has_fn(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address);

static bool child_find(struct scope *s, const struct dwarf_entry *of, struct dwarf_entry *inner,
		       has_fn *has)
{
	struct dwarf_bytes at = dwarf_entry_children(s->reader.u, of);
	unsigned depth = 0;

	while (dwarf_child_next(s->reader.u, &at, &depth, inner, &s->steps))
		if ((inner->tag == TAG_BLOCK || inner->tag == TAG_INLINED) &&
		    has(s->reader.u, inner, s->address))
			return true;
	return false;
}

/* Finds the inner block, or inlined call, that contains the address, or begins there if a function's start is asked for. */
static bool inner_find(struct scope *s, const struct dwarf_entry *of, struct dwarf_entry *inner)
{
	return child_find(s, of, inner, dwarf_entry_has) ||
	       (s->is_start && child_find(s, of, inner, dwarf_entry_touches));
}

/* True if the entry's code begins at the address. */
static bool begins_at(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address)
{
	uint64_t first;

	return (e->code.has_low_pc && e->code.low_pc == address) ||
	       (e->code.has_ranges && dwarf_ranges_begin(u, e->code.ranges, &first) &&
		first == address);
}

/* True if the place is before that inlined call. */
static bool is_call_at(const struct dwarf_unit *u, const struct dwarf_entry *e,
		       const struct dwarf_spot *spot)
{
	return e->tag == TAG_INLINED && spot->line && e->call_line == spot->line &&
	       begins_at(u, e, spot->address);
}

enum { SCOPES_MAX = 32 };

size_t dwarf_variables_read(const struct dwarf_unit *u, const struct dwarf_entry *function,
			    const struct dwarf_spot *spot, const struct arch *arch,
			    const struct dwarf_frame *frame,
			    struct dwarf_param variables[DWARF_PARAMS_MAX])
{
	struct scope s = {
		.reader = { .u = u, .arch = arch, .frame = function->where.frame, .inside = frame },
		.address = spot->address,
		.list = variables,
		.is_start = spot->inlined,
	};
	struct dwarf_entry scopes[SCOPES_MAX] = { *function }, e;
	int count = 1, first = 0;

	for (; count < SCOPES_MAX && inner_find(&s, &scopes[count - 1], &scopes[count]); count++) {
		if (scopes[count].tag != TAG_INLINED)
			continue;
		if (is_call_at(u, &scopes[count], spot) ||
		    (spot->inlined && first && dwarf_is_named(u, &scopes[first], spot->inlined)))
			break;
		first = count;
	}
	for (int i = count - 1; i >= first; i--) {
		struct dwarf_bytes at = dwarf_entry_children(u, &scopes[i]);
		unsigned depth = 0;

		while (dwarf_child_next(u, &at, &depth, &e, &s.steps))
			variable_add(&s, &e);
	}
	return s.count;
}
