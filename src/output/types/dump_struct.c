/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_struct.c - bytes and their BTF type → the fields of a struct, by name.
 *
 * In text, members that are zero are left out unless requested, and a short struct inside another
 * one is on one line. Members of anonymous structs and unions
 * appear among the others, as C names them. Damaged BTF may describe anything: nothing outside the
 * bytes is read, and the walk is bounded. Text from the kernel is escaped.
 */
#include "output/types/dump.h"

#include <string.h>

#include "output/field/btf_field.h"
#include "output/field/flag_names.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "output/types/dump_priv.h"
#include "util/escape.h"

enum {
	DEPTH_MAX = 24,
	MEMBERS_MAX = 100000, /* shown of one value */
	DECLARATION_MAX = 128,
	LINE_MAX = 76, /* of a struct inside another one that is written on one line */
};

/* ---- single values ---- */

static const struct btf_type *stripped(const struct btf_view *b, uint32_t id)
{
	return btf_view_type(b, btf_view_strip(b, id));
}

/* Values that developers write in hexadecimal; in text also any that may be a kernel address. */
static bool is_hex(const struct show *s, const char *name, uint64_t u)
{
	return (!s->json && (int64_t)u < 0) || strstr(name, "flags") || strstr(name, "mask") ||
	       strstr(name, "mode");
}

/* What developers read a number as, by its type or by the name of its member. */
static void field_choose(const struct show *s, uint32_t id, struct field *f, const struct value *v,
			 const char *name)
{
	const struct btf_view *b = s->f->btf;

	if (f->type == FIELD_PTR && v->u && !value_errno(v) &&
	    btf_field_names_code(b, stripped(b, id)->type))
		f->type = FIELD_SYM;
	else if (f->type == FIELD_UINT && !strcmp(btf_view_name(b, id), "umode_t"))
		f->type = FIELD_OCT;
	else if (f->type == FIELD_UINT && !strcmp(name, "f_flags"))
		*f = (struct field){ .type = FIELD_FLAGS, .size = f->size, .names = flags_open };
	else if (f->type == FIELD_UINT && s->f->names && !strcmp(btf_view_name(b, id), "gfp_t"))
		*f = (struct field){ .type = FIELD_FLAGS, .size = f->size, .names = s->f->names };
	else if (f->type == FIELD_UINT && is_hex(s, name, v->u))
		f->type = FIELD_HEX;
}

bool show_load(const struct show *s, uint32_t id, size_t at, const struct btf_found *bits,
	       struct field *f, struct value *v)
{
	return btf_field_field(s->f->btf, id, at, bits, f) && !field_load(f, s->bytes, s->size, v);
}

void show_single(struct show *s, uint32_t id, struct field *f, const struct value *v,
		 const char *name)
{
	struct field_name names[2] = { { 0 } };

	if (f->type == FIELD_ENUM) {
		btf_field_name(s->f->btf, id, f, v, names);
		f->names = names;
	} else {
		field_choose(s, id, f, v, name);
	}
	if (s->json)
		json_put_value(s->o, f, v);
	else
		value_text_put(s->o, f, v, TIMESTAMP_NONE);
}

/* For values that are not numbers, such as floats. */
static void put_raw(struct show *s, size_t at, size_t size)
{
	struct field f = { .type = FIELD_BYTES, .offset = at, .size = size };
	struct value v;

	if (field_load(&f, s->bytes, s->size, &v))
		return;
	if (s->json)
		json_put_value(s->o, &f, &v);
	else
		value_text_put(s->o, &f, &v, TIMESTAMP_NONE);
}

/* ---- braces ---- */

static void put_line(struct show *s)
{
	buf_char(s->o, '\n');
	buf_repeat(s->o, '\t', s->depth);
}

void show_open(struct show *s, char brace)
{
	buf_char(s->o, brace);
	s->some = false;
	s->depth++;
}

void show_close(struct show *s, char brace)
{
	s->depth--;
	if (s->some && !s->json)
		put_line(s);
	buf_char(s->o, brace);
	s->some = true;
}

/* Text without its line breaks and the indentation behind them: after an opening brace nothing
 * takes their place, and a comma before a closing brace goes. Returns the length. */
