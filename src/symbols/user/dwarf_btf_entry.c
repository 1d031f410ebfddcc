/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarf_btf_entry.c - writes the BTF of one entry: a base type, pointer, array, struct, enum, function. */
#include "symbols/user/dwarf_btf.h"

enum { MEMBERS_MAX = 0xffff };

enum {
	ENCODING_BOOL = 2,
	ENCODING_COMPLEX = 3,
	ENCODING_FLOAT = 4,
	ENCODING_SIGNED = 5,
	ENCODING_SIGNED_CHAR = 6,
	ENCODING_UNSIGNED_CHAR = 8,
	ENCODING_IMAGINARY = 9,
	ENCODING_DECIMAL = 15,
};

unsigned dwarf_build_dimensions(struct dwarf_build *b, const struct dwarf_entry *e,
				uint64_t counts[DWARF_DIMENSIONS_MAX])
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	struct dwarf_entry child;
	unsigned depth = 0, count = 0;

	while (e->has_children && count < DWARF_DIMENSIONS_MAX &&
	       dwarf_build_child(b, &at, &depth, &child))
		if (child.tag == TAG_SUBRANGE)
			counts[count++] = child.count;
	if (!count)
		counts[count++] = 0;
	return count;
}

static void type_begin(struct dwarf_build *b, const char *name, unsigned kind, unsigned count,
		       bool flag, uint32_t size_or_type)
{
	btf_write_type(&b->out, &b->out.types, name, btf_write_info(kind, count, flag),
		       size_or_type);
}

void dwarf_build_pointer(struct dwarf_build *b, const char *name, uint32_t id, uint32_t target)
{
	bool is_user = !b->main->info->in_kernel;

	type_begin(b, name, BTF_KIND_PTR, 0, false, is_user ? id + 1 : target);
	type_begin(b, is_user ? "user" : "kernel", BTF_KIND_TYPE_TAG, 0, false, target);
}

static bool is_int_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

/* Floats, complex, decimal and fixed-point numbers. */
static bool is_fractional(unsigned encoding)
{
	return encoding == ENCODING_COMPLEX || encoding == ENCODING_FLOAT ||
	       (encoding >= ENCODING_IMAGINARY && encoding <= ENCODING_DECIMAL);
}

/* A base type that is no integer becomes a float: only its name and size are kept. */
static void base_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	bool is_signed = e->encoding == ENCODING_SIGNED || e->encoding == ENCODING_SIGNED_CHAR;
	bool is_char = e->encoding == ENCODING_SIGNED_CHAR || e->encoding == ENCODING_UNSIGNED_CHAR;
	bool has_bools = b->main->info->has_bools;
	uint32_t encoding = (is_signed ? BTF_INT_SIGNED : 0) |
			    (is_char && !has_bools ? BTF_INT_CHAR : 0) |
			    (e->encoding == ENCODING_BOOL && has_bools ? BTF_INT_BOOL : 0);

	if (is_fractional(e->encoding) || !is_int_size(e->size)) {
		type_begin(b, e->name, BTF_KIND_FLOAT, 0, false, (uint32_t)e->size);
		return;
	}
	type_begin(b, e->name, BTF_KIND_INT, 0, false, (uint32_t)e->size);
	btf_write_word(&b->out.types, encoding << 24 | (uint32_t)e->size * 8);
}

/* A reference to an array becomes a pointer to its first element. */
static void reference_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	const struct dwarf_unit *own = b->u, *of;
	uint64_t counts[DWARF_DIMENSIONS_MAX];
	uint32_t id = dwarf_build_entry_id(b, e->offset), element;
	struct dwarf_entry type;

	if (!dwarf_type_strip(own, e->type, &type) || type.tag != TAG_ARRAY ||
	    !(of = dwarf_unit_of(own, type.offset))) {
		dwarf_build_pointer(b, BTF_REFERENCE, id, dwarf_build_entry_id(b, e->type));
		return;
	}
	b->u = of;
	element = dwarf_build_dimensions(b, &type, counts) > 1 ?
			  dwarf_build_entry_id(b, type.offset) + 1 :
			  dwarf_build_entry_id(b, type.type);
	b->u = own;
	dwarf_build_pointer(b, "", id, element);
}

