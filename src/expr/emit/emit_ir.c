/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_ir.c - the steps of a slot in order, twice: the fast way and the exact way (codegen.c).
 *
 * REG_VALUE holds the last value; a value needed later is stored where the plan says. The fast
 * way uses values that earlier slots kept, and skips the steps that led to them. The exact way
 * starts from the arguments again and knows at each link which one failed.
 */
#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_within.h"
#include "output/field/value.h"

struct steps {
	struct gen *g;
	const struct slot *s;
	const struct slot_plan *plan; /* its */
	bool exact;
	int current;  /* the value in REG_VALUE; -1: unknown */
	int *labels;  /* of IR_LABEL */
	bool *needed; /* by value: it is computed or reused here */
};

static const struct vreg *value_at(const struct steps *w, int value)
{
	return &w->g->p->plan.values[value];
}

/* ---- the stack ---- */

static int shared_offset(const struct vreg *v)
{
	return STACK_TEMPS - 8 * v->temp;
}

static int own_offset(const struct steps *w, int temp)
{
	return STACK_TEMPS - 8 * (w->g->p->plan.temps + temp);
}

/* True if an earlier slot kept the value. It is 0 if that slot failed. */
static bool is_taken_over(const struct steps *w, int value)
{
	const struct vreg *v = value_at(w, value);

	return !w->exact && v->temp >= 0 && v->made_by < (size_t)(w->s - w->g->p->slots);
}

static int waiting_offset(const struct steps *w, size_t before, int value)
{
	for (size_t i = before; i; i--) {
		const struct ir_insn *step = &w->plan->steps[i - 1];

		if (step->kind == IR_VALUE && step->value == value && step->temp >= 0)
			return own_offset(w, step->temp);
	}
	return own_offset(w, 0); /* the plan gives every value of IR_SET a temp */
}

/* Loads `value` into register `reg` for step `i`. `hops`: the step itself checks for NULL. */
static void fetch(struct steps *w, size_t i, int reg, int value, bool hops)
{
	const struct vreg *v = value_at(w, value);
	struct code *k = w->g->k;

	if (w->current == value) {
		if (reg != REG_VALUE)
			emit_move(k, reg, REG_VALUE);
		return;
	}
	if (v->op == VREG_NUMBER) {
		emit_fact(k, v->fact);
		emit_imm64(k, reg, v->imm);
	} else if (is_taken_over(w, value)) {
		emit_load(k, 8, reg, BPF_REG_10, shared_offset(v));
		if (!hops)
			emit_jump(k, BPF_JEQ, reg, 0, gen_labels(w->g, w->s)->exact);
	} else {
		emit_load(k, 8, reg, BPF_REG_10, waiting_offset(w, i, value));
	}
}

/* ---- one step ---- */

/* True if the next step detects a 0 that a failed load gives. */
static bool is_noticed(const struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i], *next = step + 1;

	if (i + 1 == w->plan->step_count)
		return w->s->store.kind == STORE_STRING && w->plan->result == step->value &&
		       value_at(w, step->value)->op == VREG_LOAD;
	return next->kind == IR_VALUE && next->link >= 0 &&
	       value_at(w, next->value)->base == step->value;
}

/* A divisor of 0 fails the slot. */
static void check_divisor(struct steps *w, const struct ir_insn *step)
{
	const struct slot_labels *labels = gen_labels(w->g, w->s);

	if (step->link < 0)
		return;
	if (w->exact)
		gen_blame(w->g, FIELD_STATUS_NULL | step->link);
	emit_jump(w->g->k, BPF_JEQ, BPF_REG_1, 0, w->exact ? labels->fail : labels->exact);
}

/* True if a comparison is merged into the jump of the next step, which alone uses it. */
static bool is_fused(const struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i], *next = step + 1;

	return i + 1 < w->plan->step_count && step->temp < 0 && w->plan->result != step->value &&
	       vreg_compares(value_at(w, step->value)) && next->value == step->value &&
	       (next->kind == IR_IF_ZERO || next->kind == IR_IF_NOT);
}

static int label_of(const struct steps *w, const struct ir_insn *step)
{
	return step->label == LABEL_REJECT ? gen_reject(w->g, w->s) : w->labels[step->label];
}

static void step_binary(struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i];
	const struct vreg *v = value_at(w, step->value), *other = value_at(w, v->other);
	int32_t constant = other->imm;
	bool takes = other->op == VREG_NUMBER && gen_accepts_constant(v, other);

	/* r1 first: the second operand is often the last value */
	if (!takes)
		fetch(w, i, BPF_REG_1, v->other, false);
	fetch(w, i, REG_VALUE, v->base, false);
	check_divisor(w, step);
	if (is_fused(w, i))
		gen_branch(w->g, v, takes ? &constant : NULL, step[1].kind == IR_IF_NOT,
			   label_of(w, step + 1));
	else
		gen_binary(w->g, v, takes ? &constant : NULL);
}

static void step_hop(struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i];
	const struct vreg *v = value_at(w, step->value);

	fetch(w, i, REG_VALUE, v->base, true);
	if (w->exact)
		gen_hop_exact(w->g, w->s, v, step->link);
	else
		gen_hop_fast(w->g, w->s, v, !is_noticed(w, i), is_taken_over(w, v->base));
}

static void step_phi(struct steps *w, const struct ir_insn *step)
{
	emit_load(w->g->k, 8, REG_VALUE, BPF_REG_10, own_offset(w, step->temp));
}

