/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.c - emits aggregates: count(), sum(), min(), max(), avg(), stats(), hist(), lhist(), tseries().
 *
 * Values are per CPU, and user space adds them up. Counters use atomic adds, because a program in an interrupt may
 * change a value that the interrupted program is updating; an atomic add is cheap while no other CPU holds the cache
 * line. A minimum or maximum is compared, then stored: if two programs do so at once on one CPU, one value may be
 * lost.
 */
#include <stddef.h>

#include "script/emit/gen.h"

bool is_counter(const struct script_expr *e)
{
	return (e->kind == X_CALL || e->kind == X_WORD) && e->func >= FUNC_COUNT &&
	       e->func <= FUNC_TSERIES;
}

/* ---- the operand: computed before the key ---- */

/* r0 = the bucket of r0: 0 for negative values, 1 for 0. The k bits below the highest one are part of the bucket
 * number. */
static void hist_bucket(struct sgen *g, uint32_t k)
{
	int end = label_new(g->k), large = label_new(g->k);

	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_jump(g->k, BPF_JSLT, BPF_REG_1, 0, end);
	emit_jump(g->k, BPF_JGT, BPF_REG_1, (1 << k) - 1, large);
	emit_address(g->k, BPF_REG_0, BPF_REG_1, 1);
	emit_goto(g->k, end);
	label_bind(g->k, large);
	emit_move(g->k, BPF_REG_2, BPF_REG_1); /* r0 = the index of the highest bit */
	for (int shift = 32; shift; shift /= 2) {
		int less = label_new(g->k);

		if (shift < 32) {
			emit_jump(g->k, BPF_JLT, BPF_REG_2, 1 << shift, less);
		} else {
			emit_imm64(g->k, BPF_REG_3, 1ull << shift);
			emit_jump_reg(g->k, BPF_JLT, BPF_REG_2, BPF_REG_3, less);
		}
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, shift);
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, shift);
		label_bind(g->k, less);
	}
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, -(int32_t)k);
	if (k) {
		emit_alu(g->k, BPF_RSH, BPF_REG_1, BPF_REG_0);
		emit_alu_imm(g->k, BPF_AND, BPF_REG_1, (1 << k) - 1);
	}
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	if (k) {
		emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, k);
		emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	}
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1);
	label_bind(g->k, end);
	number_hide(g);
}

static void lhist_bucket(struct sgen *g, const struct script_type *t)
{
	int end = label_new(g->k), inside = label_new(g->k), above = label_new(g->k);

	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_imm64(g->k, BPF_REG_2, t->low);
	emit_jump_reg(g->k, BPF_JSLT, BPF_REG_1, BPF_REG_2, end);
	emit_imm64(g->k, BPF_REG_3, t->high);
	emit_jump_reg(g->k, BPF_JSGE, BPF_REG_1, BPF_REG_3, above);
	emit_goto(g->k, inside);
	label_bind(g->k, above);
	emit_move_imm(g->k, BPF_REG_0, t->count + 1);
	emit_goto(g->k, end);
	label_bind(g->k, inside);
	emit_alu(g->k, BPF_SUB, BPF_REG_1, BPF_REG_2);
	emit_imm64(g->k, BPF_REG_2, t->step ?: 1);
	emit_alu(g->k, BPF_DIV, BPF_REG_1, BPF_REG_2);
	emit_address(g->k, BPF_REG_0, BPF_REG_1, 1);
	label_bind(g->k, end);
}

static void operand_gen(struct sgen *g, const struct script_map *map, struct script_expr *call)
{
	number_gen(g, call->items[0]);
	if (map->value.kind == SCRIPT_HIST)
		hist_bucket(g, map->value.bits);
	else if (map->value.kind == SCRIPT_LHIST)
		lhist_bucket(g, &map->value);
}

/* ---- the update: r0 = the entry, r1 = the operand ---- */

