/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_info.c - units of .debug_info, their entries and attributes: DWARF 5, sections 7.5 and 7.6.
 */
#include "symbols/user/dwarf_info.h"

#include <errno.h>
#include <stdlib.h>

const char *const dwarf_info_names[INFO_SECTIONS] = { ".debug_info", ".debug_abbrev", ".debug_str",
						      ".debug_line_str", ".debug_str_offsets" };

enum {
	UNIT_COMPILE = 1,
	UNIT_PARTIAL = 3,
	LANGUAGE_CPP = 0x04,
	ABBREVS_MAX = 1 << 16,
	OP_PLUS = 0x23, /* an old member's place: an expression */
};

enum dwarf_form {
	FORM_ADDR = 0x01,
	FORM_BLOCK2 = 0x03,
	FORM_BLOCK4 = 0x04,
	FORM_DATA2 = 0x05,
	FORM_DATA4 = 0x06,
	FORM_DATA8 = 0x07,
	FORM_STRING = 0x08,
	FORM_BLOCK = 0x09,
	FORM_BLOCK1 = 0x0a,
	FORM_DATA1 = 0x0b,
	FORM_FLAG = 0x0c,
	FORM_SDATA = 0x0d,
	FORM_STRP = 0x0e,
	FORM_UDATA = 0x0f,
	FORM_REF_ADDR = 0x10,
	FORM_REF1 = 0x11,
	FORM_REF2 = 0x12,
	FORM_REF4 = 0x13,
	FORM_REF8 = 0x14,
	FORM_REF_UDATA = 0x15,
	FORM_INDIRECT = 0x16,
	FORM_SEC_OFFSET = 0x17,
	FORM_EXPRLOC = 0x18,
	FORM_FLAG_PRESENT = 0x19,
	FORM_STRX = 0x1a,
	FORM_ADDRX = 0x1b,
	FORM_REF_SUP4 = 0x1c,
	FORM_STRP_SUP = 0x1d,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f,
	FORM_REF_SIG8 = 0x20,
	FORM_IMPLICIT_CONST = 0x21,
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX4 = 0x2c,
};

enum dwarf_attribute {
	AT_NAME = 0x03,
	AT_BYTE_SIZE = 0x0b,
	AT_BIT_OFFSET = 0x0c,
	AT_BIT_SIZE = 0x0d,
	AT_LOW_PC = 0x11,
	AT_LANGUAGE = 0x13,
	AT_CONST_VALUE = 0x1c,
	AT_UPPER_BOUND = 0x2f,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_COUNT = 0x37,
	AT_DATA_MEMBER_LOCATION = 0x38,
	AT_DECLARATION = 0x3c,
	AT_ENCODING = 0x3e,
	AT_EXTERNAL = 0x3f,
	AT_SPECIFICATION = 0x47,
	AT_TYPE = 0x49,
	AT_RANGES = 0x55,
	AT_DATA_BIT_OFFSET = 0x6b,
	AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72,
	AT_OLD_LINKAGE_NAME = 0x2007,
};

/* ---- values ---- */

struct value {
	enum {
		VALUE_NONE,
		VALUE_NUMBER,
		VALUE_ADDRESS,
		VALUE_REFERENCE,
		VALUE_TEXT,
		VALUE_BLOCK
	} kind;
	uint64_t number;
	const char *text;
	struct dwarf_bytes block;
};

static struct dwarf_bytes section(const struct dwarf_unit *u, int which)
{
	const struct dwarf_section *s = &u->info->sections[which];

	return dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
}

/* The text at an offset of a section; NULL: it does not end there. */
static const char *text_at(const struct dwarf_unit *u, int which, uint64_t offset)
{
	struct dwarf_bytes b = section(u, which);

	if (offset >= dwarf_left(&b) || !memchr(b.at + offset, 0, dwarf_left(&b) - offset))
		return NULL;
	return (const char *)b.at + offset;
}

static const char *text_here(struct dwarf_bytes *b)
{
	const uint8_t *from = b->at, *end = memchr(from, 0, dwarf_left(b));

	dwarf_skip(b, end ? (uint64_t)(end - from) + 1 : UINT64_MAX);
	return end ? (const char *)from : NULL;
}

static const char *text_by_number(const struct dwarf_unit *u, uint64_t number)
{
	struct dwarf_bytes b = section(u, INFO_STR_OFFSETS);

	if (number > UINT32_MAX || !dwarf_skip(&b, u->strings + number * u->offset_size))
		return NULL;
	return text_at(u, INFO_STR, dwarf_unsigned(&b, u->offset_size));
}

