/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.c - histograms as bars and as JSON, and percentiles estimated from them.
 */
#include "output/hist.h"

#include "output/field.h"
#include "util/json_number.h"

enum { BAR = 40, LABEL = 22 };

const struct hist_axis hist_ns = { .unit = FIELD_UNIT_NS };

struct hist hist_of(const struct field *f, const struct value *v)
{
	static const struct hist_axis twos;
	const struct hist_axis *a = f->axis ? f->axis : &twos;

	return (struct hist){ .buckets = (const void *)v->bytes,
			      .count = v->len / sizeof(uint64_t),
			      .low = a->low,
			      .high = a->high,
			      .step = a->step,
			      .is_time = a->unit == FIELD_UNIT_NS };
}

/* The bounds of all buckets need 65 bits and a sign. */
typedef __int128 bound;

struct range {
	bound low, high; /* [low, high) */
	bool no_low, no_high;
};

static struct range range_of(const struct hist *h, size_t i)
{
	bool last = i + 1 == h->count;
	bound low;

	if (h->step) {
		low = h->low + (bound)h->step * ((bound)i - 1);
		return (struct range){ last ? h->high : low,
				       !i		       ? h->low :
				       low + h->step > h->high ? h->high :
								 low + h->step,
				       !i, last };
	}
	if (i < 2)
		return (struct range){ 0, i, !i, false };
	return (struct range){ (bound)1 << (i - 2), (bound)1 << (i - 1), false, false };
}

uint64_t hist_total(const struct hist *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->count; i++)
		sum += h->buckets[i];
	return sum;
}

/* ---- text ---- */

static void put_bound(struct buf *o, bound b)
{
	if (b < 0)
		buf_char(o, '-');
	b = b < 0 ? -b : b;
	if (b >> 64)
		buf_str(o, "18446744073709551616"); /* 2^64, the only one that large */
	else
		buf_uint(o, b);
}

/* Writes 4096 as 4K if all bounds are powers of two. */
static void put_short(struct buf *o, const struct hist *h, bound b)
{
	int units = 0;

	while (!h->step && b >= 1024) {
		b /= 1024;
		units++;
	}
	put_bound(o, b);
	if (units)
		buf_char(o, " KMGTPE"[units]);
}

static void put_label(struct buf *o, const struct hist *h, size_t i)
{
	struct range r = range_of(h, i);

	buf_str(o, r.no_low ? "(..., " : "[");
	if (!r.no_low)
		put_short(o, h, r.low);
	if (!r.no_low)
		buf_str(o, ", ");
	if (!r.no_high)
		put_short(o, h, r.high);
	buf_str(o, r.no_high ? "...)" : ")");
}

static void put_line(struct buf *o, const struct hist *h, size_t i, uint64_t most)
{
	size_t start, length;

	buf_str(o, "      ");
	start = o->len;
	put_label(o, h, i);
	length = o->len - start;
	buf_repeat(o, ' ', length < LABEL ? LABEL - length : 1);
	buf_uint_right(o, h->buckets[i], 12);
	buf_str(o, " |");
	length = most ? (bound)h->buckets[i] * BAR / most : 0;
	buf_repeat(o, '@', length);
	buf_repeat(o, ' ', BAR - length);
	buf_str(o, "|\n");
}

void hist_put(struct buf *o, const struct hist *h)
{
	size_t first = h->count, last = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < h->count; i++) {
		if (!h->buckets[i])
			continue;
		first = first < i ? first : i;
		last = i;
		most = h->buckets[i] > most ? h->buckets[i] : most;
	}
	if (!most)
		return;
	buf_str(o, "      value range                  count\n");
	for (size_t i = first; i <= last; i++)
		put_line(o, h, i, most);
}

/* ---- JSON ---- */

static void put_end(struct buf *o, bool none, bound b)
{
	bound size = b < 0 ? -b : b;
	const char *quote = none ? "" : json_quote(size >> 64 ? UINT64_MAX : (uint64_t)size);

	buf_str(o, quote);
	if (none)
		buf_str(o, "null");
	else
		put_bound(o, b);
	buf_str(o, quote);
}

void hist_put_json(struct buf *o, const struct hist *h)
{
	const char *before = "[";

	for (size_t i = 0; i < h->count; i++) {
		struct range r = range_of(h, i);

		if (!h->buckets[i])
			continue;
		buf_str(o, before);
		before = ",";
		buf_char(o, '[');
		put_end(o, r.no_low, r.low);
		buf_char(o, ',');
		put_end(o, r.no_high, r.high);
		buf_char(o, ',');
		json_put_uint(o, h->buckets[i]);
		buf_char(o, ']');
	}
	buf_str(o, *before == '[' ? "[]" : "]");
}

/* ---- percentiles ---- */

bool hist_percentile(const struct hist *h, unsigned percent, double *value)
{
	uint64_t total = hist_total(h), rank = ((bound)total * percent + 99) / 100, before = 0;

	for (size_t i = 0; i < h->count && total; i++) {
		struct range r = range_of(h, i);

		if (before + h->buckets[i] < rank) {
			before += h->buckets[i];
			continue;
		}
		if (r.high - r.low == 1)
			*value = r.low;
		else
			*value = r.low + (r.high - r.low) * ((rank - before - 0.5) / h->buckets[i]);
		return !r.no_low && !r.no_high;
	}
	return false;
}
