/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_series.c - prints tseries(): a line for each interval, with a star at its value between the minimum and the
 * maximum.
 *
 * Each CPU stores an interval at index number % count. At each index the newest interval wins.
 */
#include <stdlib.h>
#include <time.h>

#include "front/bt/show_parts.h"
#include "util/clock.h"

enum { WIDTH = 53, PADDING = 21 };

/* ---- merging ---- */

static bool is_less(const struct script_type *t, int64_t a, int64_t b)
{
	return t->is_signed ? a < b : (uint64_t)a < (uint64_t)b;
}

/* Merges two values of the same interval. `count` of SERIES_LAST is the time of the value. */
static void interval_add(const struct script_type *t, struct script_interval *to,
			 const struct script_interval *v)
{
	bool takes;

	switch (t->mode) {
	case SCRIPT_SERIES_LAST: takes = v->count > to->count; break;
	case SCRIPT_SERIES_MIN: takes = is_less(t, v->value, to->value); break;
	case SCRIPT_SERIES_MAX: takes = is_less(t, to->value, v->value); break;
	default:
		to->value = (int64_t)((uint64_t)to->value + (uint64_t)v->value);
		to->count += v->count;
		return;
	}
	if (takes)
		*to = *v;
}

void bt_series_merge(const struct script_type *t, struct script_interval *to, const void *values,
		     uint32_t images, uint32_t stride)
{
	struct script_interval v;

	memset(to, 0, t->count * sizeof(*to));
	for (uint32_t i = 0; i < images; i++) {
		for (uint32_t j = 0; j < t->count; j++) {
			memcpy(&v, (const char *)values + (size_t)i * stride + j * sizeof(v),
			       sizeof(v));
			if (v.number > to[j].number)
				to[j] = v;
			else if (v.number && v.number == to[j].number)
				interval_add(t, &to[j], &v);
		}
	}
}

uint64_t bt_series_last(const struct script_type *t, const struct script_interval *merged)
{
	uint64_t last = 0;

	for (uint32_t j = 0; j < t->count; j++)
		last = merged[j].number > last ? merged[j].number : last;
	return last;
}

/* ---- a picture ---- */

struct picture {
	const struct bt_form *f;
	struct buf *o;
	const struct script_type *t;
	const struct script_interval *merged;
	uint64_t first, last; /* intervals to show; none if last is 0 */
	int64_t least, most;
	const char *unit; /* for fractions of a second; NULL: none */
	unsigned digits;
};

static const struct script_interval *interval_of(const struct picture *p, uint64_t number)
{
	for (uint32_t j = 0; j < p->t->count; j++)
		if (p->merged[j].number == number)
			return &p->merged[j];
	return NULL;
}

static int64_t value_of(const struct picture *p, const struct script_interval *v)
{
	if (p->t->mode != SCRIPT_SERIES_AVG || !v->count)
		return v->value;
	return p->t->is_signed ? v->value / (int64_t)v->count :
				 (int64_t)((uint64_t)v->value / v->count);
}

/* Sets the range: from this key's first interval among the newest of the map. */
static void range_find(struct picture *p, uint64_t last)
{
	uint64_t begin = last >= p->t->count ? last - p->t->count + 1 : 1;

	p->last = last;
	p->first = last;
	for (uint32_t j = 0; j < p->t->count; j++)
		if (p->merged[j].number >= begin && p->merged[j].number < p->first)
			p->first = p->merged[j].number;
}

static void extremes_find(struct picture *p)
{
	bool has = false;

	for (uint64_t n = p->first; n <= p->last; n++) {
		const struct script_interval *v = interval_of(p, n);
		int64_t value = v ? value_of(p, v) : 0;

		if (!v)
			continue;
		if (!has || is_less(p->t, value, p->least))
			p->least = value;
		if (!has || is_less(p->t, p->most, value))
			p->most = value;
		has = true;
	}
	if (p->least != p->most)
		return;
	/* add a margin if there is room */
	if (p->least != (p->t->is_signed ? INT64_MIN : 0))
		p->least--;
	if (p->most != (p->t->is_signed ? INT64_MAX : -1))
		p->most++;
}

/* Finds the unit in which the distance of two lines is a whole number; for a single line nanoseconds. */
static void unit_find(struct picture *p)
{
	uint64_t step = p->last > p->first ? (uint64_t)p->t->step : 0;

	if (step >= NS_PER_SEC) {
		p->unit = NULL;
		p->digits = 0;
	} else if (step >= 1000000) {
		p->unit = "ms";
		p->digits = 3;
	} else if (step >= 1000) {
		p->unit = "μs";
		p->digits = 6;
	} else {
		p->unit = "ns";
		p->digits = 9;
	}
}

static size_t time_width(const struct picture *p)
{
	return strlen("hh:mm:ss") + (p->unit ? 1 + p->digits : 0);
}

static void number_write(const struct picture *p, int64_t value)
{
	if (p->t->is_signed)
		buf_int(p->o, value);
	else
		buf_uint(p->o, (uint64_t)value);
}