static struct value text_value(const char *text)
{
	return (struct value){ .kind = text ? VALUE_TEXT : VALUE_NONE, .text = text };
}

static struct value number_value(uint64_t number)
{
	return (struct value){ .kind = VALUE_NUMBER, .number = number };
}

static struct value reference_value(const struct dwarf_unit *u, uint64_t offset)
{
	struct value v = { .kind = VALUE_REFERENCE, .number = u->offset + offset };

	if (offset > UINT32_MAX || v.number > UINT32_MAX)
		v.kind = VALUE_NONE;
	return v;
}

static struct value block_value(struct dwarf_bytes *b, uint64_t size)
{
	const uint8_t *at = dwarf_skip(b, size);

	return (struct value){ .kind = at ? VALUE_BLOCK : VALUE_NONE,
			       .block = dwarf_bytes(at, at ? size : 0) };
}

/* Forms of texts, and those that nobody here needs. */
static struct value text_read(const struct dwarf_unit *u, struct dwarf_bytes *b, uint64_t form)
{
	switch (form) {
	case FORM_STRING: return text_value(text_here(b));
	case FORM_STRP: return text_value(text_at(u, INFO_STR, dwarf_unsigned(b, u->offset_size)));
	case FORM_LINE_STRP:
		return text_value(text_at(u, INFO_LINE_STR, dwarf_unsigned(b, u->offset_size)));
	case FORM_STRX: return text_value(text_by_number(u, dwarf_uleb(b)));
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
		return text_value(text_by_number(u, dwarf_unsigned(b, form - FORM_STRX1 + 1)));
	case FORM_ADDRX:
	case FORM_LOCLISTX:
	case FORM_RNGLISTX: dwarf_uleb(b); break;
	case FORM_STRP_SUP: dwarf_skip(b, u->offset_size); break;
	case FORM_REF_SUP4: dwarf_skip(b, 4); break;
	case FORM_REF_SUP8:
	case FORM_REF_SIG8: dwarf_skip(b, 8); break;
	case FORM_DATA16: dwarf_skip(b, 16); break;
	default:
		if (form >= FORM_ADDRX1 && form <= FORM_ADDRX4)
			dwarf_skip(b, form - FORM_ADDRX1 + 1);
		else
			b->bad = true; /* its size is not known: nothing behind it can be read */
	}
	return (struct value){ VALUE_NONE };
}

static struct value value_read(const struct dwarf_unit *u, struct dwarf_bytes *b, uint64_t form,
			       int64_t implicit)
{
	switch (form) {
	case FORM_ADDR:
		return (struct value){ .kind = VALUE_ADDRESS,
				       .number = dwarf_unsigned(b, u->address_size) };
	case FORM_DATA1:
	case FORM_FLAG: return number_value(dwarf_unsigned(b, 1));
	case FORM_DATA2: return number_value(dwarf_unsigned(b, 2));
	case FORM_DATA4: return number_value(dwarf_unsigned(b, 4));
	case FORM_DATA8: return number_value(dwarf_unsigned(b, 8));
	case FORM_SDATA: return number_value((uint64_t)dwarf_sleb(b));
	case FORM_UDATA: return number_value(dwarf_uleb(b));
	case FORM_IMPLICIT_CONST: return number_value((uint64_t)implicit);
	case FORM_FLAG_PRESENT: return number_value(1);
	case FORM_SEC_OFFSET: return number_value(dwarf_unsigned(b, u->offset_size));
	case FORM_REF1: return reference_value(u, dwarf_unsigned(b, 1));
	case FORM_REF2: return reference_value(u, dwarf_unsigned(b, 2));
	case FORM_REF4: return reference_value(u, dwarf_unsigned(b, 4));
	case FORM_REF8: return reference_value(u, dwarf_unsigned(b, 8));
	case FORM_REF_UDATA: return reference_value(u, dwarf_uleb(b));
	case FORM_REF_ADDR: /* of version 2, as an address */
		return reference_value(
			u, dwarf_unsigned(b, u->version == 2 ? u->address_size : u->offset_size) -
				   u->offset);
	case FORM_BLOCK1: return block_value(b, dwarf_unsigned(b, 1));
	case FORM_BLOCK2: return block_value(b, dwarf_unsigned(b, 2));
	case FORM_BLOCK4: return block_value(b, dwarf_unsigned(b, 4));
	case FORM_BLOCK:
	case FORM_EXPRLOC: return block_value(b, dwarf_uleb(b));
	default: return text_read(u, b, form);
	}
}

/* ---- attributes ---- */

