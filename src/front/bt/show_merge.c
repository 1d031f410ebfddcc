/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_merge.c - merges the images of aggregates from all CPUs, and prints the result as a number or text.
 */
#include "front/bt/show_parts.h"

struct images {
	const char *at;
	uint32_t count, stride;
};

static uint64_t word_at(const struct images *v, uint32_t i, size_t offset)
{
	uint64_t word;

	memcpy(&word, v->at + (size_t)i * v->stride + offset, sizeof(word));
	return word;
}

/* Adds up the words of all images; each has `words` of them. */
static void words_add(uint64_t *to, const struct images *v, uint32_t words)
{
	memset(to, 0, words * sizeof(*to));
	for (uint32_t i = 0; i < v->count; i++)
		for (uint32_t j = 0; j < words; j++)
			to[j] += word_at(v, i, j * sizeof(*to));
}

static void extreme_merge(const struct script_type *t, struct script_extreme *to,
			  const struct images *v)
{
	*to = (struct script_extreme){ 0 };
	for (uint32_t i = 0; i < v->count; i++) {
		int64_t value = (int64_t)word_at(v, i, offsetof(struct script_extreme, value));
		bool is_less = t->is_signed ? value < to->value :
					      (uint64_t)value < (uint64_t)to->value;

		if (!word_at(v, i, offsetof(struct script_extreme, is_set)))
			continue;
		if (!to->is_set || (value != to->value && is_less == (t->kind == SCRIPT_MIN)))
			to->value = value;
		to->is_set = 1;
	}
}

void bt_value_merge(const struct script_type *t, void *to, const void *values, uint32_t images,
		    uint32_t stride)
{
	struct images v = { values, images, stride };

	switch (t->kind) {
	case SCRIPT_COUNT:
	case SCRIPT_SUM: words_add(to, &v, 1); break;
	case SCRIPT_MIN:
	case SCRIPT_MAX: extreme_merge(t, to, &v); break;
	case SCRIPT_AVG:
	case SCRIPT_STATS: words_add(to, &v, 2); break;
	case SCRIPT_HIST:
	case SCRIPT_LHIST: words_add(to, &v, bt_hist_buckets(t)); break;
	case SCRIPT_TSERIES: bt_series_merge(t, to, values, images, stride); break;
	default: memcpy(to, values, t->size); break;
	}
}

static uint64_t average(const struct script_type *t, const struct script_stats *s)
{
	if (!s->count)
		return 0;
	return t->is_signed ? (uint64_t)(s->total / (int64_t)s->count) :
			      (uint64_t)s->total / s->count;
}

uint64_t bt_merged_number(const struct script_type *t, const void *merged)
{
	struct script_stats s;

	if (t->kind != SCRIPT_AVG && t->kind != SCRIPT_STATS)
		return bt_number_read(merged, sizeof(uint64_t), false);
	memcpy(&s, merged, sizeof(s));
	return average(t, &s);
}

static void divided_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
			 uint64_t v)
{
	if (f->div > 1)
		v = t->is_signed ? (uint64_t)((int64_t)v / (int64_t)f->div) : v / f->div;
	bt_show_number(f, o, v, t->is_signed);
}

/* Divides only the average. */
static void stats_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
		       const void *merged)
{
	struct bt_parts p = { f, o, 0 };
	struct script_stats s;

	memcpy(&s, merged, sizeof(s));
	bt_part_begin(&p, "count");
	bt_show_number(f, o, s.count, false);
	bt_part_begin(&p, "average");
	divided_show(f, o, t, average(t, &s));
	bt_part_begin(&p, "total");
	bt_show_number(f, o, (uint64_t)s.total, t->is_signed);
	bt_parts_end(&p);
}

void bt_show_merged(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const void *merged)
{
	if (t->kind == SCRIPT_STATS)
		stats_show(f, o, t, merged);
	else
		divided_show(f, o, t, bt_merged_number(t, merged));
}
