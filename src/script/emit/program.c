/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.c - emits the whole program of one probe at one point: filters, memory, condition, statements, exit; then
 * its callbacks.
 *
 * Passes repeat until one finds nothing new (struct needs_of_program). Whether scratch memory is needed, for example,
 * is known only at the program's end but used at its start.
 *
 * Each program has its own scratch memory, one piece per processor. The kernel does not run a program of a kprobe or
 * a tracepoint inside another one, nor a program of fentry inside itself since it has bpf_get_func_arg. Other
 * programs claim a piece (gen_claim), and count a loss if none is free.
 */
#include <stdlib.h>
#include <string.h>

#include "script/emit/gen.h"

enum { PASSES = 6 };

/* ---- prologue: registers and memory ---- */

/* True for BEGIN and similar probes: they run in coretap's own process, which the filters exclude. */
static bool is_own(const struct sgen *g)
{
	switch (g->c->point->attach->kind) {
	case PROBE_BEGIN:
	case PROBE_END:
	case PROBE_REPORT:
	case PROBE_SELF:
	case PROBE_INTERVAL:
	case PROBE_TEST:
	case PROBE_BENCH: return true;
	default: return false;
	}
}

static bool may_nest(const struct sgen *g)
{
	if (g->in->site.in_user)
		return gen_is_preempted(&g->x);
	if (g->target->method == EXPR_CTX_KPROBE || g->target->method == EXPR_CTX_EVENT)
		return false;
	return is_own(g) || g->in->site.params_skipped || !g->target->func_arg;
}

static uint32_t work_map(struct sgen *g, uint32_t size)
{
	return gen_map_index(&g->x, EXPR_MAP_WORK,
			     walks_here(g) ? BPF_MAP_TYPE_ARRAY : BPF_MAP_TYPE_PERCPU_ARRAY, 4,
			     size + (g->claims ? CLAIM_BYTES : 0), g->claims ? CLAIMS : 1);
}

static void work_claim(struct sgen *g, uint32_t map, uint32_t size)
{
	int none = label_new(g->k), ours = label_new(g->k);

	gen_claim(&g->x, map, 0, size, none);
	emit_goto(g->k, ours);
	label_bind(g->k, none);
	gen_count_loss(&g->x, LOSS_RECURSION);
	emit_goto(g->k, g->x.exit);
	label_bind(g->k, ours);
}

static void work_gen(struct sgen *g)
{
	uint32_t size = g->known.work_size;

	if (!g->known.work)
		return;
	if (g->claims)
		work_claim(g, work_map(g, size), size);
	else
		gen_lookup_index(&g->x, work_map(g, size), 0);
	emit_move(g->k, REG_WORK, BPF_REG_0);
}

static void callbacks_prepare(struct sgen *g)
{
	if (!g->known.callbacks)
		return;
	emit_store(g->k, 8, g->frame, FRAME_CONTEXT, REG_CTX);
	if (g->known.work)
		emit_store(g->k, 8, g->frame, FRAME_WORK, REG_WORK);
	emit_store_imm(g->k, 8, g->frame, FRAME_LEAVE, 0);
}

/* `traced`: runs the filters and stores their result instead of exiting. */
static void traced_prepare(struct sgen *g, bool is_unfiltered)
{
	int exit = g->x.exit, other = label_new(g->k), done = label_new(g->k);

	g->x.exit = g->x.foreign = other;
	if (is_unfiltered)
		gen_begin(&g->x, true);
	else
		gen_filters_alone(&g->x, g->known.numbers);
	emit_store_imm(g->k, 8, g->frame, FRAME_TRACED, 1);
	emit_goto(g->k, done);
	label_bind(g->k, other);
	emit_store_imm(g->k, 8, g->frame, FRAME_TRACED, 0);
	label_bind(g->k, done);
	g->x.exit = g->x.foreign = exit;
}

/* Prepares the result of `return`. */
static void result_prepare(struct sgen *g)
{
	if (!returns_result(g))
		return;
	g->result = place_alloc(g, 8);
	place_store_imm(g, 8, g->result, 0);
}

