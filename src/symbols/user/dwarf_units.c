/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_units.c - units that entries of other units refer to, by offset: dwz moves what units share into units of their
 * own, and what files share into another file; link-time optimization splits units.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/user/dwarf_info.h"
#include "util/array.h"
#include "util/log.h"

enum {
	UNITS_MAX = 1 << 20,	 /* of a file */
	COLLECTED_MAX = 1 << 13, /* of one unit */
	LENGTH_BYTES = 12,
};

static struct dwarf_bytes section(const struct dwarf_info *info)
{
	const struct dwarf_section *s = &info->sections[INFO_ENTRIES];

	return dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
}

/* ---- by offset ---- */

/* Moves to the next unit. */
static bool length_skip(const struct dwarf_info *info, struct dwarf_bytes *all)
{
	uint64_t size;

	dwarf_section_need(&info->sections[INFO_ENTRIES], all->at, LENGTH_BYTES);
	size = dwarf_unsigned(all, 4);
	if (size == UINT32_MAX)
		size = dwarf_unsigned(all, 8);
	return size && dwarf_skip(all, size);
}

static int starts_read(const struct dwarf_info *info, struct dwarf_units *units)
{
	struct dwarf_bytes all = section(info);
	const uint8_t *first = all.at;
	size_t room = 0;

	while (dwarf_left(&all) && all.at - first <= INT32_MAX && units->count < UNITS_MAX) {
		if (units->count == room) {
			uint32_t *more = realloc(units->starts,
						 (room = 2 * room + 64) * sizeof(*more));

			if (!more)
				return -ENOMEM;
			units->starts = more;
		}
		units->starts[units->count++] = (uint32_t)(all.at - first);
		if (!length_skip(info, &all))
			break;
	}
	units->read = calloc(units->count + 1, sizeof(*units->read));
	return units->read ? 0 : -ENOMEM;
}

static struct dwarf_unit *unit_read(const struct dwarf_info *info, uint32_t offset)
{
	struct dwarf_unit *u = calloc(1, sizeof(*u));
	struct dwarf_bytes all = section(info);

	dwarf_skip(&all, offset);
	if (u && !dwarf_unit_next(info, &all, u))
		u->entries = dwarf_bytes(NULL, 0);
	return u;
}

static const struct dwarf_unit *unit_find(const struct dwarf_info *info, uint32_t offset)
{
	struct dwarf_units *units = info->units;
	size_t low = 0, high;

	if (!units->read && starts_read(info, units))
		return NULL;
	for (high = units->count; high - low > 1;) {
		size_t middle = (low + high) / 2;

		*(units->starts[middle] <= offset ? &low : &high) = middle;
	}
	if (!units->count)
		return NULL;
	if (!units->read[low])
		units->read[low] = unit_read(info, units->starts[low]);
	return units->read[low];
}

static bool is_inside(const struct dwarf_unit *u, uint32_t offset)
{
	const uint8_t *first = (const uint8_t *)u->info->sections[INFO_ENTRIES].bytes;

	return (offset & DWARF_OTHER) == u->info->base && u->entries.at &&
	       first + (offset & ~DWARF_OTHER) >= u->entries.at &&
	       first + (offset & ~DWARF_OTHER) < u->entries.end;
}

const struct dwarf_unit *dwarf_unit_of(const struct dwarf_unit *u, uint32_t offset)
{
	const struct dwarf_info *info = u->info;

	if (is_inside(u, offset))
		return u;
	if ((offset & DWARF_OTHER) != info->base)
		info = info->base ? NULL : info->other;
	u = info && info->units ? unit_find(info, offset & ~DWARF_OTHER) : NULL;
	if (!u || !is_inside(u, offset))
		return NULL;
	dwarf_unit_load(u);
	return u;
}

bool dwarf_entry_at(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e)
{
	struct dwarf_bytes b;

	u = dwarf_unit_of(u, offset);
	if (!u)
		return false;
	b = u->entries;
	b.at = section(u->info).at + (offset & ~DWARF_OTHER);
	return dwarf_entry_next(u, &b, e) && e->tag;
}

/* ---- by signature ---- */

static int by_signature(const void *x, const void *y)
{
	const struct dwarf_signed *a = x, *b = y;

	return a->signature < b->signature ? -1 : a->signature > b->signature;
}

static int types_read(const struct dwarf_info *info, struct dwarf_units *units)
{
	struct dwarf_bytes all = section(info);
	struct dwarf_unit u = { 0 };
	size_t room = 0;
	int err = 0;

	while (!err && dwarf_left(&all) && dwarf_unit_next(info, &all, &u))
		if (u.is_type && !ARRAY_RESERVE(units->types, units->type_count, room, 64))
			err = -ENOMEM;
		else if (u.is_type)
			units->types[units->type_count++] = (struct dwarf_signed){ u.signature,
										   u.type };
	dwarf_unit_free(&u);
	if (units->type_count)
		qsort(units->types, units->type_count, sizeof(*units->types), by_signature);
	units->has_types = true;
	return err;
}

static uint32_t signed_type(const struct dwarf_info *info, uint64_t signature)
{
	struct dwarf_signed key = { .signature = signature }, *found;

	if ((!info->units->has_types && types_read(info, info->units)) || !info->units->type_count)
		return 0;
	found = bsearch(&key, info->units->types, info->units->type_count, sizeof(key),
			by_signature);
	return found ? found->type : 0;
}

