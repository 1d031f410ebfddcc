/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loop.c - emits loops: those that the verifier follows round by round, and those that the kernel runs with a
 * callback.
 *
 * A callback's argument is the end of the program's stack; variables and temporaries are at the same offsets from it.
 * It returns 0 to continue and 1 to end the loop.
 */
#include "script/emit/gen.h"

enum {
	ROUNDS_MOST = 1024, /* a plain loop with an unknown number of rounds */
};

/* ---- break, continue ---- */

void stmt_break(struct sgen *g, bool is_continue)
{
	if (!g->loop) {
		script_fail(g->c, g->span, "break and continue are allowed only in a loop");
	} else if (g->loop->is_callback) {
		emit_move_imm(g->k, BPF_REG_0, is_continue ? 0 : 1);
		emit_exit(g->k);
	} else {
		emit_goto(g->k, is_continue ? g->loop->again : g->loop->end);
	}
}

static void body_gen(struct sgen *g, struct script_stmt *body, struct loop_gen loop)
{
	loop.outer = g->loop;
	g->loop = &loop;
	stmts_gen(g, body);
	g->loop = loop.outer;
}

void loop_body_gen(struct sgen *g, struct script_stmt *body, int again, int end)
{
	body_gen(g, body, (struct loop_gen){ .again = again, .end = end });
}

/* ---- loops that the verifier follows ---- */

/*
 * In callbacks, the verifier of 6.1 does not see that the program's stack has changed and takes two rounds for an
 * endless loop. So the callback counts the rounds of an outermost loop on its own stack, where the verifier tracks
 * the values that jumps depend on.
 */
static bool rounds_begin(struct sgen *g)
{
	bool is_outermost = g->depth && !g->counts_rounds;

	if (is_outermost)
		emit_store_imm(g->k, 8, BPF_REG_10, CALLBACK_ROUNDS, 0);
	g->counts_rounds |= is_outermost;
	return is_outermost;
}

static void round_count(struct sgen *g, int end)
{
	enum { ROUNDS_NEVER = 1 << 24 };

	if (!g->counts_rounds)
		return;
	emit_load(g->k, 8, BPF_REG_0, BPF_REG_10, CALLBACK_ROUNDS);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	emit_store(g->k, 8, BPF_REG_10, CALLBACK_ROUNDS, BPF_REG_0);
	emit_jump(g->k, BPF_JGT, BPF_REG_0, ROUNDS_NEVER, end);
}

static void rounds_end(struct sgen *g, bool is_outermost)
{
	g->counts_rounds &= !is_outermost;
}

void stmt_while(struct sgen *g, struct script_stmt *s)
{
	int again = label_new(g->k), end = label_new(g->k), body = label_new(g->k);
	int next = label_new(g->k);
	bool is_outermost = rounds_begin(g);

	label_bind(g->k, again);
	branch_gen(g, s->a, true, body); /* tests the end first, as emit_leave does */
	emit_goto(g->k, end);
	label_bind(g->k, body);
	loop_body_gen(g, s->body, g->counts_rounds ? next : again, end);
	if (g->counts_rounds)
		label_bind(g->k, next);
	round_count(g, end);
	emit_goto(g->k, again);
	label_bind(g->k, end);
	rounds_end(g, is_outermost);
}

/* break and continue apply to the enclosing loop, as in bpftrace; without one, to the unroll itself. */
void stmt_unroll(struct sgen *g, struct script_stmt *s)
{
	bool in_loop = g->loop && !g->loop->is_unroll;
	int end = label_new(g->k);

	for (int64_t i = 0; i < s->a->value && !g->c->err; i++) {
		int next = label_new(g->k);

		if (in_loop)
			stmts_gen(g, s->body);
		else
			body_gen(g, s->body,
				 (struct loop_gen){ .again = next, .end = end, .is_unroll = true });
		label_bind(g->k, next);
	}
	label_bind(g->k, end);
}

