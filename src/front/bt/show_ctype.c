/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_ctype.c - prints values of C: structs, unions, arrays and enums, by their BTF.
 *
 * Members of anonymous structs are printed as members of the enclosing struct. Arrays of bytes are strings; in types
 * of the program only arrays of char are. Nothing beyond the image is read.
 */
#include "btf/btf.h"
#include "expr/ctype.h"
#include "front/bt/show_parts.h"
#include "output/field/value_float.h"

/* nested structs: damaged types may be nested deeper than those of any program */
enum { DEPTH_MAX = 16 };

/* Bytes of an image. */
struct bytes {
	const char *at;
	uint64_t size;
};

struct walk {
	const struct bt_form *f;
	struct buf *o;
	int depth;
};

static void type_show(struct walk *w, uint32_t id, struct bytes b);

static struct bytes bytes_at(struct bytes b, uint64_t offset, uint64_t size)
{
	if (offset >= b.size)
		return (struct bytes){ b.at, 0 };
	return (struct bytes){ b.at + offset, size < b.size - offset ? size : b.size - offset };
}

/* ---- enums ---- */

static uint64_t size_mask(uint32_t size)
{
	return size >= 8 ? UINT64_MAX : (1ull << size * 8) - 1;
}

const char *bt_enum_name(const struct btf_view *btf, uint32_t id, uint64_t number, uint32_t size)
{
	const struct btf_type *t = btf ? btf_view_stripped(btf, id) : NULL;
	uint64_t mask = size_mask(size);
	const char *name;

	if (!t || (btf_kind(t) != BTF_KIND_ENUM && btf_kind(t) != BTF_KIND_ENUM64))
		return NULL;
	for (unsigned i = 0; i < btf_vlen(t); i++)
		if (((uint64_t)btf_view_enum_value(btf, t, i, &name) & mask) == (number & mask))
			return name;
	return NULL;
}

/* ---- numbers ---- */

static void number_show(const struct walk *w, const struct btf_type *t, uint32_t id, uint64_t v)
{
	bool is_int = btf_kind(t) == BTF_KIND_INT;
	const char *name = is_int ? NULL : bt_enum_name(w->f->btf, id, v, t->size);

	if (is_int && BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_BOOL)
		buf_str(w->o, v ? "true" : "false");
	else if (name)
		bt_show_symbolic(w->f, w->o, name, v);
	else
		bt_show_number(w->f, w->o, v,
			       is_int && BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED);
}

static bool is_signed_int(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_INT && BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED;
}

/* Prints a bit-field of at most 64 bits in at most 9 bytes. */
static void bits_show(const struct walk *w, uint32_t id, struct bytes b, const struct btf_found *m)
{
	const struct btf_type *t = btf_view_stripped(w->f->btf, id);
	unsigned char bytes[9] = { 0 };
	struct bytes from = bytes_at(b, m->bit_offset / 8, sizeof(bytes));
	unsigned shift = m->bit_offset % 8, unused = 64 - m->bit_size;
	uint64_t v;

	if (!t || m->bit_size > 64)
		return;
	memcpy(bytes, from.at, from.size);
	memcpy(&v, bytes, sizeof(v));
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		v = shift ? v >> shift | (uint64_t)bytes[8] << (64 - shift) : v;
	v = v << unused >> unused;
	if (is_signed_int(t))
		v = (uint64_t)((int64_t)(v << unused) >> unused);
	number_show(w, t, id, v);
}

/* ---- arrays ---- */

static void elements_show(struct walk *w, uint32_t id, uint32_t count, struct bytes b)
{
	uint64_t size = btf_view_size(w->f->btf, id);

	buf_char(w->o, '[');
	for (uint32_t i = 0; i < count && (i + 1) * size <= b.size && size; i++) {
		if (i)
			buf_char(w->o, ',');
		type_show(w, id, bytes_at(b, i * size, size));
	}
	buf_char(w->o, ']');
}

/* The compiler has decided whether it is a string, and whether that has room for all characters of the array. */
static void array_show(struct walk *w, uint32_t id, const struct btf_type *t, struct bytes b)
{
	const struct btf_array *a = btf_array(t);
	struct script_type type = script_type_of(w->f->btf, ctype_of(id));

	if (type.kind == SCRIPT_STRING && script_text_bytes(&type) > b.size)
		bt_show_text(w->f, w->o, b.at, strnlen(b.at, b.size));
	else if (type.kind == SCRIPT_STRING)
		bt_show_string(w->f, w->o, b.at, b.size);
	else
		elements_show(w, a->type, a->nelems, b);
}

/* Prints the elements of a cast integer. */
static void plain_array_show(const struct bt_form *f, struct buf *o, const struct script_type *t,
			     struct bytes b)
{
	uint32_t size = t->of_bools ? 1 : t->c.int_size;

