/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi.c - reads the entries of .eh_frame, or .debug_frame, into a table sorted by address.
 *
 * The table in .eh_frame_hdr is not used: static programs lack that section, and it would have to be checked against
 * the entries. Building our own costs one pass over the section.
 */
#include "symbols/user/cfi.h"

#include <errno.h>
#include <stdlib.h>

/* A Frame Description Entry: describes a function, or a part of one. */
struct entry {
	uint64_t start;
	uint32_t size;
	uint32_t at; /* offset of its length in the section */
};

struct cfi {
	uint8_t *bytes; /* owned */
	size_t size;
	uint64_t address;
	bool is_debug;	       /* .debug_frame */
	struct entry *entries; /* sorted by address */
	size_t count;
};

/* ---- encoded addresses: Linux Standard Base, DWARF Extensions ---- */

enum {
	ENCODING_OMITTED = 0xff,
	ENCODING_FORM = 0x0f, /* mask of the format */
	FORM_ADDRESS = 0,
	FORM_ULEB = 1,
	FORM_UNSIGNED = 1, /* plus log2 of the number of bytes */
	FORM_SLEB = 9,
	FORM_SIGNED = 9,
	ENCODING_BASE = 0x70, /* mask of what the address is relative to */
	BASE_NONE = 0,
	BASE_HERE = 0x10,
};

static uint64_t form_read(struct dwarf_bytes *b, unsigned form)
{
	switch (form) {
	case FORM_ADDRESS: return dwarf_unsigned(b, 8);
	case FORM_ULEB: return dwarf_uleb(b);
	case FORM_SLEB: return dwarf_sleb(b);
	case FORM_UNSIGNED + 1:
	case FORM_UNSIGNED + 2:
	case FORM_UNSIGNED + 3: return dwarf_unsigned(b, 1 << (form - FORM_UNSIGNED));
	case FORM_SIGNED + 1:
	case FORM_SIGNED + 2:
	case FORM_SIGNED + 3: return dwarf_signed(b, 1 << (form - FORM_SIGNED));
	default: b->bad = true; return 0;
	}
}

/* The start of a function is relative to its own place, or absolute; other bases are refused. */
static uint64_t address_read(const struct cfi *c, struct dwarf_bytes *b, uint8_t encoding)
{
	uint64_t here = c->address + (b->at - c->bytes);
	uint64_t value = form_read(b, encoding & ENCODING_FORM);

	switch (encoding & ~ENCODING_FORM) {
	case BASE_NONE: return value;
	case BASE_HERE: return value + here;
	default: b->bad = true; return 0;
	}
}

/* ---- entries ---- */

/* Reads the next entry of *all: its bytes after the length. Entries are smaller than 4 GiB, so none uses the longer
 * form of a length. */
static bool entry_next(struct dwarf_bytes *all, struct dwarf_bytes *entry)
{
	uint64_t size = dwarf_unsigned(all, 4);
	const uint8_t *at = dwarf_skip(all, size);

	*entry = dwarf_bytes(at, at ? size : 0);
	return at != NULL;
}

/* Reads the data that the letters of the augmentation announce. Refuses unknown letters. */
static bool augmentation_read(struct cfi_common *common, const char *letters, struct dwarf_bytes *b)
{
	for (; *letters && !b->bad; letters++) {
		switch (*letters) {
		case 'R': common->encoding = dwarf_unsigned(b, 1); break;
		case 'L': dwarf_skip(b, 1); break;
		case 'P': form_read(b, dwarf_unsigned(b, 1) & ENCODING_FORM); break;
		case 'S': common->is_signal = true; break;
		case 'B':	 /* the key that signs return addresses; no data here */
		case 'G': break; /* frames with a tagged stack (memory tagging) */
		default: return false;
		}
	}
	return !b->bad;
}

/* Reads all fields before the instructions. */
static bool common_head(struct cfi_common *common, struct dwarf_bytes *b)
{
	unsigned version = dwarf_unsigned(b, 1);
	const char *letters = (const char *)b->at;
	struct dwarf_bytes data;
	uint64_t size;

	dwarf_skip(b, strnlen(letters, dwarf_left(b)) + 1);
	if (b->bad || (version != 1 && version != 3 && version != 4))
		return false;
	if (version == 4) /* skips the sizes of an address and of a segment */
		dwarf_skip(b, 2);
	common->code_step = dwarf_uleb(b);
	common->data_step = dwarf_sleb(b);
	common->return_register = version == 1 ? dwarf_unsigned(b, 1) : dwarf_uleb(b);
	common->has_size = *letters == 'z';
	if (!common->has_size)
		return !*letters && !b->bad;
	size = dwarf_uleb(b);
	data = dwarf_bytes(b->at, size < dwarf_left(b) ? size : dwarf_left(b));
	dwarf_skip(b, size);
	return !b->bad && augmentation_read(common, letters + 1, &data);
}

/* The first field of a common entry; in other entries it refers to one. */
static uint32_t common_id(const struct cfi *c)
{
	return c->is_debug ? UINT32_MAX : 0;
}

