// SPDX-License-Identifier: GPL-2.0
/*
 * hist.c - histograms as bars and as JSON, and percentiles estimated from them.
 */
#include "core/hist.h"

enum { BAR = 40, LABEL = 22 };

/* Bounds of all buckets fit 65 bits and a sign. */
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
				       !i		   ? h->low :
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

static void put_bound(struct out *o, bound b)
{
	if (b < 0)
		out_char(o, '-');
	b = b < 0 ? -b : b;
	if (b >> 64)
		out_str(o, "18446744073709551616"); /* 2^64, the only one */
	else
		out_uint(o, b);
}

/* 4096 is 4K where all bounds are powers of two. */
static void put_short(struct out *o, const struct hist *h, bound b)
{
	int units = 0;

	while (!h->step && b >= 1024) {
		b /= 1024;
		units++;
	}
	put_bound(o, b);
	if (units)
		out_char(o, " KMGTPE"[units]);
}

static void put_label(struct out *o, const struct hist *h, size_t i)
{
	struct range r = range_of(h, i);

	out_str(o, r.no_low ? "(..., " : "[");
	if (!r.no_low)
		put_short(o, h, r.low);
	if (!r.no_low)
		out_str(o, ", ");
	if (!r.no_high)
		put_short(o, h, r.high);
	out_str(o, r.no_high ? "...)" : ")");
}

static void put_line(struct out *o, const struct hist *h, size_t i, uint64_t most)
{
	size_t start, length;

	out_str(o, "      ");
	start = o->len;
	put_label(o, h, i);
	length = o->len - start;
	out_repeat(o, ' ', length < LABEL ? LABEL - length : 1);
	out_uint_right(o, h->buckets[i], 12);
	out_str(o, " |");
	length = most ? (bound)h->buckets[i] * BAR / most : 0;
	out_repeat(o, '@', length);
	out_repeat(o, ' ', BAR - length);
	out_str(o, "|\n");
}

void hist_put(struct out *o, const struct hist *h)
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
	out_str(o, "      value range                  count\n");
	for (size_t i = first; i <= last; i++)
		put_line(o, h, i, most);
}

/* ---- JSON ---- */

static void put_end(struct out *o, bool none, bound b)
{
	if (none)
		out_str(o, "null");
	else
		put_bound(o, b);
}

void hist_put_json(struct out *o, const struct hist *h)
{
	const char *before = "[";

	for (size_t i = 0; i < h->count; i++) {
		struct range r = range_of(h, i);

		if (!h->buckets[i])
			continue;
		out_str(o, before);
		before = ",";
		out_char(o, '[');
		put_end(o, r.no_low, r.low);
		out_char(o, ',');
		put_end(o, r.no_high, r.high);
		out_char(o, ',');
		out_uint(o, h->buckets[i]);
		out_char(o, ']');
	}
	out_str(o, *before == '[' ? "[]" : "]");
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
			*value = r.low + (r.high - r.low) *
						 ((rank - before - 0.5) / h->buckets[i]);
		return !r.no_low && !r.no_high;
	}
	return false;
}