	buf_char(o, '[');
	for (uint32_t i = 0; i < t->count && (i + 1ull) * size <= b.size; i++) {
		uint64_t v = bt_number_read(b.at + (size_t)i * size, size, t->c.int_signed);

		if (i)
			buf_char(o, ',');
		if (t->of_bools)
			buf_str(o, v ? "true" : "false");
		else
			bt_show_number(f, o, v, t->c.int_signed);
	}
	buf_char(o, ']');
}

void bt_show_array(const struct bt_form *f, struct buf *o, const struct script_type *t,
		   const void *image)
{
	struct bt_form own = bt_form_for(f, t);
	struct walk w = { &own, o, 0 };
	struct bytes b = { image, t->size };
	const struct btf_type *c = own.btf && !t->c.int_size ? btf_view_stripped(own.btf, t->c.id) :
							       NULL;

	if (c && btf_kind(c) == BTF_KIND_ARRAY)
		elements_show(&w, btf_array(c)->type, btf_array(c)->nelems, b);
	else if (c)
		elements_show(&w, t->c.id, t->count, b);
	else
		plain_array_show(f, o, t, b);
}

/* ---- structs ---- */

static void members_show(struct walk *w, struct bt_parts *p, const struct btf_type *t,
			 struct bytes b)
{
	const struct btf_view *btf = w->f->btf;

	if (w->depth >= DEPTH_MAX)
		return;
	w->depth++;
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		const char *name = btf_view_string(btf, btf_members(t)[i].name_off);
		const struct btf_type *c;
		struct btf_found m;

		btf_view_member_at(btf, t, i, &m);
		c = btf_view_stripped(btf, m.type);
		if (!*name && c && btf_is_composite(c)) {
			members_show(w, p, c, bytes_at(b, m.bit_offset / 8, c->size));
		} else if (*name) {
			bt_part_begin(p, name);
			if (m.bit_size)
				bits_show(w, m.type, b, &m);
			else
				type_show(
					w, m.type,
					bytes_at(b, m.bit_offset / 8, btf_view_size(btf, m.type)));
		}
	}
	w->depth--;
}

static void struct_show(struct walk *w, const struct btf_type *t, struct bytes b)
{
	struct bt_parts p = { w->f, w->o, 0 };

	members_show(w, &p, t, b);
	bt_parts_end(&p);
}

/* An integer of 16 bytes, or a float. */
static bool is_wide(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_FLOAT ||
	       (btf_kind(t) == BTF_KIND_INT && t->size > sizeof(uint64_t));
}

/* In JSON an integer is a string, as all that a double cannot hold. */
static void wide_show(const struct walk *w, const struct btf_type *t, uint32_t id, struct bytes b)
{
	const char *quote = w->f->json && btf_kind(t) == BTF_KIND_INT ? "\"" : "";

	if (b.size < t->size) {
		buf_str(w->o, "null");
		return;
	}
	buf_str(w->o, quote);
	if (!wide_write(w->o, w->f->btf, id, b.at, w->f->json))
		buf_str(w->o, "null");
	buf_str(w->o, quote);
}

/* Recursive through arrays and structs; depth counts structs. */
static void type_show(struct walk *w, uint32_t id, struct bytes b)
{
	const struct btf_type *t = btf_view_stripped(w->f->btf, id);
	unsigned kind = t ? btf_kind(t) : BTF_KIND_UNKN;

	if (t && is_wide(t)) {
		wide_show(w, t, id, b);
		return;
	}
	switch (kind) {
	case BTF_KIND_PTR:
		bt_show_pointer(w->f, w->o, b.size < 8 ? 0 : bt_number_read(b.at, 8, false));
		break;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		number_show(w, t, id,
			    b.size < t->size ? 0 : bt_number_read(b.at, t->size, is_signed_int(t)));
		break;
	case BTF_KIND_ARRAY: array_show(w, id, t, b); break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: struct_show(w, t, b); break;
	default: buf_str(w->o, "null"); break; /* a function */
	}
}

/* For `args` the parts are the parameters. */
void bt_show_record(const struct bt_form *f, struct buf *o, const struct script_type *t,
		    const void *image)
{
	struct bt_form own = bt_form_for(f, t);
	struct walk w = { &own, o, 0 };
	struct bt_parts p = { f, o, 0 };

	if (!t->parts && own.btf && btf_view_stripped(own.btf, t->c.id)) {
		type_show(&w, t->c.id, (struct bytes){ image, t->size });
		return;
	}
	for (uint32_t i = 0; t->parts && i < t->count; i++) {
		bt_part_begin(&p, t->parts[i].name ?: "");
		bt_show_value(f, o, &t->parts[i].type, (const char *)image + t->parts[i].offset);
	}
	bt_parts_end(&p);
}