static void location_set(struct dwarf_entry *e, struct value *v)
{
	e->has_location = true;
	if (v->kind == VALUE_NUMBER)
		e->location = v->number;
	else if (v->kind == VALUE_BLOCK && dwarf_unsigned(&v->block, 1) == OP_PLUS)
		e->location = dwarf_uleb(&v->block);
	else
		e->has_location = false;
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
	case AT_CONST_VALUE: e->value = n; break;
	case AT_UPPER_BOUND: e->count = n + 1; break;
	case AT_COUNT: e->count = n; break;
	case AT_DECLARATION: e->is_declaration = n; break;
	case AT_EXTERNAL: e->is_external = n; break;
	case AT_ENCODING: e->encoding = (uint8_t)n; break;
	default: break;
	}
}

static void attribute_set(struct dwarf_entry *e, uint64_t attribute, struct value *v)
{
	e->has_code |= attribute == AT_LOW_PC || attribute == AT_RANGES;
	if (attribute == AT_DATA_MEMBER_LOCATION) {
		location_set(e, v);
	} else if (v->kind == VALUE_NUMBER) {
		number_set(e, attribute, v->number);
	} else if (v->kind == VALUE_ADDRESS && attribute == AT_LOW_PC) {
		e->low_pc = v->number;
		e->has_low_pc = true;
	} else if (v->kind == VALUE_REFERENCE && attribute == AT_TYPE) {
		e->type = (uint32_t)v->number;
	} else if (v->kind == VALUE_REFERENCE && attribute == AT_ABSTRACT_ORIGIN) {
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

/* What the attributes of the unit itself say of the others. */
static void unit_attribute(struct dwarf_unit *u, uint64_t attribute, const struct value *v)
{
	if (attribute == AT_STR_OFFSETS_BASE && v->kind == VALUE_NUMBER)
		u->strings = v->number;
	if (attribute == AT_LANGUAGE && v->kind == VALUE_NUMBER)
		u->is_cpp = is_cpp(v->number);
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
	/* compilers number them from 1 on */
	if (code && code <= u->abbrev_count && u->abbrevs[code - 1].code == code)
		return &u->abbrevs[code - 1];
	return u->abbrev_count ?
		       bsearch(&code, u->abbrevs, u->abbrev_count, sizeof(*u->abbrevs), by_code) :
		       NULL;
}

/* `unit`: of the unit itself; NULL: of another entry. */
static void attributes_read(const struct dwarf_unit *u, const struct dwarf_abbrev *abbrev,
			    struct dwarf_bytes *b, struct dwarf_entry *e, struct dwarf_unit *unit)
{
	struct dwarf_bytes specs = section(u, INFO_ABBREVS);

	dwarf_skip(&specs, abbrev->specs);
	while (!specs.bad && !b->bad) {
		uint64_t attribute = dwarf_uleb(&specs), form = dwarf_uleb(&specs);
		int64_t implicit = form == FORM_IMPLICIT_CONST ? dwarf_sleb(&specs) : 0;
		struct value v;

		if (!attribute && !form)
			return;
		if (form == FORM_INDIRECT)
			form = dwarf_uleb(b);
		v = value_read(u, b, form, implicit);
		attribute_set(e, attribute, &v);
		if (unit)
			unit_attribute(unit, attribute, &v);
	}
}

static bool entry_read(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e,
		       struct dwarf_unit *unit)
{
	const struct dwarf_abbrev *abbrev;
	uint64_t code;

	*e = (struct dwarf_entry){
		.offset = (uint32_t)(b->at - (const uint8_t *)u->info->sections[INFO_ENTRIES].bytes)
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
	return entry_read(u, b, e, NULL);
}

bool dwarf_entry_at(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e)
{
	const uint8_t *at = (const uint8_t *)u->info->sections[INFO_ENTRIES].bytes + offset;
	struct dwarf_bytes b = u->entries;

	if (at < b.at || at >= b.end)
		return false;
	b.at = at;
	return entry_read(u, &b, e, NULL) && e->tag;
}

/* ---- units ---- */

static bool abbrev_read(struct dwarf_bytes *b, const uint8_t *start, struct dwarf_abbrev *a)
{
	uint64_t attribute, form;

	a->code = dwarf_uleb(b);
	if (!a->code)
		return false;
	a->tag = (uint16_t)dwarf_uleb(b);
	a->has_children = dwarf_unsigned(b, 1);
	a->specs = (uint32_t)(b->at - start);
	do {
		attribute = dwarf_uleb(b);
		form = dwarf_uleb(b);
		if (form == FORM_IMPLICIT_CONST)
			dwarf_sleb(b);
	} while ((attribute || form) && !b->bad);
	return !b->bad;
}

static bool abbrevs_read(struct dwarf_unit *u, uint64_t offset)
{
	struct dwarf_bytes b = section(u, INFO_ABBREVS);
	const uint8_t *start = b.at;
	size_t room = 0;
	struct dwarf_abbrev one;

	if (dwarf_left(&b) > UINT32_MAX || !dwarf_skip(&b, offset))
		return false;
	while (u->abbrev_count < ABBREVS_MAX && abbrev_read(&b, start, &one)) {
		if (u->abbrev_count == room) {
			struct dwarf_abbrev *more = realloc(u->abbrevs,
							    (room = 2 * room + 64) * sizeof(*more));

			if (!more)
				return false;
			u->abbrevs = more;
		}
		if (u->abbrev_count && u->abbrevs[u->abbrev_count - 1].code >= one.code)
			return false; /* in another order they would have to be searched one by one */
		u->abbrevs[u->abbrev_count++] = one;
	}
	return !b.bad;
}

void dwarf_unit_free(struct dwarf_unit *u)
{
	free(u->abbrevs);
	u->abbrevs = NULL;
	u->abbrev_count = 0;
}

static bool unit_begin(struct dwarf_unit *u, struct dwarf_bytes *b)
{
	struct dwarf_entry top;
	struct dwarf_bytes first;
	unsigned type = UNIT_COMPILE;
	uint64_t abbrevs;

	u->version = (unsigned)dwarf_unsigned(b, 2);
	if (u->version >= 5) {
		type = (unsigned)dwarf_unsigned(b, 1);
		u->address_size = (unsigned)dwarf_unsigned(b, 1);
	}
	abbrevs = dwarf_unsigned(b, u->offset_size);
	if (u->version < 5)
		u->address_size = (unsigned)dwarf_unsigned(b, 1);
	u->strings = 2 * u->offset_size; /* where there is only one table */
	if (b->bad || u->version < 2 || u->version > 5 || !u->address_size || u->address_size > 8 ||
	    (type != UNIT_COMPILE && type != UNIT_PARTIAL) || !abbrevs_read(u, abbrevs))
		return false;
	u->entries = first = *b;
	/* a name of the unit's own may come before the base of its names */
	return entry_read(u, &first, &top, u);
}

bool dwarf_unit_next(const struct dwarf_info *info, struct dwarf_bytes *all, struct dwarf_unit *u)
{
	uint64_t offset = all->at - (const uint8_t *)info->sections[INFO_ENTRIES].bytes;
	uint64_t size = dwarf_unsigned(all, 4);
	struct dwarf_bytes b;

	dwarf_unit_free(u);
	*u = (struct dwarf_unit){ .info = info, .offset = (uint32_t)offset, .offset_size = 4 };
	if (size == UINT32_MAX) {
		u->offset_size = 8;
		size = dwarf_unsigned(all, 8);
	}
	if (all->bad || !size || size > dwarf_left(all) || offset + size > UINT32_MAX)
		return false;
	b = dwarf_bytes(all->at, size);
	dwarf_skip(all, size);
	if (!unit_begin(u, &b))
		u->entries = dwarf_bytes(NULL, 0);
	return true;
}

/* ---- functions ---- */

/* True if that is its name in a table of symbols. */
static bool is_named(const struct dwarf_unit *u, const struct dwarf_entry *e, const char *name)
{
	struct dwarf_entry origin = *e;

	for (int hops = 0; hops < 4; hops++) {
		uint32_t of = origin.origin ?: origin.specification;
		const char *own = origin.linkage_name ?: of ? NULL : origin.name;

		if (own)
			return !strcmp(own, name);
		if (!of || !dwarf_entry_at(u, of, &origin))
			return false;
	}
	return false;
}

static bool function_in_unit(const struct dwarf_unit *u, uint64_t address, const char *name,
			     struct dwarf_entry *e)
{
	struct dwarf_bytes b = u->entries;

	while (b.at && dwarf_entry_next(u, &b, e)) {
		if (e->tag != TAG_FUNCTION)
			continue;
		if (e->has_low_pc ? e->low_pc == address : e->has_code && is_named(u, e, name))
			return true;
	}
	return false;
}

int dwarf_function_find(const struct dwarf_info *info, uint64_t address, const char *name,
			struct dwarf_unit *u, struct dwarf_entry *function)
{
	const struct dwarf_section *s = &info->sections[INFO_ENTRIES];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->size);

	*u = (struct dwarf_unit){ 0 };
	while (dwarf_left(&all) && dwarf_unit_next(info, &all, u))
		if (function_in_unit(u, address, name, function))
			return 0;
	dwarf_unit_free(u);
	return -ENOENT;
}