static void member_write(struct dwarf_build *b, struct buf *body, const char *name, uint32_t id,
			 uint64_t bits)
{
	btf_write_word(body, btf_write_string(&b->out, name));
	btf_write_word(body, id);
	btf_write_word(body, (uint32_t)bits);
}

/* A pointer to a member is its offset; one to a method, of which the Itanium C++ ABI, section 2.3, is followed, its address or, plus
 * 1, offset in the table of virtual ones, and what is added to `this`. Names as GCC has them, which writes it as a struct. */
static void member_pointer_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	uint32_t id = dwarf_build_entry_id(b, e->offset);
	struct dwarf_entry type;
	bool is_method = dwarf_type_strip(b->u, e->type, &type) && type.tag == TAG_SUBROUTINE_TYPE;
	struct buf body;

	buf_init(&body, -1);
	if (is_method) {
		member_write(b, &body, "__pfn", id + 1, 0);
		member_write(b, &body, "__delta", id + 1, 64);
		type_begin(b, "", BTF_KIND_STRUCT, 2, true, 16);
	} else {
		type_begin(b, "", BTF_KIND_CONST, 0, false, id + 1);
	}
	btf_write_join(&b->out.types, &body);
	type_begin(b, "long", BTF_KIND_INT, 0, false, 8);
	btf_write_word(&b->out.types, BTF_INT_SIGNED << 24 | 64);
}

static void array_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	uint64_t counts[DWARF_DIMENSIONS_MAX];
	unsigned count = dwarf_build_dimensions(b, e, counts);
	uint32_t id = dwarf_build_entry_id(b, e->offset),
		 element = dwarf_build_entry_id(b, e->type);

	for (unsigned i = 0; i < count; i++) {
		uint32_t of = i + 1 < count ? id + i + 1 : element;

		type_begin(b, e->abi.is_vector ? BTF_VECTOR : "", BTF_KIND_ARRAY, 0, false, 0);
		btf_write_word(&b->out.types, of);
		btf_write_word(&b->out.types, of);
		btf_write_word(&b->out.types, counts[i] < UINT32_MAX ? (uint32_t)counts[i] : 0);
	}
}

/* ---- structs, enums ---- */

/* True if the member is stored at the same place of each object: it is not static, and no virtual base. */
static bool is_stored(const struct dwarf_entry *e)
{
	return (e->tag == TAG_INHERITANCE && e->has_location) ||
	       (e->tag == TAG_MEMBER && !e->is_external);
}

/* Returns a member's offset in the struct, in bits. */
static uint64_t member_bits(const struct dwarf_build *b, const struct dwarf_entry *m)
{
	uint64_t at = m->location * 8, unit = m->size;
	struct dwarf_entry type;

	if (!m->bits || !m->has_first_bit)
		return at;
	if (!m->counts_from_high)
		return at + m->first_bit;
	if (!unit && dwarf_entry_at(b->u, m->type, &type))
		unit = type.size;
	return at + 8 * unit - m->first_bit - m->bits;
}

/* ---- the variants of an enum of Rust ---- */

static bool first_member(struct dwarf_build *b, const struct dwarf_entry *of, struct dwarf_entry *m)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, of);
	unsigned depth = 0;

	while (of->has_children && dwarf_build_child(b, &at, &depth, m))
		if (m->tag == TAG_MEMBER)
			return true;
	return false;
}

static uint64_t member_end(const struct dwarf_build *b, const struct dwarf_entry *m)
{
	struct dwarf_entry type;

	return m->location + (dwarf_type_strip(b->u, m->type, &type) ? type.size : 0);
}

/* Writes the members that a struct has for the part: the number, if there is one, and the variants. Returns how many. */
static unsigned part_members(struct dwarf_build *b, const struct dwarf_entry *part,
			     struct buf *body)
{
	uint32_t id = dwarf_build_entry_id(b, part->offset);
	struct dwarf_entry number;
	bool is_numbered = first_member(b, part, &number);