static size_t joined(const char *from, size_t len, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (from[i] != '\n') {
			to[n++] = from[i];
			continue;
		}
		while (i + 1 < len && from[i + 1] == '\t')
			i++;
		if (i + 1 < len && from[i + 1] == '}')
			n -= n && to[n - 1] == ',';
		else if (n && to[n - 1] != '{')
			to[n++] = ' ';
	}
	return n;
}

void show_join(struct show *s, size_t start)
{
	size_t len = s->o->len - start;
	char line[2 * LINE_MAX];

	if (s->json || !s->depth || start > s->o->len || len > sizeof(line))
		return;
	len = joined(s->o->data + start, len, line);
	if (len > LINE_MAX)
		return;
	memcpy(s->o->data + start, line, len);
	s->o->len = start + len;
}

void show_begin_item(struct show *s)
{
	if (!s->json)
		put_line(s);
	else if (s->some)
		buf_char(s->o, ',');
}

void show_end_item(struct show *s)
{
	if (!s->json)
		buf_char(s->o, ',');
	s->some = true;
}

void show_begin_member(struct show *s, const char *name)
{
	show_begin_item(s);
	if (s->json) {
		escape_put_json(s->o, name, strlen(name));
		buf_char(s->o, ':');
	} else {
		escape_put(s->o, name, strlen(name));
		buf_str(s->o, " = ");
	}
}

/* ---- structs ---- */

bool show_is_zero(const struct show *s, size_t at, size_t size)
{
	while (size && !s->bytes[at])
		at++, size--;
	return !size;
}

bool show_is_wanted(const struct show *s, size_t at, size_t size)
{
	return at <= s->size && size && size <= s->size - at &&
	       (s->json || s->f->flags & FIELD_ZEROS || !show_is_zero(s, at, size));
}

static void put_bits(struct show *s, const struct btf_found *m, size_t at, const char *name)
{
	struct field f;
	struct value v;

	if (!show_load(s, m->type, at + m->bit_offset / 8, m, &f, &v) ||
	    (!v.u && !s->json && !(s->f->flags & FIELD_ZEROS)))
		return;
	show_begin_member(s, name);
	show_single(s, m->type, &f, &v, name);
	show_end_item(s);
}

static void put_members(struct show *s, uint32_t id, size_t at);

static void put_member(struct show *s, const struct btf_found *m, size_t at, const char *name)
{
	size_t from = at + m->bit_offset / 8, size = btf_view_size(s->f->btf, m->type);
	const struct btf_type *t = stripped(s->f->btf, m->type);

	if (!show_is_wanted(s, from, size))
		return;
	if (!*name && t && btf_is_composite(t)) {
		put_members(s, m->type, from);
		return;
	}
	show_begin_member(s, name);
	show_any(s, m->type, from, name);
	show_end_item(s);
}

static void put_members(struct show *s, uint32_t id, size_t at)
{
	const struct btf_type *t = stripped(s->f->btf, id);

	s->nesting++;
	for (unsigned i = 0; s->nesting < DEPTH_MAX && i < btf_vlen(t) && s->budget-- > 0; i++) {
		const char *name = btf_view_string(s->f->btf, btf_members(t)[i].name_off);
		struct btf_found m;

		btf_view_member_at(s->f->btf, t, i, &m);
		if (!m.bit_size)
			put_member(s, &m, at, name);
		else if (*name) /* bits without a name are padding */
			put_bits(s, &m, at, name);
	}
	s->nesting--;
}

/* A struct list_head whose links both point at itself. */
static bool is_empty_list(const struct show *s, size_t at, size_t size)
{
	uint64_t links[2];

	if (s->json || !s->base || size != sizeof(links))
		return false;
	memcpy(links, s->bytes + at, sizeof(links));
	return links[0] == s->base + at && links[1] == links[0];
}

