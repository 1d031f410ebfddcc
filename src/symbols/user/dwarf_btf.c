/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_btf.c - converts the types of a unit to BTF, so that all other code handles the kernel's and programs' types
 * alike.
 *
 * A unit's types may refer to those of other units, which are converted with it. Each entry that is a type or a function gets an id, in their order, before any is written, because they refer to
 * each other. The first id is a pointer to void.
 */
#include "symbols/user/dwarf_info.h"

#include <errno.h>
#include <stdlib.h>

#include "btf/btf_write.h"

enum {
	ENTRIES_MAX = 1 << 20,
	BYTES_MAX = 64 << 20,
	MEMBERS_MAX = 0xffff,
	DIMENSIONS_MAX = 8,
};

enum {
	ENCODING_BOOL = 2,
	ENCODING_COMPLEX = 3,
	ENCODING_FLOAT = 4,
	ENCODING_SIGNED = 5,
	ENCODING_SIGNED_CHAR = 6,
	ENCODING_IMAGINARY = 9,
	ENCODING_DECIMAL = 15,
};

struct build {
	const struct dwarf_unit *main;
	const struct dwarf_unit *u;	 /* whose entries are being read */
	const struct dwarf_unit **units; /* owned; all that are referred to, sorted by offset */
	size_t unit_count;
	uint32_t first, next;
	struct dwarf_numbered *all; /* owned; sorted by offset */
	size_t count, room;
	struct btf_write out;
	uint64_t
		/* how many entries were read as children; each level of nesting reads its entries again */
		steps;
};

/* ---- children ---- */

static bool child_next(struct build *b, struct dwarf_bytes *at, unsigned *depth,
		       struct dwarf_entry *child)
{
	return dwarf_child_next(b->u, at, depth, child, &b->steps);
}

static unsigned dimensions(struct build *b, const struct dwarf_entry *e,
			   uint64_t counts[DIMENSIONS_MAX])
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	struct dwarf_entry child;
	unsigned depth = 0, count = 0;

	while (e->has_children && count < DIMENSIONS_MAX && child_next(b, &at, &depth, &child))
		if (child.tag == TAG_SUBRANGE)
			counts[count++] = child.count;
	if (!count)
		counts[count++] = 0;
	return count;
}

/* ---- ids ---- */

/* Returns how many ids an entry needs. */
static unsigned ids_of(struct build *b, const struct dwarf_entry *e)
{
	uint64_t counts[DIMENSIONS_MAX];

	switch (e->tag) {
	case TAG_ARRAY: return dimensions(b, e, counts);
	case TAG_FUNCTION:
	case TAG_POINTER: /* and its tag */
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE:
	case TAG_VARIANT_PART: /* the number, the variants */ return 2;
	case TAG_CLASS:
	case TAG_ENUM:
	case TAG_STRUCT:
	case TAG_SUBROUTINE_TYPE:
	case TAG_TYPEDEF:
	case TAG_UNION:
	case TAG_BASE:
	case TAG_CONST:
	case TAG_VOLATILE:
	case TAG_RESTRICT:
	case TAG_ATOMIC: return 1;
	default: return 0;
	}
}