	if (is_numbered && member_end(b, &number) - number.location > sizeof(number.value))
		return 0;
	if (is_numbered)
		member_write(b, body, "variant", id, member_bits(b, &number));
	member_write(b, body, "", id + 1, 0);
	return is_numbered + 1u;
}

static void part_write(struct dwarf_build *b, const struct dwarf_entry *part)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, part);
	unsigned depth = 0, numbers = 0, count = 0;
	struct buf values, members, last;
	struct dwarf_entry variant, m;
	uint64_t size = first_member(b, part, &m) ? member_end(b, &m) - m.location : 1, end = 0;

	buf_init(&values, -1);
	buf_init(&members, -1);
	buf_init(&last, -1);
	while (part->has_children && count < MEMBERS_MAX &&
	       dwarf_build_child(b, &at, &depth, &variant)) {
		bool is_last = !variant.where.has_value;

		if (variant.tag != TAG_VARIANT || !first_member(b, &variant, &m))
			continue;
		member_write(b, is_last ? &last : &members, m.name, dwarf_build_entry_id(b, m.type),
			     8 * m.location);
		end = member_end(b, &m) > end ? member_end(b, &m) : end;
		count++;
		if (is_last)
			continue;
		btf_write_word(&values, btf_write_string(&b->out, m.name));
		btf_write_word(&values, (uint32_t)variant.value);
		btf_write_word(&values, (uint32_t)(variant.value >> 32));
		numbers++;
	}
	type_begin(b, BTF_VARIANTS, BTF_KIND_ENUM64, numbers, false, (uint32_t)size);
	btf_write_join(&b->out.types, &values);
	type_begin(b, BTF_VARIANTS, BTF_KIND_UNION, count, true, (uint32_t)end);
	btf_write_join(&b->out.types, &members);
	btf_write_join(&b->out.types, &last);
}

/* ---- structs ---- */

static void struct_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	unsigned kind = e->tag == TAG_UNION ? BTF_KIND_UNION : BTF_KIND_STRUCT, depth = 0,
		 count = 0;
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	struct dwarf_entry m;
	struct buf body;

	if (e->is_declaration) {
		type_begin(b, e->name, BTF_KIND_FWD, 0, e->tag == TAG_UNION, 0);
		return;
	}
	buf_init(&body, -1);
	while (e->has_children && count < MEMBERS_MAX && dwarf_build_child(b, &at, &depth, &m)) {
		uint64_t bits = member_bits(b, &m);

		if (m.tag == TAG_VARIANT_PART)
			count += part_members(b, &m, &body);
		if (!is_stored(&m) || bits >= 1 << 24 || m.bits > 64)
			continue;
		member_write(b, &body, m.name, dwarf_build_entry_id(b, m.type),
			     m.bits << 24 | bits);
		count++;
	}
	type_begin(b, e->name, kind, count, true, (uint32_t)e->size);
	btf_write_join(&b->out.types, &body);
}

/* The kernel's BTF takes the constants of a narrow enum for signed numbers. */
static bool enum_is_wide(struct dwarf_build *b, const struct dwarf_entry *e)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	unsigned depth = 0, count = 0;
	bool has_negative = false;
	uint64_t largest = 0;
	struct dwarf_entry m;

	while (e->has_children && count++ < MEMBERS_MAX && dwarf_build_child(b, &at, &depth, &m)) {
		has_negative |= (int64_t)m.value < 0;
		largest = m.value > largest ? m.value : largest;
	}
	return e->size > 4 || (!has_negative && largest > INT32_MAX);
}

