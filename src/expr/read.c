// SPDX-License-Identifier: GPL-2.0
/*
 * read.c - the steps of a slot: arguments, hops, bits, each twice, fast and exact.
 *
 * Fast: a hop is a test for NULL and one typed load (or a helper's call where the verifier takes no
 * typed load). A typed load of a bad address yields 0, which the next hop takes for NULL and goes
 * to the exact way; only behind the last hop nobody would notice, so its address is looked at.
 * Exact: each hop asks for NULL, for the half of the address space, and for the helper's opinion.
 */
#include "expr/emit.h"

/* Kernel addresses are negative numbers, on arm64 too unless a debug kernel tags them. The last
 * page holds no memory but error pointers. */
enum { NO_KERNEL_POINTER = -4096 };

static const struct plan_value *value_at(const struct gen *g, const struct plan_step *step)
{
	return &g->p->plan.values[step->value];
}

static int temp_offset(const struct plan_value *v)
{
	return STACK_TEMPS - 8 * v->temp;
}

static bool is_reading(const struct plan_value *v)
{
	return v->op == PLAN_LOAD || v->op == PLAN_BYTES;
}

/* ---- values that come from no memory ---- */

/* Where in struct pt_regs argument `n` is passed: x86-64's di si dx cx r8 r9, arm64's x0 … x7. */
static int register_offset(const struct gen *g, int64_t n)
{
	static const uint8_t x86_64[] = { 112, 104, 96, 88, 72, 64 };

	return g->target->arch == EXPR_ARCH_X86_64 ? x86_64[n] : 8 * n;
}

static void gen_argument(struct gen *g, const struct plan_value *v)
{
	if (v->way == WAY_DIRECT) {
		emit_load(g->k, 8, REG_VALUE, REG_CTX,
		          g->target->rung == EXPR_RUNG_KPROBE ? register_offset(g, v->imm)
		                                              : 8 * (int)v->imm);
		return;
	}
	emit_zero(g->k, BPF_REG_10, STACK_SCRATCH, 8);
	if (v->way == WAY_HELPER) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_move_imm(g->k, BPF_REG_2, v->imm);
		emit_address(g->k, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
		emit_call(g->k, HELPER_FUNC_ARG);
	} else { /* the context is memory like any other */
		emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
		emit_move_imm(g->k, BPF_REG_2, 8);
		emit_address(g->k, BPF_REG_3, REG_CTX, 8 * v->imm);
		emit_call(g->k, HELPER_READ_KERNEL);
	}
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_SCRATCH);
}

static void gen_builtin(struct gen *g, const struct plan_value *v)
{
	emit_call(g->k, v->imm == BUILTIN_UID ? HELPER_UID_GID : HELPER_CPU);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
}

static void gen_bits(struct gen *g, const struct plan_value *v)
{
	int left = 64 - v->width - (int)v->imm;

	if (left)
		emit_alu_imm(g->k, BPF_LSH, REG_VALUE, left);
	if (v->width < 64)
		emit_alu_imm(g->k, v->sign ? BPF_ARSH : BPF_RSH, REG_VALUE, 64 - v->width);
}

/* ---- typed loads ---- */

void gen_cast(struct gen *g, int32_t add, int btf_id)
{
	emit_address(g->k, BPF_REG_1, REG_VALUE, add);
	emit_move_imm(g->k, BPF_REG_2, btf_id);
	emit_kfunc(g->k, g->target->rdonly_cast_id);
}

static void copy_pieces(struct gen *g, const struct slot *s, int base, int64_t off)
{
	uint32_t piece;

	if (s->size % 8)
		emit_zero(g->k, REG_RECORD, s->offset + s->room - 8, 8);
	for (uint32_t at = 0; at < s->size; at += piece) {
		piece = typed_piece(s->size - at);
		emit_load(g->k, piece, BPF_REG_1, base, off + at);
		emit_store(g->k, piece, REG_RECORD, s->offset + at, BPF_REG_1);
	}
}

