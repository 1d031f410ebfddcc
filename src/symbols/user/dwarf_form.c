/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_form.c - values of attributes: DWARF 5, section 7.5.6.
 */
#include "symbols/user/dwarf_form.h"

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
	FORM_LOCLISTX = 0x22,
	FORM_RNGLISTX = 0x23,
	FORM_REF_SUP8 = 0x24,
	FORM_STRX1 = 0x25,
	FORM_STRX2 = 0x26,
	FORM_STRX3 = 0x27,
	FORM_STRX4 = 0x28,
	FORM_ADDRX1 = 0x29,
	FORM_ADDRX4 = 0x2c,
	FORM_OLD_REF_SUP = 0x1f20, /* as dwz writes them */
	FORM_OLD_STRP_SUP = 0x1f21,
};

enum { TEXT_USUAL = 256 };

struct dwarf_bytes dwarf_info_section(const struct dwarf_unit *u, int which)
{
	const struct dwarf_section *s = &u->info->sections[which];

	return dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
}

struct dwarf_bytes dwarf_info_at(const struct dwarf_unit *u, int which, uint64_t offset,
				 uint64_t size)
{
	struct dwarf_bytes b = dwarf_info_section(u, which);

	if (dwarf_skip(&b, offset))
		dwarf_section_need(&u->info->sections[which], b.at, size);
	return b;
}

/* Returns the text at an offset of a section; NULL if it has no NUL. */
static const char *text_at(const struct dwarf_unit *u, int which, uint64_t offset)
{
	struct dwarf_bytes b;

	for (size_t size = TEXT_USUAL; !u->skips_texts; size *= TEXT_USUAL) {
		b = dwarf_info_at(u, which, offset, size);
		if (!dwarf_left(&b))
			break;
		if (memchr(b.at, 0, size < dwarf_left(&b) ? size : dwarf_left(&b)))
			return (const char *)b.at;
		if (size >= dwarf_left(&b))
			break;
	}
	return NULL;
}

/* Reads a number of a table at an offset of a section. */
static bool number_at(const struct dwarf_unit *u, int which, uint64_t table, uint64_t number,
		      unsigned size, uint64_t *value)
{
	struct dwarf_bytes b;

	if (number > UINT32_MAX)
		return false;
	b = dwarf_info_at(u, which, table + number * size, size);
	*value = dwarf_unsigned(&b, size);
	return !b.bad;
}

static const char *text_by_number(const struct dwarf_unit *u, uint64_t number)
{
	uint64_t offset;

	return number_at(u, INFO_STR_OFFSETS, u->strings, number, u->offset_size, &offset) ?
		       text_at(u, INFO_STR, u->split.texts + offset) :
		       NULL;
}

static struct dwarf_value address_value(uint64_t number)
{
	return (struct dwarf_value){ .kind = VALUE_ADDRESS, .number = number };
}

bool dwarf_address_by_number(const struct dwarf_unit *u, uint64_t number, uint64_t *address)
{
	return number_at(u, INFO_ADDRESSES, u->addresses, number, u->address_size, address);
}

static struct dwarf_value numbered_address(const struct dwarf_unit *u, uint64_t number)
{
	uint64_t address;

	return dwarf_address_by_number(u, number, &address) ? address_value(address) :
							      (struct dwarf_value){ VALUE_NONE };
}

/* Returns the offset of a list in a section whose table of lists is at `table`. */
static struct dwarf_value numbered_list(const struct dwarf_unit *u, int which, uint64_t table,
					uint64_t number)
{
	struct dwarf_value v = { .kind = VALUE_NUMBER };

	if (!number_at(u, which, table, number, u->offset_size, &v.number))
		v.kind = VALUE_NONE;
	v.number += table;
	return v;
}

static struct dwarf_value text_value(const char *text)
{
	return (struct dwarf_value){ .kind = text ? VALUE_TEXT : VALUE_NONE, .text = text };
}

static struct dwarf_value number_value(uint64_t number)
{
	return (struct dwarf_value){ .kind = VALUE_NUMBER, .number = number };
}

/* `base`: which file's entries these are. */
static struct dwarf_value reference_to(uint32_t base, uint64_t offset)
{
	return (struct dwarf_value){ .kind = offset > INT32_MAX ? VALUE_NONE : VALUE_REFERENCE,
				     .number = base | offset };
}