static void enum_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	bool is_wide = enum_is_wide(b, e), is_signed = false;
	unsigned depth = 0, count = 0;
	struct dwarf_entry m;
	struct buf body;

	if (e->is_declaration && !e->size) {
		type_begin(b, e->name, BTF_KIND_FWD, 0, false, 0);
		return;
	}
	buf_init(&body, -1);
	while (e->has_children && count < MEMBERS_MAX && dwarf_build_child(b, &at, &depth, &m)) {
		if (m.tag != TAG_ENUMERATOR)
			continue;
		btf_write_word(&body, btf_write_string(&b->out, m.name));
		btf_write_word(&body, (uint32_t)m.value);
		if (is_wide)
			btf_write_word(&body, (uint32_t)(m.value >> 32));
		is_signed |= (int64_t)m.value < 0;
		count++;
	}
	type_begin(b, e->name, is_wide ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, count, is_signed,
		   e->size ? (uint32_t)e->size : 4);
	btf_write_join(&b->out.types, &body);
}

/* ---- functions ---- */

/* False for C++ objects, which may be passed as structs or by address: the ABI depends on more than DWARF says. So
 * the registers of all later parameters are unknown as well. */
static bool is_location_known(const struct dwarf_build *b, const struct dwarf_entry *parameter)
{
	struct dwarf_entry type;

	return !b->main->is_cpp || !dwarf_type_strip(b->u, parameter->type, &type) ||
	       !dwarf_is_struct(type.tag);
}

/* Writes the prototype of a function, or of a type of functions. */
static void prototype_write(struct dwarf_build *b, const struct dwarf_entry *e)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	unsigned depth = 0, count = 0;
	struct dwarf_entry p;
	struct buf body;

	buf_init(&body, -1);
	if (e->tag == TAG_FUNCTION && dwarf_result_is_hidden(b->u, e)) {
		btf_write_word(&body, 0);
		btf_write_word(&body, b->first);
		count++;
	}
	while (e->has_children && count < MEMBERS_MAX && dwarf_build_child(b, &at, &depth, &p)) {
		if (p.tag != TAG_PARAMETER)
			continue;
		if (!is_location_known(b, &p))
			break;
		btf_write_word(&body, btf_write_string(&b->out, p.name));
		btf_write_word(&body, dwarf_build_entry_id(b, p.type));
		count++;
	}
	type_begin(b, "", BTF_KIND_FUNC_PROTO, count, false, dwarf_build_entry_id(b, e->type));
	btf_write_join(&b->out.types, &body);
}

/* ---- an entry ---- */

void dwarf_build_entry(struct dwarf_build *b, const struct dwarf_entry *e)
{
	static const uint8_t kinds[] = {
		[TAG_TYPEDEF] = BTF_KIND_TYPEDEF,   [TAG_CONST] = BTF_KIND_CONST,
		[TAG_ATOMIC] = BTF_KIND_CONST,	    [TAG_VOLATILE] = BTF_KIND_VOLATILE,
		[TAG_RESTRICT] = BTF_KIND_RESTRICT,
	};

	if (dwarf_is_elsewhere(e)) {
		type_begin(b, "", BTF_KIND_CONST, 0, false, dwarf_build_entry_id(b, e->origin));
		return;
	}
	switch (e->tag) {
	case TAG_BASE: base_write(b, e); break;
	case TAG_POINTER:
		dwarf_build_pointer(b, "", dwarf_build_entry_id(b, e->offset),
				    dwarf_build_entry_id(b, e->type));
		break;
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: reference_write(b, e); break;
	case TAG_MEMBER_POINTER: member_pointer_write(b, e); break;
	case TAG_UNSPECIFIED: type_begin(b, e->name, BTF_KIND_TYPEDEF, 0, false, b->first); break;
	case TAG_ARRAY: array_write(b, e); break;
	case TAG_STRUCT:
	case TAG_CLASS:
	case TAG_UNION: struct_write(b, e); break;
	case TAG_ENUM: enum_write(b, e); break;
	case TAG_VARIANT_PART: part_write(b, e); break;
	case TAG_FUNCTION:
		prototype_write(b, e);
		type_begin(b, e->name, BTF_KIND_FUNC, 0, false, dwarf_build_entry_id(b, e->offset));
		break;
	case TAG_SUBROUTINE_TYPE: prototype_write(b, e); break;
	default:
		type_begin(b, e->tag == TAG_TYPEDEF ? e->name : "", kinds[e->tag], 0, false,
			   dwarf_build_entry_id(b, e->type));
	}
}