static void condition_gen(struct sgen *g)
{
	if (g->probe->condition && !map_hold_gen(g, g->probe->condition, g->x.found))
		branch_gen(g, g->probe->condition, false, g->x.found);
}

static void find_block(struct script_expr *e, void *ctx)
{
	*(bool *)ctx |= e->kind == X_BLOCK;
}

/* Most calls are rejected by the condition: what is not needed for it costs them nothing. */
static bool condition_is_early(const struct sgen *g)
{
	bool has_block = false;

	if (!g->probe->condition || g->needs.work || g->needs.callbacks || g->claims ||
	    walks_here(g) || returns_result(g))
		return false;
	script_walk(g->probe->condition, find_block, &has_block);
	return !has_block;
}

/* Returns the offset of the last pointer in the context of an iterator: the object. 0: none. */
static int object_offset(const struct sgen *g)
{
	const char *rest = g->c->point->attach->rest;
	const char *name = script_print(g->c, "bpf_iter__%.*s", (int)strcspn(rest, ":"), rest);
	uint32_t id = name ? btf_view_find(g->in->btf, BTF_KIND_STRUCT, name) : 0;
	const struct btf_type *t = btf_view_type(g->in->btf, id);
	int off = 0;

	for (unsigned i = 0; t && i < btf_vlen(t); i++)
		if (btf_view_kind(g->in->btf, btf_members(t)[i].type) == BTF_KIND_UNION)
			off = (int)btf_members(t)[i].offset / 8;
	return off;
}

/* After the last object an iterator runs once more, without one. */
static void object_check(struct sgen *g)
{
	int off = g->c->point->attach->kind == PROBE_ITER ? object_offset(g) : 0;

	if (!off)
		return;
	emit_load(g->k, 8, BPF_REG_0, context_reg(g, BPF_REG_0), off);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->x.exit);
}

static void begin_gen(struct sgen *g)
{
	bool is_unfiltered = is_own(g) || g->probe->ends_owner;

	if (g->known.traced)
		traced_prepare(g, is_unfiltered);
	else if (is_unfiltered || g->c->s->filters_itself)
		gen_begin(&g->x, true);
	else
		gen_filters_alone(&g->x, g->known.numbers);
	object_check(g);
	if (g->known.numbers)
		gen_numbers(&g->x);
	if (g->known.early)
		condition_gen(g);
	if (g->known.stacks) /* the first bytes of scratch memory: stack.c */
		place_alloc_work(g, g->known.stacks * 8);
	work_gen(g);
	callbacks_prepare(g);
	result_prepare(g);
	walk_begin_gen(g);
	for (struct script_var *v = g->c->vars; v; v = v->next)
		var_zero(g, v);
}

/* ---- exit ---- */

static void end_gen(struct sgen *g)
{
	label_bind(g->k, g->x.found);
	if (g->known.work && g->claims)
		gen_unclaim(&g->x, REG_WORK, g->known.work_size);
	if (returns_result(g)) {
		place_load(g, 8, BPF_REG_0, g->result);
		emit_exit(g->k);
	}
	gen_exit(&g->x);
}

/* ---- passes ---- */

static void code_clear(struct code *k)
{
	k->count = k->barrier = 0;
	k->is_dead = false;
	k->skips_dead = true;
	k->label_count = k->fixup_count = k->reloc_count = 0;
}

static void pass_begin(struct sgen *g)
{
	code_clear(g->k);
	g->p->maps.count = 0;
	g->x.numbered = g->known.numbers;
	g->x.by_task = false; /* until this pass loads it */
	g->x.exit = g->x.foreign = label_new(g->k);
	g->x.full = label_new(g->k);
	g->x.found = label_new(g->k);
	g->needs = (struct needs_of_program){ 0 };
	g->frame = BPF_REG_10;
	g->depth = 0;
	g->used = FRAME_USED;
	g->most = g->work_used = 0;
	g->var_count = 0;
	g->callback_count = g->path_count = g->stack_count = 0;
	g->blank = g->blank_map = 0;
	g->loop = NULL;
	g->held.of = NULL;
	g->has_record = g->is_reading = g->counts_rounds = false;
	for (struct script_var *v = g->c->vars; v; v = v->next)
		v->place = 0;
	g->x.numbered = false;
}

