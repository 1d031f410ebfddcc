/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower.c - nodes → values and the steps that compute them, with a load mode for each hop.
 *
 * A value exists once for all slots, so common prefixes become one chain. The first slot that
 * computes a shared value keeps it on the stack. Nothing here knows about registers or the
 * record.
 */
#include "expr/lower/lower.h"
#include "expr/ctype.h"

/* ---- paths: of a struct path or a dentry ---- */

static int path_address(struct compile *c, const struct node *n, int offset, bool is_dentry)
{
	bool pointer = ctype_is_pointer(c->in->btf, n->type);
	struct lvalue at;

	if (is_dentry || (pointer && !offset))
		return plan_value_of(c, n);
	at = pointer ? lvalue_target(c, n) : lvalue_of(c, n);
	at.off += offset;
	return lvalue_address(c, &at);
}

static void path_plan(struct compile *c, struct slot *s)
{
	s->plan.result = path_address(c, s->root, s->store.path.at, s->store.path.is_dentry);
	s->plan.sink_link = link_add(c, s->root->span);
	if (!c->err)
		c->p->plan.values[s->plan.result].users++;
}

static int path_text_plan(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_PATH, .other = -1, .imm = n->room, .sign = n->is_dentry };

	v.base = path_address(c, n->child, n->bit_offset / 8, n->is_dentry);
	return c->err ? -1 : ir_add(c, ir_value(c, v), link_add(c, n->child->span));
}

/* ---- built-ins ---- */

static bool has_registers(struct compile *c, const struct node *n)
{
	if (c->in->target.method == EXPR_CTX_KPROBE)
		return true;
	compile_refuse(c, n->span, "registers are seen by kprobes only");
	return false;
}

/* ftrace saves few registers; the rest of struct pt_regs is undefined. */
static bool is_kept(struct compile *c, const struct node *n)
{
	const struct arch *arch = target_arch(&c->in->target);
	bool at_return = c->in->scope == EXPR_SCOPE_RETURN || c->slot->at_return;
	uint64_t kept = at_return ? arch->ftrace_return : arch->ftrace_entry;

	if (!c->in->target.few_registers || kept >> n->reg / 8 & 1)
		return true;
	compile_refuse(c, n->span, "this kernel's kprobe.multi does not know that register");
	compile_hint(c, "--attach kprobe knows all");
	return false;
}

static int plan_register(struct compile *c, const struct node *n)
{
	return has_registers(c, n) && is_kept(c, n) ? ir_source(c, VREG_REG, n->reg) : -1;
}

/*
 * The return address: if calls push it, it is at the stack pointer when the function begins. A
 * kretprobe's program gets it as the instruction pointer since 5.16; before, it got the address
 * of the trampoline that it runs on. A helper added in 5.17 tells the kernels apart.
 */
static int plan_caller(struct compile *c, const struct node *n)
{
	struct lvalue at = { .base = plan_register(c, n), .link = n->span };
	bool is_return = c->in->scope == EXPR_SCOPE_RETURN;

	if (c->in->scope == EXPR_SCOPE_CALL && c->slot->at_return)
		compile_fail(c, n->span, "the caller is known only when the function begins");
	if (is_return && !c->in->target.func_arg) {
		compile_fail(c, n->span, "this kernel's return probes do not know the caller");
		compile_hint(c, "it is seen when the function begins, and by -k");
	}
	if (is_return || !target_arch(&c->in->target)->return_size)
		return at.base;
	return lvalue_load(c, VREG_LOAD, &at, 8, true);
}

static int plan_builtin(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_BUILTIN, .base = -1, .other = -1, .imm = n->builtin->id };

	if (n->builtin->id == BUILTIN_KSTACK || n->builtin->id == BUILTIN_USTACK) {
		compile_fail(c, n->span,
			     "a stack can be printed or counted by, but is not a number");
		compile_hint(c, "$caller is the address of the caller");
	}
	if (n->builtin->id == BUILTIN_REG || n->builtin->id == BUILTIN_STACK ||
	    n->builtin->id == BUILTIN_IP)
		return plan_register(c, n);
	if (n->builtin->id == BUILTIN_CALLER)
		return plan_caller(c, n);
	if (n->builtin->id == BUILTIN_RET)
		return plan_ret(c, n);
	if (n->child) /* $ctx, $ppid: another expression */
		return plan_value_of(c, n->child);
	if (n->builtin->id == BUILTIN_TASK && c->in->target.current_task_btf)
		v.pointee = c->in->target.task_struct_id;
	return ir_add(c, ir_value(c, v), -1);
}

/* ---- bitfields ---- */

static uint32_t bits_load_size(uint32_t bits)
{
	uint32_t size = 1;

	while (size * 8 < bits)
		size *= 2;
	return size;
}

