/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.c - emits accesses to memory of the kernel and of programs: locates a value and reads it.
 *
 * A pointer that the verifier knows (of an argument, of the task, or loaded through one of these) is followed by a
 * load. Any other address is read by bpf_rdonly_cast where that exists, else by a helper. A failed read gives 0.
 * Variables and maps hold numbers, never pointers that the verifier knows, because they may hold another value on
 * another path.
 */
#include "expr/lower/lower.h"
#include "script/emit/gen.h"

/* Returns the struct of this kernel that a pointer points to. 0: none, or a type that the script or a traced program
 * defines. */
static uint32_t pointee_of(const struct sgen *g, const struct script_type *t)
{
	struct script_type of;
	uint32_t id;

	if (t->kind != SCRIPT_POINTER || !t->btf)
		return 0;
	of = script_type_target(t);
	id = of.kind == SCRIPT_RECORD ? btf_view_strip(of.btf, of.c.id) : 0;
	if (g->in->site.in_user && btf_view_first(g->in->btf) > 1)
		return id < btf_view_first(g->in->btf) ? id : 0;
	return id < btf_view_count(g->in->btf) ? id : 0;
}

/* ---- what the verifier knows ---- */

/* True if `a` of a.b or a->b is a known pointer, or a struct reached through one. */
static bool base_known(struct sgen *g, const struct script_expr *e, uint32_t *within, int64_t *off)
{
	if (e->type.kind == SCRIPT_POINTER) {
		*off = 0;
		return pointer_known(g, e, within) && *within;
	}
	if (e->kind == X_DEREF)
		return base_known(g, e->a, within, off);
	if (e->kind != X_FIELD || e->a->type.by_arg || !base_known(g, e->a, within, off))
		return false;
	*off += e->bit_offset / 8;
	return true;
}

bool pointer_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee)
{
	enum typed_result result;
	uint32_t within;
	int64_t off;

	*pointee = 0;
	if (e->is_constant || e->type.kind != SCRIPT_POINTER)
		return false;
	if (param_is_known(g, e, pointee))
		return true;
	if (e->kind == X_CAST && pointer_known(g, e->a, pointee)) {
		if (*pointee != pointee_of(g, &e->type))
			*pointee = 0;
		return true;
	}
	if (e->kind != X_FIELD || e->a->type.by_arg || !g->target->typed_loads ||
	    !base_known(g, e->a, &within, &off))
		return false;
	result = typed_load(g->in->btf, within, off + e->bit_offset / 8, 8, pointee);
	/* a kernel that knows pointers to void knows all other ones */
	return result == TYPED_POINTER || (result == TYPED_SCALAR && g->target->rdonly_cast_void);
}

/* ---- location of a value ---- */

static void through_pointer(struct sgen *g, struct script_expr *e, struct source *at)
{
	*at = (struct source){ .kind = FROM_MEMORY,
			       .is_user = e->type.is_user,
			       .within = pointee_of(g, &e->type) };
	if (g->target->typed_loads && pointer_known(g, e, &at->within) && at->within) {
		at->is_typed = true;
		at->is_checked = e->kind == X_FIELD && e->a->type.by_arg &&
				 !g->in->site.params_skipped;
		value_gen(g, e);
	} else {
		at->within = pointee_of(g, &e->type);
		number_gen(g, e);
	}
}

/* Locates a struct or an array. */
static void bytes_locate(struct sgen *g, struct script_expr *e, struct source *at)
{
	if (e->kind == X_FIELD || e->kind == X_INDEX || e->kind == X_DEREF) {
		source_gen(g, e, at);
		return;
	}
	*at = (struct source){ .kind = FROM_PLACE };
	at->place = image_place(g, e);
}

static void base_gen(struct sgen *g, struct script_expr *e, struct source *at)
{
	if (script_is_scalar(&e->type)) /* a number may serve as an address */
		through_pointer(g, e, at);
	else
		bytes_locate(g, e, at);
}

static void field_source(struct sgen *g, struct script_expr *e, struct source *at)
{
	if (e->a->type.by_arg) {
		if (!param_source_gen(g, e, at))
			script_unsupported(g->c, e->span, "the address of a parameter");
		return;
	}
	base_gen(g, e->a, at);
	at->off += e->bit_offset / 8;
}

static uint32_t element_size(struct sgen *g, const struct script_expr *e)
{
	const struct script_type *t = &e->a->type;

	if (t->kind == SCRIPT_POINTER)
		return pointee_size(g, t);
	return t->count ? t->size / t->count : e->type.size;
}