/* Writes the minimum on the left and the maximum on the right. */
static void scale_write(const struct picture *p)
{
	struct picture right = *p;
	struct buf text;
	size_t start;

	buf_repeat(p->o, ' ', time_width(p) + 1);
	start = p->o->len;
	number_write(p, p->least);
	if (p->o->error)
		return;
	if (p->o->len - start < PADDING)
		buf_repeat(p->o, ' ', PADDING - (p->o->len - start));
	buf_init(&text, -1);
	right.o = &text;
	number_write(&right, p->most);
	if (text.len < WIDTH - PADDING)
		buf_repeat(p->o, ' ', WIDTH - PADDING - text.len);
	buf_bytes(p->o, text.data ?: "", text.len);
	buf_char(p->o, '\n');
	buf_free(&text);
}

/* The unit's bytes count as columns, as in bpftrace. */
static void head_write(const struct picture *p)
{
	size_t start = p->o->len;

	buf_str(p->o, "hh:mm:ss");
	if (p->unit) {
		buf_char(p->o, '.');
		buf_str(p->o, p->unit);
	}
	if (!p->o->error && p->o->len - start < time_width(p) + 1)
		buf_repeat(p->o, ' ', time_width(p) + 1 - (p->o->len - start));
	buf_char(p->o, '|');
	buf_repeat(p->o, '_', WIDTH - 2);
	buf_str(p->o, "|\n");
}

/* ---- times ---- */

/* Intervals are numbered from 1, in real time as it was at the start of the run. */
static int64_t interval_time(const struct picture *p, uint64_t number)
{
	return (int64_t)bt_series_wall(p->f->s, (number - 1) * (uint64_t)p->t->step);
}

static void time_write(struct buf *o, int64_t ns, const char *format, unsigned digits)
{
	time_t seconds = (time_t)(ns / NS_PER_SEC - (ns % NS_PER_SEC < 0));
	uint64_t rest = (uint64_t)(ns - seconds * NS_PER_SEC);
	char text[64];
	struct tm tm;

	localtime_r(&seconds, &tm);
	buf_bytes(o, text, strftime(text, sizeof(text), format, &tm));
	for (unsigned i = digits; i && i < 9; i++)
		rest /= 10;
	if (!digits)
		return;
	buf_char(o, '.');
	buf_uint_pad(o, rest, (int)digits);
}

/* ---- lines ---- */

/* Uses single precision, like bpftrace. */
static int place_of(const struct picture *p, int64_t value, int width)
{
	float from = (float)(int64_t)((uint64_t)p->least - (uint64_t)value);
	float all = (float)(int64_t)((uint64_t)p->least - (uint64_t)p->most);
	int at = all != 0 ? (int)((float)width * from / all) : WIDTH / 2;

	return at < 0 ? 0 : at >= WIDTH ? WIDTH - 1 : at;
}

static void line_write(const struct picture *p, uint64_t number)
{
	const struct script_interval *v = interval_of(p, number);
	int zero = p->t->is_signed && p->least < 0 && p->most > 0 ? place_of(p, 0, WIDTH) : 0;
	char line[WIDTH];

	memset(line, ' ', sizeof(line));
	line[0] = line[WIDTH - 1] = '|';
	if (zero)
		line[zero] = '.';
	if (v)
		line[place_of(p, value_of(p, v), WIDTH - 1)] = '*';
	time_write(p->o, interval_time(p, number), "%H:%M:%S", p->digits);
	buf_char(p->o, ' ');
	buf_bytes(p->o, line, sizeof(line));
	buf_char(p->o, ' ');
	if (v)
		number_write(p, value_of(p, v));
	else
		buf_char(p->o, '-');
	buf_char(p->o, '\n');
}

static void picture_write(struct picture *p)
{
	extremes_find(p);
	unit_find(p);
	scale_write(p);
	head_write(p);
	for (uint64_t n = p->first; n <= p->last; n++)
		line_write(p, n);
	buf_repeat(p->o, ' ', time_width(p) + 1);
	buf_char(p->o, 'v');
	buf_repeat(p->o, '_', WIDTH - 2);
	buf_str(p->o, "v\n");
	scale_write(p);
}

/* Omits intervals without a value. */
static void series_json(const struct picture *p)
{
	const char *before = "";

	buf_char(p->o, '[');
	for (uint64_t n = p->first; p->last && n <= p->last; n++) {
		const struct script_interval *v = interval_of(p, n);

		if (!v)
			continue;
		buf_str(p->o, before);
		buf_str(p->o, "{\"interval_start\":\"");
		time_write(p->o, interval_time(p, n), "%Y-%m-%d %H:%M:%S", 9);
		buf_str(p->o, "\",\"value\":");
		number_write(p, value_of(p, v));
		buf_char(p->o, '}');
		before = ",";
	}
	buf_char(p->o, ']');
}

void bt_show_series(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const struct script_interval *merged, uint64_t last)
{
	struct picture p = { .f = f, .o = o, .t = t, .merged = merged };

	range_find(&p, last);
	if (f->json)
		series_json(&p);
	else if (!last)
		buf_str(o, "<no data>");
	else
		picture_write(&p);
}
