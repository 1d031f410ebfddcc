/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.c - histograms as bars and as JSON, and percentiles estimated from them.
 */
#include "output/field/hist.h"

#include "output/field/field.h"
#include "output/field/value.h"
#include "output/field/value_number.h"
#include "util/buf.h"

enum { INDENT = 6, LABEL = 22, COUNT = 12, BAR = 40, BAR_LEAST = 10 };

const struct hist_axis hist_ns = { .unit = FIELD_UNIT_NS };

/* The bounds of all buckets need 65 bits and a sign. */
typedef __int128 bound;

static bound end_of(const struct hist_axis *a, uint64_t word)
{
	return a->is_signed ? (bound)(int64_t)(word ^ 1ull << 63) : (bound)word;
}

static void ends_parse(struct hist *h, const struct hist_axis *a)
{
	h->count -= HIST_ENDS;
	h->most = end_of(a, h->buckets[h->count]);
	h->least = end_of(a, ~h->buckets[h->count + 1]);
	h->has_ends = h->least <= h->most;
}

struct hist hist_of(const struct field *f, const struct value *v)
{
	static const struct hist_axis twos;
	const struct hist_axis *a = f->axis ? f->axis : &twos;
	struct hist h = { .buckets = (const void *)v->bytes,
			  .count = v->len / sizeof(uint64_t),
			  .low = a->low,
			  .high = a->high,
			  .step = a->step,
			  .is_fine = a->is_fine,
			  .is_time = a->unit == FIELD_UNIT_NS };

	if (a->has_ends)
		ends_parse(&h, a);
	return h;
}

struct range {
	bound low, high; /* [low, high) */
	bool no_low, no_high;
};

/* Returns the range of a fine bucket; only for values that are not negative. */
static struct range fine_range(size_t i)
{
	int shift = i < 16 ? 0 : i / 8 - 1;
	bound low = i < 16 ? (bound)i : (bound)(8 + i % 8) << shift;

	return (struct range){ low, low + ((bound)1 << shift), false, false };
}

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
	if (h->is_fine)
		return fine_range(i - 1);
	return (struct range){ (bound)1 << (i - 2), (bound)1 << (i - 1), false, false };
}

bool hist_end(const struct hist *h, size_t i, __int128 *end)
{
	struct range r = range_of(h, i);

	*end = r.high;
	return !r.no_high;
}

uint64_t hist_total(const struct hist *h)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->count; i++)
		sum += h->buckets[i];
	return sum;
}

/* ---- text ---- */

static void write_bound(struct buf *o, bound b)
{
	if (b < 0)
		buf_char(o, '-');
	b = b < 0 ? -b : b;
	if (b >> 64)
		buf_str(o, "18446744073709551616"); /* 2^64, the only bound that needs 65 bits */
	else
		buf_uint(o, b);
}

/* Writes 4096 as 4K, and 12345 in full. With steps, nothing is shortened, because bounds of two buckets could look
 * the same. */
static void write_short(struct buf *o, const struct hist *h, bound b)
{
	int units = 0;

	if (h->is_time && !h->step && b >= 0) {
		duration_write(o, b >> 64 ? UINT64_MAX : b);
		return;
	}
	while (!h->step && b >= 1024 && b % 1024 == 0) {
		b /= 1024;
		units++;
	}
	write_bound(o, b);
	if (units)
		buf_char(o, " KMGTPE"[units]);
	if (h->is_time)
		buf_str(o, "ns");
}

void hist_write_label(struct buf *o, const struct hist *h, size_t i)
{
	struct range r = range_of(h, i);
	bool single = !r.no_low && !r.no_high && r.high - r.low == 1;

	buf_str(o, r.no_low ? "(..., " : "[");
	if (!r.no_low)
		write_short(o, h, r.low);
	if (single) {
		buf_char(o, ']');
		return;
	}
	if (!r.no_low)
		buf_str(o, ", ");
	if (!r.no_high)
		write_short(o, h, r.high);
	buf_str(o, r.no_high ? "...)" : ")");
}

void hist_write_low(struct buf *o, const struct hist *h, size_t i)
{
	struct range r = range_of(h, i);

	if (r.no_low)
		buf_str(o, "...");
	else
		write_short(o, h, r.low);
}

