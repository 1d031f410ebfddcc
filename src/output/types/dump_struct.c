/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_struct.c - writes bytes of a BTF type as the members of a struct, by name.
 *
 * In text, members that are zero are left out unless requested, and a short nested struct is on one line. Members of
 * anonymous structs and unions appear among the others, as C names them. Damaged BTF may describe anything: nothing
 * outside the bytes is read, and the walk is bounded. Text from the kernel is escaped.
 */
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/types/dump.h"

#include <string.h>

#include "output/field/btf_field.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "output/types/dump_priv.h"
#include "util/escape.h"

enum {
	DEPTH_MAX = 24,
	MEMBERS_MAX = 100000, /* members of one value to show at most */
};

/* ---- structs ---- */

static void write_bits(struct dump *s, const struct btf_found *m, size_t at, const char *name)
{
	struct field f;
	struct value v;

	if (!dump_load(s, m->type, at + m->bit_offset / 8, m, &f, &v) ||
	    (!v.u && !s->json && !(s->f->flags & FIELD_ZEROS)))
		return;
	dump_begin_member(s, name);
	dump_single(s, m->type, &f, &v, name);
	dump_end_item(s);
}

static void write_members(struct dump *s, uint32_t id, size_t at);

static void write_member(struct dump *s, const struct btf_found *m, size_t at, const char *name)
{
	size_t from = at + m->bit_offset / 8, size = btf_view_size(s->f->btf, m->type);
	const struct btf_type *t = btf_view_stripped(s->f->btf, m->type);

	if (!dump_is_wanted(s, from, size))
		return;
	if (!*name && t && btf_is_composite(t)) {
		write_members(s, m->type, from);
		return;
	}
	dump_begin_member(s, name);
	dump_any(s, m->type, from, name);
	dump_end_item(s);
}

/* Writes the variant that an enum of Rust has: member i contains all; the one before tells which, if there is a choice. */
static void write_variant(struct dump *s, const struct btf_type *t, unsigned i, size_t at)
{
	const struct btf_view *b = s->f->btf;
	const struct btf_type *all = btf_view_stripped(b, btf_members(t)[i].type);
	unsigned count = btf_vlen(all), numbers = 0;
	struct field_name active = { 0 };
	struct btf_found m;
	struct field f;
	struct value v;

	if (i)
		btf_view_member_at(b, t, i - 1, &m);
	if (i && btf_view_is_variants(b, m.type)) {
		if (!dump_load(s, m.type, at + m.bit_offset / 8, NULL, &f, &v))
			return;
		btf_field_name(b, m.type, &f, &v, &active);
		numbers = btf_vlen(btf_view_stripped(b, m.type));
	}
	for (unsigned j = 0; j < count; j++) {
		const char *name = btf_view_string(b, btf_members(all)[j].name_off);

		if (active.name ? strcmp(name, active.name) : j + 1 < count || numbers == count)
			continue;
		btf_view_member_at(b, all, j, &m);
		dump_begin_member(s, name);
		dump_any(s, m.type, at + m.bit_offset / 8, name);
		dump_end_item(s);
		return;
	}
}

static void write_members(struct dump *s, uint32_t id, size_t at)
{
	const struct btf_type *t = btf_view_stripped(s->f->btf, id);

	s->nesting++;
	for (unsigned i = 0; s->nesting < DEPTH_MAX && i < btf_vlen(t) && s->budget-- > 0; i++) {
		const char *name = btf_view_string(s->f->btf, btf_members(t)[i].name_off);
		struct btf_found m;

		btf_view_member_at(s->f->btf, t, i, &m);
		if (btf_view_is_variants(s->f->btf, m.type)) {
			if (btf_view_kind(s->f->btf, m.type) == BTF_KIND_UNION)
				write_variant(s, t, i, at);
		} else if (!m.bit_size)
			write_member(s, &m, at, name);
		else if (*name) /* bits without a name are padding */
			write_bits(s, &m, at, name);
	}
	s->nesting--;
}

/* True for a struct list_head whose links both point to itself. */
static bool is_empty_list(const struct dump *s, size_t at, size_t size)
{
	uint64_t links[2];

	if (s->json || !s->base || size != sizeof(links))
		return false;
	memcpy(links, s->bytes + at, sizeof(links));
	return links[0] == s->base + at && links[1] == links[0];
}

static void write_struct(struct dump *s, uint32_t id, size_t at, size_t size)
{
	size_t start = s->o->len;

	if (is_empty_list(s, at, size)) {
		buf_str(s->o, "{}");
		return;
	}
	dump_open(s, '{');
	if (s->address) {
		buf_str(s->o, "\"@\":\"0x");
		buf_hex(s->o, s->address);
		buf_char(s->o, '"');
		s->address = 0;
		s->some = true;
	}
	write_members(s, id, at);
	dump_close(s, '}');
	dump_join(s, start);
}

/* ---- pointers that are followed ---- */

static const struct field *follow_at(const struct dump *s, size_t at)
{
	for (unsigned i = 0; i < s->f->follow_count; i++)
		if (s->f->follows[i].follow_at == at)
			return &s->f->follows[i];
	return NULL;
}

