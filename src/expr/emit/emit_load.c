/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_load.c - single steps: sources of values, and hops, each in a fast and an exact form.
 *
 * Fast: a hop is a NULL check and one typed load (or a helper call, if the verifier does not
 * accept a typed load). A typed load from a bad address gives 0; the next hop treats that as NULL
 * and jumps to the exact way. After the last hop nothing would detect it, so the address is
 * checked there. Where a typed load from NULL simply gives 0, the 0 is passed on to the last hop
 * without a check. Exact: each hop checks for NULL and for the half of the address space, and
 * checks the helper's result.
 */
#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_within.h"
#include "expr/lower/lower.h"
#include "output/field/value.h"

/* Kernel addresses are negative numbers, also on arm64 unless a debug kernel tags them. The last
 * page contains no memory, only error pointers. */
enum { NO_KERNEL_POINTER = -4096 };

/* ---- values that are not read from memory ---- */

int gen_context_offset(const struct gen *g, const struct vreg *v)
{
	const struct arch *arch = target_arch(g->target);

	if (g->target->method != EXPR_CTX_KPROBE)
		return 8 * (int)v->imm;
	return arch_offset(v->op == VREG_RET ? arch->result : arch->arguments[v->imm]);
}

/* Loads an argument or the return value. */
static void gen_argument(struct gen *g, const struct vreg *v)
{
	if (v->way == LOAD_SAVED) {
		gen_saved_argument(g, v);
		return;
	}
	if (g->argument >= 0) {
		emit_move(g->k, REG_VALUE, REG_CTX);
		return;
	}
	if (v->way == LOAD_DIRECT) {
		emit_load(g->k, 8, REG_VALUE, REG_CTX, gen_context_offset(g, v));
		return;
	}
	emit_zero(g->k, BPF_REG_10, STACK_SCRATCH, 8);
	if (v->way == LOAD_HELPER && v->op == VREG_RET) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
		emit_call(g->k, HELPER_FUNC_RET);
	} else if (v->way == LOAD_HELPER) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_move_imm(g->k, BPF_REG_2, v->imm);
		emit_address(g->k, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
		emit_call(g->k, HELPER_FUNC_ARG);
	} else { /* read from the context like from memory */
		emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
		emit_move_imm(g->k, BPF_REG_2, 8);
		emit_address(g->k, BPF_REG_3, REG_CTX, 8 * v->imm);
		emit_call(g->k, HELPER_READ_KERNEL);
	}
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_SCRATCH);
}

static void gen_builtin(struct gen *g, const struct vreg *v)
{
	static const int helpers[] = {
		[BUILTIN_UID] = HELPER_UID_GID,	  [BUILTIN_GID] = HELPER_UID_GID,
		[BUILTIN_CPU] = HELPER_CPU,	  [BUILTIN_PID] = HELPER_PID_TGID,
		[BUILTIN_TID] = HELPER_PID_TGID,  [BUILTIN_TS] = HELPER_KTIME,
		[BUILTIN_CGROUP] = HELPER_CGROUP, [BUILTIN_TASK] = HELPER_TASK,
	};

	if (v->imm == BUILTIN_FUNC) {
		gen_point(g, REG_VALUE);
		return;
	}
	if (v->imm == BUILTIN_LAT) {
		gen_latency_load(g);
		return;
	}
	if (v->imm == BUILTIN_DEPTH) {
		gen_depth(g);
		return;
	}
	if (v->imm == BUILTIN_FRAME) {
		within_frame(g, REG_VALUE, g->c->in->scope == EXPR_SCOPE_RETURN);
		return;
	}
	if (g->numbered && (v->imm == BUILTIN_PID || v->imm == BUILTIN_TID)) {
		gen_number(g, REG_VALUE, v->imm == BUILTIN_TID);
		return;
	}
	emit_call(g->k, v->pointee ? HELPER_TASK_BTF : helpers[v->imm]);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
	if (v->imm == BUILTIN_PID || v->imm == BUILTIN_GID) /* the upper half */
		emit_alu_imm(g->k, BPF_RSH, REG_VALUE, 32);
}

/* Loads the address of this CPU's copy of a variable. */
static void gen_percpu(struct gen *g, const struct vreg *v)
{
	emit_variable(g->k, BPF_REG_1, v->imm);
	emit_call(g->k, HELPER_THIS_CPU);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
}

