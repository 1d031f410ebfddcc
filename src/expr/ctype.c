/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ctype.c - the C types of expressions: a BTF type with added pointers.
 */
#include "expr/ctype.h"

#include <stdio.h>
#include <string.h>

#include "output/field/btf_field.h"

struct ctype ctype_of(uint32_t id)
{
	return (struct ctype){ .id = id };
}

struct ctype ctype_int(uint8_t size, bool is_signed)
{
	return (struct ctype){ .int_size = size, .int_signed = is_signed };
}

struct ctype ctype_pointer_to(struct ctype t)
{
	t.stars++;
	t.user = false;
	return t;
}

/* The kind below typedefs and qualifiers; BTF_KIND_UNKN for void, plain integers and added
 * pointers. */
static unsigned base_kind(const struct btf_view *b, struct ctype t)
{
	if (t.stars || t.int_size)
		return BTF_KIND_UNKN;
	return btf_view_kind(b, btf_view_strip(b, t.id));
}

bool ctype_is_pointer(const struct btf_view *b, struct ctype t)
{
	return t.stars || base_kind(b, t) == BTF_KIND_PTR;
}

bool ctype_is_array(const struct btf_view *b, struct ctype t)
{
	return base_kind(b, t) == BTF_KIND_ARRAY;
}

bool ctype_is_address(const struct btf_view *b, struct ctype t)
{
	return ctype_is_pointer(b, t) || ctype_is_array(b, t);
}

bool ctype_is_composite(const struct btf_view *b, struct ctype t)
{
	unsigned kind = base_kind(b, t);

	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

struct ctype ctype_target(const struct btf_view *b, struct ctype t)
{
	const struct btf_type *type;

	if (t.stars) {
		t.stars--;
		t.user = false;
		return t;
	}
	type = btf_view_type(b, btf_view_strip(b, t.id));
	if (type && btf_kind(type) == BTF_KIND_PTR)
		return ctype_of(type->type);
	if (type && btf_kind(type) == BTF_KIND_ARRAY)
		return ctype_of(btf_array(type)->type);
	return ctype_of(0);
}

bool ctype_is_char(const struct btf_view *b, struct ctype t)
{
	return !t.stars && !t.int_size && btf_field_is_char(b, t.id);
}

bool ctype_is_text(const struct btf_view *b, struct ctype t)
{
	return !t.stars && !t.int_size && btf_field_is_text(b, t.id);
}

bool ctype_is_const(const struct btf_view *b, struct ctype t)
{
	return !t.stars && !t.int_size && btf_view_kind(b, t.id) == BTF_KIND_CONST;
}

bool ctype_is_user(const struct btf_view *b, struct ctype t)
{
	if (t.stars)
		return t.user;
	return ctype_is_pointer(b, t) && btf_view_tagged(b, ctype_target(b, t).id, "user");
}

bool ctype_is_integer(const struct btf_view *b, struct ctype t)
{
	unsigned kind = base_kind(b, t);

	if (t.stars)
		return false;
	return t.int_size || kind == BTF_KIND_INT || kind == BTF_KIND_ENUM ||
	       kind == BTF_KIND_ENUM64;
}

bool ctype_is_signed(const struct btf_view *b, struct ctype t)
{
	const struct btf_type *type;

	if (t.stars)
		return false;
	if (t.int_size)
		return t.int_signed;
	type = btf_view_type(b, btf_view_strip(b, t.id));
	if (!type)
		return false;
	if (btf_kind(type) == BTF_KIND_INT)
		return BTF_INT_ENCODING(btf_int_info(type)) & BTF_INT_SIGNED;
	/* Before 6.0, enums have no kind_flag for the sign; a negative value shows it. */
	if (btf_kind(type) == BTF_KIND_ENUM && !BTF_INFO_KFLAG(type->info)) {
		for (unsigned i = 0; i < btf_vlen(type); i++) {
			if (btf_enums(type)[i].val < 0)
				return true;
		}
		return false;
	}
	return BTF_INFO_KFLAG(type->info);
}

enum { TYPEDEFS_MAX = 16 }; /* limit for damaged BTF, whose typedefs may form a cycle */

unsigned ctype_big_endian(const struct btf_view *b, struct ctype t)
{
	static const char *const names[] = { "__be16", "__be32", "__be64" };
	const struct btf_type *type = t.stars || t.int_size ? NULL : btf_view_type(b, t.id);

	for (int depth = 0; type && depth < TYPEDEFS_MAX; depth++) {
		unsigned kind = btf_kind(type);

		for (unsigned i = 0; i < 3 && kind == BTF_KIND_TYPEDEF; i++)
			if (!strcmp(btf_view_string(b, type->name_off), names[i]))
				return 2u << i;
		if (kind != BTF_KIND_TYPEDEF && kind != BTF_KIND_CONST &&
		    kind != BTF_KIND_VOLATILE && kind != BTF_KIND_TYPE_TAG)
			break;
		type = btf_view_type(b, type->type);
	}
	return 0;
}

uint64_t ctype_size(const struct btf_view *b, struct ctype t)
{
	if (t.stars)
		return 8;
	return t.int_size ? t.int_size : btf_view_size(b, t.id);
}

uint64_t ctype_elements(const struct btf_view *b, struct ctype t)
{
	const struct btf_type *type = btf_view_type(b, btf_view_strip(b, t.id));

	return ctype_is_array(b, t) ? btf_array(type)->nelems : 0;
}

void ctype_declare(const struct btf_view *b, struct ctype t, const char *name, char *buf,
		   size_t size)
{
	char declarator[64];

	snprintf(declarator, sizeof(declarator), "%.*s%s", t.stars > 9 ? 9 : t.stars, "*********",
		 name);
	if (t.int_size) {
		snprintf(buf, size, "%c%d%s%s", t.int_signed ? 's' : 'u', t.int_size * 8,
			 *declarator ? " " : "", declarator);
		return;
	}
	btf_view_declare(b, t.id, declarator, buf, size);
}

bool ctype_member_offset(const struct btf_view *b, uint32_t id, const char *name, int *offset)
{
	struct btf_found found;

	if (!btf_view_member(b, id, name, strlen(name), &found))
		return false;
	*offset = found.bit_offset / 8;
	return true;
}
