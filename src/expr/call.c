// SPDX-License-Identifier: GPL-2.0
/*
 * call.c - a call's entry and its return in one record (EXPR_SCOPE_CALL).
 *
 *	entry	filters → conditions → what is to be kept, by the call's key → exit
 *	return	what was kept → conditions → record, as any other → forget it → exit
 *
 * What is kept is as little as will do: nothing, where fexit still has all that is asked for; the
 * time; or the record as far as the entry can fill it, with the parameters that the return asks for.
 * A session's two sides are one program, and hand over 8 bytes at no cost: the time, or the key.
 *
 * The key is an address on the kernel's stack (of the arguments that a trampoline keeps, or of the
 * return address): no other call of any task has it at the time, however deep they nest. A call that
 * never returns leaves its key behind; the next one there takes it over. That must also hold where
 * the next one is not wanted at its entry, so a call that is refused there forgets the key. Refused
 * by process alone it does not, for the return looks at the process again.
 */
#include "expr/emit.h"

/* On the stack: what slots share lies below (CALL_TEMPS). */
enum {
	STACK_KEY = STACK_TEMPS,
	STACK_KEPT = STACK_TEMPS - 8, /* where it lies; in a session that keeps the time, that */
	STACK_LATENCY = STACK_TEMPS - 16,
	/* what KEEP_TIME puts into the map: as the beginning of a record */
	STACK_VALUE = STACK_TEMPS - 16,
};

enum {
	KEPT_TIME = offsetof(struct event_header, ts),
	KEPT_TGID = offsetof(struct event_header, pid),
	COPY_BY_HAND = 256, /* bytes from which a helper is cheaper than loads and stores */
};

/* ---- what is kept ---- */

/* Nothing but arithmetic of parameters: a trampoline can do it at the return as well. */
static bool is_plain(const struct compile *c, const struct slot *s)
{
	if (s->sink == SINK_HEADER)
		return true;
	if (c->in->target.rung != EXPR_RUNG_FENTRY || s->sink != SINK_SCALAR || s->link_count)
		return false;
	for (size_t i = 0; i < s->step_count; i++) {
		const struct plan_step *step = &s->steps[i];

		if (step->kind == STEP_VALUE &&
		    c->p->plan.values[step->value].op == PLAN_BUILTIN)
			return false;
	}
	return true;
}

/* Where a session is asked for. */
static bool session_exists(struct compile *c)
{
	const struct expr_target *t = &c->in->target;
	bool has = t->rung == EXPR_RUNG_KPROBE ? t->attach_kprobe_session : t->attach_fsession;

	if (!c->in->session || (has && t->session_is_return_id && t->session_cookie_id))
		return true;
	compile_refuse(c, (struct span){}, "this kernel has no such sessions");
	return false;
}

void call_keep(struct compile *c)
{
	struct expr_program *p = c->p;
	bool at_entry = false;

	if (c->in->scope != EXPR_SCOPE_CALL || !session_exists(c))
		return;
	p->keep = p->saved_args ? KEEP_RECORD : p->lat_wanted ? KEEP_TIME : KEEP_NOTHING;
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];

		if (i < p->filter_count)
			at_entry |= !s->at_return;
		else if (!s->at_return && !is_plain(c, s))
			p->keep = KEEP_RECORD;
	}
	if (p->keep == KEEP_RECORD && c->in->aggregate) {
		compile_refuse(c, (struct span){}, "what is counted must be known at the return");
		compile_hint(c, "@ret(EXPR) is computed there");
	}
	if (p->keep == KEEP_NOTHING && (at_entry || c->in->session))
		p->keep = KEEP_TIME;
	for (size_t i = p->filter_count; i < p->slot_count && p->keep != KEEP_RECORD; i++)
		p->slots[i].at_return = true;
}

static unsigned saved_count(unsigned mask)
{
	return __builtin_popcount(mask);
}

/* ---- both sides ---- */

static bool by_kprobe(const struct gen *g)
{
	return g->target->rung == EXPR_RUNG_KPROBE;
}

