/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.c - a record as one JSON object on one line.
 *
 * {"type":…,"ts_ns":…,"time":…, the fields in order, "errors":{…},"cut":{…}}; the values of
 * expressions are grouped in "args":{…}. This file knows nothing about columns or files.
 */
#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "output/sink_priv.h"
#include "output/value_json.h"
#include "util/escape.h"
#include "util/json_number.h"
#include "event.h"

void json_put_key(struct buf *o, const struct field *f)
{
	buf_char(o, '"');
	escape_put_part(o, f->name, strlen(f->name), ESCAPE_JSON);
	buf_str(o, field_unit_suffix(f));
	buf_str(o, "\":");
}

/* ---- what is wrong with the values ---- */

/* Writes how much was left out; null: unknown. */
static void put_left_out(struct buf *o, const struct value *v)
{
	if (v->left_out)
		buf_uint(o, v->left_out);
	else
		buf_str(o, "null");
}

/* Writes one of the two objects at the end. Rare, so the fields are simply loaded again. */
static void put_flaws(struct buf *o, const struct sink_shape *shape, const void *record,
		      size_t size, bool errors)
{
	const char *before = errors ? ",\"errors\":{" : ",\"cut\":{";
	size_t start = o->len;
	struct value v;

	for (size_t i = 0; i < shape->cell_count; i++) {
		const struct field *f = shape->cells[i].field;

		if (field_load(f, record, size, &v) ||
		    !(errors ? value_is_unreadable(&v) || v.unreadable : v.status == EVENT_CUT))
			continue;
		buf_str(o, before);
		before = ",";
		json_put_key(o, f);
		if (errors)
			json_put_error(o, f, &v);
		else
			put_left_out(o, &v);
	}
	if (o->len != start)
		buf_char(o, '}');
}

/* ---- members ---- */

static inline void lead_put(struct row *r, const struct sink_cell *c)
{
	buf_bytes(r->out, r->leads + c->lead, c->lead_len);
}

static int put_plain(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	uint32_t u;

	(void)size;
	lead_put(r, c);
	memcpy(&u, (const char *)record + c->field->offset, sizeof(u));
	buf_uint(r->out, u);
	return 0;
}

static int put_member(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	lead_put(r, c);
	if (__builtin_expect(v.status == EVENT_OK, 1))
		c->json(r->out, c->field, &v);
	else
		json_put_value_or_null(r->out, c->field, &v);
	r->flawed |= v.unreadable || !(v.status == EVENT_OK || v.status == EVENT_NONE ||
				       v.status == EVENT_NIL || v.status == EVENT_ANONYMOUS);
	return 0;
}

/* Omits the key, too, if there is nothing to show. */
static int put_sparse(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	return value_is_nothing(&v) ? 0 : put_member(r, c, record, size);
}

void json_cell_prepare(const struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;

	c->json = f->count ? json_put_value : field_kind(f)->json;
	c->put = f->flags & FIELD_SPARSE      ? put_sparse :
		 sink_cell_is_plain(shape, f) ? put_plain :
						put_member;
}

/* ---- the object ---- */

static void put_time(struct buf *o, uint64_t ns)
{
	buf_str(o, ",\"time\":");
	json_put_time(o, ns);
}

static void put_stamp(struct buf *o, const void *record)
{
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	if (!head.ts)
		return;
	buf_str(o, ",\"ts_ns\":");
	json_put_uint(o, head.ts);
	put_time(o, head.ts);
}

static void put_covered(struct buf *o, const struct sink *s)
{
	buf_str(o, ",\"total\":");
	buf_uint(o, s->total);
	buf_str(o, ",\"elapsed_ns\":");
	buf_uint(o, s->elapsed);
}

int json_put_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	const struct sink_cell *end = shape->cells + shape->cell_count;
	struct row r = { .out = s->out, .leads = shape->leads.data };
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	buf_bytes(s->out, shape->leads.data, shape->head_len);
	if (!shape->schema->bare)
		put_stamp(s->out, record);
	else if (s->time)
		put_time(s->out, s->time);
	if (s->elapsed)
		put_covered(s->out, s);
	for (const struct sink_cell *c = shape->cells; c < end; c++) {
		if (!c->put(&r, c, record, size))
			continue;
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	if (shape->object)
		buf_char(s->out, '}');
	if (r.flawed) {
		put_flaws(s->out, shape, record, size, true);
		put_flaws(s->out, shape, record, size, false);
	}
	buf_str(s->out, "}\n");
	return 0;
}
