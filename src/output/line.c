/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.c - a record as a text with values in it.
 */
#include "output/line.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field_load.h"
#include "output/value_text.h"

enum { WIDTH_MAX = 200 };

/* Bytes of the text, then a value. */
struct part {
	size_t start, len;  /* in line.bytes */
	struct field field; /* name NULL: none */
	int width;	    /* at least so many columns; negative: blanks behind the value */
};

struct line {
	char *bytes;
	size_t count;
	struct part parts[];
};

struct reading {
	struct line *line;
	const struct schema *schema;
	const char *text, *at;
	size_t used; /* bytes of line.bytes */
	struct line_error *error;
};

static bool wrong(struct reading *r, const char *start, const char *end, bool is_name)
{
	*r->error = (struct line_error){ start - r->text, end - r->text, is_name };
	return false;
}

/* :-16, :8 */
static bool width_read(struct reading *r, struct part *p, const char *colon, const char *close)
{
	const char *at = colon + 1;
	bool is_left = *at == '-';

	at += is_left;
	for (; isdigit((unsigned char)*at) && p->width <= WIDTH_MAX; at++)
		p->width = p->width * 10 + *at - '0';
	if (at != close || !p->width || p->width > WIDTH_MAX)
		return wrong(r, colon, close, false);
	p->width = is_left ? -p->width : p->width;
	return true;
}

/* {NAME} or {NAME:WIDTH} */
static bool value_read(struct reading *r, struct part *p)
{
	const char *name = r->at + 1, *close = strchr(name, '}'), *end;
	const struct field *f;
	bool is_header = *name == '$';

	if (!close)
		return wrong(r, r->at, r->at + strlen(r->at), false);
	end = memchr(name, ':', close - name) ?: close;
	f = schema_find(r->schema, name + is_header, end - name - is_header, is_header);
	if (!f)
		return wrong(r, name, end, true);
	p->field = *f;
	p->field.flags &= ~(FIELD_PAIR | FIELD_CALLER | FIELD_REMARK); /* no quotes */
	p->field.width = 0;
	r->at = close + 1;
	return end == close || width_read(r, p, end, close);
}

static void byte_add(struct reading *r, struct part *p, char c)
{
	r->line->bytes[r->used++] = c;
	p->len++;
}

/* Up to and with the next value. */
static bool part_read(struct reading *r)
{
	struct part *p = &r->line->parts[r->line->count++];

	p->start = r->used;
	for (; *r->at; r->at++) {
		char c = r->at[0], next = r->at[1];

		if (c == '{' && next != '{')
			return value_read(r, p);
		if (c == '{' || (c == '\\' && strchr("nt\\", next) && next))
			r->at++;
		byte_add(r, p, c != '\\' ? c : next == 'n' ? '\n' : next == 't' ? '\t' : '\\');
	}
	return true;
}

struct line *line_make(const char *text, const struct schema *schema, struct line_error *error)
{
	size_t most = 1;
	struct reading r = { .schema = schema, .text = text, .at = text, .error = error };

	for (const char *at = text; *at; at++)
		most += *at == '{';
	*error = (struct line_error){ 0 };
	r.line = calloc(1, sizeof(*r.line) + most * sizeof(r.line->parts[0]));
	if (r.line)
		r.line->bytes = malloc(strlen(text) + 1);
	if (!r.line || !r.line->bytes) {
		line_free(r.line);
		return NULL;
	}
	do {
		if (part_read(&r))
			continue;
		line_free(r.line);
		return NULL;
	} while (*r.at);
	return r.line;
}

void line_free(struct line *line)
{
	if (line)
		free(line->bytes);
	free(line);
}

static int value_put(struct buf *o, const struct part *p, const void *record, size_t size,
		     enum timestamp_form form)
{
	size_t start = o->len, columns, width = abs(p->width);
	struct value v;

	if (field_kind(&p->field)->flags & KIND_BELOW)
		return 0;
	if (field_load(&p->field, record, size, &v))
		return -EBADMSG;
	columns = value_text_put(o, &p->field, &v, form);
	if (columns < width && p->width > 0)
		buf_indent(o, start, width - columns);
	else if (columns < width)
		buf_blanks(o, width - columns);
	return 0;
}

int line_put(struct buf *o, const struct line *line, const void *record, size_t size,
	     enum timestamp_form form)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct part *p = &line->parts[i];

		buf_bytes(o, line->bytes + p->start, p->len);
		if (p->field.name && value_put(o, p, record, size, form))
			return -EBADMSG;
	}
	buf_char(o, '\n');
	return 0;
}