/* A range with a known end: the verifier tracks the counter. */
static void range_plain(struct sgen *g, struct script_stmt *s)
{
	struct place at, rounds = place_alloc_small(g, 8), last = place_alloc_small(g, 8);
	int again = label_new(g->k), next = label_new(g->k), end = label_new(g->k);
	bool is_known = s->a->is_constant && s->b->is_constant, is_outermost;

	at = place_alloc_small(g, 8);
	number_gen(g, s->a);
	place_store(g, 8, at, BPF_REG_0);
	number_gen(g, s->b);
	place_store(g, 8, last, BPF_REG_0);
	place_store_imm(g, 8, rounds, 0);
	is_outermost = rounds_begin(g);
	label_bind(g->k, again);
	place_load(g, 8, BPF_REG_0, at);
	place_load(g, 8, BPF_REG_1, last);
	emit_leave_reg(g->k, BPF_JSGE, BPF_REG_0, BPF_REG_1, end);
	place_store(g, 8, var_place(g, s->target->var), BPF_REG_0);
	loop_body_gen(g, s->body, next, end);
	label_bind(g->k, next);
	round_count(g, end);
	place_load(g, 8, BPF_REG_0, at);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	place_store(g, 8, at, BPF_REG_0);
	if (is_known) {
		emit_goto(g->k, again);
	} else {
		place_load(g, 8, BPF_REG_0, rounds);
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
		place_store(g, 8, rounds, BPF_REG_0);
		emit_jump(g->k, BPF_JLT, BPF_REG_0, ROUNDS_MOST, again);
		loss_gen(g, LOSS_ROUNDS);
	}
	label_bind(g->k, end);
	rounds_end(g, is_outermost);
}

/* ---- callbacks ---- */

/* Arguments of a callback's body. */
struct loop_call {
	struct script_stmt *s;
	struct place first; /* of a range: its first value */
};

static struct loop_call *call_new(struct sgen *g, struct script_stmt *s)
{
	struct loop_call *call = script_alloc(g->c, sizeof(*call));

	if (call)
		call->s = s;
	return call;
}

/* Loads the registers of the program from the argument at `frame`. */
static void callback_begin(struct sgen *g, int frame)
{
	emit_move(g->k, REG_FRAME, frame);
	if (g->known.work)
		emit_load(g->k, 8, REG_WORK, REG_FRAME, FRAME_WORK);
}

static void callback_body(struct sgen *g, struct script_stmt *body)
{
	struct loop_gen loop = { .is_callback = true };

	g->loop = &loop;
	stmts_gen(g, body);
	g->loop = NULL;
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_exit(g->k);
}

/* Runs after the helper: leaves the program if the body did. */
static void callback_left(struct sgen *g)
{
	int stay = label_new(g->k);

	emit_load(g->k, 8, BPF_REG_0, g->frame, FRAME_LEAVE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, stay);
	leave_gen(g);
	label_bind(g->k, stay);
}

static void range_round(struct sgen *g, void *arg)
{
	struct loop_call *call = arg;

	callback_begin(g, BPF_REG_2);
	place_load(g, 8, BPF_REG_0, call->first);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	place_store(g, 8, var_place(g, call->s->target->var), BPF_REG_0);
	callback_body(g, call->s->body);
}

static void range_by_kernel(struct sgen *g, struct script_stmt *s)
{
	struct loop_call *call = call_new(g, s);
	int none = label_new(g->k), run = label_new(g->k);

	if (!call)
		return;
	operands_gen(g, s->a, s->b);
	call->first = spill(g, BPF_REG_0);
	emit_jump_reg(g->k, BPF_JSGE, BPF_REG_0, BPF_REG_1, none);
	emit_alu(g->k, BPF_SUB, BPF_REG_1, BPF_REG_0);
	callback_address(g, BPF_REG_2, callback_add(g, range_round, call));
	emit_move(g->k, BPF_REG_3, g->frame);
	emit_move_imm(g->k, BPF_REG_4, 0);
	emit_call(g->k, HELPER_LOOP);
	/* the kernel refuses more than 8 million rounds, and then runs none of them */
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, run);
	loss_gen(g, LOSS_ROUNDS);
	label_bind(g->k, run);
	callback_left(g);
	label_bind(g->k, none);
}

