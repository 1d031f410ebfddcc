/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_info.c - the entries of a unit of .debug_info, and their attributes: DWARF 5, section 7.5.
 */
#include "symbols/user/dwarf_form.h"

#include <errno.h>
#include <stdlib.h>

const char *const dwarf_info_names[INFO_SECTIONS] = {
	".debug_info",	      ".debug_abbrev", ".debug_str",	  ".debug_line_str",
	".debug_str_offsets", ".debug_addr",   ".debug_loclists", ".debug_loc",
	".debug_rnglists",    ".debug_ranges", ".debug_aranges",  ".debug_types"
};

enum {
	LANGUAGE_CPP = 0x04,
	LANGUAGE_RUST = 0x1c,
	DEFAULTED_IN_CLASS = 1,
	OP_PLUS = 0x23, /* the form of a member's place before DWARF 4: an expression */
};

enum dwarf_attribute {
	AT_LOCATION = 0x02,
	AT_NAME = 0x03,
	AT_BYTE_SIZE = 0x0b,
	AT_BIT_OFFSET = 0x0c,
	AT_BIT_SIZE = 0x0d,
	AT_LOW_PC = 0x11,
	AT_HIGH_PC = 0x12,
	AT_LANGUAGE = 0x13,
	AT_DISCR_VALUE = 0x16,
	AT_COMP_DIR = 0x1b,
	AT_CONST_VALUE = 0x1c,
	AT_PRODUCER = 0x25,
	AT_UPPER_BOUND = 0x2f,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_ARTIFICIAL = 0x34,
	AT_CALLING_CONVENTION = 0x36,
	AT_COUNT = 0x37,
	AT_DATA_MEMBER_LOCATION = 0x38,
	AT_DECL_LINE = 0x3b,
	AT_DECLARATION = 0x3c,
	AT_ENCODING = 0x3e,
	AT_EXTERNAL = 0x3f,
	AT_FRAME_BASE = 0x40,
	AT_SPECIFICATION = 0x47,
	AT_TYPE = 0x49,
	AT_VIRTUALITY = 0x4c,
	AT_ENTRY_PC = 0x52,
	AT_RANGES = 0x55,
	AT_CALL_LINE = 0x59,
	AT_SIGNATURE = 0x69,
	AT_DATA_BIT_OFFSET = 0x6b,
	AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72,
	AT_ADDR_BASE = 0x73,
	AT_RNGLISTS_BASE = 0x74,
	AT_DWO_NAME = 0x76,
	AT_ALIGNMENT = 0x88,
	AT_DELETED = 0x8a,
	AT_DEFAULTED = 0x8b,
	AT_LOCLISTS_BASE = 0x8c,
	AT_OLD_LINKAGE_NAME = 0x2007,
	AT_GNU_VECTOR = 0x2107,
	AT_OLD_DWO_ID = 0x2131, /* DWARF 4 */
};

/* ---- attributes ---- */

static void location_set(struct dwarf_entry *e, struct dwarf_value *v)
{
	e->has_location = true;
	if (v->kind == VALUE_NUMBER)
		e->location = v->number;
	else if (v->kind == VALUE_BLOCK && dwarf_unsigned(&v->block, 1) == OP_PLUS)
		e->location = dwarf_uleb(&v->block);
	else
		e->has_location = false;
}

static void where_set(struct dwarf_where *w, uint64_t attribute, const struct dwarf_value *v)
{
	if (v->kind == VALUE_BLOCK)
		*(attribute == AT_LOCATION ? &w->expr : &w->frame) = v->block;
	else if (v->kind == VALUE_NUMBER && attribute == AT_LOCATION) {
		w->list = v->number;
		w->has_list = true;
	}
}

