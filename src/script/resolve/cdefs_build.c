/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cdefs_build.c - builds BTF of the program's own types, laid out as in C, on top of the kernel's types.
 *
 * The types of script.types get the first ids, in their order, so that they may refer to each other. Types without a
 * name follow: pointers, arrays, inner structs.
 */
#include <stdlib.h>
#include <string.h>

#include "btf/btf_write.h"
#include "script/resolve/resolve.h"

struct cbuild {
	struct resolve *r; /* used to look up names of the kernel's types */
	struct btf_write out;
	struct buf others;	    /* appended to out.types at the end */
	uint32_t first, defs, next; /* ids: the first, their number, the next of `others` */
	uint64_t *sizes;	    /* of script.types; 0: not yet laid out */
	uint32_t *aligns;
	uint32_t *others_size, *others_align; /* for ids from first + defs on */
	size_t other_room;
};

/* The target of a member or pointer. */
struct cref {
	uint32_t id;
	uint64_t size;
	uint32_t align;
};

static bool is_failed(const struct cbuild *b)
{
	return b->r->c->err != 0;
}

/* Completes the next of `others`: stores its size and alignment. */
static struct cref other_complete(struct cbuild *b, uint64_t size, uint32_t align)
{
	size_t at = b->next - b->first - b->defs;
	struct cref ref = { b->next, size, align };

	if (at == b->other_room) {
		size_t room = at ? 2 * at : 64;
		uint32_t *sizes = realloc(b->others_size, room * sizeof(*sizes));
		uint32_t *aligns = realloc(b->others_align, room * sizeof(*aligns));

		b->others_size = sizes ? sizes : b->others_size;
		b->others_align = aligns ? aligns : b->others_align;
		if (!sizes || !aligns) {
			b->r->c->err = -ENOMEM;
			return ref;
		}
		b->other_room = room;
	}
	b->others_size[at] = size;
	b->others_align[at] = align;
	b->next++;
	return ref;
}

static struct cref ref_to(struct cbuild *b, uint32_t id)
{
	uint32_t own = id - b->first;

	if (id < b->first)
		return (struct cref){ id, btf_view_size(b->out.base, id),
				      script_c_align(b->out.base, id) };
	if (own < b->defs)
		return (struct cref){ id, b->sizes[own], b->aligns[own] };
	return (struct cref){ id, b->others_size[own - b->defs], b->others_align[own - b->defs] };
}

/* ---- references ---- */

static struct cref pointer_to(struct cbuild *b, uint32_t id)
{
	btf_write_type(&b->out, &b->others, "", btf_write_info(BTF_KIND_PTR, 0, false), id);
	return other_complete(b, 8, 8);
}

static struct cref array_of(struct cbuild *b, struct cref element, uint32_t count)
{
	btf_write_type(&b->out, &b->others, "", btf_write_info(BTF_KIND_ARRAY, 0, false), 0);
	btf_write_word(&b->others, element.id);
	btf_write_word(&b->others, element.id);
	btf_write_word(&b->others, count);
	return other_complete(b, element.size * count, element.align);
}

static struct cref int_of(struct cbuild *b, struct ctype c, const char *name)
{
	uint32_t encoding = c.int_signed ? BTF_INT_SIGNED : 0;

	btf_write_type(&b->out, &b->others, name, btf_write_info(BTF_KIND_INT, 0, false),
		       c.int_size);
	btf_write_word(&b->others, encoding << 24 | c.int_size * 8);
	return other_complete(b, c.int_size, c.int_size);
}

static struct cref float_of(struct cbuild *b, const char *name)
{
	uint32_t size = !strcmp(name, "float") ? 4 : 8;

	btf_write_type(&b->out, &b->others, name, btf_write_info(BTF_KIND_FLOAT, 0, false), size);
	return other_complete(b, size, size);
}

static unsigned forward_kind(const char *name)
{
	return !strncmp(name, "union ", 6)  ? BTF_KIND_UNION :
	       !strncmp(name, "struct ", 7) ? BTF_KIND_STRUCT :
					      BTF_KIND_UNKN;
}

/* A struct without a definition: only pointers to it can be used. */
static struct cref forward(struct cbuild *b, const char *name)
{
	bool is_union = forward_kind(name) == BTF_KIND_UNION;

