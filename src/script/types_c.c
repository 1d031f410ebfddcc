/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types_c.c - converts types of C to types of values: members of structs, parameters, targets of pointers.
 */
#include "script/type.h"

#include "expr/ctype.h"
#include "expr/program.h"

struct script_type script_pointer_to(const struct btf_view *btf, struct ctype c)
{
	return (struct script_type){
		.kind = SCRIPT_POINTER,
		.size = 8,
		.c = ctype_pointer_to(c),
		.btf = btf,
	};
}

/* A struct, or a number of 16 bytes: it can be shown and copied, but not computed with. */
static struct script_type bytes_type(const struct btf_view *btf, struct ctype c)
{
	return (struct script_type){
		.kind = SCRIPT_RECORD,
		.size = btf_view_size(btf, c.id),
		.c = c,
		.btf = btf,
	};
}

static struct script_type int_type(const struct btf_view *btf, struct ctype c)
{
	uint64_t size = ctype_size(btf, c);
	const struct btf_type *t = c.int_size ? NULL : btf_view_stripped(btf, c.id);
	struct script_type type = script_int(size, ctype_is_signed(btf, c));

	if (t && size == 16)
		return bytes_type(btf, c);
	if (!is_load_size(size))
		return (struct script_type){};
	if (t && btf_kind(t) == BTF_KIND_INT && BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_BOOL)
		return (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	if (t && (btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64)) {
		type.c = ctype_of(btf_view_strip(btf, c.id));
		type.btf = btf;
	}
	return type;
}

enum { NESTING_MOST = 32 }; /* a limit for damaged BTF */

static uint32_t align_of(const struct btf_view *btf, uint32_t id, int depth)
{
	const struct btf_type *t = btf_view_stripped(btf, id);
	uint32_t most = 1;

	if (!t || depth > NESTING_MOST)
		return 1;
	switch (btf_kind(t)) {
	case BTF_KIND_PTR: return 8;
	case BTF_KIND_ARRAY: return align_of(btf, btf_array(t)->type, depth + 1);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: break;
	default: return t->size && t->size < 16 ? t->size : 16;
	}
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		uint32_t align = align_of(btf, btf_members(t)[i].type, depth + 1);

		most = align > most ? align : most;
	}
	return most;
}

uint32_t script_c_align(const struct btf_view *btf, uint32_t id)
{
	return align_of(btf, id, 0);
}

static bool is_byte(const struct btf_view *btf, struct ctype c)
{
	const struct btf_type *t = btf_view_stripped(btf, c.id);

	return !c.stars && !c.int_size && t && btf_kind(t) == BTF_KIND_INT && t->size == 1 &&
	       !(BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_BOOL);
}

/* True for a type defined by the program or a module. */
static bool is_own(const struct btf_view *btf, uint32_t id)
{
	return btf_view_first(btf) > 1 && id >= btf_view_first(btf);
}

/* True for a character of debug information. */
static bool is_debug_char(const struct btf_view *btf, struct ctype c)
{
	return is_byte(btf, c) &&
	       BTF_INT_ENCODING(btf_int_info(btf_view_stripped(btf, c.id))) & BTF_INT_CHAR;
}

/* In own types uint8_t is a number and char a character. An array of these need not end with a NUL: as in bpftrace the
 * string has room for one more byte. */
static bool is_text(const struct btf_view *btf, uint32_t array, struct ctype element)
{
	return is_own(btf, array) ? ctype_is_char(btf, element) : is_byte(btf, element);
}

static struct script_type array_type(const struct btf_view *btf, struct ctype c)
{
	uint32_t array = btf_view_strip(btf, c.id);
	struct script_type type = {
		.kind = SCRIPT_ARRAY,
		.size = ctype_size(btf, c) < STRUCT_LIMIT ? ctype_size(btf, c) : 0,
		.count = ctype_elements(btf, c),
		.c = c,
		.btf = btf,
	};

	if (is_text(btf, array, ctype_target(btf, c))) {
		type.kind = SCRIPT_STRING;
		type.size += type.size && is_own(btf, array);
		type.count = 0;
	}
	return type;
}

uint32_t script_c_bytes(const struct script_type *t)
{
	uint64_t size = t->kind == SCRIPT_STRING && t->btf ? ctype_size(t->btf, t->c) : 0;

	return size + 1 == t->size ? size : t->size;
}

uint32_t script_text_bytes(const struct script_type *t)
{
	return t->btf && is_debug_char(t->btf, ctype_target(t->btf, t->c)) ? script_c_bytes(t) :
									     t->size;
}

struct script_type script_type_of(const struct btf_view *btf, struct ctype c)
{
	unsigned kind;

	if (ctype_is_pointer(btf, c))
		return (struct script_type){
			.kind = SCRIPT_POINTER,
			.size = 8,
			.is_user = ctype_is_user(btf, c),
			.c = c,
			.btf = btf,
		};
	if (ctype_is_integer(btf, c))
		return int_type(btf, c);
	if (ctype_is_array(btf, c))
		return array_type(btf, c);
	kind = btf_view_kind(btf, btf_view_strip(btf, c.id));
	if (kind == BTF_KIND_FLOAT)
		return (struct script_type){};
	if (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION && kind != BTF_KIND_FWD)
		return (struct script_type){ .kind = SCRIPT_VOID };
	return bytes_type(btf, c);
}

struct script_type script_type_target(const struct script_type *t)
{
	struct script_type target;

	if (t->kind == SCRIPT_POINTER && t->count)
		return t->parts[0].type;
	if (t->kind == SCRIPT_STRING)
		return script_int(1, true);
	if (t->of_bools)
		return (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	if (t->kind == SCRIPT_ARRAY && t->c.int_size)
		return script_int(t->c.int_size, t->c.int_signed);
	if (t->c.int_size && t->c.stars == 1)
		return script_int(t->c.int_size, t->c.int_signed);
	if (!t->btf && !t->c.int_size)
		return (struct script_type){ .kind = SCRIPT_VOID };
	target = script_type_of(t->btf, ctype_target(t->btf, t->c));
	target.is_user |= t->is_user;
	target.is_typed = t->is_typed;
	return target;
}

const char *script_type_struct(const struct script_type *t)
{
	struct script_type of = t->kind == SCRIPT_POINTER ? script_type_target(t) : *t;
	const struct btf_type *s = of.btf ? btf_view_stripped(of.btf, of.c.id) : NULL;

	return of.kind == SCRIPT_RECORD && s ? btf_view_string(of.btf, s->name_off) : "";
}
