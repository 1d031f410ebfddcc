/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_hist.c - prints hist() and lhist(): rows from the first bucket with a value to the last, with a bar of 52
 * columns.
 *
 * A bucket is [low, high). Bucket 0 has no lower bound, the last one of lhist() no upper bound. A bucket with a
 * single possible value shows just that: [3]. Bounds with many digits are shortened: 1K is 1024.
 */
#include "front/bt/show_parts.h"

enum { BAR = 52, LABEL = 16, COUNT = 8 };

/* The boundary of two buckets. */
struct bound {
	int64_t value;
	/* printed with a letter; a bucket with such a bound is printed as a range even if it holds one value */
	bool is_short;
};

uint32_t bt_hist_buckets(const struct script_type *t)
{
	return t->kind == SCRIPT_HIST ? script_hist_buckets(t->bits) : t->count + 2;
}

/* ---- bounds ---- */

/* Bucket i of hist() begins at i - 1 while buckets hold one value each; then 2^bits of them share a power of two. */
static uint64_t hist_bound_split(uint32_t i, uint8_t bits, unsigned *power)
{
	uint32_t n = 1u << bits;

	*power = (i >> bits) - 1;
	return n + (i & (n - 1));
}

static struct bound hist_bound(const struct script_type *t, uint32_t i)
{
	unsigned power;
	uint64_t factor;

	if (i <= 2u << t->bits)
		return (struct bound){ i, false };
	factor = hist_bound_split(i, t->bits, &power);
	return (struct bound){ power < 64 ? (int64_t)(factor << power) : 0, true };
}

static struct bound lhist_bound(const struct script_type *t, uint32_t i)
{
	return (struct bound){ t->low + (int64_t)i * t->step, t->step % 1024 == 0 };
}

/* Returns the upper bound of bucket i. */
static struct bound bound_of(const struct script_type *t, uint32_t i)
{
	return t->kind == SCRIPT_HIST ? hist_bound(t, i) : lhist_bound(t, i);
}

static bool has_end(const struct script_type *t, uint32_t i)
{
	return t->kind == SCRIPT_HIST || i <= t->count;
}

static void short_write(struct buf *o, const struct script_type *t, uint32_t i, int64_t value)
{
	unsigned power;
	uint64_t factor;

	if (t->kind == SCRIPT_HIST) {
		factor = hist_bound_split(i, t->bits, &power);
		buf_uint(o, factor << power % 10);
		if (power >= 10)
			buf_char(o, " KMGTPE"[power / 10]);
	} else if (value && value % 1000000 == 0) {
		buf_int(o, value / 1000000);
		buf_char(o, 'M');
	} else if (value && value % 1000 == 0) {
		buf_int(o, value / 1000);
		buf_char(o, 'K');
	} else {
		buf_int(o, value);
	}
}

static void bound_write(struct buf *o, const struct script_type *t, uint32_t i)
{
	struct bound b = bound_of(t, i);

	if (b.is_short)
		short_write(o, t, i, b.value);
	else
		buf_int(o, b.value);
}

/* ---- rows ---- */

static void label_write(struct buf *o, const struct script_type *t, uint32_t i)
{
	struct bound low, high = bound_of(t, i);

	buf_char(o, i ? '[' : '(');
	if (!i) {
		buf_str(o, "..., ");
		bound_write(o, t, 0);
		buf_char(o, ')');
		return;
	}
	low = bound_of(t, i - 1);
	bound_write(o, t, i - 1);
	if (!has_end(t, i)) {
		buf_str(o, ", ...)");
	} else if (!low.is_short && !high.is_short && low.value + 1 == high.value) {
		buf_char(o, ']');
	} else {
		buf_str(o, ", ");
		bound_write(o, t, i);
		buf_char(o, ')');
	}
}

/* Uses single precision, like bpftrace's bars. */
static unsigned bar_length(uint64_t count, uint64_t most)
{
	float part = most ? (float)count / (float)most : 0;

	return (unsigned)(part * BAR);
}

static void row_write(struct buf *o, const struct script_type *t, uint32_t i, uint64_t count,
		      uint64_t most)
{
	size_t start = o->len;
	unsigned bar = bar_length(count, most);

	label_write(o, t, i);
	if (!o->error && o->len - start < LABEL)
		buf_repeat(o, ' ', LABEL - (o->len - start));
	buf_uint_right(o, count, COUNT);
	buf_str(o, " |");
	buf_repeat(o, '@', bar);
	buf_repeat(o, ' ', BAR - bar);
	buf_str(o, "|\n");
}

/* Upper bounds are inclusive. */
static void row_json(const struct bt_form *f, struct buf *o, const struct script_type *t,
		     uint32_t i, uint64_t count)
{
	buf_char(o, '{');
	if (i) {
		buf_str(o, "\"min\": ");
		bt_show_number(f, o, (uint64_t)bound_of(t, i - 1).value, t->kind == SCRIPT_LHIST);
		buf_str(o, ", ");
	}
	if (has_end(t, i)) {
		buf_str(o, "\"max\": ");
		bt_show_number(f, o, (uint64_t)bound_of(t, i).value - 1, true);
		buf_str(o, ", ");
	}
	buf_str(o, "\"count\": ");
	buf_uint(o, count);
	buf_char(o, '}');
}

/* ---- all ---- */

/* Values of lhist() are not divided. */
static uint64_t divided(const struct bt_form *f, const struct script_type *t, uint64_t count)
{
	return t->kind == SCRIPT_HIST && f->div > 1 ? count / f->div : count;
}

/* Sets [*first, *end) to the range that contains all values. */
static void range_find(const struct script_type *t, const uint64_t *counts, uint32_t *first,
		       uint32_t *end)
{
	*first = 0;
	*end = bt_hist_buckets(t);
	while (*end && !counts[*end - 1])
		--*end;
	while (*first < *end && !counts[*first])
		++*first;
}

void bt_show_hist(const struct bt_form *f, struct buf *o, const struct script_type *t,
		  const uint64_t *counts)
{
	uint32_t first, end;
	uint64_t most = 0;

	range_find(t, counts, &first, &end);
	for (uint32_t i = first; i < end; i++)
		most = divided(f, t, counts[i]) > most ? divided(f, t, counts[i]) : most;
	if (f->json)
		buf_char(o, '[');
	for (uint32_t i = first; i < end; i++) {
		if (!f->json) {
			row_write(o, t, i, divided(f, t, counts[i]), most);
			continue;
		}
		if (i > first)
			buf_char(o, ',');
		row_json(f, o, t, i, divided(f, t, counts[i]));
	}
	if (f->json)
		buf_char(o, ']');
}