/* LOAD and BYTES by WAY_DIRECT or WAY_CAST. An instruction reaches 32 KiB. */
static void gen_typed(struct gen *g, const struct slot *s, const struct plan_value *v)
{
	int base = REG_VALUE;
	int64_t off = v->imm;

	if (v->way == WAY_CAST) {
		gen_cast(g, v->cast_add, v->cast_id);
		base = BPF_REG_0;
		off -= v->cast_add;
	}
	if (off + v->size > INT16_MAX) {
		emit_alu_imm(g->k, BPF_ADD, base, off);
		off = 0;
	}
	if (v->op == PLAN_BYTES)
		copy_pieces(g, s, base, off);
	else
		emit_load(g->k, v->size, REG_VALUE, base, off);
}

/* ---- loads by helper ---- */

/* r1 … r3 for a probe_read of the value's memory: into the record, or onto the stack. */
static void set_read_args(struct gen *g, const struct slot *s, const struct plan_value *v)
{
	if (v->op == PLAN_BYTES) {
		if (s->size % 8)
			emit_zero(g->k, REG_RECORD, s->offset + s->room - 8, 8);
		emit_address(g->k, BPF_REG_1, REG_RECORD, s->offset);
	} else {
		emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	}
	emit_move_imm(g->k, BPF_REG_2, v->size);
	emit_address(g->k, BPF_REG_3, REG_VALUE, v->imm);
}

static void take_read(struct gen *g, const struct plan_value *v)
{
	if (v->op == PLAN_LOAD)
		emit_load(g->k, v->size, REG_VALUE, BPF_REG_10, STACK_SCRATCH);
}

static void gen_probe(struct gen *g, const struct slot *s, const struct plan_value *v)
{
	set_read_args(g, s, v);
	emit_call(g->k, v->way == WAY_USER ? HELPER_READ_USER : HELPER_READ_KERNEL);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, gen_labels(g, s)->exact);
	take_read(g, v);
}

/* ---- fast ---- */

static bool is_typed(const struct plan_value *v)
{
	return v->way == WAY_DIRECT || v->way == WAY_CAST;
}

/* `last`: no later step would notice that a typed load failed. */
static void gen_hop_fast(struct gen *g, const struct slot *s, const struct plan_value *v, bool last)
{
	int exact = gen_labels(g, s)->exact;

	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, exact);
	if (v->op == PLAN_ADD) {
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, v->imm);
	} else if (is_typed(v)) {
		if (last)
			emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, exact);
		gen_typed(g, s, v);
	} else {
		gen_probe(g, s, v);
	}
}

/* Does anything behind step `i` notice a 0 that should not be one? */
static bool is_last_hop(const struct gen *g, const struct slot *s, size_t i)
{
	for (size_t j = i + 1; j < s->step_count; j++) {
		if (s->steps[j].link >= 0)
			return false;
	}
	return s->sink != SINK_STRING || value_at(g, &s->steps[i])->op != PLAN_LOAD;
}

static void gen_step_fast(struct gen *g, const struct slot *s, size_t i)
{
	const struct plan_value *v = value_at(g, &s->steps[i]);

	switch (v->op) {
	case PLAN_ARG:
		gen_argument(g, v);
		break;
	case PLAN_BUILTIN:
		gen_builtin(g, v);
		break;
	case PLAN_NUMBER:
		emit_imm64(g->k, REG_VALUE, v->imm);
		break;
	case PLAN_BITS:
		gen_bits(g, v);
		break;
	default:
		gen_hop_fast(g, s, v, is_last_hop(g, s, i));
		break;
	}
	if (v->temp >= 0)
		emit_store(g->k, 8, BPF_REG_10, temp_offset(v), REG_VALUE);
}

static bool is_kept(const struct gen *g, const struct slot *s, const struct plan_value *v)
{
	return v->temp >= 0 && v->made_by < (size_t)(s - g->p->slots);
}