/* Locates an element whose index is known only at run time. */
static void index_by(struct sgen *g, struct script_expr *e, struct source *at)
{
	struct mark m = frame_mark(g);
	struct place base;

	base_gen(g, e->a, at);
	address_gen(g, at);
	base = spill(g, BPF_REG_0);
	number_gen(g, e->b);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, element_size(g, e));
	place_load(g, 8, BPF_REG_1, base);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	frame_drop(g, m);
	at->kind = FROM_MEMORY;
	at->is_user = at->is_user && e->a->type.is_user;
	at->is_typed = false;
	at->within = 0;
	at->off = 0;
}

static void index_source(struct sgen *g, struct script_expr *e, struct source *at)
{
	if (!e->b->is_constant) {
		index_by(g, e, at);
		return;
	}
	base_gen(g, e->a, at);
	if (e->b->value != (int32_t)e->b->value)
		at->off = INT64_MAX / 2; /* too large for source_gen, which reports the error */
	else
		at->off += e->b->value * (int64_t)element_size(g, e);
}

void source_gen(struct sgen *g, struct script_expr *e, struct source *at)
{
	*at = (struct source){ 0 };
	switch (e->kind) {
	case X_FIELD: field_source(g, e, at); break;
	case X_INDEX: index_source(g, e, at); break;
	case X_DEREF:
		if (e->a->type.kind == SCRIPT_INT)
			through_pointer(g, e->a, at);
		else
			base_gen(g, e->a, at);
		break;
	default: bytes_locate(g, e, at); break;
	}
	if (!g->c->err && (at->off > INT32_MAX || at->off < INT32_MIN))
		script_fail(g->c, e->span, "too far from the pointer");
}

bool pointer_value_gen(struct sgen *g, struct script_expr *e, int reg)
{
	bool is_user = e->type.is_user;
	struct source at;

	if (script_is_scalar(&e->type)) {
		number_gen(g, e);
	} else {
		source_gen(g, e, &at);
		is_user = at.kind == FROM_MEMORY && at.is_user;
		address_gen(g, &at);
	}
	emit_move(g->k, reg, BPF_REG_0);
	return is_user;
}

/* ---- reads ---- */

/* r3 = the address */
static void address_to_r3(struct sgen *g, struct source *at)
{
	if (at->kind == FROM_PLACE)
		place_address(g, BPF_REG_3, place_plus(at->place, at->off));
	else if (at->kind == FROM_CONTEXT)
		emit_address(g->k, BPF_REG_3, context_reg(g, BPF_REG_3), at->off);
	else
		emit_address(g->k, BPF_REG_3, BPF_REG_0, at->off);
}

static void load_by_helper(struct sgen *g, struct source *at, uint32_t size)
{
	struct mark m = frame_mark(g);
	struct place to = place_alloc_small(g, 8);

	address_to_r3(g, at);
	read_gen(g, to, size, at->is_user);
	place_load(g, size, BPF_REG_0, to);
	frame_drop(g, m);
}

/* Jumps to `null` with r0 = 0 if the pointer is NULL. Older verifiers do not learn from a comparison with 0 that the
 * pointer is NULL: after the jump r0 would still count as a pointer. */
void null_check(struct sgen *g, int null)
{
	int fine = label_new(g->k);

	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, fine);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_goto(g->k, null);
	label_bind(g->k, fine);
}

static void load_typed(struct sgen *g, struct source *at, uint32_t size)
{
	int null = label_new(g->k);
	int64_t off = at->off;

	if (!at->is_checked)
		null_check(g, null);
	if (off + size > INT16_MAX) {
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, off);
		off = 0;
	}
	emit_load(g->k, size, BPF_REG_0, BPF_REG_0, off);
	label_bind(g->k, null);
}

/* Loads through bpf_rdonly_cast to the struct, or to bytes. */
static bool load_by_cast(struct sgen *g, struct source *at, uint32_t size)
{
	uint32_t pointee, id = at->within;
	bool fits = id && typed_load(g->in->btf, id, at->off, size, &pointee) != TYPED_NO &&
		    at->off + size <= INT16_MAX;
	int null;

	if (!g->target->typed_loads || !g->target->rdonly_cast_id || at->is_user ||
	    !(fits || g->target->rdonly_cast_void))
		return false;
	null = label_new(g->k);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, null);
	emit_address(g->k, BPF_REG_1, BPF_REG_0, fits ? 0 : at->off);
	emit_move_imm(g->k, BPF_REG_2, fits ? id : 0);
	emit_kfunc(g->k, g->target->rdonly_cast_id);
	emit_load(g->k, size, BPF_REG_0, BPF_REG_0, fits ? at->off : 0);
	label_bind(g->k, null);
	/* the verifier may treat it as a pointer */
	if (fits && size == 8) {
		emit_negate(g->k, BPF_REG_0);
		emit_negate(g->k, BPF_REG_0);
	}
	return true;
}

