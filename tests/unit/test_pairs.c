/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_pairs.c - begins and ends on the simulated machine, on several processors at once: any order of single
 * instructions, and programs that interrupt others for long. Keys are few, and some have one place.
 *
 * No begin is lost without being counted, or ended twice, or by another key's end, and no record has parts
 * of two.
 */
#include <string.h>

#include "call_run.h"
#include "expr/emit/emit.h"
#include "expr/layout/layout.h"

enum { CPUS = 3, KEYS = 5, IDS = 1 << 17, ROUNDS = 200, STEPS = 20000 };

/* A program of one side, on one processor. */
struct side {
	struct harness run;
	struct expr_input other;
	struct expr_pair pair;
};

static struct cpu {
	struct side sides[2]; /* the end, the begin */
	struct side *now, *run_alone;
	size_t pc;
	unsigned key;
	uint32_t id; /* of what it begins */
} cpus[CPUS];

static uint64_t keys[KEYS];
static uint8_t key_of[IDS];
static bool has_ended[IDS];
static uint32_t ids, begun, ended, random_state;
static uint64_t clock_now;
static bool has_array;

static const char *const texts[] = { "count", "twice=count * 2 + 1", "$lat" };

/* ---- making them ---- */

static void side_make(struct side *s, const char *target, const char *const *on, size_t count,
		      bool is_end)
{
	struct expr_target t = target_of(btf, target);

	harness_init(&s->run, btf, func_id, &t);
	s->other = s->run.in;
	s->pair = (struct expr_pair){ .begin = &s->run.in,
				      .end = &s->other,
				      .keys = on,
				      .key_count = count,
				      .makes_end = is_end };
	s->run.in.pair = s->other.pair = &s->pair;
	s->other.texts = texts;
	s->other.count = COUNT(texts);
	s->run.vm.pid_tgid = 42ull << 32 | 43;
	run_compile(&s->run, texts, COUNT(texts));
}

static void maps_share(struct vm *m)
{
	vm_map_share(m, &cpus[0].sides[0].run.vm, EXPR_MAP_PAIRS);
	vm_map_share(m, &cpus[0].sides[0].run.vm, EXPR_MAP_PAIR_PLACES);
}

static void cpus_make(const char *target, const char *const *on, size_t count)
{
	for (int i = 0; i < CPUS; i++) {
		for (int begin = 0; begin < 2; begin++) {
			side_make(&cpus[i].sides[begin], target, on, count, !begin);
			maps_share(&cpus[i].sides[begin].run.vm);
		}
	}
	memset(has_ended, 0, sizeof(has_ended));
	ids = begun = ended = 0;
	random_state = 1;
}

/* 0 is a key as any; three have one place (emit_inflight.c). */
static void keys_choose(void)
{
	const uint64_t spread = 0x9e3779b97f4a7c15ull;
	unsigned found = 1;

	keys[1] = THING_AT;
	for (uint64_t key = THING_AT + 8; found < KEYS - 1; key += 8)
		if (key * spread >> 52 == THING_AT * spread >> 52)
			keys[++found] = key;
}

/* ---- running ---- */

static void cpu_begin(struct cpu *c, uint32_t random)
{
	struct vm *m;

	c->now = &c->sides[random % 2];
	c->key = (random >> 8) % KEYS;
	m = &c->now->run.vm;
	if (random % 2) {
		c->id = ids++;
		assert_true(ids < IDS);
		key_of[c->id] = c->key;
	}
	c->now->run.args[0] = keys[c->key];
	c->now->run.args[1] = random % 2 ? c->id : 0xffff;
	harness_context(&c->now->run, false);
	m->submitted = false;
	m->record_size = 0;
	m->steps = 0;
	m->now = ++clock_now;
	vm_begin(m);
	c->pc = 0;
}

static void end_check(struct cpu *c)
{
	uint32_t id;

	if (!c->now->run.vm.submitted)
		return;
	id = value_of(&c->now->run, "count").u;
	assert_true(id < ids && !has_ended[id]);
	assert_int_equal(key_of[id], c->key);
	assert_int_equal(value_of(&c->now->run, "twice").u, 2 * id + 1);
	has_ended[id] = true;
	ended++;
}

static bool cpu_step(struct cpu *c)
{
	if (vm_next(&c->now->run.vm, &c->now->run.vm.code, &c->pc))
		return true;
	if (*c->now->run.vm.trouble)
		fail_msg("%s", c->now->run.vm.trouble);
	if (c->now == &c->sides[1])
		begun++;
	else
		end_check(c);
	c->now = NULL;
	return false;
}

static uint32_t next(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state >> 8;
}

/* How many instructions in a row: often few, sometimes so many that others give up. In the end all have
 * come to theirs. */