/* Appends the units of one type each, which old versions have in a section of their own. */
static int types_append(struct dwarf_info *info)
{
	struct dwarf_section *to = &info->sections[INFO_ENTRIES],
			     *from = &info->sections[INFO_TYPES];
	int err = from->bytes ? dwarf_section_fill(to) ?: dwarf_section_fill(from) : 0;
	struct dwarf_section joined;
	char *bytes;

	if (err || !from->bytes)
		return err;
	if (to->size + from->size > INT32_MAX)
		return 0;
	bytes = malloc(to->size + from->size + 1);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, to->bytes, to->size);
	memcpy(bytes + to->size, from->bytes, from->size);
	bytes[to->size + from->size] = '\0';
	info->types_at = (uint32_t)to->size;
	joined = (struct dwarf_section){ .bytes = bytes,
					 .size = to->size + from->size,
					 .was_packed = to->was_packed };
	dwarf_sections_free(to, 1);
	*to = joined;
	return 0;
}

/* ---- what a unit refers to ---- */

struct collection {
	const struct dwarf_unit **sorted, **queue;
	size_t count;
};

/* Adds a unit that is not there yet. */
static int unit_add(struct collection *c, const struct dwarf_unit *u)
{
	size_t at = c->count;

	while (at && c->sorted[at - 1]->offset > u->offset)
		at--;
	if (at && c->sorted[at - 1]->offset == u->offset)
		return 0;
	if (c->count == COLLECTED_MAX)
		return -E2BIG;
	memmove(&c->sorted[at + 1], &c->sorted[at], (c->count - at) * sizeof(*c->sorted));
	c->sorted[at] = u;
	c->queue[c->count++] = u;
	return 0;
}

static int references_add(struct collection *c, const struct dwarf_unit *u)
{
	const struct dwarf_unit *last = u, *main = c->queue[0];
	struct dwarf_bytes at = u->entries;
	struct dwarf_entry e;
	int err = 0;

	while (!err && dwarf_entry_next(u, &at, &e)) {
		uint32_t to[] = { e.type, e.origin, e.specification };

		for (size_t i = 0; i < sizeof(to) / sizeof(*to) && !err; i++) {
			if (!to[i] || is_inside(u, to[i]) || is_inside(last, to[i]) ||
			    is_inside(main, to[i]))
				continue;
			last = dwarf_unit_of(u, to[i]) ?: u;
			err = unit_add(c, last);
		}
	}
	return err;
}

int dwarf_units_collect(const struct dwarf_unit *u, const struct dwarf_unit ***list, size_t *count)
{
	struct collection c = { .sorted = calloc(COLLECTED_MAX + 1, sizeof(*c.sorted)),
				.queue = calloc(COLLECTED_MAX + 1, sizeof(*c.queue)) };
	int err = c.sorted && c.queue ? unit_add(&c, u) : -ENOMEM;

	for (size_t i = 0; i < c.count && !err; i++)
		err = references_add(&c, c.queue[i]);
	free(c.queue);
	*list = c.sorted;
	*count = c.count;
	return err;
}

/* ---- a file and the other ---- */

static void units_free(struct dwarf_units *units)
{
	for (size_t i = 0; units && units->read && i < units->count; i++) {
		if (units->read[i])
			dwarf_unit_free(units->read[i]);
		free(units->read[i]);
	}
	if (units) {
		free(units->starts);
		free(units->types);
		free(units->begins.all);
		free(units->read);
	}
	free(units);
}

void dwarf_info_close(struct dwarf_info *info)
{
	if (info->other) {
		dwarf_info_close(info->other);
		free(info->other);
	}
	units_free(info->units);
	dwarf_splits_free(info->splits);
	dwarf_sections_free(info->sections, INFO_SECTIONS);
	*info = (struct dwarf_info){ 0 };
}

static int other_open(const struct dwarf_link *link, struct dwarf_info *info)
{
	struct dwarf_info *other = calloc(1, sizeof(*other));
	int err = -ENOMEM;

	info->other = other;
	if (other) {
		other->base = DWARF_OTHER;
		other->units = calloc(1, sizeof(*other->units));
		err = dwarf_linked_read(link, dwarf_info_names, other->sections, INFO_SECTIONS);
	}
	if (!err && !other->sections[INFO_ENTRIES].bytes)
		log_note(
			"types are missing: the debug information refers to a file that is not installed, with build ID %s",
			link->id);
	return other && !other->units ? -ENOMEM : err;
}

int dwarf_info_open(int fd, struct dwarf_info *info)
{
	struct dwarf_link link = { 0 };
	int err = dwarf_linking_read(fd, dwarf_info_names, info->sections, INFO_SECTIONS, &link);

	if (!err && !info->sections[INFO_ENTRIES].bytes)
		err = -ENODATA;
	if (!err)
		err = types_append(info) ?: dwarf_split_read(fd, info);
	if (!err && *link.id)
		err = other_open(&link, info);
	info->units = calloc(1, sizeof(*info->units));
	if (info->units)
		info->units->signed_type = signed_type;
	return err ?: info->units ? 0 : -ENOMEM;
}