/* Writes the target of a pointer: in JSON instead of the pointer, with the address as member "@"; in text after it.
 * If the target could not be read, only the pointer is written, and a note in text. */
static bool write_followed(struct dump *s, const struct field *follow, uint64_t address)
{
	struct dump inner = *s;
	struct value v;

	/* the sink has checked that the record contains all fixed bytes */
	if (field_load(follow, s->bytes - s->f->offset, SIZE_MAX, &v))
		return false;
	if (!s->json)
		buf_char(s->o, ' ');
	if (!v.bytes) {
		if (!s->json)
			value_text_write(s->o, follow, &v, TIMESTAMP_NONE);
		return false;
	}
	inner.f = follow;
	inner.bytes = v.bytes;
	inner.size = v.len;
	inner.address = s->json ? address : 0;
	inner.base = address;
	dump_any(&inner, follow->btf_id, 0, "");
	s->budget = inner.budget;
	return true;
}

static void write_pointer(struct dump *s, uint32_t id, size_t at)
{
	const struct field *follow = follow_at(s, at);
	struct field f;
	struct value v;

	if (!dump_load(s, id, at, NULL, &f, &v))
		return;
	if (s->json && follow && v.u && write_followed(s, follow, v.u))
		return;
	dump_single(s, id, &f, &v, "");
	if (!s->json && follow && v.u)
		write_followed(s, follow, v.u);
}

/* Writes a string of C++, Rust or Go, whose bytes are elsewhere. Returns false for another struct. */
static bool write_string(struct dump *s, uint32_t id, size_t at)
{
	const struct field *text = follow_at(s, at);
	struct value v;

	if (!text || text->type != FIELD_COUNTED || text->btf_id != id ||
	    field_load(text, s->bytes - s->f->offset, SIZE_MAX, &v))
		return false;
	if (s->json)
		json_write_value_or_null(s->o, text, &v);
	else
		value_text_write(s->o, text, &v, TIMESTAMP_NONE);
	return true;
}

/* ---- arrays ---- */

/* Writes structs and arrays; in text, those that are zero are left out and the others are numbered. */
static void write_elements(struct dump *s, uint32_t id, size_t at, size_t count, size_t size)
{
	size_t start = s->o->len;

	dump_open(s, s->json ? '[' : '{');
	for (size_t i = 0; i < count && s->budget-- > 0; i++) {
		if (!s->json && !dump_is_wanted(s, at + i * size, size))
			continue;
		dump_begin_item(s);
		if (!s->json) {
			buf_char(s->o, '[');
			buf_uint(s->o, i);
			buf_str(s->o, "] = ");
		}
		dump_any(s, id, at + i * size, "");
		dump_end_item(s);
	}
	dump_close(s, s->json ? ']' : '}');
	dump_join(s, start);
}

static void dump_array(struct dump *s, const struct btf_type *t, size_t at, size_t all,
		       const char *name)
{
	uint32_t id = btf_array(t)->type;
	size_t count = btf_array(t)->nelems, size = count ? all / count : 0;
	enum field_type type;
	unsigned bytes;

	if (dump_is_text(s, id, at, all, name))
		dump_text(s, at, all);
	else if (btf_field_type(s->f->btf, id, &type, &bytes))
		dump_numbers(s, id, at, count, size);
	else
		write_elements(s, id, at, count, size);
}

/* ---- any value ---- */

void dump_any(struct dump *s, uint32_t id, size_t at, const char *name)
{
	uint32_t under = btf_view_strip(s->f->btf, id);
	const struct btf_type *t = btf_view_type(s->f->btf, under);
	size_t size = btf_view_size(s->f->btf, under);
	struct field f;
	struct value v;

	if (!t || at > s->size || size > s->size - at || s->depth > DEPTH_MAX)
		buf_str(s->o, s->json ? "null" : "…");
	else if (btf_is_composite(t) && write_string(s, under, at))
		return;
	else if (btf_is_composite(t))
		write_struct(s, under, at, size);
	else if (btf_kind(t) == BTF_KIND_ARRAY)
		dump_array(s, t, at, size, name);
	else if (btf_kind(t) == BTF_KIND_PTR)
		write_pointer(s, under, at);
	else if (dump_load(s, under, at, NULL, &f, &v))
		dump_single(s, id, &f, &v, name);
	else
		dump_raw(s, under, at, size);
}

void dump_struct_write(struct buf *o, const struct field *f, const struct value *v, bool json)
{
	struct dump s = { .o = o,
			  .f = f,
			  .bytes = v->bytes,
			  .size = v->len,
			  .json = json,
			  .budget = MEMBERS_MAX };
	const struct btf_type *t = btf_view_stripped(f->btf, f->btf_id);

	if (f->address) /* in the fixed part of the record, as all followed targets */
		memcpy(&s.base, v->bytes - f->offset + f->address, sizeof(s.base));
	if (!json && t && btf_is_composite(t))
		dump_declare(&s);
	dump_any(&s, f->btf_id, 0, "");
}

size_t text_struct(struct buf *o, const struct field *f, const struct value *v,
		   enum timestamp_form form)
{
	(void)form;
	dump_struct_write(o, f, v, false);
	return 0;
}

void json_struct(struct buf *o, const struct field *f, const struct value *v)
{
	dump_struct_write(o, f, v, true);
}