static void put_struct(struct show *s, uint32_t id, size_t at, size_t size)
{
	size_t start = s->o->len;

	if (is_empty_list(s, at, size)) {
		buf_str(s->o, "{}");
		return;
	}
	show_open(s, '{');
	if (s->address) {
		buf_str(s->o, "\"@\":\"0x");
		buf_hex(s->o, s->address);
		buf_char(s->o, '"');
		s->address = 0;
		s->some = true;
	}
	put_members(s, id, at);
	show_close(s, '}');
	show_join(s, start);
}

/* ---- pointers that are followed ---- */

static const struct field *follow_at(const struct show *s, size_t at)
{
	for (unsigned i = 0; i < s->f->follow_count; i++)
		if (s->f->follows[i].follow_at == at)
			return &s->f->follows[i];
	return NULL;
}

/* Writes the target of a pointer: in JSON instead of the pointer, with the address as member "@";
 * in text after it. If the target could not be read, only the pointer is written, and a word in
 * text. */
static bool put_followed(struct show *s, const struct field *follow, uint64_t address)
{
	struct show inner = *s;
	struct value v;

	/* the sink has checked that the record has all its fixed bytes */
	if (field_load(follow, s->bytes - s->f->offset, SIZE_MAX, &v))
		return false;
	if (!s->json)
		buf_char(s->o, ' ');
	if (!v.bytes) {
		if (!s->json)
			value_text_put(s->o, follow, &v, TIMESTAMP_NONE);
		return false;
	}
	inner.f = follow;
	inner.bytes = v.bytes;
	inner.size = v.len;
	inner.address = s->json ? address : 0;
	inner.base = address;
	show_any(&inner, follow->btf_id, 0, "");
	s->budget = inner.budget;
	return true;
}

static void put_pointer(struct show *s, uint32_t id, size_t at)
{
	const struct field *follow = follow_at(s, at);
	struct field f;
	struct value v;

	if (!show_load(s, id, at, NULL, &f, &v))
		return;
	if (s->json && follow && v.u && put_followed(s, follow, v.u))
		return;
	show_single(s, id, &f, &v, "");
	if (!s->json && follow && v.u)
		put_followed(s, follow, v.u);
}

/* ---- any value ---- */

void show_any(struct show *s, uint32_t id, size_t at, const char *name)
{
	uint32_t under = btf_view_strip(s->f->btf, id);
	const struct btf_type *t = btf_view_type(s->f->btf, under);
	size_t size = btf_view_size(s->f->btf, under);
	struct field f;
	struct value v;

	if (!t || at > s->size || size > s->size - at || s->depth > DEPTH_MAX)
		buf_str(s->o, s->json ? "null" : "…");
	else if (btf_is_composite(t))
		put_struct(s, under, at, size);
	else if (btf_kind(t) == BTF_KIND_ARRAY)
		show_array(s, t, at, size, name);
	else if (btf_kind(t) == BTF_KIND_PTR)
		put_pointer(s, under, at);
	else if (show_load(s, under, at, NULL, &f, &v))
		show_single(s, id, &f, &v, name);
	else
		put_raw(s, at, size);
}

void show_declare(struct show *s)
{
	char text[DECLARATION_MAX];

	buf_char(s->o, '(');
	btf_view_declare(s->f->btf, s->f->btf_id, "", text, sizeof(text));
	escape_put(s->o, text, strlen(text));
	buf_char(s->o, ')');
}

void dump_struct_put(struct buf *o, const struct field *f, const struct value *v, bool json)
{
	struct show s = { .o = o,
			  .f = f,
			  .bytes = v->bytes,
			  .size = v->len,
			  .json = json,
			  .budget = MEMBERS_MAX };
	const struct btf_type *t = stripped(f->btf, f->btf_id);

	if (f->address) /* among the fixed bytes of the record, as all that is followed */
		memcpy(&s.base, v->bytes - f->offset + f->address, sizeof(s.base));
	if (!json && t && btf_is_composite(t))
		show_declare(&s);
	show_any(&s, f->btf_id, 0, "");
}

size_t text_struct(struct buf *o, const struct field *f, const struct value *v,
		   enum timestamp_form form)
{
	(void)form;
	dump_struct_put(o, f, v, false);
	return 0;
}

void json_struct(struct buf *o, const struct field *f, const struct value *v)
{
	dump_struct_put(o, f, v, true);
}
