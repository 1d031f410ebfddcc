/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_type.c - how a value is shown without a format: by its type.
 *
 * Nothing here knows how memory is read.
 */
#include "expr/resolve/format.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "output/field/btf_field.h"

void format_scalar(struct slot *s, enum field_type type, uint64_t size)
{
	s->store.kind = STORE_SCALAR;
	s->store.type = type;
	s->store.size = size;
}

void format_string(struct compile *c, struct slot *s, enum string_space space)
{
	uint32_t max = c->in->run.string_max ?: slot_is_key(c->p, s) ? KEY_STRING : STRING_DEFAULT;

	if (max > STRING_LIMIT)
		max = STRING_LIMIT;
	s->store.kind = STORE_STRING;
	s->store.type = FIELD_CSTR;
	s->store.space = space;
	s->store.size = s->format.length ? s->format.length + 1 : max;
	s->store.array = ctype_is_array(c->in->btf, s->root->type);
}

void format_counted(struct compile *c, struct slot *s, enum field_type type,
		    enum string_space space)
{
	bool is_array = ctype_is_array(c->in->btf, s->root->type);
	uint64_t all = is_array ? ctype_size(c->in->btf, s->root->type) : 0;

	format_string(c, s, space);
	s->store.kind = STORE_COUNTED;
	s->store.type = type;
	if (s->format.length)
		s->store.size = s->format.length;
	if (all && all < s->store.size)
		s->store.size = all;
	s->store.size += sizeof(uint64_t); /* how many */
}

void format_bytes(struct compile *c, struct slot *s, enum field_type type, uint64_t size)
{
	s->store.kind = STORE_BYTES;
	s->store.type = type;
	s->store.size = size;
	s->store.by_pointer = !ctype_is_composite(c->in->btf, s->root->type);
}

/* Short arrays are shown whole; long ones, and those without a length, as the string at their
 * beginning. So are keys, because bytes after a NUL must not make keys differ. */
static void format_char_array(struct compile *c, struct slot *s, uint64_t size)
{
	format_string(c, s, STRING_BY_ADDRESS);
	if (size && size <= s->store.size && !slot_is_key(c->p, s)) {
		s->store.kind = STORE_BYTES;
		s->store.size = size;
	}
}

/* An array of unsigned char is text or numbers: only its bytes tell. A key has all bytes, because
 * a number's bytes continue after a zero. But if it is called a name, bytes after a NUL must not
 * make keys differ. */
static void format_chars(struct compile *c, struct slot *s, uint64_t size)
{
	uint32_t max = slot_is_key(c->p, s) ? KEY_STRING : STRING_DEFAULT;
	char name[32];

	compile_text(c, s->root->name, name, sizeof(name));
	if (s->format.length || (slot_is_key(c->p, s) && strstr(name, "name"))) {
		format_string(c, s, STRING_BY_ADDRESS);
		return;
	}
	format_bytes(c, s, FIELD_CHARS, size < max ? size : max);
	s->store.left_out = size - s->store.size;
}

const struct field_name *format_enum_names(struct compile *c, const struct btf_view *btf,
					   const struct btf_type *t, unsigned bits)
{
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;
	struct field_name *names = compile_alloc(c, (btf_vlen(t) + 1) * sizeof(*names));

	for (unsigned i = 0; names && i < btf_vlen(t); i++) {
		const char *name;

		names[i].value = btf_view_enum_value(btf, t, i, &name) & mask;
		names[i].name = arena_text(&c->p->arena, name, strlen(name));
		if (!names[i].name)
			c->err = -ENOMEM;
	}
	return names;
}

static void format_enum(struct compile *c, struct slot *s, const struct btf_type *t, uint32_t size)
{
	format_scalar(s, FIELD_ENUM, t->size);
	s->store.names = format_enum_names(c, c->in->btf, t, s->root->bit_size ?: size * 8);
}

/* The names of "A,B,C" are those of 0, 1 and 2. */
static const struct field_name *format_list_names(struct compile *c, const char *list, size_t len)
{
	struct field_name *names = compile_alloc(c, (len + 2) * sizeof(*names)), *to = names;

	for (size_t at = 0; names && at <= len; at++) {
		size_t one = strcspn(list + at, ",\"");

		to->value = (uint64_t)(to - names);
		to->name = arena_text(&c->p->arena, list + at, one);
		if (!to++->name)
			c->err = -ENOMEM;
		at += one;
	}
	return names;
}

