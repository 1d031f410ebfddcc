/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.c - a record as a text with values in it.
 */
#include "output/rows/line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/rows/line_form.h"

/* Bytes of the text, then a value. */
struct part {
	size_t start, len;  /* in line.bytes */
	struct field field; /* name NULL: none */
	struct line_form form;
};

struct line {
	char *bytes;
	bool goes_on; /* no newline behind it */
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
	*r->error = (struct line_error){ start - r->text, end - r->text, is_name, false };
	return false;
}

static bool wrong_kind(struct reading *r, const char *start, const char *end)
{
	*r->error = (struct line_error){ start - r->text, end - r->text, false, true };
	return false;
}

/* What stands behind the colon. */
static bool form_read(struct reading *r, struct part *p, const char *colon, const char *close)
{
	if (!line_form_read(&p->form, colon + 1, close))
		return wrong(r, colon, close, false);
	return line_form_fits(&p->form, &p->field) || wrong_kind(r, colon, close);
}

/* {NAME} or {NAME:FORM} */
static bool value_read(struct reading *r, struct part *p)
{
	const char *name = r->at + 1, *close = strchr(name, '}'), *end;
	const struct field *f;
	bool is_header = *name == '$';

	if (!close)
		return wrong(r, r->at, r->at + strlen(r->at), false);
	end = memchr(name, ':', close - name) ?: close;
	r->at = close + 1;
	f = schema_find(r->schema, name + is_header, end - name - is_header, is_header);
	if (!f)
		return wrong(r, name, end, true);
	p->field = *f;
	p->field.flags &= ~(FIELD_PAIR | FIELD_CALLER | FIELD_REMARK); /* no quotes */
	p->field.width = 0;
	return end == close || form_read(r, p, end, close);
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
		if (c == '\\' && next == 'c' && !r->at[2]) {
			r->line->goes_on = true;
			r->at += 2;
			return true;
		}
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

int line_put(struct buf *o, const struct line *line, const void *record, size_t size,
	     enum timestamp_form form)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct part *p = &line->parts[i];

		buf_bytes(o, line->bytes + p->start, p->len);
		if (p->field.name && line_form_put(o, &p->form, &p->field, record, size, form))
			return -EBADMSG;
	}
	if (!line->goes_on)
		buf_char(o, '\n');
	return 0;
}