static void extreme_gen(struct sgen *g, bool is_least, bool is_signed)
{
	int set = label_new(g->k), end = label_new(g->k);
	int op = is_least ? (is_signed ? BPF_JSGE : BPF_JGE) : (is_signed ? BPF_JSLE : BPF_JLE);

	emit_load(g->k, 8, BPF_REG_2, BPF_REG_0, offsetof(struct script_extreme, is_set));
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, set);
	emit_load(g->k, 8, BPF_REG_2, BPF_REG_0, offsetof(struct script_extreme, value));
	emit_jump_reg(g->k, op, BPF_REG_1, BPF_REG_2, end);
	label_bind(g->k, set);
	emit_store(g->k, 8, BPF_REG_0, offsetof(struct script_extreme, value), BPF_REG_1);
	emit_store_imm(g->k, 8, BPF_REG_0, offsetof(struct script_extreme, is_set), 1);
	label_bind(g->k, end);
}

static void stats_gen(struct sgen *g)
{
	emit_atomic_add(g->k, BPF_REG_0, offsetof(struct script_stats, total), BPF_REG_1, false);
	emit_move_imm(g->k, BPF_REG_1, 1);
	emit_atomic_add(g->k, BPF_REG_0, offsetof(struct script_stats, count), BPF_REG_1, false);
}

static void bucket_gen(struct sgen *g, const struct script_map *map)
{
	uint32_t buckets = map_value_size(map) / 8;
	int end = label_new(g->k);

	/* never taken; the verifier needs the bound */
	emit_jump(g->k, BPF_JGE, BPF_REG_1, buckets, end);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_1, 3);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	emit_move_imm(g->k, BPF_REG_1, 1);
	emit_atomic_add(g->k, BPF_REG_0, 0, BPF_REG_1, false);
	label_bind(g->k, end);
}

/* ---- tseries: r0 = the entry, r1 = the value, r2 = the number of the interval ---- */

enum {
	AT_NUMBER = offsetof(struct script_interval, number),
	AT_VALUE = offsetof(struct script_interval, value),
	AT_COUNT = offsetof(struct script_interval, count),
};

static void interval_join(struct sgen *g, const struct script_type *t)
{
	int op = t->mode == SCRIPT_SERIES_MIN ? (t->is_signed ? BPF_JSLE : BPF_JLE) :
						(t->is_signed ? BPF_JSGE : BPF_JGE);
	int keep = label_new(g->k);

	emit_load(g->k, 8, BPF_REG_3, BPF_REG_0, AT_VALUE);
	switch (t->mode) {
	case SCRIPT_SERIES_MIN:
	case SCRIPT_SERIES_MAX:
		emit_jump_reg(g->k, op, BPF_REG_3, BPF_REG_1, keep);
		emit_store(g->k, 8, BPF_REG_0, AT_VALUE, BPF_REG_1);
		break;
	case SCRIPT_SERIES_AVG:
	case SCRIPT_SERIES_SUM:
		emit_alu(g->k, BPF_ADD, BPF_REG_3, BPF_REG_1);
		emit_store(g->k, 8, BPF_REG_0, AT_VALUE, BPF_REG_3);
		break;
	default: emit_store(g->k, 8, BPF_REG_0, AT_VALUE, BPF_REG_1); break;
	}
	label_bind(g->k, keep);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_0, AT_COUNT);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, 1);
	emit_store(g->k, 8, BPF_REG_0, AT_COUNT, BPF_REG_3);
}

static void interval_gen(struct sgen *g, const struct script_type *t)
{
	int same = label_new(g->k), end = label_new(g->k);

	emit_move(g->k, BPF_REG_3, BPF_REG_2);
	emit_alu_imm(g->k, BPF_MOD, BPF_REG_3, t->count ?: 1);
	emit_jump(g->k, BPF_JGE, BPF_REG_3, t->count ?: 1, end); /* never taken */
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_3, sizeof(struct script_interval));
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_3);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_0, AT_NUMBER);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_3, BPF_REG_2, same);
	emit_store(g->k, 8, BPF_REG_0, AT_NUMBER, BPF_REG_2);
	emit_store(g->k, 8, BPF_REG_0, AT_VALUE, BPF_REG_1);
	emit_store_imm(g->k, 8, BPF_REG_0, AT_COUNT, 1);
	emit_goto(g->k, end);
	label_bind(g->k, same);
	interval_join(g, t);
	label_bind(g->k, end);
}

/* Returns the map that replaces the clock, or NULL. */
static const struct script_map *time_map(const struct sgen *g)
{
	const struct script *s = g->c->s;

	for (size_t i = 0; s->config.time_map && i < s->map_count; i++)
		if (!strcmp(s->maps[i]->name, s->config.time_map) && map_has_address(s->maps[i]) &&
		    s->maps[i]->value.kind == SCRIPT_INT)
			return s->maps[i];
	return NULL;
}