void format_enum_of(struct compile *c, struct slot *s)
{
	uint32_t size = s->store.size, id, first = s->format.constant.start;

	if (!s->format.constant.end) {
		compile_fail(c, s->format.name, "missing enum: name it by one of its constants");
		compile_hint(c, "for example: :enum(TCP_ESTABLISHED), or names: :enum(\"no,yes\")");
		return;
	}
	if (s->text[first] == '"') {
		s->store.names = format_list_names(c, s->text + first + 1,
						   s->format.constant.end - first - 2);
		return;
	}
	id = enum_with_constant(c, s->format.constant);
	if (!id) {
		compile_fail(c, s->format.constant, "no enum of this kernel has the constant %.*s",
			     SPAN_ARG(s->text, s->format.constant));
		return;
	}
	format_enum(c, s, btf_view_type(c->in->btf, id),
		    s->store.count ? size / s->store.count : size);
	s->store.size = size;
}

void format_fail(struct compile *c, struct slot *s, const char *why)
{
	char text[160];

	const struct node *n = s->root;
	bool is_text = n->kind == NODE_STRING || (n->builtin && n->builtin->id == BUILTIN_COMM);

	ctype_declare(c->in->btf, n->type, "", text, sizeof(text));
	compile_fail(c, n->span, "%s %s", is_text ? "text" : text, why);
}

/* Suggests some members. */
static void hint_members(struct compile *c, struct slot *s)
{
	const struct btf_type *t = btf_view_type(c->in->btf,
						 btf_view_strip(c->in->btf, s->root->type.id));
	char list[120] = "";
	size_t len = 0;
	int named = 0;

	for (unsigned i = 0; i < btf_vlen(t) && named < 4 && len < sizeof(list); i++) {
		const char *name = btf_view_string(c->in->btf, btf_members(t)[i].name_off);

		if (*name)
			len += snprintf(list + len, sizeof(list) - len, "%s%s", named++ ? ", " : "",
					name);
	}
	if (named)
		compile_hint(c, "name a member: %s …", list);
}

struct ctype format_innermost(const struct compile *c, struct ctype t)
{
	for (int depth = 0; ctype_is_array(c->in->btf, t) && depth < NESTING_MAX; depth++)
		t = ctype_target(c->in->btf, t);
	return t;
}

/* A value in a register. Returns false if it does not fit. */
static bool format_in_register(struct compile *c, struct slot *s, struct ctype type)
{
	const struct btf_view *b = c->in->btf;
	enum field_type field;
	unsigned size;

	if (ctype_is_pointer(b, type))
		format_scalar(s, FIELD_PTR, 8);
	else if (type.int_size)
		format_scalar(s, type.int_signed ? FIELD_INT : FIELD_UINT, type.int_size);
	else if (!btf_field_type(b, type.id, &field, &size) ||
		 (field == FIELD_FLOAT && s->root->category != CATEGORY_LVALUE))
		return false;
	else if (field == FIELD_ENUM)
		format_enum(c, s, btf_view_type(b, btf_view_strip(b, type.id)),
			    ctype_size(b, type));
	else
		format_scalar(s, field, size);
	return true;
}

/* Stores all bytes: the reader splits them into members. */
static void format_struct(struct compile *c, struct slot *s)
{
	uint64_t size = ctype_size(c->in->btf, s->root->type);

	if (!size || s->root->category != CATEGORY_LVALUE) {
		format_fail(c, s, size ? "does not lie in memory" : "has no size");
		if (size)
			hint_members(c, s);
	} else if (c->in->run.aggregate && size > KEY_STRUCT) {
		format_fail(c, s, "is too large to group calls by");
		hint_members(c, s);
	} else if (size > STRUCT_LIMIT) {
		format_fail(c, s, "is too large for a record");
		hint_members(c, s);
	} else {
		format_bytes(c, s, FIELD_STRUCT, size);
		/* for members that are gfp_t: the bits differ by kernel */
		s->store.names = format_gfp_names(c);
	}
}

/* As many elements as can be shown; the others are counted. */
static void format_elements(struct compile *c, struct slot *s, uint64_t count)
{
	s->store.count = count < ELEMENTS_MAX ? count : ELEMENTS_MAX;
	s->store.left_out = count - s->store.count;
	format_bytes(c, s, s->store.type, (uint64_t)s->store.size * s->store.count);
}

