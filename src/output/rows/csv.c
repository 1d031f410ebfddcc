/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * csv.c - comma-separated values (RFC 4180): the columns of a table under their names in JSON, and the values of JSON:
 * numbers without a unit, what is missing as nothing between two commas.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field_load.h"
#include "output/field/value_json.h"
#include "output/rows/sink_priv.h"

/* Turns what has been written from `start` on, a value of JSON, into one of CSV. Strings keep the escapes of control
 * characters: a row is a line. */
static void csv_from_json(struct buf *o, size_t start)
{
	size_t len = o->len - start;
	char *json = strndup(o->data + start, len);
	bool is_string, is_quoted;

	if (!json) {
		o->error = -ENOMEM;
		return;
	}
	is_string = *json == '"';
	is_quoted = strpbrk(json + is_string, is_string ? ",\\\"" : ",\"") &&
		    (!is_string || strcspn(json + 1, ",\\\"") < len - 2);
	buf_rewind(o, start);
	if (is_quoted)
		buf_char(o, '"');
	if (!strcmp(json, "null"))
		len = 0;
	for (size_t i = is_string; i + is_string < len; i++) {
		if (is_string && json[i] == '\\' && strchr("\\\"/", json[i + 1]))
			i++;
		if (json[i] == '"')
			buf_char(o, '"');
		buf_char(o, json[i]);
	}
	if (is_quoted)
		buf_char(o, '"');
	free(json);
}

static int write_value(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;
	size_t start;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	buf_bytes(r->out, r->leads + c->lead, c->lead_len);
	start = r->out->len;
	if (v.status == EVENT_OK)
		c->json(r->out, c->field, &v);
	else
		json_write_value_or_null(r->out, c->field, &v);
	csv_from_json(r->out, start);
	return 0;
}

static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	for (size_t i = 0; i < shape->schema->count; i++)
		if (sink_field_is_shown(s, shape->schema, i))
			sink_cell_add(s, shape, &shape->schema->fields[i]);
}

static void cell_prepare(struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;

	if (shape->cell_count > 1)
		buf_char(&shape->leads, ',');
	c->json = f->count ? json_write_value : field_kind(f)->json;
	c->write = write_value;
}

static void write_header(struct sink *s, const struct sink_shape *shape)
{
	for (size_t i = 0; i < shape->cell_count; i++) {
		const struct field *f = shape->cells[i].field;

		buf_printf(s->out, "%s%s%s", i ? "," : "", f->name, field_unit_suffix(f));
	}
	if (shape->cell_count)
		buf_char(s->out, '\n');
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	struct row r = { .out = s->out, .leads = shape->leads.data };
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	for (size_t i = 0; i < shape->cell_count; i++) {
		if (!shape->cells[i].write(&r, &shape->cells[i], record, size))
			continue;
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	buf_char(s->out, '\n');
	return 0;
}

const struct sink_form sink_form_csv = {
	.cells = cells_add,
	.cell = cell_prepare,
	.header = write_header,
	.record = write_record,
};
