/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_passing.c - what the calling convention needs to know of a type: its alignment, and whether objects of a class are passed
 * by address, which clang says and GCC does not.
 */
#include <string.h>

#include "symbols/user/dwarf_info.h"

enum {
	DEPTH_MAX = 8,
	WIDE = 16,	     /* bytes; only alignments above that of a word matter */
	REGISTERS_MOST = 16, /* bytes of the largest struct that is returned in registers */
};

static bool is_pointer(unsigned tag)
{
	return tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE ||
	       tag == TAG_MEMBER_POINTER;
}

/* True if objects contain it: static members are not in them. */
static bool is_contained(const struct dwarf_entry *m)
{
	return m->tag == TAG_INHERITANCE || (m->tag == TAG_MEMBER && !m->is_external);
}

/* Reads the type that an entry refers to, and sets *u to its unit. */
static bool type_read(const struct dwarf_unit **u, uint32_t offset, struct dwarf_entry *e)
{
	return offset && (*u = dwarf_unit_of(*u, offset)) && dwarf_entry_at(*u, offset, e);
}

/* ---- alignment ---- */

static uint32_t alignment(const struct dwarf_unit *u, uint32_t offset, int depth, uint64_t *steps)
{
	struct dwarf_entry e, m;
	uint32_t most = 0, inner = 0;
	struct dwarf_bytes at;
	unsigned level = 0;

	if (depth == DEPTH_MAX || !type_read(&u, offset, &e))
		return 0;
	most = e.abi.alignment;
	if ((e.tag == TAG_BASE || e.abi.is_vector) && e.size == WIDE)
		most = WIDE;
	if (!is_pointer(e.tag) && e.tag != TAG_BASE &&
	    (e.tag != TAG_ENUM || dwarf_is_elsewhere(&e)))
		inner = alignment(u, dwarf_is_elsewhere(&e) ? e.origin : e.type, depth + 1, steps);
	most = inner > most ? inner : most;
	at = dwarf_entry_children(u, &e);
	while (dwarf_is_struct(e.tag) && dwarf_child_next(u, &at, &level, &m, steps)) {
		if (!is_contained(&m))
			continue;
		inner = alignment(u, m.type, depth + 1, steps);
		inner = m.abi.alignment > inner ? m.abi.alignment : inner;
		most = inner > most ? inner : most;
	}
	return most;
}

uint32_t dwarf_alignment(const struct dwarf_unit *u, uint32_t type)
{
	uint64_t steps = 0;

	return alignment(u, type, 0, &steps);
}

/* ---- classes ---- */

/* True if the function's only parameter but `this` is a reference to the class. */
static bool takes_itself(const struct dwarf_unit *u, const struct dwarf_entry *function,
			 const struct dwarf_entry *class, uint64_t *steps)
{
	struct dwarf_bytes at = dwarf_entry_children(u, function);
	struct dwarf_entry p, type = { 0 };
	unsigned level = 0, count = 0;

	while (dwarf_child_next(u, &at, &level, &p, steps))
		if (p.tag == TAG_PARAMETER && !p.abi.is_artificial && !count++ &&
		    (!dwarf_type_strip(u, p.type, &type) || !is_pointer(type.tag) ||
		     type.tag == TAG_POINTER || !dwarf_type_strip(u, type.type, &type)))
			return false;
	return count == 1 && type.offset == class->offset;
}

/* True if the class defines how its objects are copied or destroyed: a copy or move constructor, or a destructor, that is neither
 * the compiler's nor `= default`. */
static bool is_special(const struct dwarf_unit *u, const struct dwarf_entry *function,
		       const struct dwarf_entry *class, uint64_t *steps)
{
	const char *name = function->name;

	if (function->tag != TAG_FUNCTION || !name || function->abi.is_artificial ||
	    function->abi.is_defaulted || function->abi.is_deleted)
		return false;
	return *name == '~' ||
	       (class->name && !strncmp(name, class->name, strcspn(class->name, "<")) &&
		!name[strcspn(class->name, "<")] && takes_itself(u, function, class, steps));
}

/* Finds the class that an object, or each element of an array, is of, and its unit. */
static bool class_read(const struct dwarf_unit **u, uint32_t offset, struct dwarf_entry *e)
{
	for (int i = 0; i < DEPTH_MAX && dwarf_type_strip(*u, offset, e); i++) {
		if (dwarf_is_struct(e->tag))
			return (*u = dwarf_unit_of(*u, e->offset));
		if (e->tag != TAG_ARRAY)
			return false;
		offset = e->type;
	}
	return false;
}

/* Itanium C++ ABI, section 3.1.2.3. */
static uint8_t passing(const struct dwarf_unit *u, uint32_t offset, int depth, uint64_t *steps)
{
	uint8_t result = PASS_BY_VALUE;
	struct dwarf_entry class, m;
	struct dwarf_bytes at;
	unsigned level = 0;

	if (depth == DEPTH_MAX)
		return 0;
	if (!class_read(&u, offset, &class))
		return PASS_BY_VALUE;
	if (class.abi.passing || class.is_declaration)
		return class.abi.passing;
	at = dwarf_entry_children(u, &class);
	while (result != PASS_BY_REFERENCE && dwarf_child_next(u, &at, &level, &m, steps)) {
		uint8_t inner = is_contained(&m) ? passing(u, m.type, depth + 1, steps) : result;

		if (m.abi.is_virtual || is_special(u, &m, &class, steps))
			inner = PASS_BY_REFERENCE;
		if (!inner || inner == PASS_BY_REFERENCE)
			result = inner;
	}
	return result;
}

uint8_t dwarf_passing(const struct dwarf_unit *u, uint32_t type)
{
	uint64_t steps = 0;

	return u->is_cpp ? passing(u, type, 0, &steps) : PASS_BY_VALUE;
}

bool dwarf_result_is_hidden(const struct dwarf_unit *u, const struct dwarf_entry *e)
{
	struct dwarf_entry type, declared;
	uint32_t result = e->type, of = e->origin ?: e->specification;

	for (int hops = 0; hops < 2 && !result && of && dwarf_entry_at(u, of, &declared); hops++) {
		result = declared.type;
		of = declared.specification;
	}
	return u->info->hides_result && dwarf_type_strip(u, result, &type) &&
	       dwarf_is_struct(type.tag) &&
	       (type.size > REGISTERS_MOST || dwarf_passing(u, result) != PASS_BY_VALUE);
}