/* Returns the columns of the longest bar: fewer if a terminal has no room for them. */
static size_t bar_columns(const struct buf *o)
{
	const size_t others = INDENT + LABEL + COUNT + sizeof(" ||") - 1;

	if (!o->columns || o->columns >= others + BAR)
		return BAR;
	return o->columns > others + BAR_LEAST ? o->columns - others : BAR_LEAST;
}

static void write_line(struct buf *o, const struct hist *h, size_t i, uint64_t most)
{
	size_t start, length, bar = bar_columns(o);

	buf_repeat(o, ' ', INDENT);
	start = o->len;
	hist_write_label(o, h, i);
	length = o->len - start;
	buf_repeat(o, ' ', length < LABEL ? LABEL - length : 1);
	buf_uint_right(o, h->buckets[i], COUNT);
	buf_str(o, " |");
	length = most ? (bound)h->buckets[i] * bar / most : 0;
	buf_repeat(o, '@', length);
	buf_repeat(o, ' ', bar - length);
	buf_str(o, "|\n");
}

void hist_write(struct buf *o, const struct hist *h)
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
	for (size_t i = first; i <= last; i++)
		write_line(o, h, i, most);
}

/* ---- JSON ---- */

static void write_end(struct buf *o, bool none, bound b)
{
	bound size = b < 0 ? -b : b;
	const char *quote = none ? "" : buf_json_quote(size >> 64 ? UINT64_MAX : (uint64_t)size);

	buf_str(o, quote);
	if (none)
		buf_str(o, "null");
	else
		write_bound(o, b);
	buf_str(o, quote);
}

void hist_write_json(struct buf *o, const struct hist *h)
{
	const char *before = "[";

	for (size_t i = 0; i < h->count; i++) {
		struct range r = range_of(h, i);

		if (!h->buckets[i])
			continue;
		buf_str(o, before);
		before = ",";
		buf_char(o, '[');
		write_end(o, r.no_low, r.low);
		buf_char(o, ',');
		write_end(o, r.no_high, r.high);
		buf_char(o, ',');
		buf_json_uint(o, h->buckets[i]);
		buf_char(o, ']');
	}
	buf_str(o, *before == '[' ? "[]" : "]");
}

/* ---- percentiles ---- */

/* Returns the values that may be in bucket i, from low to high. */
static struct range values_of(const struct hist *h, size_t i)
{
	struct range r = range_of(h, i);

	r.high--;
	if (h->has_ends && (r.no_low || r.low < h->least))
		r.low = h->least;
	if (h->has_ends && (r.no_high || r.high > h->most))
		r.high = h->most;
	if (h->has_ends)
		r.no_low = r.no_high = false;
	return r;
}

bool hist_percentile(const struct hist *h, uint32_t percent, struct hist_percentile *p)
{
	uint64_t total = hist_total(h), rank = ((bound)total * percent + 99999) / 100000,
		 before = 0;
	struct range r;
	size_t i = 0;

	if (!total)
		return false;
	while (before + h->buckets[i] < rank)
		before += h->buckets[i++];
	r = values_of(h, i);
	if (h->has_ends && rank == 1)
		r.high = r.low;
	else if (h->has_ends && rank == total)
		r.low = r.high;
	*p = (struct hist_percentile){ r.low, r.low == r.high };
	if (r.low < r.high)
		p->value += (uint64_t)((double)(uint64_t)(r.high - r.low) *
					       ((rank - before - 0.5) / h->buckets[i]) +
				       0.5);
	return !r.no_low && !r.no_high;
}

void hist_percentile_write(struct buf *o, const struct hist *h, const struct hist_percentile *p)
{
	bound value = p->value;
	double number;
	int units = 0;

	if (!p->exact)
		buf_char(o, '~');
	if (p->exact || h->step || h->is_time || value < 1024) {
		write_short(o, h, value);
		return;
	}
	for (number = (double)value; number >= 1023.5; number /= 1024)
		units++;
	buf_printf(o, "%.*g%c", number < 999.5 ? 3 : 4, number, " KMGTPE"[units]);
}

void hist_percentile_write_json(struct buf *o, const struct hist_percentile *p)
{
	write_end(o, false, p->value);
}