static void pass(struct sgen *g)
{
	pass_begin(g);
	begin_gen(g);
	if (!g->known.early)
		condition_gen(g);
	g->needs.early = condition_is_early(g);
	stmts_gen(g, g->probe->body);
	end_gen(g);
	callbacks_gen(g);
}

static bool needs_more(const struct sgen *g)
{
	const struct needs_of_program *a = &g->needs, *b = &g->known;

	return a->work != b->work || a->callbacks != b->callbacks || a->numbers != b->numbers ||
	       a->traced != b->traced || a->work_size != b->work_size || a->paths != b->paths ||
	       a->packets != b->packets || a->early != b->early || a->stacks != b->stacks ||
	       a->walks != b->walks || a->walk_key != b->walk_key;
}

static void errors_move(struct sgen *g)
{
	if (!g->xc.err || g->c->err)
		return;
	if (g->xc.err == -EOPNOTSUPP)
		script_refuse(g->c, g->span, "%s", g->xe.message);
	else if (g->xc.err == -EINVAL)
		script_fail(g->c, g->span, "%s", g->xe.message);
	else
		g->c->err = g->xc.err;
}

static void passes(struct sgen *g)
{
	int err;

	for (int i = 0; i < PASSES && !g->c->err; i++) {
		pass(g);
		errors_move(g);
		if (!needs_more(g))
			break;
		g->known = g->needs;
	}
	if (g->c->err)
		return;
	if (g->blank)
		g->p->maps.items[g->blank_map].value_size = g->blank;
	err = code_finish(g->k);
	if (err == -E2BIG)
		script_fail(g->c, g->probe->span, "too much for one program");
	else
		g->c->err = err;
}

/* ---- the program ---- */

static const struct walk walk = {
	.value = value_emit,
	.number = number_emit,
	.operands = operands_emit,
	.discard = discard_emit,
	.branch = branch_emit,
	.image = image_emit,
	.locate = image_locate,
	.stmts = stmts_emit,
	.action = action_emit,
};

static void prototype_set(struct sgen *g)
{
	const struct btf_type *func = btf_view_type(g->in->btf, g->in->site.func_id);
	const char *name = g->in->site.name;

	if (func && btf_kind(func) == BTF_KIND_FUNC) {
		g->p->proto = func->type;
		if (!name)
			name = btf_view_string(g->in->btf, func->name_off);
	}
	g->p->func = arena_text(&g->p->arena, name ?: "", name ? strlen(name) : 0);
	g->p->btf = g->in->btf;
	g->p->target = g->in->target;
	g->p->plan.number_temp = (STACK_TEMPS - FRAME_NUMBERS) / 8;
}

static void shared_set(struct sgen *g)
{
	g->xc = (struct compile){ .in = g->in, .p = g->p, .error = &g->xe };
	g->x = (struct gen){
		.c = &g->xc,
		.k = g->k,
		.p = g->p,
		.target = g->target,
		.task_reg = REG_TASK,
		.argument = -1,
		.frame = BPF_REG_10,
	};
}

struct expr_program *script_emit(struct script_state *c, const struct script_probe *probe)
{
	struct expr_program *p = calloc(1, sizeof(*p));
	struct sgen *g = script_alloc(c, sizeof(*g));

	if (!p || !g) {
		free(p);
		c->err = -ENOMEM;
		return NULL;
	}
	*g = (struct sgen){
		.walk = &walk, .c = c, .probe = probe, .in = c->point->in, .p = p, .k = &p->code
	};
	g->target = &g->in->target;
	prototype_set(g);
	shared_set(g);
	/* this process runs these programs, one at a time */
	g->claims = may_nest(g) && !walks_here(g);
	passes(g);
	p->reached = c->err ? -1 : EXPR_STAGE_INSNS;
	if (!c->err)
		return p;
	expr_free(p);
	return NULL;
}
