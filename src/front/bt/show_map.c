/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_map.c - prints a map.
 *
 * First reads all entries and merges the images of each value; of a histogram it stores only the range from the first
 * bucket with a value to the last. Then sorts them: numbers and histograms by value and key, others by key. bpftrace
 * sorts keys as signed and leaves the order of equal values open; here 200 follows 100.
 */
#include <errno.h>
#include <stdlib.h>

#include "front/bt/show_parts.h"
#include "util/escape.h"

/* An entry; offsets into struct content.bytes. */
struct entry {
	size_t key, value;
	uint64_t rank;
};

struct content {
	const struct script_map *map;
	struct buf bytes, entries;
	uint64_t last; /* TSERIES: the newest interval of the map */
	void *merged;  /* room for one value */
	size_t merged_size;
};

/* The stored part of a histogram. */
struct buckets {
	uint32_t first, count;
	uint64_t counts[];
};

static bool is_hist(const struct script_type *t)
{
	return t->kind == SCRIPT_HIST || t->kind == SCRIPT_LHIST;
}

/* True for values printed as a picture of several lines. */
static bool is_picture(const struct script_type *t)
{
	return is_hist(t) || t->kind == SCRIPT_TSERIES;
}

static size_t merged_size(const struct script_type *t)
{
	switch (t->kind) {
	case SCRIPT_COUNT:
	case SCRIPT_SUM: return sizeof(uint64_t);
	case SCRIPT_MIN:
	case SCRIPT_MAX: return sizeof(struct script_extreme);
	case SCRIPT_AVG:
	case SCRIPT_STATS: return sizeof(struct script_stats);
	case SCRIPT_HIST:
	case SCRIPT_LHIST: return bt_hist_buckets(t) * sizeof(uint64_t);
	case SCRIPT_TSERIES: return t->count * sizeof(struct script_interval);
	default: return t->size;
	}
}

static const struct entry *entry_at(const struct content *c, size_t i)
{
	return (const struct entry *)c->entries.data + i;
}

static size_t entry_count(const struct content *c)
{
	return c->entries.len / sizeof(struct entry);
}

/* ---- reading ---- */

/* Appends bytes at an offset aligned for all types. */
static size_t bytes_add(struct buf *o, const void *bytes, size_t size)
{
	size_t at;

	buf_repeat(o, '\0', -o->len % 8);
	at = o->len;
	buf_bytes(o, bytes, size);
	return at;
}

/* Returns the number of values in a histogram. */
static uint64_t buckets_add(struct content *c, struct entry *e)
{
	uint32_t end = bt_hist_buckets(&c->map->value), first = 0;
	const uint64_t *counts = c->merged;
	uint64_t total = 0;
	struct buckets b;

	while (end && !counts[end - 1])
		end--;
	while (first < end && !counts[first])
		first++;
	for (uint32_t i = first; i < end; i++)
		total += counts[i];
	b = (struct buckets){ first, end - first };
	e->value = bytes_add(&c->bytes, &b, sizeof(b));
	buf_bytes(&c->bytes, counts + first, b.count * sizeof(*counts));
	return total;
}

static uint64_t rank_of(const struct content *c)
{
	const struct script_type *t = &c->map->value;

	if (t->kind == SCRIPT_INT)
		return bt_number_read(c->merged, t->size, t->is_signed);
	return script_is_aggregate(t) && t->kind != SCRIPT_TSERIES ?
		       bt_merged_number(t, c->merged) :
		       0;
}

static void entry_add(struct content *c, const struct bt_entries *from, const void *key,
		      const void *values)
{
	const struct script_type *t = &c->map->value;
	uint64_t last;
	struct entry e;

	bt_value_merge(t, c->merged, values, from->images, from->stride);
	e.key = bytes_add(&c->bytes, key ?: "", key ? c->map->key.size : 0);
	if (is_hist(t)) {
		e.rank = buckets_add(c, &e);
	} else {
		e.value = bytes_add(&c->bytes, c->merged, c->merged_size);
		e.rank = rank_of(c);
	}
	if (t->kind == SCRIPT_TSERIES) {
		last = bt_series_last(t, c->merged);
		c->last = last > c->last ? last : c->last;
	}
	buf_bytes(&c->entries, &e, sizeof(e));
}

static int content_read(struct content *c, const struct bt_entries *from)
{
	const void *key, *values;
	int err;

	c->merged_size = merged_size(&c->map->value);
	c->merged = calloc(1, c->merged_size + 1);
	if (!c->merged)
		return -ENOMEM;
	while ((err = from->next(from->ctx, &key, &values)) > 0)
		entry_add(c, from, key, values);
	return err ?: c->bytes.error ?: c->entries.error;
}

static void content_free(struct content *c)
{
	buf_free(&c->bytes);
	buf_free(&c->entries);
	free(c->merged);
}

/* ---- order ---- */

static int number_compare(uint64_t a, uint64_t b, bool is_signed)
{
	if (is_signed)
		return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
	return a < b ? -1 : a > b;
}

static int key_compare(const struct script_type *t, const char *a, const char *b)
{
	int order = 0;

	switch (t->kind) {
	case SCRIPT_BOOL:
	case SCRIPT_INT:
	case SCRIPT_POINTER:
		return number_compare(bt_number_read(a, t->size, t->is_signed),
				      bt_number_read(b, t->size, t->is_signed), t->is_signed);
	case SCRIPT_STRING: return strncmp(a, b, t->size);
	case SCRIPT_TUPLE:
		for (uint32_t i = 0; i < t->count && !order; i++)
			order = key_compare(&t->parts[i].type, a + t->parts[i].offset,
					    b + t->parts[i].offset);
		return order;
	default: return memcmp(a, b, t->size);
	}
}