	btf_write_type(&b->out, &b->others, strchr(name, ' ') + 1,
		       btf_write_info(BTF_KIND_FWD, 0, is_union), 0);
	return other_complete(b, 0, 1);
}

/* Finds a type by its name, without stars. */
static struct cref named(struct cbuild *b, const struct script_type_name *name)
{
	struct ctype c = {};

	if (!strcmp(name->name, "void"))
		return (struct cref){ 0, 0, 1 };
	if (!strcmp(name->name, "float") || !strcmp(name->name, "double"))
		return float_of(b, name->name);
	/* a number, as in bpftrace: only the kernel's types have true and false */
	if (!strcmp(name->name, "bool") || !strcmp(name->name, "_Bool"))
		return int_of(b, ctype_int(1, false), name->name);
	if (!ctype_parse(b->r, name->name, &c)) {
		if (name->stars && forward_kind(name->name))
			return forward(b, name->name);
		script_fail(b->r->c, name->span, "unknown type %s", name->name);
		return (struct cref){};
	}
	return c.int_size ? int_of(b, c, name->name) : ref_to(b, c.id);
}

static struct cref struct_inside(struct cbuild *b, const struct script_cdef *def);

static struct cref member_type(struct cbuild *b, const struct script_cmember *m)
{
	struct cref ref = m->inside ? struct_inside(b, m->inside) : named(b, &m->type);

	for (unsigned i = 0; i < m->type.stars && !is_failed(b); i++)
		ref = pointer_to(b, ref.id);
	if (m->is_flexible && !m->counts[0])
		return array_of(b, ref, 0);
	for (int i = 3; i >= 0 && !is_failed(b); i--) {
		if (m->counts[i])
			ref = array_of(b, ref, m->counts[i]);
	}
	return ref;
}

/* ---- layout ---- */

struct layout {
	bool is_union, is_packed;
	uint64_t bits; /* of all members so far */
	uint32_t align;
};