static void number_set(struct dwarf_entry *e, uint64_t attribute, uint64_t n)
{
	switch (attribute) {
	case AT_BYTE_SIZE: e->size = n; break;
	case AT_BIT_SIZE: e->bits = n; break;
	case AT_BIT_OFFSET:
	case AT_DATA_BIT_OFFSET:
		e->first_bit = n;
		e->has_first_bit = true;
		e->counts_from_high = attribute == AT_BIT_OFFSET;
		break;
	case AT_CONST_VALUE:
	case AT_DISCR_VALUE:
		e->value = n;
		e->where.has_value = true;
		break;
	case AT_CALLING_CONVENTION: e->abi.passing = (uint8_t)n; break;
	case AT_UPPER_BOUND: e->count = n + 1; break;
	case AT_COUNT: e->count = n; break;
	case AT_RANGES:
		e->code.ranges = n;
		e->code.has_ranges = true;
		break;
	case AT_DECL_LINE: e->line = (uint32_t)n; break;
	case AT_CALL_LINE: e->call_line = (uint32_t)n; break;
	case AT_DECLARATION: e->is_declaration = n; break;
	case AT_EXTERNAL: e->is_external = n; break;
	case AT_ENCODING: e->encoding = (uint8_t)n; break;
	case AT_ALIGNMENT: e->abi.alignment = (uint32_t)n; break;
	case AT_GNU_VECTOR: e->abi.is_vector = n; break;
	case AT_ARTIFICIAL: e->abi.is_artificial = n; break;
	case AT_VIRTUALITY: e->abi.is_virtual = n; break;
	case AT_DEFAULTED: e->abi.is_defaulted = n == DEFAULTED_IN_CLASS; break;
	case AT_DELETED: e->abi.is_deleted = n; break;
	default: break;
	}
}

static void attribute_set(struct dwarf_entry *e, uint64_t attribute, struct dwarf_value *v)
{
	e->code.exists |= attribute == AT_LOW_PC || attribute == AT_RANGES;
	if (attribute == AT_HIGH_PC && (v->kind == VALUE_ADDRESS || v->kind == VALUE_NUMBER)) {
		e->code.end = v->number;
		e->code.has_end = true;
		e->code.is_size = v->kind == VALUE_NUMBER;
	} else if (attribute == AT_ENTRY_PC && v->kind == VALUE_ADDRESS) {
		e->code.entry = v->number;
	} else if (attribute == AT_DATA_MEMBER_LOCATION) {
		location_set(e, v);
	} else if (attribute == AT_LOCATION || attribute == AT_FRAME_BASE) {
		where_set(&e->where, attribute, v);
	} else if (v->kind == VALUE_NUMBER) {
		number_set(e, attribute, v->number);
	} else if (v->kind == VALUE_ADDRESS && attribute == AT_LOW_PC) {
		e->code.low_pc = v->number;
		e->code.has_low_pc = true;
	} else if (v->kind == VALUE_REFERENCE && attribute == AT_TYPE) {
		e->type = (uint32_t)v->number;
	} else if (v->kind == VALUE_REFERENCE &&
		   (attribute == AT_ABSTRACT_ORIGIN || attribute == AT_SIGNATURE)) {
		e->origin = (uint32_t)v->number;
	} else if (v->kind == VALUE_REFERENCE && attribute == AT_SPECIFICATION) {
		e->specification = (uint32_t)v->number;
	} else if (v->kind == VALUE_TEXT && attribute == AT_NAME) {
		e->name = v->text;
	} else if (v->kind == VALUE_TEXT &&
		   (attribute == AT_LINKAGE_NAME || attribute == AT_OLD_LINKAGE_NAME)) {
		e->linkage_name = v->text;
	}
}

static bool is_cpp(uint64_t language)
{
	return language == LANGUAGE_CPP || language == 0x1a || language == 0x21 ||
	       language == 0x2b || language == 0x3a;
}

/* Sets the bases that a unit's own attributes define for the others. */
static void unit_attribute(struct dwarf_unit *u, uint64_t attribute, const struct dwarf_value *v)
{
	if (attribute == AT_STR_OFFSETS_BASE && v->kind == VALUE_NUMBER)
		u->strings = v->number;
	if (attribute == AT_ADDR_BASE && v->kind == VALUE_NUMBER)
		u->addresses = v->number;
	if (attribute == AT_LOCLISTS_BASE && v->kind == VALUE_NUMBER)
		u->lists = v->number;
	if (attribute == AT_RNGLISTS_BASE && v->kind == VALUE_NUMBER)
		u->range_lists = v->number;
	if (attribute == AT_LOW_PC && v->kind == VALUE_ADDRESS)
		u->low_pc = v->number;
	if (attribute == AT_HIGH_PC && (v->kind == VALUE_ADDRESS || v->kind == VALUE_NUMBER)) {
		u->extent.end = v->number;
		u->extent.has_end = true;
		u->extent.is_size = v->kind == VALUE_NUMBER;
	}
	if (attribute == AT_RANGES && v->kind == VALUE_NUMBER) {
		u->extent.list = v->number;
		u->extent.has_list = true;
	}
	if (attribute == AT_LANGUAGE && v->kind == VALUE_NUMBER) {
		u->is_cpp = is_cpp(v->number);
		u->is_rust = v->number == LANGUAGE_RUST;
	}
	if (attribute == AT_OLD_DWO_ID && v->kind == VALUE_NUMBER)
		u->split.id = v->number;
	if (attribute == AT_DWO_NAME && v->kind == VALUE_TEXT)
		u->split.name = v->text;
	if (attribute == AT_COMP_DIR && v->kind == VALUE_TEXT)
		u->split.folder = v->text;
	if (attribute == AT_PRODUCER && v->kind == VALUE_TEXT)
		u->is_gnu = !strncmp(v->text, "GNU ", 4);
}