static int number_add(struct build *b, uint32_t offset, unsigned ids)
{
	if (b->count == ENTRIES_MAX)
		return -E2BIG;
	if (b->count == b->room) {
		size_t room = 2 * b->room + 256;
		struct dwarf_numbered *more = realloc(b->all, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		b->all = more;
		b->room = room;
	}
	b->all[b->count++] = (struct dwarf_numbered){ offset, b->next };
	b->next += ids;
	return 0;
}

static int unit_number(struct build *b)
{
	struct dwarf_bytes at = b->u->entries;
	struct dwarf_entry e;
	int err = 0;

	while (!err && dwarf_entry_next(b->u, &at, &e)) {
		unsigned ids = ids_of(b, &e);

		if (ids)
			err = number_add(b, e.offset, ids);
	}
	return err;
}

static int all_number(struct build *b)
{
	int err = 0;

	b->next += 2; /* the ids of the pointer to void */
	for (size_t i = 0; i < b->unit_count && !err; i++) {
		b->u = b->units[i];
		err = unit_number(b);
	}
	return err;
}

/* Returns the id of the entry at an offset; 0, void, if it has none. */
static uint32_t id_of(const struct build *b, uint32_t offset)
{
	const struct dwarf_types t = { .all = b->all, .count = b->count };

	return dwarf_types_id(&t, offset);
}

/* ---- writing ---- */

static void type_begin(struct build *b, const char *name, unsigned kind, unsigned count, bool flag,
		       uint32_t size_or_type)
{
	btf_write_type(&b->out, &b->out.types, name, btf_write_info(kind, count, flag),
		       size_or_type);
}

/* A pointer, to user memory or the kernel's. It has the id `id`; the next one is its tag's, or not used. */
static void pointer_write(struct build *b, const char *name, uint32_t id, uint32_t target)
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
static void base_write(struct build *b, const struct dwarf_entry *e)
{
	bool is_signed = e->encoding == ENCODING_SIGNED || e->encoding == ENCODING_SIGNED_CHAR;
	uint32_t encoding = is_signed ? BTF_INT_SIGNED :
			    e->encoding == ENCODING_BOOL && b->main->info->has_bools ?
					BTF_INT_BOOL :
					0;

	if (is_fractional(e->encoding) || !is_int_size(e->size)) {
		type_begin(b, e->name, BTF_KIND_FLOAT, 0, false, (uint32_t)e->size);
		return;
	}
	type_begin(b, e->name, BTF_KIND_INT, 0, false, (uint32_t)e->size);
	btf_write_word(&b->out.types, encoding << 24 | (uint32_t)e->size * 8);
}

/* A reference to an array becomes a pointer to its first element. */
static void reference_write(struct build *b, const struct dwarf_entry *e)
{
	const struct dwarf_unit *own = b->u, *of;
	uint64_t counts[DIMENSIONS_MAX];
	uint32_t id = id_of(b, e->offset), element;
	struct dwarf_entry type;

	if (!dwarf_type_strip(own, e->type, &type) || type.tag != TAG_ARRAY ||
	    !(of = dwarf_unit_of(own, type.offset))) {
		pointer_write(b, BTF_REFERENCE, id, id_of(b, e->type));
		return;
	}
	b->u = of;
	element = dimensions(b, &type, counts) > 1 ? id_of(b, type.offset) + 1 :
						     id_of(b, type.type);
	b->u = own;
	pointer_write(b, "", id, element);
}

static void array_write(struct build *b, const struct dwarf_entry *e)
{
	uint64_t counts[DIMENSIONS_MAX];
	unsigned count = dimensions(b, e, counts);
	uint32_t id = id_of(b, e->offset), element = id_of(b, e->type);

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
static uint64_t member_bits(const struct build *b, const struct dwarf_entry *m)
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

static void member_write(struct build *b, struct buf *body, const char *name, uint32_t id,
			 uint64_t bits)
{
	btf_write_word(body, btf_write_string(&b->out, name));
	btf_write_word(body, id);
	btf_write_word(body, (uint32_t)bits);
}

/* ---- the variants of an enum of Rust ---- */

static bool first_member(struct build *b, const struct dwarf_entry *of, struct dwarf_entry *m)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, of);
	unsigned depth = 0;

	while (of->has_children && child_next(b, &at, &depth, m))
		if (m->tag == TAG_MEMBER)
			return true;
	return false;
}

static uint64_t member_end(const struct build *b, const struct dwarf_entry *m)
{
	struct dwarf_entry type;

	return m->location + (dwarf_type_strip(b->u, m->type, &type) ? type.size : 0);
}

/* Writes the members that a struct has for the part: the number, if there is one, and the variants. Returns how many. */
static unsigned part_members(struct build *b, const struct dwarf_entry *part, struct buf *body)
{
	uint32_t id = id_of(b, part->offset);
	struct dwarf_entry number;
	bool is_numbered = first_member(b, part, &number);

	if (is_numbered && member_end(b, &number) - number.location > sizeof(number.value))
		return 0;
	if (is_numbered)
		member_write(b, body, "variant", id, member_bits(b, &number));
	member_write(b, body, "", id + 1, 0);
	return is_numbered + 1u;
}