static uint64_t rounded(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Places a bit-field, which does not cross a boundary of its type. Returns its offset in bits. */
static uint64_t bits_offset(struct layout *l, const struct script_cmember *m, struct cref ref)
{
	uint64_t unit = ref.size * 8, at = l->is_union ? 0 : l->bits;

	if (!m->bits) {
		l->bits = rounded(l->bits, unit);
		return l->bits;
	}
	if (!l->is_packed && at / unit != (at + m->bits - 1) / unit)
		at = rounded(at, unit);
	if (at + m->bits > l->bits)
		l->bits = at + m->bits;
	return at;
}

static uint64_t member_offset(struct layout *l, const struct script_cmember *m, struct cref ref)
{
	uint32_t align = l->is_packed ? 1 : ref.align;
	uint64_t at;

	align = m->attributes.align > align ? m->attributes.align : align;
	at = l->is_union ? 0 : rounded(l->bits, align * 8);

	if (align > l->align && (!m->is_bitfield || *m->name))
		l->align = align;
	if (m->is_bitfield)
		return bits_offset(l, m, ref);
	if (at + ref.size * 8 > l->bits)
		l->bits = at + ref.size * 8;
	return at;
}

static bool is_placeable(struct cbuild *b, const struct script_cmember *m, struct cref ref)
{
	if (is_failed(b))
		return false;
	if (!ref.size && !m->is_flexible)
		script_fail(b->r->c, m->type.span, "%s has no known size",
			    m->type.name ? m->type.name : "this");
	else if (m->is_bitfield && m->bits > ref.size * 8)
		script_fail(b->r->c, m->span, "a bit-field of %u bits does not fit in its type",
			    m->bits);
	return !is_failed(b);
}

/* Appends the members to `o`, and their types to `others`. */
static void members(struct cbuild *b, const struct script_cdef *def, struct buf *o,
		    struct layout *l)
{
	for (size_t i = 0; i < def->count; i++) {
		const struct script_cmember *m = &def->members[i];
		struct cref ref = member_type(b, m);
		uint64_t at;

		if (!is_placeable(b, m, ref))
			return;
		at = member_offset(l, m, ref);
		if (m->is_bitfield && !*m->name)
			continue;
		btf_write_word(o, btf_write_string(&b->out, m->name));
		btf_write_word(o, ref.id);
		btf_write_word(o, m->bits << 24 | (uint32_t)at);
	}
}

/* Appends the bytes of a struct or union to `o`. */
static struct cref struct_write(struct cbuild *b, const struct script_cdef *def, struct buf *o)
{
	struct layout l = { .is_union = def->kind == CDEF_UNION,
			    .is_packed = def->attributes.is_packed,
			    .align = def->attributes.align ?: 1 };
	unsigned kind = l.is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT;
	struct cref ref = { .align = 1 };
	struct buf body;

	buf_init(&body, -1);
	members(b, def, &body, &l);
	ref.align = l.align;
	ref.size = rounded((l.bits + 7) / 8, l.align);
	btf_write_type(&b->out, o, def->name,
		       btf_write_info(kind, body.len / sizeof(struct btf_member), true), ref.size);
	btf_write_join(o, &body);
	return ref;
}

static struct cref enum_write(struct cbuild *b, const struct script_cdef *def, struct buf *o)
{
	bool is_signed = false, is_wide = false;

	for (size_t i = 0; i < def->count; i++) {
		is_signed |= def->values[i] < 0;
		is_wide |= def->values[i] < INT32_MIN || def->values[i] > UINT32_MAX;
	}
	btf_write_type(
		&b->out, o, def->name,
		btf_write_info(is_wide ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, def->count, is_signed),
		is_wide ? 8 : 4);
	for (size_t i = 0; i < def->count; i++) {
		btf_write_word(o, btf_write_string(&b->out, def->members[i].name));
		btf_write_word(o, (uint32_t)def->values[i]);
		if (is_wide)
			btf_write_word(o, (uint32_t)(def->values[i] >> 32));
	}
	return (struct cref){ .size = is_wide ? 8 : 4, .align = is_wide ? 8 : 4 };
}

/* Builds an inner struct without a name. It is completed before the outer one's bytes continue. */
static struct cref struct_inside(struct cbuild *b, const struct script_cdef *def)
{
	struct cref ref;
	struct buf own;

	buf_init(&own, -1);
	ref = def->kind == CDEF_ENUM ? enum_write(b, def, &own) : struct_write(b, def, &own);
	btf_write_join(&b->others, &own);
	return is_failed(b) ? ref : other_complete(b, ref.size, ref.align);
}

static struct cref typedef_write(struct cbuild *b, const struct script_cdef *def)
{
	struct cref ref = member_type(b, &def->members[0]);

	btf_write_type(&b->out, &b->out.types, def->name,
		       btf_write_info(BTF_KIND_TYPEDEF, 0, false), ref.id);
	return ref;
}

static void defs_write(struct cbuild *b)
{
	size_t i = 0;

	for (const struct script_cdef *def = b->r->c->s->types; def && !is_failed(b);
	     def = def->next, i++) {
		struct cref ref = def->kind == CDEF_ENUM    ? enum_write(b, def, &b->out.types) :
				  def->kind == CDEF_TYPEDEF ? typedef_write(b, def) :
							      struct_write(b, def, &b->out.types);

		b->sizes[i] = ref.size;
		b->aligns[i] = ref.align;
	}
}

/* ---- all ---- */

static void cbuild_free(struct cbuild *b)
{
	btf_write_free(&b->out);
	free(b->sizes);
	free(b->aligns);
	free(b->others_size);
	free(b->others_align);
}

void *cdefs_build(struct script_state *c, const struct btf_view *base, uint32_t first, size_t *size)
{
	struct resolve r = { .c = c, .in = c->point ? c->point->in : NULL };
	struct cbuild b = { .r = &r, .first = first };
	void *bytes = NULL;

	for (const struct script_cdef *def = c->s->types; def; def = def->next)
		b.defs++;
	b.next = b.first + b.defs;
	b.sizes = calloc(b.defs, sizeof(*b.sizes));
	b.aligns = calloc(b.defs, sizeof(*b.aligns));
	btf_write_begin(&b.out, base);
	buf_init(&b.others, -1);
	if (b.sizes && b.aligns)
		defs_write(&b);
	else
		c->err = -ENOMEM;
	btf_write_join(&b.out.types, &b.others);
	if (!is_failed(&b)) {
		bytes = btf_write_bytes(&b.out, size);
		c->err = bytes ? 0 : -ENOMEM;
	}
	cbuild_free(&b);
	return bytes;
}