static struct dwarf_value reference_value(const struct dwarf_unit *u, uint64_t offset)
{
	return reference_to(u->info->base,
			    offset > INT32_MAX ? offset : (u->offset & ~DWARF_OTHER) + offset);
}

static struct dwarf_value signed_reference(const struct dwarf_unit *u, uint64_t signature)
{
	const struct dwarf_units *units = u->info->units;
	uint32_t type = u->skips_texts || !units || !units->signed_type ?
				0 :
				units->signed_type(u->info, signature);

	return (struct dwarf_value){ .kind = type ? VALUE_REFERENCE : VALUE_NONE, .number = type };
}

/* A text in the other file. */
static struct dwarf_value other_text(const struct dwarf_unit *u, uint64_t offset)
{
	struct dwarf_unit other = { .info = u->info->other, .skips_texts = u->skips_texts };

	return text_value(other.info ? text_at(&other, INFO_STR, offset) : NULL);
}

static struct dwarf_value block_value(struct dwarf_bytes *b, uint64_t size)
{
	const uint8_t *at = dwarf_skip(b, size);

	return (struct dwarf_value){ .kind = at ? VALUE_BLOCK : VALUE_NONE,
				     .block = dwarf_bytes(at, at ? size : 0) };
}

/* Reads forms of texts, and skips those that are not needed here. */
static struct dwarf_value text_read(const struct dwarf_unit *u, struct dwarf_bytes *b,
				    uint64_t form)
{
	switch (form) {
	case FORM_STRING: return text_value(dwarf_text(b));
	case FORM_STRP:
		return text_value(
			text_at(u, INFO_STR, u->split.texts + dwarf_unsigned(b, u->offset_size)));
	case FORM_LINE_STRP:
		return text_value(text_at(u, INFO_LINE_STR, dwarf_unsigned(b, u->offset_size)));
	case FORM_STRX: return text_value(text_by_number(u, dwarf_uleb(b)));
	case FORM_STRX1:
	case FORM_STRX2:
	case FORM_STRX3:
	case FORM_STRX4:
		return text_value(text_by_number(u, dwarf_unsigned(b, form - FORM_STRX1 + 1)));
	case FORM_ADDRX: return numbered_address(u, dwarf_uleb(b));
	case FORM_LOCLISTX: return numbered_list(u, INFO_LOCATIONS, u->lists, dwarf_uleb(b));
	case FORM_RNGLISTX: return numbered_list(u, INFO_RANGES, u->range_lists, dwarf_uleb(b));
	case FORM_STRP_SUP:
	case FORM_OLD_STRP_SUP: return other_text(u, dwarf_unsigned(b, u->offset_size));
	case FORM_OLD_REF_SUP: return reference_to(DWARF_OTHER, dwarf_unsigned(b, u->offset_size));
	case FORM_REF_SUP4: return reference_to(DWARF_OTHER, dwarf_unsigned(b, 4));
	case FORM_REF_SUP8: return reference_to(DWARF_OTHER, dwarf_unsigned(b, 8));
	case FORM_REF_SIG8: return signed_reference(u, dwarf_unsigned(b, 8));
	case FORM_DATA16: dwarf_skip(b, 16); break;
	default:
		if (form >= FORM_ADDRX1 && form <= FORM_ADDRX4)
			return numbered_address(u, dwarf_unsigned(b, form - FORM_ADDRX1 + 1));
		b->bad = true; /* its size is unknown, so nothing after it can be read */
	}
	return (struct dwarf_value){ VALUE_NONE };
}

struct dwarf_value dwarf_value_read(const struct dwarf_unit *u, struct dwarf_bytes *b,
				    uint64_t form, int64_t implicit)
{
	switch (form) {
	case FORM_ADDR: return address_value(dwarf_unsigned(b, u->address_size));
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
	case FORM_REF_ADDR: /* in version 2, a reference has the size of an address */
		return reference_to(
			u->info->base,
			dwarf_unsigned(b, u->version == 2 ? u->address_size : u->offset_size));
	case FORM_BLOCK1: return block_value(b, dwarf_unsigned(b, 1));
	case FORM_BLOCK2: return block_value(b, dwarf_unsigned(b, 2));
	case FORM_BLOCK4: return block_value(b, dwarf_unsigned(b, 4));
	case FORM_BLOCK:
	case FORM_EXPRLOC: return block_value(b, dwarf_uleb(b));
	default: return text_read(u, b, form);
	}
}
