/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ir_build.c - the values of the plan, each only once; and the steps, links and stack temps of a
 * slot.
 *
 * A step leaves its value in the one register that steps work with. A value needed again later is
 * kept on the stack: pointers that later slots continue from in shared temps (plan.temps), others
 * in temps of the slot's own (slot_plan.temps).
 */
#include "expr/lower/lower.h"

#include <string.h>

enum {
	TEMPS_MAX = 6, /* in the worst case, each doubles the verifier's work */
};

/* ---- values ---- */

static bool value_equal(const struct vreg *a, const struct vreg *b)
{
	return a->op == b->op && a->way == b->way && a->base == b->base && a->other == b->other &&
	       a->oper == b->oper && a->imm == b->imm && a->fact == b->fact && a->size == b->size &&
	       a->width == b->width && a->sign == b->sign && a->within == b->within &&
	       a->text == b->text && a->packet == b->packet && a->program == b->program;
}

static void base_use(struct plan *plan, int base)
{
	if (base < 0)
		return;
	plan->values[base].users++;
	plan->values[base].is_base = true;
}

static unsigned program_of(const struct compile *c, const struct slot *s)
{
	if (c->in->pair && s->at_end)
		return 2;
	return s->at_return && (!c->in->pair || c->in->scope == EXPR_SCOPE_CALL);
}

int ir_value(struct compile *c, struct vreg v)
{
	struct plan *plan = &c->p->plan;
	struct vreg *values;

	if (c->err)
		return -1;
	v.program = program_of(c, c->slot);
	for (size_t i = 0; i < plan->value_count; i++) {
		if (value_equal(&plan->values[i], &v))
			return i;
	}
	values = compile_grown(c, plan->values, plan->value_count, &plan->value_room,
			       sizeof(*values));
	if (!values)
		return -1;
	plan->values = values;
	v.temp = -1;
	v.made_by = NEVER;
	base_use(plan, v.base);
	base_use(plan, v.other);
	plan->values[plan->value_count] = v;
	return plan->value_count++;
}

/* ---- steps and links ---- */

int link_add(struct compile *c, struct span span)
{
	struct slot_plan *plan = &c->slot->plan;

	if (c->err)
		return -1;
	if (plan->link_count == LINKS_MAX) {
		compile_fail(c, span, "more than %d pointers to follow", LINKS_MAX);
		return -1;
	}
	if (!plan->links)
		plan->links = compile_alloc(c, (LINKS_MAX + 1) * sizeof(*plan->links));
	if (c->err)
		return -1;
	plan->links[plan->link_count] = arena_text(&c->p->arena, c->slot->text + span.start,
						   span.end - span.start);
	if (!plan->links[plan->link_count])
		c->err = -ENOMEM;
	return plan->link_count++;
}

static struct ir_insn *step_new(struct compile *c)
{
	struct slot_plan *plan = &c->slot->plan;
	struct ir_insn *steps;

	steps = c->err ? NULL :
			 compile_grown(c, plan->steps, plan->step_count, &plan->step_room,
				       sizeof(*steps));
	if (!steps)
		return NULL;
	plan->steps = steps;
	plan->steps[plan->step_count] = (struct ir_insn){ .value = -1, .link = -1, .temp = -1 };
	return &plan->steps[plan->step_count++];
}

static bool is_computed(const struct slot_plan *plan, int value)
{
	for (size_t i = plan->step_count; i; i--) {
		const struct ir_insn *step = &plan->steps[i - 1];

		if (step->kind == IR_VALUE && step->value == value && !step->hidden)
			return true;
	}
	return false;
}

int ir_add(struct compile *c, int value, int link)
{
	struct ir_insn *step;

	if (c->err)
		return -1;
	if (is_computed(&c->slot->plan, value))
		return value;
	step = step_new(c);
	if (!step)
		return -1;
	step->value = value;
	step->link = link;
	if (c->p->plan.values[value].made_by == NEVER && !c->slot->plan.branches)
		c->p->plan.values[value].made_by = c->slot - c->p->slots;
	return value;
}

int ir_source(struct compile *c, enum vreg_op op, int64_t imm)
{
	return ir_add(c, ir_value(c, (struct vreg){ op, .base = -1, .other = -1, .imm = imm }), -1);
}

void ir_control(struct compile *c, enum ir_kind kind, int value, int label)
{
	struct ir_insn *step = step_new(c);

	if (!step)
		return;
	step->kind = kind;
	step->value = value;
	step->label = label;
}

void ir_set(struct compile *c, int phi, int from)
{
	struct ir_insn *step = step_new(c);

	if (!step)
		return;
	step->kind = IR_SET;
	step->value = phi;
	step->from = from;
}

int ir_label(struct compile *c)
{
	return c->slot->plan.label_count++;
}

size_t branch_begin(struct compile *c)
{
	c->slot->plan.branches++;
	return c->slot->plan.step_count;
}

void branch_end(struct compile *c, size_t begin)
{
	c->slot->plan.branches--;
	for (size_t i = begin; i < c->slot->plan.step_count; i++)
		c->slot->plan.steps[i].hidden = true;
}

/* ---- values that slots share ---- */

