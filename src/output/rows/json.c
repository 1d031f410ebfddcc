/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.c - writes a record as one JSON object on one line.
 *
 * {"type":…,"ts_ns":…,"time":…, the fields in order, "errors":{…},"cut":{…}}; the values of expressions are grouped
 * in "args":{…}. This file knows nothing about columns or files.
 */
#include "output/rows/json.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <linux/types.h>
#include <sys/utsname.h>

#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/rows/sink_priv.h"
#include "util/buf.h"
#include "util/escape.h"
#include "util/small_file.h"
#include "event.h"

/*
 * These members are the same in each line, so they are formatted once. Metrics have them as labels.
 */

static const char *text = "";

static void member_write(struct buf *o, const char *name, const char *value)
{
	escape_write_json_key(o, name);
	if (*value)
		escape_write_json(o, value, strlen(value));
	else
		buf_str(o, "null");
}

void json_meta_each(struct buf *o, const char *applet,
		    void (*put)(struct buf *o, const char *name, const char *value))
{
	struct utsname name = { 0 };
	char boot_id[64];

	uname(&name);
	/* it changes at each boot; "" without /proc */
	small_file_line("/proc/sys/kernel/random/boot_id", boot_id, sizeof(boot_id));
	put(o, "host_name", name.nodename);
	put(o, "boot_id", boot_id);
	put(o, "kernel_release", name.release);
	put(o, "applet", applet);
}

void json_meta_set(const char *applet)
{
	struct buf o;

	buf_init(&o, -1);
	json_meta_each(&o, applet, member_write);
	buf_char(&o, 0);
	if (!o.error)
		text = strdup(o.data) ?: "";
	buf_free(&o);
}

/* Returns members to append after "type", each with a comma before it; "" unless json_meta_set was called. */
static const char *json_meta_text(void)
{
	return text;
}

/* ---- records ---- */

void json_write_key(struct buf *o, const struct field *f)
{
	buf_char(o, '"');
	escape_write_part(o, f->name, strlen(f->name), ESCAPE_JSON);
	buf_str(o, field_unit_suffix(f));
	buf_str(o, "\":");
}

static const char *object_of(const struct field *f)
{
	return f->object ?: f->flags & FIELD_PAIR ? "args" : NULL;
}