/* True if the read must report failure: only a helper does. */
static bool reads_by_helper(const struct sgen *g)
{
	return g->is_reading || (g->c->world->reports_failures && g->target->probe_read);
}

/* r0 = `size` bytes, zero-extended. */
static void load_gen(struct sgen *g, struct source *at, uint32_t size)
{
	uint32_t pointee;

	if (at->kind == FROM_PLACE)
		place_load(g, size, BPF_REG_0, place_plus(at->place, at->off));
	else if (at->kind == FROM_CONTEXT && at->off + size <= INT16_MAX)
		emit_load(g->k, size, BPF_REG_0, context_reg(g, BPF_REG_0), at->off);
	else if (at->kind == FROM_MEMORY && reads_by_helper(g))
		load_by_helper(g, at, size);
	else if (at->kind == FROM_MEMORY && at->is_typed &&
		 typed_load(g->in->btf, at->within, at->off, size, &pointee) != TYPED_NO)
		load_typed(g, at, size);
	else if (at->kind != FROM_MEMORY || at->is_typed || !load_by_cast(g, at, size))
		load_by_helper(g, at, size);
}

/* ---- bitfields ---- */

/* Returns the unit with the lowest alignment that contains the bit-field. */
static uint32_t bits_unit(const struct script_expr *e, uint32_t *begin)
{
	for (uint32_t size = 1; size <= 8; size *= 2) {
		*begin = e->bit_offset / 8 / size * size;
		if (e->bit_offset + e->bit_size <= 8 * (*begin + size))
			return size;
	}
	*begin = e->bit_offset / 8;
	return 8;
}

static void bits_gen(struct sgen *g, struct script_expr *e)
{
	uint32_t begin, size = bits_unit(e, &begin);
	uint32_t shift = e->bit_offset - 8 * begin;
	struct source at;

	base_gen(g, e->a, &at);
	at.off += begin;
	load_gen(g, &at, size);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 64 - shift - e->bit_size);
	emit_alu_imm(g->k, e->type.is_signed ? BPF_ARSH : BPF_RSH, BPF_REG_0, 64 - e->bit_size);
}

/* ---- values ---- */

void memory_value_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	uint32_t size = e->type.kind == SCRIPT_POINTER ? 8 : e->type.size;
	struct source at;

	if (is_part(e)) {
		struct place part = image_place(g, e);

		scalar_load(g, BPF_REG_0, place_reg(g, part), part.off, &e->type);
	} else if (e->kind == X_FIELD && e->a->type.by_arg && !e->bit_size) {
		param_gen(g, e);
	} else if (e->kind == X_FIELD && e->bit_size) {
		bits_gen(g, e);
	} else {
		source_gen(g, e, &at);
		load_gen(g, &at, size);
		if (e->type.is_signed)
			extend_gen(g, BPF_REG_0, size, true);
	}
	frame_drop(g, m);
}

/* Copies a small struct by typed loads; writes zeros if the pointer is NULL. */
static bool copy_typed(struct sgen *g, struct source *at, uint32_t size, struct place to)
{
	int null, end;

	if (at->kind != FROM_MEMORY || !at->is_typed || reads_by_helper(g) ||
	    size > TYPED_BYTES_MAX || at->off + size > INT16_MAX ||
	    !typed_bytes(g->in->btf, at->within, at->off, size))
		return false;
	null = label_new(g->k);
	end = label_new(g->k);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, null);
	for (uint32_t i = 0, piece; i < size; i += piece) {
		piece = typed_piece(size - i);
		emit_load(g->k, piece, BPF_REG_1, BPF_REG_0, at->off + i);
		place_store(g, piece, place_plus(to, i), BPF_REG_1);
	}
	emit_goto(g->k, end);
	label_bind(g->k, null);
	place_zero(g, to, size);
	label_bind(g->k, end);
	return true;
}

void memory_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key)
{
	struct mark m = frame_mark(g);
	uint32_t size = want->size < e->type.size ? want->size : e->type.size;
	struct source at;

	source_gen(g, e, &at);
	if (want->kind == SCRIPT_STRING) {
		address_to_r3(g, &at);
		text_read(g, to, size, at.is_user, is_key);
	} else if (at.kind == FROM_PLACE) {
		place_copy(g, to, place_plus(at.place, at.off), size);
	} else if (!copy_typed(g, &at, size, to)) {
		address_to_r3(g, &at);
		read_gen(g, to, size, at.is_user);
	}
	if (size < want->size && (is_key || want->kind != SCRIPT_STRING || want->size <= SMALL))
		place_zero(g, place_plus(to, size), want->size - size);
	frame_drop(g, m);
}