/* Assigns temps to the pointers that later slots continue from. */
void expr_plan_share(struct compile *c)
{
	struct plan *plan = &c->p->plan;
	int first = c->in->scope == EXPR_SCOPE_CALL || c->in->pair ? CALL_TEMPS : 0;

	plan->number_temp = first;
	plan->temps = first + (c->in->run.filter.numbers.ns != 0);
	for (size_t i = 0; i < plan->value_count && plan->temps < first + TEMPS_MAX; i++) {
		struct vreg *v = &plan->values[i];

		if (v->op == VREG_LOAD && v->size == 8 && v->is_base && v->users > 1 &&
		    v->made_by != NEVER)
			v->temp = plan->temps++;
	}
}

/* ---- values kept within a slot ---- */

/* Numbers are loaded where they are used. */
static bool is_number(const struct compile *c, int value)
{
	return c->p->plan.values[value].op == VREG_NUMBER;
}

/* Assigns a temp to the step of a value that must be read from the stack. */
static void assign_temp(struct compile *c, struct slot_plan *plan, size_t before, int value)
{
	if (value < 0 || is_number(c, value))
		return;
	for (size_t i = before; i; i--) {
		struct ir_insn *step = &plan->steps[i - 1];

		if (step->kind != IR_VALUE || step->value != value)
			continue;
		if (step->temp < 0)
			step->temp = plan->temps++;
		step->used_until = before;
		return;
	}
}

/* Assigns the temp of a PHI's value, which is in use for the whole slot. */
static void phi_assign_temp(struct slot_plan *plan, int phi)
{
	int temp = -1;

	for (size_t i = 0; i < plan->step_count && temp < 0; i++) {
		if (plan->steps[i].kind == IR_SET && plan->steps[i].value == phi)
			temp = plan->steps[i].temp;
	}
	if (temp < 0)
		temp = plan->temps++;
	for (size_t i = 0; i < plan->step_count; i++) {
		struct ir_insn *step = &plan->steps[i];

		if (step->value == phi && (step->kind == IR_SET || step->kind == IR_VALUE))
			step->temp = temp;
	}
}

/* Follows one step as codegen will; `current` is the value in the register. */
static int step_walk(struct compile *c, struct slot_plan *plan, size_t i, int current)
{
	const struct ir_insn *step = &plan->steps[i];
	const struct vreg *v;

	switch (step->kind) {
	case IR_SET:
		phi_assign_temp(plan, step->value);
		if (current != step->from)
			assign_temp(c, plan, i, step->from);
		return step->from;
	case IR_IF_ZERO:
	case IR_IF_NOT:
		if (current != step->value)
			assign_temp(c, plan, i, step->value);
		return -1; /* codegen may skip the value */
	case IR_GOTO:
	case IR_LABEL:
	case IR_CUT: return -1;
	case IR_VALUE: break;
	}
	v = &c->p->plan.values[step->value];
	if (v->base >= 0 && current != v->base)
		assign_temp(c, plan, i, v->base);
	if (v->other >= 0 && current != v->other)
		assign_temp(c, plan, i, v->other);
	return step->value;
}

/* ---- temps that values use one after the other ---- */

/* True if a jump leads back. */
static bool has_loop(const struct slot_plan *plan)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		const struct ir_insn *to = &plan->steps[i];

		for (size_t j = i + 1; to->kind == IR_LABEL && j < plan->step_count; j++) {
			const struct ir_insn *from = &plan->steps[j];

			if (from->label == to->label &&
			    (from->kind == IR_GOTO || from->kind == IR_IF_ZERO ||
			     from->kind == IR_IF_NOT))
				return true;
		}
	}
	return false;
}

/* Returns the step that uses the temp last. Without loops, no step after it reads the value. */
static size_t temp_end(const struct slot_plan *plan, int temp)
{
	size_t end = 0;

	for (size_t i = 0; i < plan->step_count; i++) {
		const struct ir_insn *step = &plan->steps[i];

		if (step->temp == temp) {
			end = end > i ? end : i;
			end = end > step->used_until ? end : step->used_until;
		}
	}
	return end;
}

/* Returns a temp whose last value is no longer used at the step, and keeps it until `end`. */
static int temp_reuse(size_t *ends, int *count, size_t begin, size_t end)
{
	int i = 0;

	while (i < *count && ends[i] >= begin)
		i++;
	*count += i == *count;
	ends[i] = end;
	return i;
}

/* Numbers the temps anew, so that as few as possible are needed. */
static void temps_pack(struct compile *c, struct slot_plan *plan)
{
	size_t *ends = compile_alloc(c, (plan->temps + 1) * sizeof(*ends));
	int *packed = compile_alloc(c, (plan->temps + 1) * sizeof(*packed)), count = 0;

	if (!ends || !packed)
		return;
	for (size_t i = 0; i < plan->step_count; i++) {
		int temp = plan->steps[i].temp;

		if (temp >= 0 && !packed[temp])
			packed[temp] = 1 + temp_reuse(ends, &count, i, temp_end(plan, temp));
	}
	for (size_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].temp >= 0)
			plan->steps[i].temp = packed[plan->steps[i].temp] - 1;
	plan->temps = count;
}

void expr_plan_places(struct compile *c, struct slot *s)
{
	struct slot_plan *plan = &s->plan;
	int current = -1;

	for (size_t i = 0; i < plan->step_count; i++)
		current = step_walk(c, plan, i, current);
	if (plan->result >= 0 && current != plan->result)
		assign_temp(c, plan, plan->step_count, plan->result);
	assign_temp(c, plan, plan->step_count, plan->length);
	if (plan->temps > 1 && !has_loop(plan))
		temps_pack(c, plan);
	if (plan->temps > TEMPS_LOCAL_MAX)
		compile_fail(c, s->root->span,
			     "too many values at a time for the stack of a program");
}
