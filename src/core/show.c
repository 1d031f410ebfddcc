// SPDX-License-Identifier: GPL-2.0
/*
 * show.c - bytes and their BTF type → the fields of a struct, by name.
 *
 * What is zero is left out unless asked for. Members of anonymous structs and unions stand among the
 * others, as C names them. Damaged BTF may describe anything: nothing outside of the bytes is read,
 * and the walk is bounded. Text from the kernel goes through the escaper.
 */
#include "core/show.h"

#include <string.h>

#include "core/cell.h"
#include "core/text.h"

enum {
	DEPTH_MAX = 24,
	MEMBERS_MAX = 100000, /* shown in one value */
	ELEMENTS_MAX = 64,    /* of an array, in text */
	ZEROS_MAX = 4,	      /* at an array's end, in text */
	DECLARATION_MAX = 128,
};

struct show {
	struct out *o;
	const struct field *f; /* whose bytes they are */
	const char *bytes;
	size_t size;
	bool json;
	bool some;  /* the struct that is open has a member already */
	uint64_t address; /* JSON: of the struct that is to be opened next; 0: not to be told */
	int depth;  /* levels of indentation */
	int nesting; /* of structs, those without a name too */
	int budget; /* members that may still be shown */
};

static void put_any(struct show *s, uint32_t id, size_t at, const char *name);

/* ---- single values ---- */

static const struct btf_type *stripped(const struct btf_view *b, uint32_t id)
{
	return btf_view_type(b, btf_view_strip(b, id));
}

static bool is_char(const struct btf_view *b, uint32_t id)
{
	uint32_t under = btf_view_strip(b, id);

	return btf_view_kind(b, under) == BTF_KIND_INT && !strcmp(btf_view_name(b, under), "char");
}

bool show_type(const struct btf_view *b, uint32_t id, enum field_type *type, unsigned *size)
{
	const struct btf_type *t = stripped(b, id);
	unsigned encoding;

	if (!t)
		return false;
	*size = t->size;
	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
		*size = 8;
		*type = FIELD_PTR;
		return true;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: *type = FIELD_ENUM; break;
	case BTF_KIND_INT:
		encoding = BTF_INT_ENCODING(btf_int_info(t));
		*type = encoding & BTF_INT_BOOL ? FIELD_BOOL :
			is_char(b, id)		? FIELD_CHAR :
			encoding & BTF_INT_SIGNED ? FIELD_INT : FIELD_UINT;
		break;
	default: return false;
	}
	return *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

/* What developers write in hexadecimal; and in text all that may be an address of the kernel. */
static bool is_hex(const struct show *s, const char *name, uint64_t u)
{
	return (!s->json && (int64_t)u < 0) || strstr(name, "flags") || strstr(name, "mask") || strstr(name, "mode");
}

/* The enumerator of that value, in the width that there is. */
static void find_name(const struct show *s, uint32_t id, const struct field *f,
		      const struct value *v, struct field_name *found)
{
	const struct btf_type *t = stripped(s->f->btf, id);

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		bool wide = btf_kind(t) == BTF_KIND_ENUM64;
		const struct btf_enum64 *e = &btf_enums64(t)[i];
		uint32_t name = wide ? e->name_off : btf_enums(t)[i].name_off;
		struct field_name one[2] = {
			{ wide ? (uint64_t)e->val_hi32 << 32 | e->val_lo32 :
				 (uint64_t)(int64_t)btf_enums(t)[i].val,
			  btf_view_string(s->f->btf, name) },
		};
		struct field probe = *f;

		probe.names = one;
		if (value_enum_name(&probe, v)) {
			*found = one[0];
			return;
		}
	}
}

/* A number, pointer, enum of `size` bytes at `at`, or bits of them; false: it is not there. */
static bool load_single(const struct show *s, uint32_t id, size_t at, const struct btf_found *bits,
			struct field *f, struct value *v)
{
	*f = (struct field){ .offset = at };
	if (!show_type(s->f->btf, id, &f->type, &f->size))
		return false;
	if (bits && bits->bit_size) {
		f->bit_offset = bits->bit_offset % 8;
		f->bit_size = bits->bit_size;
		f->size = (f->bit_offset + f->bit_size + 7) / 8;
		if (f->type == FIELD_CHAR)
			f->type = FIELD_UINT;
	}
	return !field_load(f, s->bytes, s->size, v);
}

static void put_single(struct show *s, uint32_t id, struct field *f, const struct value *v,
		       const char *name)
{
	struct field_name names[2] = { { 0 } };

	if (f->type == FIELD_ENUM) {
		find_name(s, id, f, v, names);
		f->names = names;
	} else if (f->type == FIELD_UINT && is_hex(s, name, v->u)) {
		f->type = FIELD_HEX;
	}
	if (s->json)
		json_put_value(s->o, f, v);
	else
		cell_put(s->o, f, v, TIMESTAMP_NONE);
}

