/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verifier.c - predicts from BTF whether the kernel's verifier accepts a typed load.
 *
 * A small copy of btf_struct_walk() and btf_ctx_access() (kernel/bpf/btf.c), whose rules have not
 * changed since 5.10 except where noted. If the prediction is wrong, the kernel refuses the
 * program and the loader compiles again without typed loads; that costs time but does not change
 * results.
 */
#include "expr/lower/lower.h"

enum { WALK_MAX = 64 }; /* nested structs; only damaged BTF has more */

/* The position of the walk: `off` bytes into struct `t`. */
struct walk {
	const struct btf_view *b;
	const struct btf_type *t;
	int64_t off;
	uint32_t size, *pointee;
};

enum walk_result { WALK_NO, WALK_SCALAR, WALK_POINTER, WALK_DEEPER, WALK_NEXT };

static const struct btf_type *stripped(const struct btf_view *b, uint32_t id)
{
	return btf_view_type(b, btf_view_strip(b, id));
}

/* Beyond the end of a struct: allowed in a flexible array of structs. In one of integers only
 * after 5.10, so that is not used. */
static enum walk_result walk_beyond(struct walk *w)
{
	const struct btf_type *t = w->t, *array;
	struct btf_found last;

	if (!btf_vlen(t))
		return WALK_NO;
	btf_view_member_at(w->b, t, btf_vlen(t) - 1, &last);
	array = stripped(w->b, last.type);
	if (!array || btf_kind(array) != BTF_KIND_ARRAY || btf_array(array)->nelems ||
	    w->off < last.bit_offset / 8)
		return WALK_NO;
	t = stripped(w->b, btf_array(array)->type);
	if (!t || !btf_is_composite(t) || !t->size)
		return WALK_NO;
	w->off = (w->off - last.bit_offset / 8) % t->size;
	w->t = t;
	return WALK_DEEPER;
}

static enum walk_result walk_pointer(struct walk *w, uint32_t pointer, int64_t off, uint64_t size)
{
	uint32_t target = btf_view_type(w->b, pointer)->type;
	uint32_t id = btf_view_strip(w->b, target);
	const struct btf_type *t = btf_view_type(w->b, id);

	if (size != w->size || off != w->off)
		return WALK_NO;
	if (!t || !btf_is_composite(t))
		return WALK_SCALAR;
	if (!btf_view_tagged(w->b, target, "user") && !btf_view_tagged(w->b, target, "percpu"))
		*w->pointee = id;
	return WALK_POINTER;
}

/* The member contains w->off. Arrays of arrays count as one long array. */
static enum walk_result walk_into(struct walk *w, uint32_t type, int64_t off)
{
	uint32_t id = btf_view_strip(w->b, type);
	uint64_t all = btf_view_size(w->b, id), size = all;
	const struct btf_type *t = btf_view_type(w->b, id);

	for (int depth = 0; t && btf_kind(t) == BTF_KIND_ARRAY && depth < WALK_MAX; depth++) {
		id = btf_view_strip(w->b, btf_array(t)->type);
		t = btf_view_type(w->b, id);
		size = btf_view_size(w->b, id);
	}
	if (!t || !size)
		return WALK_NO;
	if (w->off >= off + (int64_t)all)
		return WALK_NEXT;
	off += (w->off - off) / size * size;
	if (btf_is_composite(t)) {
		w->off -= off;
		w->t = t;
		return WALK_DEEPER;
	}
	if (btf_kind(t) == BTF_KIND_PTR)
		return walk_pointer(w, id, off, size);
	return WALK_SCALAR;
}

/* True if the load ends in the member in which it begins. */
static bool walk_fits(const struct walk *w, uint32_t type, int64_t off)
{
	return w->off + w->size <= off + (int64_t)btf_view_size(w->b, type);
}

static enum walk_result walk_member(struct walk *w, const struct btf_found *m)
{
	int64_t off = m->bit_offset / 8;
	enum walk_result result;

	if (w->off + w->size <= off)
		return WALK_NO;
	if (m->bit_size) {
		uint32_t end = (m->bit_offset + m->bit_size + 7) / 8;

		return w->off <= off && end <= w->off + w->size ? WALK_SCALAR : WALK_NEXT;
	}
	if (w->off < off)
		return WALK_NO; /* a hole */
	result = walk_into(w, m->type, off);
	return result == WALK_SCALAR && !walk_fits(w, m->type, off) ? WALK_NO : result;
}

static enum walk_result walk_struct(struct walk *w)
{
	const struct btf_type *t = w->t;

	if (w->off + w->size > t->size)
		return walk_beyond(w);
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		enum walk_result result;
		struct btf_found m;

		btf_view_member_at(w->b, t, i, &m);
		result = walk_member(w, &m);
		if (result != WALK_NEXT)
			return result;
	}
	return WALK_NO;
}

enum typed_result typed_load(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size,
			     uint32_t *pointee)
{
	struct walk w = { b, stripped(b, id), off, size, pointee };

	*pointee = 0;
	if (off < 0 || off > INT32_MAX || !w.t || !btf_is_composite(w.t))
		return TYPED_NO;
	for (int depth = 0; depth < WALK_MAX; depth++) {
		switch (walk_struct(&w)) {
		case WALK_SCALAR: return TYPED_SCALAR;
		case WALK_POINTER: return TYPED_POINTER;
		case WALK_DEEPER: continue;
		default: return TYPED_NO;
		}
	}
	return TYPED_NO;
}

bool typed_bytes(const struct btf_view *b, uint32_t id, int64_t off, uint32_t size)
{
	uint32_t pointee, piece;

	for (; size; size -= piece, off += piece) {
		piece = typed_piece(size);
		if (typed_load(b, id, off, piece, &pointee) != TYPED_SCALAR)
			return false;
	}
	return true;
}

/* ---- arguments ---- */

/* 5.10 accepts pointers to one-byte integers, const or not; later kernels accept pointers to any
 * integer. */
static bool argument_int_pointer(const struct btf_view *b, const struct expr_target *target,
				 uint32_t pointee)
{
	const struct btf_type *t = btf_view_type(b, pointee);

	if (target->func_arg)
		t = stripped(b, pointee);
	else if (t && btf_kind(t) == BTF_KIND_CONST)
		t = btf_view_type(b, t->type);
	return t && btf_kind(t) == BTF_KIND_INT && (target->func_arg || t->size == 1);
}

static bool argument_pointer(const struct btf_view *b, const struct expr_target *target,
			     uint32_t target_id, uint32_t *pointee)
{
	uint32_t id = btf_view_strip(b, target_id);
	const struct btf_type *t = btf_view_type(b, id);

	if (!t)
		return !target_id; /* void *, but not const void * */
	if (btf_is_composite(t) && target->untyped_id && id >= target->untyped_id)
		return false;
	if (btf_is_composite(t)) {
		if (!btf_view_tagged(b, target_id, "user") &&
		    !btf_view_tagged(b, target_id, "percpu"))
			*pointee = id;
		return true;
	}
	return argument_int_pointer(b, target, target_id);
}

bool typed_argument(const struct btf_view *b, const struct expr_target *target, uint32_t id,
		    uint32_t *pointee)
{
	const struct btf_type *t = stripped(b, id);

	*pointee = 0;
	if (!t)
		return false;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return true;
	case BTF_KIND_PTR: return argument_pointer(b, target, t->type, pointee);
	default: return false;
	}
}