/* r0 = the time in ns */
static void time_gen(struct sgen *g)
{
	const struct script_map *map = time_map(g);

	if (map) {
		emit_map_value(g->k, BPF_REG_0, map_number(g, map));
		emit_load(g->k, (int)map_value_size(map), BPF_REG_0, BPF_REG_0, 0);
		return;
	}
	emit_call(g->k, g->c->world->has_boot_clock ? HELPER_KTIME_BOOT : HELPER_KTIME);
	emit_imm64(g->k, BPF_REG_1, g->c->world->real_offset);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

/* r0 = the number of the current interval */
static void interval_now(struct sgen *g, const struct script_type *t)
{
	time_gen(g);
	emit_imm64(g->k, BPF_REG_1, t->step ?: 1);
	emit_alu(g->k, BPF_DIV, BPF_REG_0, BPF_REG_1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, 1); /* 0 marks an interval without a value */
}

/* ---- @x = count() ---- */

static void add_gen(struct sgen *g, const struct script_map *map)
{
	const struct script_type *t = &map->value;

	switch (t->kind) {
	case SCRIPT_MIN:
	case SCRIPT_MAX: extreme_gen(g, t->kind == SCRIPT_MIN, t->is_signed); break;
	case SCRIPT_AVG:
	case SCRIPT_STATS: stats_gen(g); break;
	case SCRIPT_HIST:
	case SCRIPT_LHIST: bucket_gen(g, map); break;
	case SCRIPT_TSERIES: interval_gen(g, t); break;
	default: emit_atomic_add(g->k, BPF_REG_0, 0, BPF_REG_1, false); break;
	}
}

void count_assign(struct sgen *g, struct script_expr *target, struct script_expr *call)
{
	const struct script_map *map = target->map;
	struct mark m = frame_mark(g);
	int lost = label_new(g->k);
	struct place operand = { 0 }, number = { 0 }, key;

	if (call->count) {
		operand_gen(g, map, call);
		operand = spill(g, BPF_REG_0);
	}
	if (map->value.kind == SCRIPT_TSERIES) {
		interval_now(g, &map->value);
		number = spill(g, BPF_REG_0);
	}
	key = key_gen(g, map, target->items, target->count);
	entry_gen(g, map, key, lost);
	if (call->count)
		place_load(g, 8, BPF_REG_1, operand);
	else
		emit_move_imm(g->k, BPF_REG_1, 1); /* count() */
	if (map->value.kind == SCRIPT_TSERIES)
		place_load(g, 8, BPF_REG_2, number);
	add_gen(g, map);
	lost_gen(g, lost);
	frame_drop(g, m);
}

/* ---- reads: combine the values of all processors ---- */

/* Calls `each` for the value of every processor, at r0. */
static void processors_gen(struct sgen *g, const struct script_map *map, struct place key,
			   struct place sum,
			   void (*each)(struct sgen *, const struct script_map *, struct place))
{
	int again = label_new(g->k), next = label_new(g->k);
	struct place cpu = place_alloc_small(g, 8);

	place_store_imm(g, 8, cpu, 0);
	label_bind(g->k, again);
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	place_load(g, 8, BPF_REG_3, cpu);
	emit_call(g->k, HELPER_LOOKUP_PER_CPU);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, next);
	each(g, map, sum);
	label_bind(g->k, next);
	place_load(g, 8, BPF_REG_1, cpu);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	place_store(g, 8, cpu, BPF_REG_1);
	emit_jump(g->k, BPF_JLT, BPF_REG_1, g->c->world->cpus ?: 1, again);
}

/* The same for a value with slots. */
static void slots_gen(struct sgen *g, const struct script_map *map, struct place key,
		      struct place sum,
		      void (*each)(struct sgen *, const struct script_map *, struct place))
{
	int again = label_new(g->k), none = label_new(g->k);
	struct place value, at = place_alloc_small(g, 8);

	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	value = spill(g, BPF_REG_0);
	place_store_imm(g, 8, at, 0);
	label_bind(g->k, again);
	place_load(g, 8, BPF_REG_0, value);
	place_load(g, 8, BPF_REG_1, at);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	each(g, map, sum);
	place_load(g, 8, BPF_REG_1, at);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, map_slot(g, map));
	place_store(g, 8, at, BPF_REG_1);
	emit_jump(g->k, BPF_JLT, BPF_REG_1, map_slot(g, map) * g->c->world->cpus, again);
	label_bind(g->k, none);
}

