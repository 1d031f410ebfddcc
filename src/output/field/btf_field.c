/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_field.c - maps a BTF type to a kind of field. It does not know how values are written.
 */
#include "output/field/btf_field.h"
#include "output/field/value.h"

#include <string.h>

bool btf_field_is_char(const struct btf_view *b, uint32_t id)
{
	uint32_t under = btf_view_strip(b, id);

	return btf_view_kind(b, under) == BTF_KIND_INT && !strcmp(btf_view_name(b, under), "char");
}

bool btf_field_is_text(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t = btf_view_type(b, id);

	while (t && (btf_kind(t) == BTF_KIND_CONST || btf_kind(t) == BTF_KIND_VOLATILE ||
		     btf_kind(t) == BTF_KIND_TYPE_TAG))
		t = btf_view_type(b, t->type);
	return btf_field_is_char(b, id) ||
	       (t && btf_kind(t) == BTF_KIND_INT &&
		!strcmp(btf_view_string(b, t->name_off), "unsigned char"));
}

bool btf_field_names_code(const struct btf_view *b, uint32_t id)
{
	const struct btf_type *t = btf_view_stripped(b, id);
	const char *end;

	if (!t || btf_kind(t) != BTF_KIND_STRUCT)
		return t && btf_kind(t) == BTF_KIND_FUNC_PROTO;
	end = strrchr(btf_view_string(b, t->name_off), '_');
	return end && (!strcmp(end, "_operations") || !strcmp(end, "_ops"));
}

static enum field_type int_type(const struct btf_view *b, uint32_t id, unsigned encoding)
{
	if (encoding & BTF_INT_BOOL)
		return FIELD_BOOL;
	if (btf_field_is_char(b, id))
		return FIELD_CHAR;
	return encoding & BTF_INT_SIGNED ? FIELD_INT : FIELD_UINT;
}

/* Not decimal, nor complex. */
static bool is_binary_float(const struct btf_view *b, const struct btf_type *t)
{
	const char *name = btf_view_string(b, t->name_off);

	return (t->size == 2 || t->size == 4 || t->size == 8) && !strstr(name, "ecimal") &&
	       !strstr(name, "omplex");
}

bool btf_field_type(const struct btf_view *b, uint32_t id, enum field_type *type, unsigned *size)
{
	const struct btf_type *t = btf_view_stripped(b, id);

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
	case BTF_KIND_FLOAT: *type = FIELD_FLOAT; return is_binary_float(b, t);
	case BTF_KIND_INT: *type = int_type(b, id, BTF_INT_ENCODING(btf_int_info(t))); break;
	default: return false;
	}
	/* in damaged BTF the size may be anything */
	return *size == 1 || *size == 2 || *size == 4 || *size == 8;
}

bool btf_field_field(const struct btf_view *b, uint32_t id, size_t at, const struct btf_found *bits,
		     struct field *f)
{
	*f = (struct field){ .offset = at };
	if (!btf_field_type(b, id, &f->type, &f->size))
		return false;
	if (!bits || !bits->bit_size)
		return true;
	f->bit_offset = bits->bit_offset % 8;
	f->bit_size = bits->bit_size;
	f->size = (f->bit_offset + f->bit_size + 7) / 8;
	if (f->type == FIELD_CHAR)
		f->type = FIELD_UINT;
	return true;
}

void btf_field_name(const struct btf_view *b, uint32_t id, const struct field *f,
		    const struct value *v, struct field_name *found)
{
	const struct btf_type *t = btf_view_stripped(b, id);
	struct field_name one[2] = { { 0 } };
	struct field probe = *f;

	probe.names = one;
	for (unsigned i = 0; t && i < btf_vlen(t) && !found->name; i++) {
		one[0].value = btf_view_enum_value(b, t, i, &one[0].name);
		if (value_enum_name(&probe, v))
			*found = one[0];
	}
}