static void part_write(struct build *b, const struct dwarf_entry *part)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, part);
	unsigned depth = 0, numbers = 0, count = 0;
	struct buf values, members, last;
	struct dwarf_entry variant, m;
	uint64_t size = first_member(b, part, &m) ? member_end(b, &m) - m.location : 1, end = 0;

	buf_init(&values, -1);
	buf_init(&members, -1);
	buf_init(&last, -1);
	while (part->has_children && count < MEMBERS_MAX && child_next(b, &at, &depth, &variant)) {
		bool is_last = !variant.where.has_value;

		if (variant.tag != TAG_VARIANT || !first_member(b, &variant, &m))
			continue;
		member_write(b, is_last ? &last : &members, m.name, id_of(b, m.type),
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

static void struct_write(struct build *b, const struct dwarf_entry *e)
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
	while (e->has_children && count < MEMBERS_MAX && child_next(b, &at, &depth, &m)) {
		uint64_t bits = member_bits(b, &m);

		if (m.tag == TAG_VARIANT_PART)
			count += part_members(b, &m, &body);
		if (!is_stored(&m) || bits >= 1 << 24 || m.bits > 64)
			continue;
		member_write(b, &body, m.name, id_of(b, m.type), m.bits << 24 | bits);
		count++;
	}
	type_begin(b, e->name, kind, count, true, (uint32_t)e->size);
	btf_write_join(&b->out.types, &body);
}

/* The kernel's BTF takes the constants of a narrow enum for signed numbers. */
static bool enum_is_wide(struct build *b, const struct dwarf_entry *e)
{
	struct dwarf_bytes at = dwarf_entry_children(b->u, e);
	unsigned depth = 0, count = 0;
	bool has_negative = false;
	uint64_t largest = 0;
	struct dwarf_entry m;

	while (e->has_children && count++ < MEMBERS_MAX && child_next(b, &at, &depth, &m)) {
		has_negative |= (int64_t)m.value < 0;
		largest = m.value > largest ? m.value : largest;
	}
	return e->size > 4 || (!has_negative && largest > INT32_MAX);
}

static void enum_write(struct build *b, const struct dwarf_entry *e)
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
	while (e->has_children && count < MEMBERS_MAX && child_next(b, &at, &depth, &m)) {
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
static bool is_location_known(const struct build *b, const struct dwarf_entry *parameter)
{
	struct dwarf_entry type;

	return !b->main->is_cpp || !dwarf_type_strip(b->u, parameter->type, &type) ||
	       !dwarf_is_struct(type.tag);
}

/* Writes the prototype of a function, or of a type of functions. */
static void prototype_write(struct build *b, const struct dwarf_entry *e)
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
	while (e->has_children && count < MEMBERS_MAX && child_next(b, &at, &depth, &p)) {
		if (p.tag != TAG_PARAMETER)
			continue;
		if (!is_location_known(b, &p))
			break;
		btf_write_word(&body, btf_write_string(&b->out, p.name));
		btf_write_word(&body, id_of(b, p.type));
		count++;
	}
	type_begin(b, "", BTF_KIND_FUNC_PROTO, count, false, id_of(b, e->type));
	btf_write_join(&b->out.types, &body);
}

/* ---- a unit ---- */

static void entry_write(struct build *b, const struct dwarf_entry *e)
{
	static const uint8_t kinds[] = {
		[TAG_TYPEDEF] = BTF_KIND_TYPEDEF,   [TAG_CONST] = BTF_KIND_CONST,
		[TAG_ATOMIC] = BTF_KIND_CONST,	    [TAG_VOLATILE] = BTF_KIND_VOLATILE,
		[TAG_RESTRICT] = BTF_KIND_RESTRICT,
	};

	if (dwarf_is_elsewhere(e)) {
		type_begin(b, "", BTF_KIND_CONST, 0, false, id_of(b, e->origin));
		return;
	}
	switch (e->tag) {
	case TAG_BASE: base_write(b, e); break;
	case TAG_POINTER: pointer_write(b, "", id_of(b, e->offset), id_of(b, e->type)); break;
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE: reference_write(b, e); break;
	case TAG_ARRAY: array_write(b, e); break;
	case TAG_STRUCT:
	case TAG_CLASS:
	case TAG_UNION: struct_write(b, e); break;
	case TAG_ENUM: enum_write(b, e); break;
	case TAG_VARIANT_PART: part_write(b, e); break;
	case TAG_FUNCTION:
		prototype_write(b, e);
		type_begin(b, e->name, BTF_KIND_FUNC, 0, false, id_of(b, e->offset));
		break;
	case TAG_SUBROUTINE_TYPE: prototype_write(b, e); break;
	default:
		type_begin(b, e->tag == TAG_TYPEDEF ? e->name : "", kinds[e->tag], 0, false,
			   id_of(b, e->type));
	}
}

static int all_write(struct build *b)
{
	struct dwarf_entry e;

	b->u = b->main;
	pointer_write(b, "", b->first, 0);
	for (size_t i = 0; i < b->count; i++) {
		b->u = dwarf_unit_of(b->u, b->all[i].offset);
		if (!b->u || !dwarf_entry_at(b->u, b->all[i].offset, &e))
			return -EBADMSG;
		entry_write(b, &e);
		if (b->out.types.len + b->out.strings.len > BYTES_MAX || b->steps > DWARF_STEPS_MAX)
			return -E2BIG;
	}
	return b->out.types.error ?: b->out.strings.error;
}

int dwarf_btf_build(const struct dwarf_unit *u, const struct btf_view *base, struct dwarf_types *t)
{
	struct build b = { .main = u, .u = u, .first = btf_view_count(base) };
	int err;

	*t = (struct dwarf_types){ 0 };
	b.next = b.first;
	btf_write_begin(&b.out, base);
	err = dwarf_units_collect(u, &b.units, &b.unit_count);
	err = err ?: all_number(&b) ?: all_write(&b);
	if (!err) {
		t->bytes = btf_write_bytes(&b.out, &t->size);
		err = t->bytes ? 0 : -ENOMEM;
	}
	btf_write_free(&b.out);
	free(b.units);
	t->all = b.all;
	t->count = b.count;
	if (err)
		dwarf_types_free(t);
	return err;
}