/* Loads as little as possible from the field's first byte on. If the struct ends too early for
 * that, loads the whole integer that contains the field. */
static int plan_bits_load(struct compile *c, const struct node *n, struct lvalue at, uint32_t *bit)
{
	uint32_t size, unit = ctype_size(c->in->btf, n->type) * 8;

	*bit = n->bit_offset % 8;
	size = bits_load_size(*bit + n->bit_size);
	if (at.within && !typed_bytes(c->in->btf, at.within, at.off, size) && unit && unit <= 64 &&
	    n->bit_offset % unit + n->bit_size <= unit) {
		at.off -= n->bit_offset % unit / 8;
		*bit = n->bit_offset % unit;
		size = unit / 8;
	}
	return lvalue_load(c, VREG_LOAD, &at, size, true);
}

static int plan_bits(struct compile *c, const struct node *n)
{
	const struct btf_type *t = btf_view_type(c->in->btf,
						 btf_view_strip(c->in->btf, n->type.id));
	struct vreg v = { .op = VREG_BITS, .other = -1, .width = n->bit_size };
	uint32_t bit = 0;

	v.base = plan_bits_load(c, n, lvalue_of(c, n), &bit);
	v.imm = bit;
	v.sign = t && btf_kind(t) == BTF_KIND_INT &&
		 BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED;
	return c->err ? -1 : ir_add(c, ir_value(c, v), -1);
}

/* ---- values of nodes ---- */

/* The pointer minus the offset of the member; NULL stays NULL. */
static int plan_container(struct compile *c, const struct node *n)
{
	struct lvalue at = { .base = plan_value_of(c, n->child), .link = n->child->span };

	at.off = -(int64_t)(n->bit_offset / 8);
	return lvalue_address(c, &at);
}

/* A number that the begin of a pair kept. */
static int plan_kept(struct compile *c, const struct node *n)
{
	return ir_source(c, VREG_KEPT, n->number);
}

/* A number that a call of --in kept at its entry. There may be no such call. */
static int plan_inside(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_INSIDE, .base = -1, .other = -1, .imm = n->number };

	return ir_add(c, ir_value(c, v), link_add(c, n->span));
}

/* A node that is in memory. */
static int plan_memory(struct compile *c, const struct node *n)
{
	struct lvalue at;

	if (n->bit_size)
		return plan_bits(c, n);
	at = lvalue_of(c, n);
	if (ctype_is_array(c->in->btf, n->type))
		return lvalue_address(c, &at);
	return lvalue_load(c, VREG_LOAD, &at, ctype_size(c->in->btf, n->type), false);
}

int plan_value_of(struct compile *c, const struct node *n)
{
	struct lvalue at;

	if (c->err)
		return -1;
	switch (n->kind) {
	case NODE_NAME: return plan_argument(c, n);
	case NODE_BUILTIN: return n->builtin ? plan_builtin(c, n) : plan_argument(c, n);
	case NODE_NUMBER: return n->fact ? plan_fact(c, n->fact) : plan_constant(c, n->number);
	case NODE_ADDRESS: at = lvalue_of(c, n->child); return lvalue_address(c, &at);
	case NODE_UNARY: return plan_unary(c, n);
	case NODE_BINARY: return plan_binary(c, n);
	case NODE_AND:
	case NODE_OR: return plan_logical(c, n);
	case NODE_CHOICE: return plan_choice(c, n);
	case NODE_CAST: return plan_cast(c, n);
	case NODE_CONTAINER: return plan_container(c, n);
	case NODE_KEPT: return plan_kept(c, n);
	case NODE_INSIDE: return plan_inside(c, n);
	case NODE_PATH: return path_text_plan(c, n);
	case NODE_LOOP: return plan_loop(c, n);
	case NODE_LIST: return plan_element(c, n);
	case NODE_ROUND: return c->loop->value;
	case NODE_PACKET: return plan_packet(c, n, plan_value_of(c, n->child));
	default: return plan_memory(c, n);
	}
}

/* The length is first: it is kept on the stack during the address. */
static void plan_counted(struct compile *c, struct slot *s)
{
	s->plan.length = plan_number_of(c, s->format.bytes);
	s->plan.result = plan_scalar(c, plan_value_of(c, s->root));
	if (c->err)
		return;
	c->p->plan.values[s->plan.length].users++;
	c->p->plan.values[s->plan.result].users++;
	s->plan.sink_link = link_add(c, s->root->span);
}

/*
 * ---- conditions ----
 *
 * The operands of && are evaluated one after the other, in order of cost, and the first false one
 * ends the program.
 *
 * The order has no visible effect: an operand that cannot be evaluated rejects the call, like a
 * false one.
 */

enum { PARTS_MAX = 64 };

struct part {
	const struct node *n;
	unsigned cost;
};

