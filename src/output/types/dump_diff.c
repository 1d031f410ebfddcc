/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_diff.c - compares two values of one BTF type and writes the members that differ.
 *
 * It descends only where bytes differ. These may also be padding: braces that would stay empty are removed, together
 * with the name before them. dump_parts.c writes the single values, once for each side.
 */
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/types/dump.h"

#include <stdio.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/btf_field.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "output/types/dump_priv.h"
#include "event.h"

enum {
	DEPTH_MAX = 24,
	BUDGET = 100000,   /* members to visit at most */
	ELEMENTS_MAX = 64, /* elements of an array to show at most */
};

/* Both sides write to the same buffer; `to` tracks braces and lines. */
struct diff {
	struct dump from, to;
};

static bool is_changed(const struct diff *d, size_t at, size_t size)
{
	return at <= d->to.size && size <= d->to.size - at &&
	       memcmp(d->from.bytes + at, d->to.bytes + at, size);
}

/* ---- single values ---- */

static void write_side(struct dump *s, uint32_t id, size_t at, const struct btf_found *bits,
		       const char *name)
{
	struct field f;
	struct value v;

	if (!bits)
		dump_any(s, id, at, name);
	else if (dump_load(s, id, at, bits, &f, &v))
		dump_single(s, id, &f, &v, name);
}

static void write_both(struct diff *d, uint32_t id, size_t at, const struct btf_found *bits,
		       const char *name)
{
	bool json = d->to.json;

	buf_str(d->to.o, json ? "{\"from\":" : "");
	write_side(&d->from, id, at, bits, name);
	buf_str(d->to.o, json ? ",\"to\":" : " → ");
	write_side(&d->to, id, at, bits, name);
	buf_str(d->to.o, json ? "}" : "");
}

static bool bits_differ(const struct diff *d, const struct btf_found *m, size_t at)
{
	struct field f;
	struct value from, to;

	return dump_load(&d->from, m->type, at, m, &f, &from) &&
	       dump_load(&d->to, m->type, at, m, &f, &to) && from.u != to.u;
}

/* ---- members and elements ---- */

static bool write_changes(struct diff *d, uint32_t id, size_t at, const char *name);

/* Writes nothing, not even the name, if nothing of the item is to be shown. */
static void write_item(struct diff *d, uint32_t id, size_t at, const struct btf_found *bits,
		       const char *name)
{
	size_t start = d->to.o->len;
	bool some = d->to.some, put = true;

	dump_begin_member(&d->to, name);
	if (bits)
		write_both(d, id, at, bits, name);
	else
		put = write_changes(d, id, at, name);
	if (put) {
		dump_end_item(&d->to);
	} else {
		buf_rewind(d->to.o, start);
		d->to.some = some;
	}
}

static void write_members(struct diff *d, uint32_t id, size_t at)
{
	const struct btf_view *b = d->to.f->btf;
	const struct btf_type *t = btf_view_stripped(d->to.f->btf, id);

	d->to.nesting++;
	for (unsigned i = 0; d->to.nesting < DEPTH_MAX && i < btf_vlen(t) && d->to.budget-- > 0;
	     i++) {
		const char *name = btf_view_string(b, btf_members(t)[i].name_off);
		struct btf_found m;
		size_t from;

		btf_view_member_at(b, t, i, &m);
		from = at + m.bit_offset / 8;
		if (m.bit_size && *name && bits_differ(d, &m, from))
			write_item(d, m.type, from, &m, name);
		if (m.bit_size || !is_changed(d, from, btf_view_size(b, m.type)))
			continue;
		if (!*name && btf_is_composite(btf_view_stripped(d->to.f->btf, m.type)))
			write_members(d, m.type, from);
		else
			write_item(d, m.type, from, NULL, name);
	}
	d->to.nesting--;
}

/* Writes the elements that changed, with their indices. */
static void write_elements(struct diff *d, const struct btf_type *array, size_t at)
{
	uint32_t id = btf_array(array)->type;
	size_t size = btf_view_size(d->to.f->btf, id), count = size ? btf_array(array)->nelems : 0;
	unsigned shown = 0, more = 0;
	char name[16];

	for (size_t i = 0; i < count && d->to.budget-- > 0; i++) {
		if (!is_changed(d, at + i * size, size))
			continue;
		snprintf(name, sizeof(name), "[%zu]", i);
		if (shown++ < ELEMENTS_MAX)
			write_item(d, id, at + i * size, NULL, name);
		else
			more++;
	}
	if (!more)
		return;
	dump_begin_member(&d->to, "more");
	buf_uint(d->to.o, more);
	dump_end_item(&d->to);
}

/* ---- any value ---- */

static bool write_braces(struct diff *d, const struct btf_type *t, uint32_t id, size_t at)
{
	bool some = d->to.some, put;

	dump_open(&d->to, '{');
	if (btf_is_composite(t))
		write_members(d, id, at);
	else
		write_elements(d, t, at);
	put = d->to.some;
	dump_close(&d->to, '}');
	d->to.some = some;
	return put;
}