static bool same_object(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Pairs are in an object of their own, because the user chose their names, which could clash with others. */
static void lead_write(struct sink_shape *shape, const struct field *f)
{
	const char *object = object_of(f);
	bool same = same_object(object, shape->object);
	struct buf *leads = &shape->leads;

	if (!same && shape->object)
		buf_char(leads, '}');
	if (!same && object) {
		escape_write_json_key(leads, object);
		buf_char(leads, '{');
	} else {
		buf_char(leads, ',');
	}
	json_write_key(leads, f);
	shape->object = object;
}

/* ---- errors of values ---- */

/* Writes how much was left out; null if unknown. */
static void write_left_out(struct buf *o, const struct value *v)
{
	if (v->left_out)
		buf_uint(o, v->left_out);
	else
		buf_str(o, "null");
}

/* Writes one of the two objects at the end. They are rare, so the fields are simply loaded again. */
static void write_flaws(struct buf *o, const struct sink_shape *shape, const void *record,
			size_t size, bool errors, const char *key)
{
	const char *before = key;
	size_t start = o->len;
	struct value v;

	for (size_t i = 0; i < shape->cell_count; i++) {
		const struct field *f = shape->cells[i].field;

		if (field_load(f, record, size, &v) ||
		    !(errors ? value_is_unreadable(&v) || v.unreadable : v.status == EVENT_CUT))
			continue;
		if (before)
			escape_write_json_key(o, before);
		buf_char(o, before ? '{' : ',');
		before = NULL;
		json_write_key(o, f);
		if (errors)
			json_write_error(o, f, &v);
		else
			write_left_out(o, &v);
	}
	if (o->len != start)
		buf_char(o, '}');
}

void json_write_flaws(const struct row *r, const struct sink_shape *shape, const void *record,
		      size_t size, const char *const keys[2])
{
	if (!r->flawed)
		return;
	write_flaws(r->out, shape, record, size, true, keys[0]);
	write_flaws(r->out, shape, record, size, false, keys[1]);
}

/* ---- members ---- */

static inline void lead_copy(struct row *r, const struct sink_cell *c)
{
	buf_bytes(r->out, r->leads + c->lead, c->lead_len);
}

static int write_plain(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	uint32_t u;

	(void)size;
	lead_copy(r, c);
	memcpy(&u, (const char *)record + c->field->offset, sizeof(u));
	buf_uint(r->out, u);
	return 0;
}

static int write_member(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	lead_copy(r, c);
	if (__builtin_expect(v.status == EVENT_OK, 1))
		c->json(r->out, c->field, &v);
	else
		json_write_value_or_null(r->out, c->field, &v);
	r->flawed |= v.unreadable || !(v.status == EVENT_OK || v.status == EVENT_NONE ||
				       v.status == EVENT_NIL || v.status == EVENT_ANONYMOUS);
	return 0;
}

/* Omits the key if there is nothing to show. */
static int write_sparse(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	return value_is_nothing(&v) ? 0 : write_member(r, c, record, size);
}

void json_cell_prepare(const struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;

	c->json = f->count ? json_write_value : field_kind(f)->json;
	c->write = f->flags & FIELD_SPARSE	? write_sparse :
		   sink_cell_is_plain(shape, f) ? write_plain :
						  write_member;
}

/* ---- the object ---- */

static void cell_prepare(struct sink_shape *shape, struct sink_cell *c)
{
	lead_write(shape, c->field);
	json_cell_prepare(shape, c);
}

/* Adds the fields in the schema's order. */
static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	buf_str(&shape->leads, "{\"type\":");
	escape_write_json(&shape->leads, s->applet, strlen(s->applet));
	buf_str(&shape->leads, json_meta_text());
	shape->head_len = shape->leads.len;
	for (size_t i = 0; i < shape->schema->count; i++)
		if (sink_field_is_shown(s, shape->schema, i))
			sink_cell_add(s, shape, &shape->schema->fields[i]);
}

static void write_time(struct buf *o, uint64_t ns)
{
	buf_str(o, ",\"time\":");
	json_write_time(o, ns);
}

static void write_stamp(struct buf *o, const void *record)
{
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	if (!head.ts)
		return;
	buf_str(o, ",\"ts_ns\":");
	buf_json_uint(o, head.ts);
	write_time(o, head.ts);
}

static void write_covered(struct buf *o, const struct sink *s)
{
	buf_str(o, ",\"total\":");
	buf_uint(o, s->total);
	buf_str(o, ",\"elapsed_ns\":");
	buf_uint(o, s->elapsed);
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	static const char *const flaws[] = { "errors", "cut" };
	const struct sink_cell *end = shape->cells + shape->cell_count;
	struct row r = { .out = s->out, .leads = shape->leads.data };
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	buf_bytes(s->out, shape->leads.data, shape->head_len);
	if (!shape->schema->bare)
		write_stamp(s->out, record);
	else if (s->time)
		write_time(s->out, s->time);
	if (s->elapsed)
		write_covered(s->out, s);
	for (const struct sink_cell *c = shape->cells; c < end; c++) {
		if (!c->write(&r, c, record, size))
			continue;
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	if (shape->object)
		buf_char(s->out, '}');
	json_write_flaws(&r, shape, record, size, flaws);
	buf_str(s->out, "}\n");
	return 0;
}

/* Uses a separate buffer, because the output counts records. */
static void write_lost(struct sink *s, const struct schema *schema, const void *row, size_t size)
{
	struct buf line;
	struct sink own = { .schema = schema, .out = &line, .json = true, .applet = "lost" };

	buf_init(&line, -1);
	if (!sink_record(&own, row, size))
		buf_bytes(s->out, line.data, line.len);
	sink_free(&own);
	buf_free(&line);
}

const struct sink_form sink_form_json = {
	.all_fields = true,
	.cells = cells_add,
	.cell = cell_prepare,
	.record = write_record,
	.lost = write_lost,
};
