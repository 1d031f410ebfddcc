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

size_t fit_columns(const char *text, size_t len)
{
	size_t columns = 0;

	for (size_t i = 0; i < len; i++)
		columns += is_start(text[i]);
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

static size_t width_of(const struct fit_column *c)
{
	size_t least = least_of(c);

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

static bool is_minor(const struct sink *s, const struct field *f)
{
	return f && (f->flags & FIELD_MINOR || (s->minor && columns_have(s->minor, f->name)));
}

static bool last_hide(const struct sink *s, struct fit_column *columns, size_t count)
{
	for (size_t i = count; i--;) {
		if (columns[i].is_hidden || !is_minor(s, columns[i].field))
			continue;
		columns[i].is_hidden = true;
		return true;
	}
	return false;
}

static struct fit_column *widest(struct fit_column *columns, size_t count)
{
	struct fit_column *found = NULL;

	for (struct fit_column *c = columns; c < columns + count; c++)
		if (c->is_text && !c->is_hidden && c->width > least_of(c) &&
		    (!found || c->width > found->width))
			found = c;
	return found;
}

size_t fit_table(const struct sink *s, struct fit_column *columns, size_t count, size_t gap)
{
	size_t room = s->out->columns;
	struct fit_column *c;
	bool fits;

	while (!(fits = sum(columns, count, gap, least_of) <= room))
		if (!last_hide(s, columns, count))
			break;
	for (size_t i = 0; !fits && i < count; i++)
		columns[i].is_hidden = false;
	while (fits && sum(columns, count, gap, width_of) > room && (c = widest(columns, count)))
		c->width--;
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