/* ---- entries ---- */

static int by_code(const void *key, const void *one)
{
	const uint64_t *code = key;
	const struct dwarf_abbrev *a = one;

	return *code < a->code ? -1 : *code > a->code;
}

static const struct dwarf_abbrev *abbrev_find(const struct dwarf_unit *u, uint64_t code)
{
	/* compilers number them from 1, in order */
	if (code && code <= u->abbrev_count && u->abbrevs[code - 1].code == code)
		return &u->abbrevs[code - 1];
	return u->abbrev_count ?
		       bsearch(&code, u->abbrevs, u->abbrev_count, sizeof(*u->abbrevs), by_code) :
		       NULL;
}

/* `unit` is set for the unit's own entry; NULL: another entry. */
static void attributes_read(const struct dwarf_unit *u, const struct dwarf_abbrev *abbrev,
			    struct dwarf_bytes *b, struct dwarf_entry *e, struct dwarf_unit *unit)
{
	struct dwarf_bytes specs = dwarf_info_section(u, INFO_ABBREVS);

	dwarf_skip(&specs, abbrev->specs);
	while (!specs.bad && !b->bad) {
		uint64_t attribute = dwarf_uleb(&specs), form = dwarf_uleb(&specs);
		int64_t implicit = form == FORM_IMPLICIT_CONST ? dwarf_sleb(&specs) : 0;
		struct dwarf_value v;

		if (!attribute && !form)
			return;
		if (form == FORM_INDIRECT)
			form = dwarf_uleb(b);
		v = dwarf_value_read(u, b, form, implicit);
		attribute_set(e, attribute, &v);
		if (unit)
			unit_attribute(unit, attribute, &v);
	}
}

bool dwarf_entry_read(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e,
		      struct dwarf_unit *unit)
{
	const struct dwarf_abbrev *abbrev;
	uint64_t code;

	*e = (struct dwarf_entry){
		.offset = (uint32_t)(b->at -
				     (const uint8_t *)u->info->sections[INFO_ENTRIES].bytes) |
			  u->info->base
	};
	if (!dwarf_left(b))
		return false;
	code = dwarf_uleb(b);
	if (!code)
		return !b->bad;
	abbrev = abbrev_find(u, code);
	if (!abbrev)
		return false;
	e->tag = abbrev->tag;
	e->has_children = abbrev->has_children;
	attributes_read(u, abbrev, b, e, unit);
	return !b->bad;
}

bool dwarf_entry_next(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e)
{
	return dwarf_entry_read(u, b, e, NULL);
}

struct dwarf_bytes dwarf_entry_children(const struct dwarf_unit *u, const struct dwarf_entry *e)
{
	struct dwarf_bytes at = u->entries;
	struct dwarf_entry again;

	at.at = (const uint8_t *)u->info->sections[INFO_ENTRIES].bytes + (e->offset & ~DWARF_OTHER);
	dwarf_entry_next(u, &at, &again);
	return e->has_children ? at : dwarf_bytes(at.at, 0);
}

bool dwarf_child_next(const struct dwarf_unit *u, struct dwarf_bytes *at, unsigned *depth,
		      struct dwarf_entry *child, uint64_t *steps)
{
	while ((*steps)++ < DWARF_STEPS_MAX && dwarf_entry_next(u, at, child)) {
		unsigned level = *depth;

		if (!child->tag && !level)
			return false;
		*depth = level - !child->tag + child->has_children;
		if (child->tag && !level)
			return true;
	}
	return false;
}