void gen_source(struct gen *g, const struct vreg *v)
{
	switch (v->op) {
	case VREG_ARG:
	case VREG_RET: gen_argument(g, v); break;
	case VREG_FIELD: emit_load(g->k, v->size, REG_VALUE, REG_CTX, v->imm); break;
	case VREG_CONTEXT: emit_move(g->k, REG_VALUE, REG_CTX); break;
	case VREG_REG: emit_load(g->k, 8, REG_VALUE, REG_CTX, v->imm); break;
	case VREG_PERCPU: gen_percpu(g, v); break;
	case VREG_NUMBER: emit_imm64(g->k, REG_VALUE, v->imm); break;
	case VREG_KEPT: gen_kept_slot(g, &g->p->slots[v->imm]); break;
	default: gen_builtin(g, v); break;
	}
}

/* ---- typed loads ---- */

void gen_cast(struct gen *g, int32_t add, int btf_id)
{
	emit_address(g->k, BPF_REG_1, REG_VALUE, add);
	emit_move_imm(g->k, BPF_REG_2, btf_id);
	emit_kfunc(g->k, g->target->rdonly_cast_id);
}

/* Copies bytes [at, end) of the slot; the source begins at base + off. */
static void copy_pieces(struct gen *g, const struct slot *s, int base, int64_t off, uint32_t at,
			uint32_t end)
{
	uint32_t piece;

	for (; at < end; at += piece, off += piece) {
		piece = typed_piece(end - at);
		emit_load(g->k, piece, BPF_REG_1, base, off);
		/* A failed load gives 0, and a struct full of zeros would look valid. */
		if (!at && s->store.type == FIELD_STRUCT && g->target->probe_read)
			emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, gen_labels(g, s)->exact);
		emit_store(g->k, piece, REG_RECORD, s->place.offset + at, BPF_REG_1);
	}
}

/* Copies more bytes than struct pt_regs has, if that is the only type for casts: in pieces. */
static void copy_by_casts(struct gen *g, const struct slot *s, const struct vreg *v)
{
	uint32_t end;

	for (uint32_t at = 0; at < v->size; at = end) {
		end = v->size - at > CAST_BYTES ? at + CAST_BYTES : v->size;
		gen_cast(g, v->cast_add + at, v->cast_id);
		copy_pieces(g, s, BPF_REG_0, 0, at, end);
	}
}

/* LOAD and BYTES with LOAD_DIRECT or LOAD_CAST. The offset of an instruction is limited to 32
 * KiB. */
static void gen_typed(struct gen *g, const struct slot *s, const struct vreg *v)
{
	int base = REG_VALUE;
	int64_t off = v->imm;

	if (v->op == VREG_BYTES && s->store.size % 8)
		emit_zero(g->k, REG_RECORD, s->place.offset + s->place.room - 8, 8);
	if (v->way == LOAD_CAST && v->cast_in_pieces) {
		copy_by_casts(g, s, v);
		return;
	}
	if (v->way == LOAD_CAST) {
		gen_cast(g, v->cast_add, v->cast_id);
		base = BPF_REG_0;
		off -= v->cast_add;
	}
	if (off + v->size > INT16_MAX) {
		emit_alu_imm(g->k, BPF_ADD, base, off);
		off = 0;
	}
	if (v->op == VREG_BYTES)
		copy_pieces(g, s, base, off, 0, v->size);
	else
		emit_load(g->k, v->size, REG_VALUE, base, off);
}

/* ---- loads by helper ---- */

/* Sets r1 … r3 for a probe_read of the value, to the record or the stack. */
static void set_read_args(struct gen *g, const struct slot *s, const struct vreg *v)
{
	if (v->op == VREG_BYTES) {
		if (s->store.size % 8)
			emit_zero(g->k, REG_RECORD, s->place.offset + s->place.room - 8, 8);
		emit_address(g->k, BPF_REG_1, REG_RECORD, s->place.offset);
	} else {
		emit_address(g->k, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
	}
	emit_move_imm(g->k, BPF_REG_2, v->size);
	emit_address(g->k, BPF_REG_3, REG_VALUE, v->imm);
}

static void scratch_load(struct gen *g, const struct vreg *v)
{
	if (v->op == VREG_LOAD)
		emit_load(g->k, v->size, REG_VALUE, BPF_REG_10, STACK_SCRATCH);
}

static void gen_probe(struct gen *g, const struct slot *s, const struct vreg *v)
{
	set_read_args(g, s, v);
	emit_call(g->k, v->way == LOAD_USER ? HELPER_READ_USER : HELPER_READ_KERNEL);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, gen_labels(g, s)->exact);
	scratch_load(g, v);
}

/* ---- fast ---- */

static bool is_typed(const struct vreg *v)
{
	return v->way == LOAD_DIRECT || v->way == LOAD_CAST;
}