/* An array in an event's record, whose type is a pointer there. Returns false for text, and for
 * other values. */
static bool format_record_array(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	unsigned size = param_array_size(c, s->root);
	struct ctype element = ctype_target(b, s->root->type);

	if (!size || ctype_is_char(b, element) || !ctype_is_integer(b, element) ||
	    !format_in_register(c, s, element) || size < s->store.size)
		return false;
	format_elements(c, s, size / s->store.size);
	return true;
}

/* A number that no register has: a long double, a complex number, an __int128. */
static bool is_wide(const struct compile *c, struct ctype t)
{
	unsigned kind = t.stars || t.int_size ?
				BTF_KIND_UNKN :
				btf_view_kind(c->in->btf, btf_view_strip(c->in->btf, t.id));

	return (kind == BTF_KIND_INT || kind == BTF_KIND_FLOAT) && ctype_size(c->in->btf, t);
}

static void format_array(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype element = ctype_target(b, s->root->type);
	uint64_t count = ctype_elements(b, s->root->type);

	if (ctype_is_char(b, element)) {
		format_char_array(c, s, ctype_size(b, s->root->type));
	} else if (count && !s->diff.part && ctype_is_text(b, element)) {
		format_chars(c, s, count);
	} else if (count &&
		   (s->diff.part || ctype_is_composite(b, element) || ctype_is_array(b, element))) {
		format_struct(c, s);
	} else if (count && format_in_register(c, s, element)) {
		format_elements(c, s, count);
	} else if (count && s->root->category == CATEGORY_LVALUE && is_wide(c, element)) {
		format_struct(c, s);
	} else {
		format_fail(c, s, "is an array");
		compile_hint(c, "name an element: %.*s[0]%s", SPAN_ARG(s->text, s->root->span),
			     ctype_size(b, element) == 1 ? ", or add :str, or :x8[16]" : "");
	}
}

/* A pointer to const unsigned char points to text; without const to bytes, such as a packet's. */
static bool is_text_target(const struct btf_view *b, struct ctype t)
{
	return ctype_is_char(b, t) || (ctype_is_const(b, t) && ctype_is_text(b, t));
}

static void format_wide(struct compile *c, struct slot *s)
{
	if (s->root->category == CATEGORY_LVALUE) {
		format_struct(c, s);
		s->store.by_pointer = false;
	} else {
		format_fail(c, s, "is in a register that BPF cannot read");
	}
}

/* Chooses the format by the type alone. */
void format_by_type(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct ctype type = s->root->type;

	if (format_record_array(c, s))
		return;
	if (ctype_is_pointer(b, type) && is_text_target(b, ctype_target(b, type))) {
		format_string(c, s, STRING_BY_ADDRESS);
	} else if (ctype_is_composite(b, type)) {
		format_struct(c, s);
	} else if (ctype_is_array(b, type)) {
		format_array(c, s);
	} else if (format_in_register(c, s, type)) {
		return;
	} else if (is_wide(c, type)) {
		format_wide(c, s);
	} else {
		format_fail(c, s, "cannot be shown");
	}
}

void format_replace_root(struct compile *c, struct slot *s, const char *as)
{
	struct node *n = compile_alloc(c, sizeof(*n)), *child = s->root;
	const struct btf_view *b = c->in->btf;
	const char *member = as + strspn(as, "->.*");
	struct ctype outer = *as == '.' ? child->type : ctype_target(b, child->type);
	struct btf_found found = { 0 };

	if (!n || (*member && !btf_view_member(b, outer.id, member, strlen(member), &found)) ||
	    (*as == '.' && child->category != CATEGORY_LVALUE))
		return;
	*n = *child;
	n->kind = *as == '*' ? NODE_DEREF : *as == '.' ? NODE_MEMBER : NODE_ARROW;
	n->child = child;
	n->other = n->third = NULL;
	n->builtin = NULL;
	n->type = *member ? ctype_of(found.type) : outer;
	n->category = CATEGORY_LVALUE;
	n->bit_offset = found.bit_offset;
	n->bit_size = found.bit_size;
	s->root = n;
}

void format_refuse(struct compile *c, const struct slot *s, const char *what)
{
	if (s->name.end || s->format.span.end)
		compile_fail(c, s->name.end ? s->name : s->format.span,
			     "%s has no name and no format", what);
}