/* The same for one value that all processors share. */
static void shared_gen(struct sgen *g, const struct script_map *map, struct place key,
		       struct place sum,
		       void (*each)(struct sgen *, const struct script_map *, struct place))
{
	int none = label_new(g->k);

	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	each(g, map, sum);
	label_bind(g->k, none);
}

static bool all_readable(struct sgen *g, struct span where)
{
	if (g->c->world->has_lookup_per_cpu)
		return true;
	script_fail(g->c, where,
		    "this kernel does not let programs read the counts of other processors");
	script_hint(g->c, "that needs Linux 5.19; print the map, or count with @x++");
	return false;
}

static void total_each(struct sgen *g, const struct script_map *map, struct place sum)
{
	(void)map;
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, 0);
	place_load(g, 8, BPF_REG_2, sum);
	emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_1);
	place_store(g, 8, sum, BPF_REG_2);
}

static void stats_each(struct sgen *g, const struct script_map *map, struct place sum)
{
	total_each(g, map, sum);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, offsetof(struct script_stats, count));
	place_load(g, 8, BPF_REG_2, place_plus(sum, 8));
	emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_1);
	place_store(g, 8, place_plus(sum, 8), BPF_REG_2);
}

static void extreme_each(struct sgen *g, const struct script_map *map, struct place sum)
{
	int none = label_new(g->k);

	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, offsetof(struct script_extreme, is_set));
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, none);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, offsetof(struct script_extreme, value));
	place_address(g, BPF_REG_0, sum);
	extreme_gen(g, map->value.kind == SCRIPT_MIN, map->value.is_signed);
	label_bind(g->k, none);
}

/* r0 = total / count, rounded towards 0; 0 if the count is 0 */
static void average_gen(struct sgen *g, struct place sum)
{
	int positive = label_new(g->k), end = label_new(g->k);

	place_load(g, 8, BPF_REG_0, sum);
	place_load(g, 8, BPF_REG_1, place_plus(sum, 8));
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, positive);
	emit_negate(g->k, BPF_REG_0);
	emit_alu(g->k, BPF_DIV, BPF_REG_0, BPF_REG_1);
	emit_negate(g->k, BPF_REG_0);
	emit_goto(g->k, end);
	label_bind(g->k, positive);
	emit_alu(g->k, BPF_DIV, BPF_REG_0, BPF_REG_1);
	label_bind(g->k, end);
}

void count_number_gen(struct sgen *g, const struct script_map *map, struct place key,
		      struct span where)
{
	enum script_kind kind = map->value.kind;
	struct mark m = frame_mark(g);
	struct place sum = place_alloc_small(g, 16);

	if (map_is_per_cpu(map) && !map_slot(g, map) && !all_readable(g, where))
		return;
	place_zero(g, sum, 16);
	(map_slot(g, map)    ? slots_gen :
	 map_is_per_cpu(map) ? processors_gen :
			       shared_gen)(g, map, key, sum,
					   kind == SCRIPT_AVG || kind == SCRIPT_STATS ? stats_each :
					   kind == SCRIPT_MIN || kind == SCRIPT_MAX ? extreme_each :
										      total_each);
	if (kind == SCRIPT_AVG)
		average_gen(g, sum);
	else
		place_load(g, 8, BPF_REG_0, sum);
	frame_drop(g, m);
}

static void reset_each(struct sgen *g, const struct script_map *map, struct place sum)
{
	(void)sum;
	for (uint32_t i = 0; i < map_entry_size(map); i += 8)
		emit_store_imm(g->k, 8, BPF_REG_0, i, 0);
}

void count_reset_gen(struct sgen *g, const struct script_map *map, struct place key,
		     struct span where)
{
	struct mark m = frame_mark(g);

	if (all_readable(g, where))
		processors_gen(g, map, key, key, reset_each);
	frame_drop(g, m);
}
