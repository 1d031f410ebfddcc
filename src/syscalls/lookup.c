/* SPDX-License-Identifier: GPL-2.0-only */
/* lookup.c - finds sets of names and layouts of structs by name. */
#include <string.h>

#include "output/field/flag_names.h"
#include "syscalls/table.h"
#include "util/hash.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct set sets[740];
static struct layout layouts[760];
static size_t set_count, layout_count;

/* Hash table: the first index, plus 1, by the hash of the name, and the next one for each. */
#define BUCKETS 128
static uint16_t set_heads[BUCKETS], set_nexts[COUNT(sets)];
static uint16_t layout_heads[BUCKETS], layout_nexts[COUNT(layouts)];

static unsigned bucket_of(const char *name)
{
	return hash_add(HASH_BEGIN, name, strlen(name)) % BUCKETS;
}

static void index_append(uint16_t *heads, uint16_t *nexts, const char *name, size_t i)
{
	unsigned bucket = bucket_of(name);

	nexts[i] = heads[bucket];
	heads[bucket] = (uint16_t)(i + 1);
}

struct set *set_add(const char *name)
{
	struct set *s = &sets[set_count];

	s->name = name;
	index_append(set_heads, set_nexts, name, set_count++);
	return s;
}

struct layout *layout_add(const char *name)
{
	struct layout *l = &layouts[layout_count];

	l->name = name;
	index_append(layout_heads, layout_nexts, name, layout_count++);
	return l;
}

const struct set *set_find(const char *name)
{
	for (size_t i = set_heads[bucket_of(name)]; i; i = set_nexts[i - 1])
		if (!strcmp(sets[i - 1].name, name))
			return &sets[i - 1];
	return NULL;
}

const struct layout *layout_find(const char *name)
{
	for (size_t i = layout_heads[bucket_of(name)]; i; i = layout_nexts[i - 1])
		if (!strcmp(layouts[i - 1].name, name))
			return &layouts[i - 1];
	return NULL;
}

const char *set_name(const struct set *s, uint64_t value)
{
	for (const struct field_name *f = s ? s->items : NULL; f && f->name; f++)
		if (f->value == (s->is_split && f->mask ? value & f->mask : value))
			return f->name;
	return NULL;
}