/* The approximate number of instructions: a typed hop 3, one by helper 60 or more. */
static unsigned cost_of(struct compile *c, const struct node *n)
{
	unsigned cost = 1;

	if (!n)
		return 0;
	if (n->kind == NODE_BUILTIN)
		cost = n->builtin && n->builtin->header < 0 ? 100 : 5;
	else if (n->category == CATEGORY_LVALUE && (n->kind == NODE_ARROW || n->kind == NODE_DEREF))
		cost = c->in->target.typed_loads ? 3 : 90;
	else if (n->kind == NODE_STRING)
		cost = 150;
	if (n->kind == NODE_BINARY && n->oper == OPER_MATCH)
		cost += 200;
	if (n->kind == NODE_PATH)
		cost += 1000;
	if (n->kind == NODE_PACKET)
		cost += 300;
	return cost + cost_of(c, n->child) + cost_of(c, n->other) + cost_of(c, n->third);
}

static size_t add_parts(struct compile *c, const struct node *n, struct part *parts, size_t count)
{
	if (n->kind == NODE_AND && count + 2 <= PARTS_MAX) {
		count = add_parts(c, n->child, parts, count);
		return add_parts(c, n->other, parts, count);
	}
	if (count < PARTS_MAX)
		parts[count] = (struct part){ n, cost_of(c, n) };
	return count + 1;
}

/* A stable sort. */
static void parts_sort(struct part *parts, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct part p = parts[i];
		size_t j = i;

		for (; j && parts[j - 1].cost > p.cost; j--)
			parts[j] = parts[j - 1];
		parts[j] = p;
	}
}

static void plan_condition(struct compile *c, const struct node *n)
{
	struct part parts[PARTS_MAX];
	size_t count = add_parts(c, n, parts, 0);

	if (count > PARTS_MAX) {
		compile_fail(c, n->span, "more than %d conditions", PARTS_MAX);
		return;
	}
	parts_sort(parts, count);
	for (size_t i = 0; i < count && !c->err; i++)
		ir_control(c, IR_IF_ZERO, plan_number_of(c, parts[i].n), LABEL_REJECT);
}

/* ---- slots ---- */

void expr_plan(struct compile *c, struct slot *s)
{
	struct lvalue at;

	s->plan.sink_link = s->plan.result = s->plan.length = -1;
	if (s->followed.parent && !s->diff.part)
		s->at_return = s->followed.parent->at_return;
	if (s->store.kind == STORE_HEADER || s->store.kind == STORE_TEXT ||
	    s->store.kind == STORE_STACK)
		return;
	if (s->store.kind == STORE_BYTES) {
		at = s->store.by_pointer ? lvalue_target(c, s->root) : lvalue_of(c, s->root);
		lvalue_load(c, VREG_BYTES, &at, s->store.size, false);
		return;
	}
	if (s->store.kind == STORE_PATH) {
		path_plan(c, s);
		return;
	}
	if (s->store.kind == STORE_FLOW || s->store.kind == STORE_PACKET) {
		s->plan.result = plan_value_of(c, s->root);
		s->plan.sink_link = link_add(c, s->root->span);
		if (!c->err)
			c->p->plan.values[s->plan.result].users++;
		return;
	}
	if (s->store.kind == STORE_FILTER) {
		/* a trigger may be skipped, so other slots cannot use its values */
		s->plan.branches += s->trigger != EXPR_TRIGGER_NONE;
		plan_condition(c, s->root);
		return;
	}
	if (s->store.kind == STORE_COUNTED) {
		plan_counted(c, s);
		return;
	}
	if (s->diff.part == DIFF_PLACE)
		s->plan.result = plan_diff_address(c, s);
	else if (s->diff.part == DIFF_AFTER && s->store.kind == STORE_STRING)
		s->plan.result = diff_lvalue(c, s).base;
	else
		s->plan.result = slot_is_measured(c->p, s) || s->role || s->trigger ?
					 plan_number_of(c, s->root) :
					 plan_value_of(c, s->root);
	if (c->err)
		return;
	c->p->plan.values[s->plan.result].users++;
	if (s->store.kind == STORE_STRING)
		s->plan.sink_link = link_add(c, s->root->span);
}

/*
 * Later slots may use values of earlier ones, so the order is that of emit/emit_pair.c.
 */

void expr_plan_pair(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t hidden_end = p->hidden_first + p->hidden_count, keys = p->hidden_first, both = 0;

	while (both < p->filter_count && !p->slots[both].needs_kept)
		both++;
	while (keys < hidden_end && p->slots[keys].role == SLOT_KEY)
		keys++;
	slots_visit(c, 0, both, expr_plan);
	slots_visit(c, p->hidden_first, keys - p->hidden_first, expr_plan);
	slots_visit(c, both, p->slot_count - both, expr_plan);
	slots_visit(c, keys, hidden_end - keys, expr_plan);
}