/* Returns false if only padding differs. */
static bool write_changes(struct diff *d, uint32_t id, size_t at, const char *name)
{
	const struct btf_view *b = d->to.f->btf;
	const struct btf_type *t = btf_view_stripped(d->to.f->btf, id);
	size_t size = btf_view_size(b, id);
	bool is_array = t && btf_kind(t) == BTF_KIND_ARRAY;

	if (!t || !is_changed(d, at, size) || d->to.depth > DEPTH_MAX)
		return false;
	if (is_array && dump_is_text(&d->from, btf_array(t)->type, at, size, name) &&
	    dump_is_text(&d->to, btf_array(t)->type, at, size, name))
		is_array = false;
	if (is_array || btf_is_composite(t))
		return write_braces(d, t, id, at);
	write_both(d, id, at, NULL, name);
	return true;
}

/* ---- reading a record ---- */

/* The two parts of a FIELD_DIFF. */
struct pair {
	const struct field *from_field, *to_field;
	struct value from, to;
};

static bool has_bytes(const struct value *v)
{
	return v->status == EVENT_OK || v->status == EVENT_CUT;
}

/* Returns false for a record that contradicts itself. */
static bool pair_load(const struct field *f, const struct value *v, struct pair *p)
{
	if (f->follow_count != 2)
		return false;
	p->from_field = &f->follows[0];
	p->to_field = &f->follows[1];
	return !field_load(p->from_field, v->bytes, v->len, &p->from) &&
	       !field_load(p->to_field, v->bytes, v->len, &p->to);
}

static bool pair_is_struct(const struct pair *p)
{
	return p->from_field->type == FIELD_STRUCT && has_bytes(&p->from) && has_bytes(&p->to);
}

static bool pair_is_same(const struct pair *p)
{
	if (!has_bytes(&p->from) || !has_bytes(&p->to))
		return false;
	return p->from.u == p->to.u && p->from.len == p->to.len &&
	       (!p->from.len || !memcmp(p->from.bytes, p->to.bytes, p->from.len));
}

static bool write_struct(struct buf *o, const struct pair *p, bool json)
{
	struct diff d = {
		.from = { .o = o,
			  .f = p->from_field,
			  .bytes = p->from.bytes,
			  .size = p->from.len,
			  .json = json,
			  .budget = BUDGET },
		.to = { .o = o,
			.f = p->from_field,
			.bytes = p->to.bytes,
			.size = p->to.len,
			.json = json,
			.budget = BUDGET },
	};
	const struct btf_type *t = btf_view_stripped(d.to.f->btf, p->from_field->btf_id);

	if (!json && t && btf_is_composite(t))
		dump_declare(&d.to);
	if (!pair_is_same(p))
		return write_changes(&d, p->from_field->btf_id, 0, "");
	buf_str(o, "{}");
	return false;
}

static void write_text(struct buf *o, const struct pair *p)
{
	value_text_write(o, p->from_field, &p->from, TIMESTAMP_NONE);
	if (pair_is_same(p) || !has_bytes(&p->from))
		return;
	buf_str(o, " → ");
	value_text_write(o, p->to_field, &p->to, TIMESTAMP_NONE);
}

static void write_json(struct buf *o, const struct pair *p)
{
	if (pair_is_same(p)) {
		buf_str(o, "{}");
		return;
	}
	buf_str(o, "{\"from\":");
	json_write_value_or_null(o, p->from_field, &p->from);
	buf_str(o, ",\"to\":");
	json_write_value_or_null(o, p->to_field, &p->to);
	buf_char(o, '}');
}

void dump_diff_write(struct buf *o, const struct field *f, const struct value *v, bool json)
{
	struct pair p;

	if (!pair_load(f, v, &p))
		buf_str(o, json ? "null" : "…");
	else if (pair_is_struct(&p))
		write_struct(o, &p, json);
	else
		(json ? write_json : write_text)(o, &p);
}

/* If bytes differ, the only way to find out whether a member differs is to write it. */
static bool field_is_empty(const struct field *f, const void *record, size_t size)
{
	struct buf scratch;
	struct value v;
	struct pair p;
	bool empty;

	if (field_load(f, record, size, &v) || !has_bytes(&v) || !pair_load(f, &v, &p))
		return false;
	if (pair_is_same(&p) || !pair_is_struct(&p))
		return pair_is_same(&p);
	buf_init(&scratch, -1);
	empty = !write_struct(&scratch, &p, true);
	buf_free(&scratch);
	return empty;
}

bool dump_diff_is_empty(const struct schema *s, const void *record, size_t size)
{
	bool any = false;

	if (!schema_accepts(s, size))
		return false;
	for (size_t i = 0; i < s->count; i++) {
		if (s->fields[i].type != FIELD_DIFF)
			continue;
		if (!field_is_empty(&s->fields[i], record, size))
			return false;
		any = true;
	}
	return any;
}

size_t text_diff(struct buf *o, const struct field *f, const struct value *v,
		 enum timestamp_form form)
{
	(void)form;
	dump_diff_write(o, f, v, false);
	return 0;
}

void json_diff(struct buf *o, const struct field *f, const struct value *v)
{
	dump_diff_write(o, f, v, true);
}