static int entry_compare(const void *x, const void *y, void *ctx)
{
	const struct content *c = ctx;
	const struct entry *a = x, *b = y;
	int order = number_compare(a->rank, b->rank,
				   c->map->value.is_signed && !is_hist(&c->map->value));

	if (order || !c->map->has_key)
		return order;
	return key_compare(&c->map->key, c->bytes.data + a->key, c->bytes.data + b->key);
}

/* ---- writing ---- */

static void hist_write(const struct bt_form *f, struct buf *o, const struct content *c,
		       const struct buckets *b)
{
	uint64_t *counts = c->merged;

	memset(counts, 0, c->merged_size);
	memcpy(counts + b->first, b->counts, b->count * sizeof(*counts));
	bt_show_hist(f, o, &c->map->value, counts);
}

static void value_write(const struct bt_form *f, struct buf *o, const struct content *c,
			const struct entry *e)
{
	const struct script_type *t = &c->map->value;
	const void *value = c->bytes.data + e->value;

	if (is_hist(t))
		hist_write(f, o, c, value);
	else if (t->kind == SCRIPT_TSERIES)
		bt_show_series(f, o, t, value, c->last);
	else
		bt_show_value(f, o, t, value);
}

static void name_write(struct buf *o, const struct script_map *m)
{
	buf_char(o, '@');
	buf_str(o, m->name);
}

/* Several keys are a tuple, which is printed here without its own brackets. */
static void key_write(const struct bt_form *f, struct buf *o, const struct script_type *t,
		      const char *image)
{
	if (t->kind != SCRIPT_TUPLE || (t->count && t->parts[0].name)) {
		bt_show_value(f, o, t, image);
		return;
	}
	for (uint32_t i = 0; i < t->count; i++) {
		if (i)
			buf_str(o, ", ");
		bt_show_value(f, o, &t->parts[i].type, image + t->parts[i].offset);
	}
}

static void entry_write(struct bt_show *s, const struct bt_form *f, const struct content *c,
			const struct entry *e)
{
	struct bt_form key = *f;

	key.div = 0;
	name_write(s->out, c->map);
	if (c->map->has_key) {
		buf_char(s->out, '[');
		key_write(&key, s->out, &c->map->key, c->bytes.data + e->key);
		buf_char(s->out, ']');
	}
	buf_str(s->out, is_picture(&c->map->value) ? ":\n" : ": ");
	value_write(f, s->out, c, e);
	buf_char(s->out, '\n');
}

/* Prints the key's text without blanks. */
static void key_json(const struct bt_form *f, struct buf *o, const struct script_type *t,
		     const char *image)
{
	struct bt_form form = *f;
	struct buf text;
	size_t n = 0;

	form.json = false;
	form.raw = true;
	form.div = 0;
	buf_init(&text, -1);
	key_write(&form, &text, t, image);
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] != ' ')
			text.data[n++] = text.data[i];
	escape_write_json(o, text.data ?: "", n);
	buf_str(o, ": ");
	if (text.error)
		buf_fail(o, text.error);
	buf_free(&text);
}

static const char *json_type(const struct script_type *t)
{
	switch (t->kind) {
	case SCRIPT_AVG:
	case SCRIPT_STATS: return "stats";
	case SCRIPT_HIST:
	case SCRIPT_LHIST: return "hist";
	case SCRIPT_TSERIES: return "tseries";
	default: return "map";
	}
}

static void entries_json(struct bt_show *s, const struct bt_form *f, const struct content *c,
			 size_t first)
{
	size_t count = entry_count(c);

	bt_json_begin(s->out, json_type(&c->map->value));
	buf_str(s->out, "{\"");
	name_write(s->out, c->map);
	buf_str(s->out, "\": ");
	if (c->map->has_key)
		buf_char(s->out, '{');
	for (size_t i = first; i < count; i++) {
		if (i > first)
			buf_str(s->out, ", ");
		if (c->map->has_key)
			key_json(f, s->out, &c->map->key, c->bytes.data + entry_at(c, i)->key);
		value_write(f, s->out, c, entry_at(c, i));
	}
	buf_str(s->out, c->map->has_key ? "}}" : "}");
	bt_json_end(s->out);
}

static void content_show(struct bt_show *s, const struct content *c, uint64_t top, uint64_t div)
{
	struct bt_form f = bt_form_of(s, s->json);
	size_t count = entry_count(c), first = top && top < count ? count - top : 0;

	f.div = div;
	if (s->json && count) {
		entries_json(s, &f, c, c->map->value.kind == SCRIPT_TSERIES ? 0 : first);
		return;
	}
	for (size_t i = c->map->value.kind == SCRIPT_TSERIES ? 0 : first; i < count; i++)
		entry_write(s, &f, c, entry_at(c, i));
}

int bt_map_show(struct bt_show *s, const struct script_map *map, const struct bt_entries *entries,
		uint64_t top, uint64_t div)
{
	struct content c = { .map = map };
	int err;

	buf_init(&c.bytes, -1);
	buf_init(&c.entries, -1);
	err = content_read(&c, entries);
	if (!err && c.entries.len)
		qsort_r(c.entries.data, entry_count(&c), sizeof(struct entry), entry_compare, &c);
	if (!err)
		content_show(s, &c, top, div);
	content_free(&c);
	return err;
}