static bool common_read(const struct cfi *c, size_t at, struct cfi_common *common)
{
	struct dwarf_bytes all, b;

	*common = (struct cfi_common){ 0 };
	if (at >= c->size)
		return false;
	all = dwarf_bytes(c->bytes + at, c->size - at);
	if (!entry_next(&all, &b) || dwarf_unsigned(&b, 4) != common_id(c) ||
	    !common_head(common, &b))
		return false;
	common->program = b;
	return common->return_register < CFI_REGISTERS;
}

/* Finds the common entry that an entry refers to: by a distance back from this field or, in .debug_frame, by its place.
 * Returns false for a common entry itself. */
static bool common_find(const struct cfi *c, struct dwarf_bytes *b, size_t *at)
{
	size_t here = b->at - c->bytes;
	uint64_t to = dwarf_unsigned(b, 4);

	*at = c->is_debug ? to : here - to;
	return to != common_id(c) && *at <= here && !b->bad;
}

/* Reads the range of addresses, and what follows it. */
static bool range_read(const struct cfi *c, const struct cfi_common *common, struct dwarf_bytes *b,
		       uint64_t *start, uint64_t *size)
{
	*start = address_read(c, b, common->encoding);
	*size = form_read(b, common->encoding & ENCODING_FORM);
	return !b->bad;
}

/* ---- the table ---- */

/* Caches the common entry, because many entries in a row share it. */
struct last_common {
	struct cfi_common common;
	size_t at;
	bool is_good;
};

static bool entry_read(const struct cfi *c, struct dwarf_bytes *b, struct last_common *last,
		       struct entry *e)
{
	uint64_t size;
	size_t at;

	if (!common_find(c, b, &at))
		return false;
	if (at != last->at) {
		last->is_good = common_read(c, at, &last->common);
		last->at = at;
	}
	if (!last->is_good || !range_read(c, &last->common, b, &e->start, &size) || !size ||
	    size > UINT32_MAX)
		return false;
	e->size = size;
	return true;
}

static size_t entries_walk(const struct cfi *c, struct entry *to)
{
	struct dwarf_bytes all = dwarf_bytes(c->bytes, c->size), b;
	struct last_common last = { .at = SIZE_MAX };
	struct entry e = { 0 };
	size_t count = 0;

	while (dwarf_left(&all)) {
		e.at = all.at - c->bytes;
		if (!entry_next(&all, &b))
			break;
		if (!entry_read(c, &b, &last, &e))
			continue;
		if (to)
			to[count] = e;
		count++;
	}
	return count;
}

static int entry_compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

int cfi_read(uint8_t *bytes, size_t size, uint64_t address, bool is_debug, struct cfi **out)
{
	struct cfi *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c) {
		free(bytes);
		return -ENOMEM;
	}
	*c = (struct cfi){ .bytes = bytes,
			   .size = size < UINT32_MAX ? size : UINT32_MAX,
			   .address = address,
			   .is_debug = is_debug };
	c->entries = malloc((entries_walk(c, NULL) + 1) * sizeof(*c->entries));
	if (!c->entries) {
		cfi_free(c);
		*out = NULL;
		return -ENOMEM;
	}
	c->count = entries_walk(c, c->entries);
	if (c->count)
		qsort(c->entries, c->count, sizeof(*c->entries), entry_compare);
	return 0;
}

void cfi_free(struct cfi *c)
{
	if (!c)
		return;
	free(c->entries);
	free(c->bytes);
	free(c);
}

size_t cfi_size(const struct cfi *c)
{
	return c ? sizeof(*c) + c->size + c->count * sizeof(*c->entries) : 0;
}

bool cfi_range(const struct cfi *c, size_t i, uint64_t *start, uint64_t *size)
{
	if (i >= c->count)
		return false;
	*start = c->entries[i].start;
	*size = c->entries[i].size;
	return true;
}

static const struct entry *entry_find(const struct cfi *c, uint64_t address)
{
	size_t first = 0, last = c->count;
	const struct entry *e;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (c->entries[middle].start <= address)
			first = middle + 1;
		else
			last = middle;
	}
	if (!first)
		return NULL;
	e = &c->entries[first - 1];
	return address - e->start < e->size ? e : NULL;
}

int cfi_find(const struct cfi *c, uint64_t address, struct cfi_row *row)
{
	const struct entry *e = entry_find(c, address);
	struct dwarf_bytes all, b;
	struct cfi_common common;
	uint64_t start, size;
	size_t at;

	if (!e)
		return -ENOENT;
	all = dwarf_bytes(c->bytes + e->at, c->size - e->at);
	if (!entry_next(&all, &b) || !common_find(c, &b, &at) || !common_read(c, at, &common) ||
	    !range_read(c, &common, &b, &start, &size))
		return -EBADMSG;
	if (common.has_size)
		dwarf_skip(&b, dwarf_uleb(&b));
	if (b.bad)
		return -EBADMSG;
	return cfi_run(&(struct cfi_program){ &common, b, start, address }, row);
}