/* What an earlier slot kept; 0 where that one failed, which the next hop sees if there is one. */
static void gen_kept(struct gen *g, const struct slot *s, size_t next)
{
	const struct plan_value *v = value_at(g, &s->steps[next - 1]);

	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, temp_offset(v));
	if (next == s->step_count || s->steps[next].link < 0)
		emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, gen_labels(g, s)->exact);
}

void gen_steps_fast(struct gen *g, const struct slot *s)
{
	size_t first = s->step_count;

	while (first && !is_kept(g, s, value_at(g, &s->steps[first - 1])))
		first--;
	if (first)
		gen_kept(g, s, first);
	for (size_t i = first; i < s->step_count; i++)
		gen_step_fast(g, s, i);
}

/* ---- exact ---- */

void gen_read_by_address(struct gen *g, enum string_space space, int kernel_helper, int user_helper,
                         const struct slot *s)
{
	int kernel = label_new(g->k), read = label_new(g->k);

	if (space != STRING_USER)
		emit_jump(g->k, BPF_JSLT, REG_VALUE, 0, kernel);
	emit_call(g->k, user_helper);
	if (space != STRING_USER) {
		emit_goto(g->k, read);
		label_place(g->k, kernel);
		if (g->target->probe_read)
			emit_call(g->k, kernel_helper);
		else
			emit_goto(g->k, gen_labels(g, s)->fail);
		label_place(g->k, read);
	}
}

/* A socket's address may end before a page that is not there: tried again with the sizes of the
 * internet's. A helper that fails leaves zeros. */
static void gen_sockaddr(struct gen *g, const struct slot *s, const struct plan_value *v, int fail)
{
	static const uint32_t sizes[] = { 28, 16 };
	int done = label_new(g->k);

	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, done);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct plan_value shorter = *v;

		shorter.size = sizes[i];
		set_read_args(g, s, &shorter);
		gen_read_by_address(g, v->way == WAY_USER ? STRING_USER : STRING_BY_ADDRESS,
		                    HELPER_READ_KERNEL, HELPER_READ_USER, s);
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, done);
	}
	emit_goto(g->k, fail);
	label_place(g->k, done);
}

static void gen_hop_exact(struct gen *g, const struct slot *s, const struct plan_value *v, int link)
{
	int fail = gen_labels(g, s)->fail;

	emit_move_imm(g->k, REG_STATUS, FIELD_STATUS_NULL | link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, fail);
	emit_move_imm(g->k, REG_STATUS, FIELD_STATUS_FAULT | link);
	if (v->op == PLAN_ADD) {
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, v->imm);
	} else if (!g->target->probe_read && is_typed(v)) {
		emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, fail);
		gen_typed(g, s, v);
	} else {
		set_read_args(g, s, v);
		gen_read_by_address(g, v->way == WAY_USER ? STRING_USER : STRING_BY_ADDRESS,
		                    HELPER_READ_KERNEL, HELPER_READ_USER, s);
		if (v->op == PLAN_BYTES && s->field_type == FIELD_SOCKADDR &&
		    v->size == SOCKADDR_SIZE)
			gen_sockaddr(g, s, v, fail);
		emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, fail);
		take_read(g, v);
	}
}

static void gen_step_exact(struct gen *g, const struct slot *s, const struct plan_step *step)
{
	const struct plan_value *v = value_at(g, step);

	if (is_reading(v) || v->op == PLAN_ADD)
		gen_hop_exact(g, s, v, step->link);
	else if (v->op == PLAN_ARG)
		gen_argument(g, v);
	else if (v->op == PLAN_BITS)
		gen_bits(g, v);
}

void gen_steps_exact(struct gen *g, const struct slot *s)
{
	/* The fast way may have left before it kept these: 0 sends others to their exact way. */
	for (size_t i = 0; i < s->step_count; i++) {
		const struct plan_value *v = value_at(g, &s->steps[i]);

		if (v->temp >= 0 && !is_kept(g, s, v))
			emit_zero(g->k, BPF_REG_10, temp_offset(v), 8);
	}
	for (size_t i = 0; i < s->step_count; i++)
		gen_step_exact(g, s, &s->steps[i]);
}