/* No number: a float, say. */
static void put_raw(struct show *s, size_t at, size_t size)
{
	struct field f = { .type = FIELD_BYTES, .offset = at, .size = size };
	struct value v;

	if (field_load(&f, s->bytes, s->size, &v))
		return;
	if (s->json)
		json_put_value(s->o, &f, &v);
	else
		cell_put(s->o, &f, &v, TIMESTAMP_NONE);
}

/* ---- braces ---- */

static void put_line(struct show *s)
{
	out_char(s->o, '\n');
	out_repeat(s->o, '\t', s->depth);
}

static void open_brace(struct show *s, char brace)
{
	out_char(s->o, brace);
	s->some = false;
	s->depth++;
}

static void close_brace(struct show *s, char brace)
{
	s->depth--;
	if (s->some && !s->json)
		put_line(s);
	out_char(s->o, brace);
	s->some = true;
}

static void begin_item(struct show *s)
{
	if (!s->json)
		put_line(s);
	else if (s->some)
		out_char(s->o, ',');
}

static void end_item(struct show *s)
{
	if (!s->json)
		out_char(s->o, ',');
	s->some = true;
}

static void begin_member(struct show *s, const char *name)
{
	begin_item(s);
	if (s->json) {
		text_put_json(s->o, name, strlen(name));
		out_char(s->o, ':');
	} else {
		text_put(s->o, name, strlen(name));
		out_str(s->o, " = ");
	}
}

/* ---- structs ---- */

static bool is_zero(const struct show *s, size_t at, size_t size)
{
	while (size && !s->bytes[at])
		at++, size--;
	return !size;
}

static bool is_wanted(const struct show *s, size_t at, size_t size)
{
	return at <= s->size && size && size <= s->size - at &&
	       (s->f->flags & FIELD_ZEROS || !is_zero(s, at, size));
}

static void put_bits(struct show *s, const struct btf_found *m, size_t at, const char *name)
{
	struct field f;
	struct value v;

	if (!load_single(s, m->type, at + m->bit_offset / 8, m, &f, &v) ||
	    (!v.u && !(s->f->flags & FIELD_ZEROS)))
		return;
	begin_member(s, name);
	put_single(s, m->type, &f, &v, name);
	end_item(s);
}

static void put_members(struct show *s, uint32_t id, size_t at);

static void put_member(struct show *s, const struct btf_found *m, size_t at, const char *name)
{
	size_t from = at + m->bit_offset / 8, size = btf_view_size(s->f->btf, m->type);
	const struct btf_type *t = stripped(s->f->btf, m->type);

	if (!is_wanted(s, from, size))
		return;
	if (!*name && t && btf_is_composite(t)) {
		put_members(s, m->type, from);
		return;
	}
	begin_member(s, name);
	put_any(s, m->type, from, name);
	end_item(s);
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

static void put_struct(struct show *s, uint32_t id, size_t at)
{
	open_brace(s, '{');
	if (s->address) {
		out_str(s->o, "\"@\":\"0x");
		out_hex(s->o, s->address);
		out_char(s->o, '"');
		s->address = 0;
		s->some = true;
	}
	put_members(s, id, at);
	close_brace(s, '}');
}

/* ---- arrays ---- */

/* A text: printable up to its NUL. Behind that may be what was there before. */
static bool is_text(const struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s->bytes[at + i] < ' ' || s->bytes[at + i] == 0x7f)
			return false;
	return len || is_zero(s, at, size);
}

static void put_text(struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	if (s->json)
		text_put_json(s->o, s->bytes + at, len);
	else
		text_put_quoted(s->o, s->bytes + at, len);
}

/* Elements up to the last that is not zero; a few more zeros are shown as they are. */
static size_t elements_shown(const struct show *s, size_t at, size_t count, size_t size)
{
	size_t shown = count;

	if (s->json || s->f->flags & FIELD_ZEROS)
		return count;
	while (shown > 1 && is_zero(s, at + (shown - 1) * size, size))
		shown--;
	return count - shown > ZEROS_MAX ? shown : count;
}

/* {1, 2, 0…}; {1, 2, …(+70)} */
static void put_numbers(struct show *s, uint32_t id, size_t at, size_t count, size_t size)
{
	size_t shown = elements_shown(s, at, count, size), i;
	struct field f;
	struct value v;

	out_char(s->o, s->json ? '[' : '{');
	for (i = 0; i < shown && (s->json || i < ELEMENTS_MAX) && s->budget-- > 0; i++) {
		if (i)
			out_str(s->o, s->json ? "," : ", ");
		if (load_single(s, id, at + i * size, NULL, &f, &v))
			put_single(s, id, &f, &v, "");
	}
	if (i < shown) {
		out_str(s->o, ", …(+");
		out_uint(s->o, count - i);
		out_char(s->o, ')');
	} else if (shown < count) {
		out_str(s->o, ", 0…");
	}
	out_char(s->o, s->json ? ']' : '}');
}