/* True if the base is a function's argument, which needs no NULL check: the verifier knows nothing
 * about it. It requires the check for a tracepoint's pointer or one found from the current task,
 * and an argument kept for later slots is 0 if its slot failed. */
static bool is_from_argument(const struct gen *g, const struct vreg *v)
{
	while (v->base >= 0)
		v = &g->p->plan.values[v->base];
	return v->op == VREG_ARG && !g->c->in->site.params_skipped;
}

/* Stores the address of the bytes, for structs that contain lists. */
static void gen_address(struct gen *g, const struct slot *s, const struct vreg *v)
{
	int address = REG_VALUE;

	if (v->op != VREG_BYTES || !s->place.address)
		return;
	if (v->imm) {
		address = BPF_REG_1;
		emit_address(g->k, BPF_REG_1, REG_VALUE, v->imm);
	}
	emit_store(g->k, 8, REG_RECORD, s->place.address, address);
}

void gen_hop_fast(struct gen *g, const struct slot *s, const struct vreg *v, bool last, bool kept)
{
	int exact = gen_labels(g, s)->exact;

	if (v->op == VREG_ADD || !is_typed(v) || kept || !is_from_argument(g, v) ||
	    !(last || gen_loads_are_checked(g)))
		emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, exact);
	gen_address(g, s, v);
	if (v->op == VREG_ADD) {
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, v->imm);
	} else if (is_typed(v)) {
		if (last)
			emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, exact);
		gen_typed(g, s, v);
	} else {
		gen_probe(g, s, v);
	}
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
		label_bind(g->k, kernel);
		if (g->target->probe_read)
			emit_call(g->k, kernel_helper);
		else
			emit_goto(g->k, gen_labels(g, s)->fail);
		label_bind(g->k, read);
	}
}

static bool is_sockaddr(const struct slot *s, const struct vreg *v)
{
	return v->op == VREG_BYTES && s->store.type == FIELD_SOCKADDR && v->size == SOCKADDR_SIZE;
}

/* A socket address may end just before an unmapped page: retries with the sizes of IPv4 and IPv6
 * addresses. A helper that fails writes zeros. */
static void gen_sockaddr(struct gen *g, const struct slot *s, const struct vreg *v, int fail)
{
	static const uint32_t sizes[] = { 28, 16 };
	int done = label_new(g->k);

	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, done);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct vreg shorter = *v;

		shorter.size = sizes[i];
		set_read_args(g, s, &shorter);
		gen_read_by_address(g, v->way == LOAD_USER ? STRING_USER : STRING_BY_ADDRESS,
				    HELPER_READ_KERNEL, HELPER_READ_USER, s);
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, done);
	}
	emit_goto(g->k, fail);
	label_bind(g->k, done);
}

/* No helper may read kernel memory here; user memory can still be read. Only for bytes: a hop that
 * others continue from must be typed. */
static void gen_typed_exact(struct gen *g, const struct slot *s, const struct vreg *v, int fail)
{
	int user = label_new(g->k), done = label_new(g->k);

	emit_jump(g->k, BPF_JSGT, REG_VALUE, NO_KERNEL_POINTER, v->op == VREG_BYTES ? user : fail);
	gen_typed(g, s, v);
	if (v->op == VREG_BYTES) {
		emit_goto(g->k, done);
		label_bind(g->k, user);
		emit_jump(g->k, BPF_JSLT, REG_VALUE, 0, fail);
		set_read_args(g, s, v);
		emit_call(g->k, HELPER_READ_USER);
		if (is_sockaddr(s, v))
			gen_sockaddr(g, s, v, fail);
		emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, fail);
	}
	label_bind(g->k, done);
}

void gen_hop_exact(struct gen *g, const struct slot *s, const struct vreg *v, int link)
{
	int fail = gen_labels(g, s)->fail;

	gen_blame(g, FIELD_STATUS_NULL | link);
	emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, fail);
	gen_blame(g, FIELD_STATUS_FAULT | link);
	gen_address(g, s, v);
	if (v->op == VREG_ADD) {
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, v->imm);
	} else if (!g->target->probe_read && is_typed(v)) {
		gen_typed_exact(g, s, v, fail);
	} else {
		set_read_args(g, s, v);
		gen_read_by_address(g, v->way == LOAD_USER ? STRING_USER : STRING_BY_ADDRESS,
				    HELPER_READ_KERNEL, HELPER_READ_USER, s);
		if (is_sockaddr(s, v))
			gen_sockaddr(g, s, v, fail);
		emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, fail);
		scratch_load(g, v);
	}
}