static bool has_map(const struct gen *g)
{
	return !g->c->in->session || g->p->keep == KEEP_RECORD;
}

/* At its return a function has popped the address that it returns to; arm64 pushes none. */
static void gen_key(struct gen *g, bool at_return)
{
	bool arm64 = g->target->arch == EXPR_ARCH_ARM64;

	if (by_kprobe(g)) {
		emit_load(g->k, 8, BPF_REG_1, REG_CTX, arm64 ? 248 : 152); /* sp */
		if (at_return && !arm64)
			emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 8);
	} else { /* a negative pointer is a number to the verifier */
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_negate(g->k, BPF_REG_1);
	}
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
}

/* r1, r2 = the map, the key */
static void set_map(struct gen *g)
{
	emit_map(g->k, BPF_REG_1, g->calls_fd);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_KEY);
}

/* r0 = where the session's 8 bytes are */
static void gen_cookie(struct gen *g)
{
	emit_move(g->k, BPF_REG_1, REG_CTX); /* taken by those of 7.0 and later */
	emit_kfunc(g->k, g->target->session_cookie_id);
}

static void gen_return(struct gen *g, int value)
{
	emit_move_imm(g->k, BPF_REG_0, value);
	emit_exit(g->k);
}

static void for_slots(struct gen *g, bool filters, bool at_return,
                      void (*make)(struct gen *g, const struct slot *s))
{
	size_t from = filters ? 0 : g->p->filter_count;
	size_t to = filters ? g->p->filter_count : g->p->slot_count;

	for (size_t i = from; i < to; i++) {
		if (g->p->slots[i].at_return == at_return)
			make(g, &g->p->slots[i]);
	}
}

/* ---- the entry ---- */

static void gen_time(struct gen *g, int base, int off)
{
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, base, off, BPF_REG_0);
}

/* Everything that goes into a map from the stack must be written. */
static bool on_stack(struct gen *g)
{
	for (size_t i = g->p->filter_count; i < g->p->slot_count; i++) {
		const struct slot *s = &g->p->slots[i];

		if (!s->at_return && s->sink != SINK_SCALAR && s->sink != SINK_HEADER)
			return false;
	}
	if (!gen_record_on_stack(g, g->p->kept_size))
		return false;
	emit_zero(g->k, REG_RECORD, 0, g->p->status_at);
	return true;
}

static void gen_scratch(struct gen *g)
{
	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH, 0);
	emit_map(g->k, BPF_REG_1, g->scratch_fd);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->exit);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
}

static void save_args(struct gen *g)
{
	struct plan_value v = { .op = PLAN_ARG, .way = WAY_DIRECT };
	uint32_t at = g->p->saved_at;

	for (v.imm = 0; v.imm < 32; v.imm++) {
		if (!(g->p->saved_args & 1u << v.imm))
			continue;
		gen_source(g, &v);
		emit_store(g->k, 8, REG_RECORD, at, REG_VALUE);
		at += 8;
	}
}

static void map_update(struct gen *g, int base, int off)
{
	gen_key(g, false);
	set_map(g);
	emit_address(g->k, BPF_REG_3, base, off);
	emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, g->full);
}

static void keep_record(struct gen *g)
{
	if (!on_stack(g))
		gen_scratch(g);
	gen_tgid(g, BPF_REG_1);
	emit_store(g->k, 4, REG_RECORD, KEPT_TGID, BPF_REG_1);
	emit_zero(g->k, REG_RECORD, g->p->status_at, g->p->status_size);
	save_args(g);
	for_slots(g, false, false, gen_slot_fast);
	if (g->p->lat_wanted)
		gen_time(g, REG_RECORD, KEPT_TIME);
	map_update(g, REG_RECORD, 0);
	if (!g->c->in->session)
		return;
	gen_cookie(g);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	emit_store(g->k, 8, BPF_REG_0, 0, BPF_REG_1);
}