/* Structs and arrays; in text those that are zero are left out and the others numbered. */
static void put_elements(struct show *s, uint32_t id, size_t at, size_t count, size_t size)
{
	open_brace(s, s->json ? '[' : '{');
	for (size_t i = 0; i < count && s->budget-- > 0; i++) {
		if (!s->json && !is_wanted(s, at + i * size, size))
			continue;
		begin_item(s);
		if (!s->json) {
			out_char(s->o, '[');
			out_uint(s->o, i);
			out_str(s->o, "] = ");
		}
		put_any(s, id, at + i * size, "");
		end_item(s);
	}
	close_brace(s, s->json ? ']' : '}');
}

static void put_array(struct show *s, const struct btf_type *t, size_t at, size_t all)
{
	uint32_t id = btf_array(t)->type;
	size_t count = btf_array(t)->nelems, size = count ? all / count : 0;
	enum field_type type;
	unsigned bytes;

	if (is_char(s->f->btf, id) && is_text(s, at, all))
		put_text(s, at, all);
	else if (show_type(s->f->btf, id, &type, &bytes))
		put_numbers(s, id, at, count, size);
	else
		put_elements(s, id, at, count, size);
}

/* ---- pointers that were followed ---- */

static const struct field *follow_at(const struct show *s, size_t at)
{
	for (unsigned i = 0; i < s->f->follow_count; i++)
		if (s->f->follows[i].follow_at == at)
			return &s->f->follows[i];
	return NULL;
}

/* What a pointer points at, in its place in JSON, as member "@", and behind it in text. Where it could not be read,
 * the pointer alone stands, and a word in text. */
static bool put_followed(struct show *s, const struct field *follow, uint64_t address)
{
	struct show inner = *s;
	struct value v;

	/* the sink has seen that the record has all its fixed bytes */
	if (field_load(follow, s->bytes - s->f->offset, SIZE_MAX, &v))
		return false;
	if (!s->json)
		out_char(s->o, ' ');
	if (!v.bytes) {
		if (!s->json)
			cell_put(s->o, follow, &v, TIMESTAMP_NONE);
		return false;
	}
	inner.f = follow;
	inner.bytes = v.bytes;
	inner.size = v.len;
	inner.address = s->json ? address : 0;
	put_any(&inner, follow->btf_id, 0, "");
	s->budget = inner.budget;
	return true;
}

static void put_pointer(struct show *s, uint32_t id, size_t at)
{
	const struct field *follow = follow_at(s, at);
	struct field f;
	struct value v;

	if (!load_single(s, id, at, NULL, &f, &v))
		return;
	if (s->json && follow && v.u && put_followed(s, follow, v.u))
		return;
	put_single(s, id, &f, &v, "");
	if (!s->json && follow && v.u)
		put_followed(s, follow, v.u);
}

/* ---- any value ---- */

static void put_any(struct show *s, uint32_t id, size_t at, const char *name)
{
	uint32_t under = btf_view_strip(s->f->btf, id);
	const struct btf_type *t = btf_view_type(s->f->btf, under);
	size_t size = btf_view_size(s->f->btf, under);
	struct field f;
	struct value v;

	if (!t || at > s->size || size > s->size - at || s->depth > DEPTH_MAX)
		out_str(s->o, s->json ? "null" : "…");
	else if (btf_is_composite(t))
		put_struct(s, under, at);
	else if (btf_kind(t) == BTF_KIND_ARRAY)
		put_array(s, t, at, size);
	else if (btf_kind(t) == BTF_KIND_PTR)
		put_pointer(s, under, at);
	else if (load_single(s, under, at, NULL, &f, &v))
		put_single(s, under, &f, &v, name);
	else
		put_raw(s, at, size);
}

void show_put(struct out *o, const struct field *f, const struct value *v, bool json)
{
	struct show s = { .o = o, .f = f, .bytes = v->bytes, .size = v->len, .json = json,
			  .budget = MEMBERS_MAX };
	const struct btf_type *t = stripped(f->btf, f->btf_id);
	char text[DECLARATION_MAX];

	if (!json && t && btf_is_composite(t)) {
		out_char(o, '(');
		btf_view_declare(f->btf, f->btf_id, "", text, sizeof(text));
		text_put(o, text, strlen(text));
		out_char(o, ')');
	}
	put_any(&s, f->btf_id, 0, "");
}