static void gen_value_here(struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i];
	const struct vreg *v = value_at(w, step->value);

	switch (v->op) {
	case VREG_LOAD:
	case VREG_BYTES:
	case VREG_ADD: step_hop(w, i); break;
	case VREG_BINARY: step_binary(w, i); break;
	case VREG_MATCH:
		fetch(w, i, REG_VALUE, v->base, true);
		gen_match(w->g, w->s, v, step->link, w->exact);
		break;
	case VREG_PATH:
		fetch(w, i, REG_VALUE, v->base, true);
		gen_path_text(w->g, w->s, v, step->link, w->exact);
		break;
	case VREG_PACKET:
		fetch(w, i, REG_VALUE, v->base, true);
		gen_packet(w->g, w->s, v, step->link, w->exact);
		break;
	case VREG_PHI: step_phi(w, step); break;
	case VREG_INSIDE: gen_inside(w->g, w->s, v, w->exact); break;
	case VREG_BITS:
		fetch(w, i, REG_VALUE, v->base, false);
		gen_bits(w->g, v);
		break;
	case VREG_SCALAR:
		fetch(w, i, REG_VALUE, v->base, false);
		gen_scalar(w->g);
		break;
	case VREG_UNARY:
		fetch(w, i, REG_VALUE, v->base, false);
		gen_unary(w->g, v);
		break;
	default: gen_source(w->g, v); break;
	}
}

static void step_value(struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i];
	const struct vreg *v = value_at(w, step->value);

	if (!w->exact && (!w->needed[step->value] || is_taken_over(w, step->value)))
		return;
	if (v->op == VREG_NUMBER) /* numbers are loaded where they are used */
		return;
	gen_value_here(w, i);
	w->current = step->value;
	if (!w->exact && v->temp >= 0)
		emit_store(w->g->k, 8, BPF_REG_10, shared_offset(v), REG_VALUE);
	if (step->temp >= 0 && v->op != VREG_PHI)
		emit_store(w->g->k, 8, BPF_REG_10, own_offset(w, step->temp), REG_VALUE);
}

static void gen_step(struct steps *w, size_t i)
{
	const struct ir_insn *step = &w->plan->steps[i];
	struct code *k = w->g->k;

	switch (step->kind) {
	case IR_VALUE: step_value(w, i); break;
	case IR_SET:
		fetch(w, i, REG_VALUE, step->from, false);
		w->current = step->from;
		emit_store(k, 8, BPF_REG_10, own_offset(w, step->temp), REG_VALUE);
		break;
	case IR_IF_ZERO:
	case IR_IF_NOT:
		if (i && w->plan->steps[i - 1].kind == IR_VALUE && is_fused(w, i - 1)) {
			w->current = -1; /* REG_VALUE holds the operand, not the value */
			break;
		}
		fetch(w, i, REG_VALUE, step->value, false);
		w->current = step->value;
		emit_jump(k, step->kind == IR_IF_ZERO ? BPF_JEQ : BPF_JNE, REG_VALUE, 0,
			  label_of(w, step));
		break;
	case IR_GOTO:
		emit_goto(k, w->labels[step->label]);
		w->current = -1;
		break;
	case IR_LABEL:
		label_bind(k, w->labels[step->label]);
		w->current = -1;
		break;
	case IR_CUT:
		gen_count_loss(w->g, LOSS_CUT);
		w->current = -1;
		break;
	}
}

/* ---- needed values: the result, conditions of branches, and their operands ---- */

static void need(struct steps *w, int value)
{
	if (value >= 0)
		w->needed[value] = true;
}

static void needs_find(struct steps *w)
{
	const struct slot_plan *plan = w->plan;

	need(w, plan->result);
	need(w, plan->length);
	if (plan->result < 0 && plan->step_count)
		need(w, plan->steps[plan->step_count - 1].value);
	for (size_t i = plan->step_count; i; i--) {
		const struct ir_insn *step = &plan->steps[i - 1];

		if (step->kind == IR_SET)
			need(w, step->from);
		else if (step->kind != IR_VALUE)
			need(w, step->value);
		else if (w->needed[step->value] && !is_taken_over(w, step->value)) {
			need(w, value_at(w, step->value)->base);
			need(w, value_at(w, step->value)->other);
		}
	}
}

static void gen_steps(struct gen *g, const struct slot *s, bool exact)
{
	const struct slot_plan *plan = &s->plan;
	struct steps w = { .g = g, .s = s, .plan = plan, .exact = exact, .current = -1 };

	w.labels = compile_alloc(g->c, (plan->label_count + 1) * sizeof(*w.labels));
	w.needed = compile_alloc(g->c, (g->p->plan.value_count + 1) * sizeof(*w.needed));
	if (g->c->err)
		return;
	for (int i = 0; i < plan->label_count; i++)
		w.labels[i] = label_new(g->k);
	needs_find(&w);
	for (size_t i = 0; i < plan->step_count; i++)
		gen_step(&w, i);
	if (plan->result >= 0) {
		fetch(&w, plan->step_count, REG_VALUE, plan->result, s->store.kind == STORE_STRING);
		w.current = plan->result;
	}
	if (plan->length >= 0)
		fetch(&w, plan->step_count, REG_LENGTH, plan->length, false);
}

void gen_steps_fast(struct gen *g, const struct slot *s)
{
	gen_steps(g, s, false);
}

void gen_steps_exact(struct gen *g, const struct slot *s)
{
	/* The fast way may exit before it stores these values: a 0 sends the other slots to their exact way. */
	for (size_t i = 0; i < s->plan.step_count; i++) {
		const struct ir_insn *step = &s->plan.steps[i];
		const struct vreg *v = &g->p->plan.values[step->value < 0 ? 0 : step->value];

		if (step->kind == IR_VALUE && v->temp >= 0 &&
		    v->made_by == (size_t)(s - g->p->slots))
			emit_zero(g->k, BPF_REG_10, shared_offset(v), 8);
	}
	gen_steps(g, s, true);
}