static void round_run(void)
{
	static const unsigned rows[] = { 1, 1, 3, 20, 5000 };

	for (int n = 0; n < STEPS;) {
		struct cpu *c = &cpus[next() % CPUS];

		for (unsigned row = rows[next() % COUNT(rows)]; row; row--, n++) {
			if (!c->now)
				cpu_begin(c, next());
			cpu_step(c);
		}
	}
	for (int i = 0; i < CPUS; i++)
		while (cpus[i].now && cpu_step(&cpus[i]))
			;
}

/* ---- what came of it ---- */

static uint64_t lost(enum loss loss)
{
	uint64_t count = 0;

	for (int i = 0; i < CPUS; i++)
		count += vm_loss(&cpus[i].sides[0].run.vm, loss) +
			 vm_loss(&cpus[i].sides[1].run.vm, loss);
	return count;
}

/* Each key at most once, and each place knows how many of its keys are in the hash. */
static uint32_t open_count(void)
{
	struct side *s = &cpus[0].sides[0];
	const struct vm_map *hash = vm_map_of(&s->run.vm, EXPR_MAP_PAIRS);
	const uint8_t *places = vm_map_of(&s->run.vm, EXPR_MAP_PAIR_PLACES)->values;
	size_t size = expr_places_size(s->run.program), stride = expr_places_stride(s->run.program);
	uint32_t taken = 0, displaced = 0;

	for (size_t at = 0; at + stride <= size; at += stride) {
		struct call_kept place;

		memcpy(&place, places + at, sizeof(place));
		assert_int_equal(place.guard, 0);
		displaced += place.displaced;
		taken += place.taken;
	}
	assert_true(taken + hash->count <= KEYS);
	if (has_array)
		assert_int_equal(displaced, hash->count);
	else
		assert_int_equal(taken + displaced, 0);
	return taken + hash->count;
}

static void cpus_free(void)
{
	for (int i = CPUS - 1; i >= 0; i--)
		for (int begin = 1; begin >= 0; begin--)
			harness_free(&cpus[i].sides[begin].run);
}

static void accounted(void)
{
	assert_int_equal(begun, ended + open_count() + lost(LOSS_REPLACED) + lost(LOSS_BEGIN_BUSY) +
					lost(LOSS_MAP_FULL));
}

/* One after the other: an end finds what began last with its key. */
static void order_check(void)
{
	int64_t open[KEYS];
	uint32_t replaced = 0;

	memset(open, -1, sizeof(open));
	for (int n = 0; n < 20000; n++) {
		struct cpu *c = &cpus[next() % CPUS];
		uint64_t full = lost(LOSS_MAP_FULL);

		cpu_begin(c, next());
		c->run_alone = c->now;
		while (cpu_step(c))
			;
		if (c->run_alone == &c->sides[1]) {
			replaced += open[c->key] >= 0;
			if (lost(LOSS_MAP_FULL) == full)
				open[c->key] = c->id;
			continue;
		}
		assert_int_equal(c->run_alone->run.vm.submitted, open[c->key] >= 0);
		if (open[c->key] >= 0)
			assert_true(has_ended[open[c->key]]);
		open[c->key] = -1;
	}
	assert_int_equal(replaced, lost(LOSS_REPLACED));
	assert_int_equal(lost(LOSS_BEGIN_BUSY) + lost(LOSS_END_BUSY), 0);
	assert_true(!has_array || !lost(LOSS_MAP_FULL));
	accounted();
}

/* The verifier follows each round of a guard, for 25 ms, unless there is a may_goto. */
static bool loops_late(const struct side *s)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(s->run.program, &count);

	for (size_t i = 0; i < count; i++)
		if (insns[i].code == (BPF_JMP | JUMP_MAY))
			return true;
	return false;
}

static void check(const char *target, const char *const *on, size_t count)
{
	has_array = !strstr(target, "arm64") || !strstr(target, "5.10");
	cpus_make(target, on, count);
	for (int begin = 0; begin < 2; begin++)
		assert_int_equal(loops_late(&cpus[0].sides[begin]), strstr(target, "late") != NULL);
	order_check();
	for (int i = 0; i < ROUNDS; i++) {
		round_run();
		accounted();
	}
	assert_true(begun > 1000 && ended > 1000);
	assert_true(lost(LOSS_BEGIN_BUSY) && lost(LOSS_END_BUSY) && lost(LOSS_REPLACED));
	cpus_free();
}

static void test_at_once(void **state)
{
	static const char *const one[] = { "thing" }, *const two[] = { "$tid", "thing" };
	static const char *const targets[] = { "6.18", "6.18,late", "5.10,kprobe", "6.18,arm64",
					       "5.10,kprobe,arm64" };

	(void)state;
	keys_choose();
	for (size_t i = 0; i < COUNT(targets); i++) {
		check(targets[i], one, COUNT(one));
		check(targets[i], two, COUNT(two));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_once),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