void stmt_for_range(struct sgen *g, struct script_stmt *s)
{
	if (by_kernel(g, s))
		range_by_kernel(g, s);
	else
		range_plain(g, s);
}

/* ---- for ($kv : @map) ---- */

void loop_entry_store(struct sgen *g, const struct script_map *map, struct script_var *v,
		      struct place key, struct place value)
{
	struct place to = var_place(g, v);
	const struct script_part *parts = v->type.parts;

	image_convert(g, &parts[0].type, place_plus(to, parts[0].offset), &map->key, key, true);
	if (script_is_aggregate(&map->value) && script_is_scalar(&parts[1].type)) {
		count_number_gen(g, map, key, g->span);
		place_store(g, parts[1].type.size, place_plus(to, parts[1].offset), BPF_REG_0);
	} else {
		image_convert(g, &parts[1].type, place_plus(to, parts[1].offset), &map->value,
			      value, true);
	}
}

/* r2 = the key, r3 = the value, r4 = the end of the stack */
static void entry_round(struct sgen *g, void *arg)
{
	struct loop_call *call = arg;
	const struct script_map *map = call->s->a->map;
	struct mark m = frame_mark(g);
	struct place key, value, value_at;

	callback_begin(g, BPF_REG_4);
	value_at = spill(g, BPF_REG_3);
	key = place_alloc(g, map->key.size);
	emit_move(g->k, BPF_REG_0, BPF_REG_2);
	place_fill(g, key, BPF_REG_0, 0, map->key.size);
	value = place_alloc(g, map_value_size(map));
	if (!script_is_aggregate(&map->value)) {
		place_load(g, 8, BPF_REG_0, value_at);
		place_fill(g, value, BPF_REG_0, 0, map_value_size(map));
	}
	loop_entry_store(g, map, call->s->target->var, key, value);
	frame_drop(g, m);
	callback_body(g, call->s->body);
}

void stmt_for_map(struct sgen *g, struct script_stmt *s)
{
	struct loop_call *call;

	if (!g->c->world->has_for_each) {
		script_fail(g->c, s->span, "this kernel does not let programs walk a map");
		script_hint(
			g->c,
			"bt walks it for begin, end and interval; other probes need Linux 5.13");
		return;
	}
	call = call_new(g, s);
	if (!call)
		return;
	emit_map(g->k, BPF_REG_1, map_number(g, s->a->map));
	callback_address(g, BPF_REG_2, callback_add(g, entry_round, call));
	emit_move(g->k, BPF_REG_3, g->frame);
	emit_move_imm(g->k, BPF_REG_4, 0);
	emit_call(g->k, HELPER_FOR_EACH);
	callback_left(g);
}

/* ---- len(@map) ---- */

static void count_round(struct sgen *g, void *arg)
{
	struct place *count = arg;

	callback_begin(g, BPF_REG_4);
	place_load(g, 8, BPF_REG_0, *count);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	place_store(g, 8, *count, BPF_REG_0);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_exit(g->k);
}

void map_len_gen(struct sgen *g, const struct script_map *map)
{
	struct mark m = frame_mark(g);
	struct place *count = script_alloc(g->c, sizeof(*count));

	if (!count)
		return;
	if (!g->c->world->has_for_each) {
		script_fail(g->c, g->span,
			    "this kernel does not let programs count the keys of a map");
		script_hint(
			g->c,
			"bt counts them for begin, end and interval; other probes need Linux 5.13");
		return;
	}
	*count = place_alloc_work(g, 8); /* a number that the verifier does not track */
	place_store_imm(g, 8, *count, 0);
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	callback_address(g, BPF_REG_2, callback_add(g, count_round, count));
	emit_move(g->k, BPF_REG_3, g->frame);
	emit_move_imm(g->k, BPF_REG_4, 0);
	emit_call(g->k, HELPER_FOR_EACH);
	place_load(g, 8, BPF_REG_0, *count);
	frame_drop(g, m);
}
