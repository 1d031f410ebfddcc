/* SPDX-License-Identifier: GPL-2.0-only */
/* fit.c - implements fit.h. */
#include "output/rows/fit.h"

#include <string.h>

#include "output/rows/columns.h"
#include "output/rows/sink_priv.h"
#include "util/log.h"

static bool is_start(char c)
{
	return (c & 0xc0) != 0x80;
}

/* Eight bytes at a time: bytes that continue a character have bit 7 and not bit 6. */
size_t fit_columns(const char *text, size_t len)
{
	size_t columns = len, i = 0;

	for (uint64_t word; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, text + i, sizeof(word));
		columns -= __builtin_popcountll(word & ~(word << 1) & 0x8080808080808080);
	}
	for (; i < len; i++)
		columns -= !is_start(text[i]);
	return columns;
}

/* Returns the length of the first characters. */
static size_t head_of(const char *text, size_t len, size_t columns)
{
	size_t i = 0;

	for (; i < len; i++)
		if (is_start(text[i]) && !columns--)
			break;
	return i;
}

/* Returns where the last characters begin. */
static size_t tail_of(const char *text, size_t len, size_t columns)
{
	size_t i = len;

	while (i && columns)
		columns -= is_start(text[--i]);
	return i;
}

void fit_write(struct buf *o, const char *text, size_t len, size_t columns)
{
	size_t tail, from;

	if (fit_columns(text, len) <= columns) {
		buf_bytes(o, text, len);
		return;
	}
	o->shortened++;
	tail = memchr(text, ' ', len) ? 0 : (columns - 1) / 2;
	from = tail_of(text, len, tail);
	buf_bytes(o, text, head_of(text, len, columns - 1 - tail));
	buf_str(o, "…");
	buf_bytes(o, text + from, len - from);
}

/* ---- tables ---- */

static size_t title_columns(const struct fit_column *c)
{
	const char *title = !c->field ? "" : c->field->title ?: c->field->name;

	return fit_columns(title, strlen(title));
}

/* Returns the least width at which a column is of use. Addresses, paths and functions have columns of at least 20. */
static size_t least_of(const struct fit_column *c)
{
	size_t title = title_columns(c), least = !c->width || c->width >= 20 ? FIT_LONG : FIT_LEAST;

	if (!c->is_text)
		return c->width;
	if (c->width && c->width < least)
		least = c->width;
	return title > least ? title : least;
}

/* … if numbers may be narrower as well: a column of them has room for large ones, which few rows have. */
static size_t tightest_of(const struct fit_column *c)
{
	size_t title = title_columns(c), least = title > FIT_NUMBER ? title : FIT_NUMBER;

	return !c->is_text && !c->is_exact && c->field && c->width > least ? least : least_of(c);
}

static size_t width_of(const struct fit_column *c)
{
	size_t least = tightest_of(c);

	return c->width > least ? c->width : least;
}

typedef size_t measure_fn(const struct fit_column *c);

static size_t sum(const struct fit_column *columns, size_t count, size_t gap, measure_fn *measure)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		if (!columns[i].is_hidden)
			total += measure(&columns[i]) + (total ? gap : 0);
	return total;
}

/* ---- ranks: which columns may be missing, each with those of the ranks before ---- */

typedef bool rank_fn(const struct sink *s, const struct fit_column *c);

static bool is_minor(const struct sink *s, const struct fit_column *c)
{
	const struct field *f = c->field;

	return f && (f->flags & FIELD_MINOR || (s->minor && columns_have(s->minor, f->name)));
}

static bool is_extended(const struct sink *s, const struct fit_column *c)
{
	return is_minor(s, c) || (c->field && c->field->flags & FIELD_EXTENDED);
}

static bool is_number(const struct sink *s, const struct fit_column *c)
{
	return is_extended(s, c) || (c->field && !c->is_text && !c->is_exact);
}

/* Hides the last column that may be missing. Returns false if there is none. */
static bool last_hide(const struct sink *s, struct fit_column *columns, size_t count, rank_fn *may)
{
	for (size_t i = count; i--;) {
		if (columns[i].is_hidden || !may(s, &columns[i]))
			continue;
		columns[i].is_hidden = true;
		return true;
	}
	return false;
}

static bool hide_until_fit(const struct sink *s, struct fit_column *columns, size_t count,
			   size_t gap, measure_fn *measure, rank_fn *may)
{
	while (sum(columns, count, gap, measure) > s->out->columns)
		if (!last_hide(s, columns, count, may))
			return false;
	return true;
}

static struct fit_column *widest(struct fit_column *columns, size_t count, measure_fn *least)
{
	struct fit_column *found = NULL;

	for (struct fit_column *c = columns; c < columns + count; c++)
		if (!c->is_hidden && c->width > least(c) && (!found || c->width > found->width))
			found = c;
	return found;
}

static void narrow(struct fit_column *columns, size_t count, size_t gap, size_t room,
		   measure_fn *least)
{
	struct fit_column *c;

	while (sum(columns, count, gap, width_of) > room && (c = widest(columns, count, least)))
		c->width--;
}

size_t fit_table(const struct sink *s, struct fit_column *columns, size_t count, size_t gap)
{
	bool fits = hide_until_fit(s, columns, count, gap, least_of, is_minor) ||
		    hide_until_fit(s, columns, count, gap, tightest_of, is_minor) ||
		    hide_until_fit(s, columns, count, gap, tightest_of, is_extended) ||
		    hide_until_fit(s, columns, count, gap, tightest_of, is_number);

	for (size_t i = 0; !fits && i < count; i++)
		columns[i].is_hidden = false;
	if (fits) {
		narrow(columns, count, gap, s->out->columns, least_of);
		narrow(columns, count, gap, s->out->columns, tightest_of);
	}
	return sum(columns, count, gap, width_of);
}

void fit_note(struct sink *s, const struct fit_column *columns, size_t count)
{
	struct buf names;

	if (s->is_noted)
		return;
	s->is_noted = true;
	buf_init(&names, -1);
	for (size_t i = 0; i < count; i++)
		if (columns[i].is_hidden) {
			buf_str(&names, names.len ? ", " : "");
			table_write_title(&names, columns[i].field);
		}
	if (names.len)
		log_note("no room for %.*s in %u columns: --wide prints all", (int)names.len,
			 names.data, s->out->columns);
	buf_free(&names);
}

enum style fit_style(const struct field *f, const char *text, size_t len)
{
	bool is_none = len == 1 && (*text == '0' || *text == '-');

	if (f->type == FIELD_ERRNO || f->type == FIELD_ERROR)
		return is_none ? STYLE_NONE : STYLE_ERROR;
	return strcmp(f->name, "comm") ? STYLE_NONE : STYLE_TASK;
}