static void keep_time(struct gen *g)
{
	if (g->c->in->session) {
		gen_cookie(g);
		emit_move(g->k, REG_VALUE, BPF_REG_0);
		gen_time(g, REG_VALUE, 0);
		return;
	}
	emit_zero(g->k, BPF_REG_10, STACK_VALUE + KEPT_TGID, 8);
	gen_tgid(g, BPF_REG_1);
	emit_store(g->k, 4, BPF_REG_10, STACK_VALUE + KEPT_TGID, BPF_REG_1);
	gen_time(g, BPF_REG_10, STACK_VALUE + KEPT_TIME);
	map_update(g, BPF_REG_10, STACK_VALUE);
}

/* Who is not wanted: a kprobe's session is told not to look at the return; a trampoline's sees that
 * nothing was kept; elsewhere an older call may have left the key. */
static void gen_refused(struct gen *g)
{
	label_place(g->k, g->exit);
	if (!g->c->in->session) {
		gen_key(g, false);
		set_map(g);
		emit_call(g->k, HELPER_MAP_DELETE);
		label_place(g->k, g->foreign);
	} else if (by_kprobe(g)) {
		gen_return(g, 1);
		return;
	}
	gen_return(g, 0);
}

static void entry_side(struct gen *g)
{
	g->exit = label_new(g->k);
	g->foreign = g->c->in->session ? g->exit : label_new(g->k);
	g->full = label_new(g->k);
	gen_filters(g);
	for_slots(g, true, false, gen_slot_fast);
	if (g->p->keep == KEEP_RECORD)
		keep_record(g);
	else
		keep_time(g);
	gen_return(g, 0);
	gen_refused(g);
	for_slots(g, true, false, gen_slot_exact);
	if (g->p->keep == KEEP_RECORD)
		for_slots(g, false, false, gen_slot_exact);
	if (!has_map(g))
		return;
	label_place(g->k, g->full);
	gen_count_loss(g, LOSS_MAP_FULL);
	emit_goto(g->k, g->exit);
}

/* ---- the return ---- */

/* What was kept; goes to `none` where nothing was, and leaves its time in r2 if that is asked for. */
static void gen_find(struct gen *g, int none)
{
	if (g->c->in->session) {
		gen_cookie(g);
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, 0);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, none);
		emit_store(g->k, 8, BPF_REG_10, has_map(g) ? STACK_KEY : STACK_KEPT, BPF_REG_1);
	} else {
		gen_key(g, true);
	}
	if (!has_map(g))
		return;
	set_map(g);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_store(g->k, 8, BPF_REG_10, STACK_KEPT, BPF_REG_0);
}

static void gen_latency(struct gen *g)
{
	if (!g->p->lat_wanted)
		return;
	emit_call(g->k, HELPER_KTIME);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	if (has_map(g))
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_1, KEPT_TIME);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_1);
	emit_store(g->k, 8, BPF_REG_10, STACK_LATENCY, BPF_REG_0);
}

/* The stack of a call that never returned may be another process's by now. */
static void check_process(struct gen *g)
{
	if (g->c->in->session)
		return;
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 4, BPF_REG_1, BPF_REG_1, KEPT_TGID);
	gen_tgid(g, BPF_REG_2);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, g->exit);
}

/* What the entry filled, from its status bytes on. */
static void copy_entry(struct gen *g)
{
	uint32_t from = g->p->status_at, end = g->p->entry_end;

	if (g->p->keep != KEEP_RECORD)
		return;
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_KEPT);
	if (end - from > COPY_BY_HAND && g->target->probe_read) {
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, from);
		emit_address(g->k, BPF_REG_1, REG_RECORD, from);
		emit_move_imm(g->k, BPF_REG_2, end - from);
		emit_call(g->k, HELPER_READ_KERNEL);
		return;
	}
	for (uint32_t at = from; at < end; at += 8) {
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_3, at);
		emit_store(g->k, 8, REG_RECORD, at, BPF_REG_1);
	}
}

/* Only where each return of ours must have had an entry of ours: other filters than by process may
 * have refused it there. */
static bool is_counted(const struct gen *g)
{
	const struct event_filter *f = &g->c->in->filter;

	for (size_t i = 0; i < g->p->filter_count; i++) {
		if (!g->p->slots[i].at_return)
			return false;
	}
	return !g->c->in->session && !f->tid && !f->by_uid && !f->by_comm && !f->by_cgroup &&
	       !f->follow;
}

static void gen_unknown(struct gen *g, int none, int gone)
{
	label_place(g->k, none);
	if (is_counted(g)) {
		gen_task(g);
		g->foreign = gone;
		gen_filter_task(g);
		gen_count_loss(g, LOSS_NO_ENTRY);
	}
	emit_goto(g->k, gone);
}

static void return_side(struct gen *g)
{
	int none = label_new(g->k), gone = label_new(g->k);

	g->exit = label_new(g->k);
	g->full = label_new(g->k);
	g->found = label_new(g->k);
	gen_find(g, none);
	gen_latency(g);
	gen_task(g);
	check_process(g);
	for_slots(g, true, true, gen_slot_fast);
	g->home->begin(g);
	copy_entry(g);
	for_slots(g, false, true, gen_slot_fast);
	g->home->end(g);
	label_place(g->k, g->exit);
	if (has_map(g)) {
		set_map(g);
		emit_call(g->k, HELPER_MAP_DELETE);
	}
	label_place(g->k, gone);
	gen_return(g, 0);
	for_slots(g, true, true, gen_slot_exact);
	for_slots(g, false, true, gen_slot_exact);
	g->home->rest(g);
	gen_unknown(g, none, gone);
}

/* ---- programs ---- */

static int map_ask(struct gen *g, int (*make)(void *ctx, uint32_t size))
{
	const struct expr_input *in = g->c->in;
	int fd = make ? make(in->ctx, g->p->kept_size) : 0;

	if (fd < 0)
		g->c->err = fd;
	return fd;
}

static void labels_for(struct gen *g, bool at_return)
{
	for (size_t i = 0; i < g->p->slot_count; i++) {
		if (g->p->slots[i].at_return == at_return)
			gen_labels_make(g, i);
	}
}

static void gen_session(struct gen *g)
{
	int at_return = label_new(g->k);

	labels_for(g, false);
	labels_for(g, true);
	emit_move(g->k, REG_CTX, BPF_REG_1);
	emit_kfunc(g->k, g->target->session_is_return_id);
	emit_jump(g->k, BPF_JSET, BPF_REG_0, 1, at_return);
	emit_move(g->k, BPF_REG_1, REG_CTX);
	entry_side(g);
	label_place(g->k, at_return);
	return_side(g);
}

static void gen_pair(struct gen *g)
{
	labels_for(g, false);
	entry_side(g);
	g->k = &g->c->p->return_code;
	labels_for(g, true);
	emit_move(g->k, REG_CTX, BPF_REG_1);
	return_side(g);
}

void gen_call(struct gen *g)
{
	if (has_map(g))
		g->calls_fd = map_ask(g, g->c->in->calls_map);
	if (g->p->keep == KEEP_RECORD)
		g->scratch_fd = map_ask(g, g->c->in->scratch_map);
	if (g->c->err)
		return;
	if (g->c->in->session)
		gen_session(g);
	else
		gen_pair(g);
}

/* ---- values that the return side has ---- */

void gen_latency_load(struct gen *g)
{
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_LATENCY);
}

void gen_saved_argument(struct gen *g, const struct plan_value *v)
{
	unsigned before = saved_count(g->p->saved_args & ((1u << v->imm) - 1));

	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, BPF_REG_1, g->p->saved_at + 8 * before);
}

/* ---- layout ---- */

void call_layout(struct expr_program *p)
{
	p->saved_at = p->entry_end;
	p->kept_size = p->saved_at + 8 * saved_count(p->saved_args);
	if (p->keep == KEEP_TIME)
		p->kept_size = KEPT_TGID + 8;
}
