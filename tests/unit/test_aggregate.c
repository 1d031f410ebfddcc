/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_aggregate.c - calls that are counted, on a simulated machine (bpf_vm.h): entries, keys, what a
 * full map does, and which rows are one.
 */
#include <string.h>

#include "unit.h"
#include "btf_build.h"
#include "../lib/harness.h"
#include "../lib/targets.h"
#include "../lib/vm_maps.h"
#include "count/aggregate_read.h"
#include "expr/program.h"
#include "output/field/value.h"

#define THING_AT 0xffff888010000000ull

struct thing {
	uint64_t next, text;
	int64_t number;
	char array[16];
	uint64_t pad[8];
};

static struct btf_build build;
static struct btf_view *btf;
static uint32_t func_id;

static int setup(void **state)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t s64_id = build_int(&build, "long", 8, BTF_INT_SIGNED);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t char_id = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t array = build_array(&build, char_id, 16);
	uint32_t text = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t next = build_ref(&build, BTF_KIND_PTR, "", 0), thing;

	thing = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
			     (struct build_part[]){ { "next", next, 0, 0 },
						    { "text", text, 64, 0 },
						    { "number", s64_id, 128, 0 },
						    { "array", array, 192, 0 } },
			     4);
	build_set(&build, next, thing);
	build_regs(&build, u64_id);
	build_task(&build, int_id, char_id);
	func_id = build_func(&build, "probe", 0,
			     (struct build_part[]){ { "thing", next, 0, 0 },
						    { "small", int_id, 0, 0 },
						    { "count", u64_id, 0, 0 },
						    { "number", s64_id, 0, 0 } },
			     4);
	return built_open(&build, &btf, state);
}

/* ---- runs of one program ---- */

struct count {
	struct harness run;
	struct expr_aggregate aggregate;
	struct thing things[2];
	char text[80];
	uint8_t task[64];
};

/* All by helpers; casts and the task's BTF; the same under lockdown. */
static const char *const kernels[] = { "5.10,untyped", "6.18", "6.18,lockdown" };

enum { KERNELS = COUNT(kernels) };

static unsigned cpus; /* that the compiler knows of; 0: none */

static void count_init_of(struct count *c, int kernel, const struct expr_measure *measures,
			  size_t measure_count, const char *const *keys, size_t key_count,
			  unsigned owner)
{
	struct expr_target target = target_of(btf, kernels[kernel]);

	memset(c, 0, sizeof(*c));
	harness_init(&c->run, btf, func_id, &target);
	c->aggregate = (struct expr_aggregate){
		.measures = measures, .count = measure_count, .switched = kernel == 1, .cpus = cpus
	};
	c->run.in.run.aggregate = &c->aggregate;
	c->run.in.owner = owner;
	assert_true(harness_compile(&c->run, keys, key_count));
	c->run.vm.pid_tgid = 42ull << 32 | 43;
	vm_map_fill(&c->run.vm, EXPR_MAP_SCRATCH, 0xaa);
	vm_region_add(&c->run.vm, THING_AT, c->things, sizeof(c->things));
	vm_region_add(&c->run.vm, THING_AT + 0x10000, c->text, sizeof(c->text));
	vm_region_add(&c->run.vm, VM_TASK_AT, c->task, sizeof(c->task));
	memcpy(c->task + 8, (uint32_t[]){ 43, 42 }, 8);
	c->things[0].text = THING_AT + 0x10000;
	c->run.args[0] = THING_AT;
}

static void count_init(struct count *c, int kernel, const struct expr_measure *measures,
		       size_t measure_count, const char *const *keys, size_t key_count)
{
	count_init_of(c, kernel, measures, measure_count, keys, key_count, 0);
}

/* One call. */
static void count_run(struct count *c)
{
	memset(c->run.vm.stack, 0xbb, sizeof(c->run.vm.stack));
	harness_context(&c->run, false);
	assert_true(harness_run(&c->run, &c->run.vm.code));
}

static struct vm_map *counts_of(struct count *c)
{
	return vm_map_of(&c->run.vm, EXPR_MAP_COUNTS);
}

static const uint64_t *words_of(struct count *c, unsigned entry)
{
	const struct vm_map *counts = counts_of(c);

	assert_true(entry < counts->room);
	return (const uint64_t *)(counts->values + entry * counts->stride);
}

static const struct expr_result *result_of(const struct count *c, unsigned i)
{
	return &expr_table(c->run.program)->results[i];
}

static int64_t value_of(struct count *c, unsigned entry, unsigned i, uint64_t *n)
{
	return aggregate_value(result_of(c, i), words_of(c, entry), n);
}

/* ---- numbers ---- */

static void test_numbers(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_COUNT },		{ EXPR_SUM, "number" }, { EXPR_MIN, "number" },
		{ EXPR_MAX, "number" }, { EXPR_MIN, "count" },	{ EXPR_MAX, "count" },
		{ EXPR_AVG, "small" },
	};
	static const int64_t numbers[] = { -3, INT64_MIN, 5, INT64_MAX, 0 };
	static struct count c;
	uint64_t n;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, measures, COUNT(measures), NULL, 0);
		for (size_t i = 0; i < COUNT(numbers); i++) {
			c.run.args[1] = 0xdead00000000 | (uint32_t)-2;
			c.run.args[2] = 7 + i;
			c.run.args[3] = numbers[i];
			count_run(&c);
		}
		assert_int_equal(value_of(&c, 0, 0, &n), 5);
		assert_int_equal(value_of(&c, 0, 1, &n), 1);
		assert_int_equal(value_of(&c, 0, 2, &n), INT64_MIN);
		assert_int_equal(value_of(&c, 0, 3, &n), INT64_MAX);
		assert_int_equal(value_of(&c, 0, 4, &n), 7);
		assert_int_equal(value_of(&c, 0, 5, &n), 11);
		assert_int_equal(value_of(&c, 0, 6, &n), -10);
		assert_int_equal(n, 5);
		harness_free(&c.run);
	}
}

/* A value through NULL has no value; the others are exact. */
static void test_unreadable(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_AVG, "thing->next->number" },
		{ EXPR_MAX, "thing->next->number" },
		{ EXPR_SUM, "count" },
	};
	static struct count c;
	uint64_t n;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, measures, COUNT(measures), NULL, 0);
		c.run.args[2] = 1;
		c.things[1].number = -8;
		count_run(&c);
		c.things[0].next = THING_AT + sizeof(struct thing);
		count_run(&c);
		count_run(&c);
		assert_int_equal(value_of(&c, 0, 0, &n), -16);
		assert_int_equal(n, 2);
		assert_int_equal(value_of(&c, 0, 1, &n), -8);
		assert_int_equal(value_of(&c, 0, 2, &n), 3);
		assert_int_equal(n, 3);
		harness_free(&c.run);
	}
}

/* The least and the largest value of a histogram, also where a CPU has counted none. */
static void expect_ends(struct count *c, unsigned i, int64_t least, int64_t most)
{
	const struct expr_result *r = result_of(c, i);
	const struct expr_table *t = expr_table(c->run.program);
	uint64_t sum[1200] = { 0 }, none[1200] = { 0 }, flip = r->is_signed ? 1ull << 63 : 0;
	unsigned end = r->word + r->words;

	aggregate_words_add(t, sum, words_of(c, 0));
	aggregate_words_add(t, sum, none);
	assert_int_equal(sum[end - 2] ^ flip, most);
	assert_int_equal(~sum[end - 1] ^ flip, least);
	aggregate_words_add(t, none, sum);
	aggregate_words_add(t, none, sum);
	assert_int_equal(none[end - 2], sum[end - 2]);
	assert_int_equal(none[0], 2 * sum[0]);
}

/* Each power of two, and its neighbours. */
static void test_hist(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_HIST, "count" },
							{ EXPR_HIST, "number" } };
	static struct count c;
	uint64_t want[2][EXPR_HIST_BUCKETS] = {};

	(void)state;
	count_init(&c, 1, measures, 2, NULL, 0);
	for (int bit = 0; bit < 64; bit++) {
		for (int off = -1; off <= 1; off++) {
			uint64_t v = (1ull << bit) + off;

			c.run.args[2] = c.run.args[3] = v;
			count_run(&c);
			want[0][v ? 65 - __builtin_clzll(v) : 1]++;
			want[1][(int64_t)v < 0 ? 0 : v ? 65 - __builtin_clzll(v) : 1]++;
		}
	}
	for (int i = 0; i < 2; i++)
		assert_memory_equal(words_of(&c, 0) + result_of(&c, i)->word, want[i],
				    sizeof(want[i]));
	expect_ends(&c, 0, 0, INT64_MIN + 1);
	expect_ends(&c, 1, INT64_MIN, INT64_MAX);
	harness_free(&c.run);
}

/* Each value's bucket has it, and is at most an eighth of it wide. */
static void test_pct(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_PCT, "count" },
							{ EXPR_PCT, "number" } };
	static const struct hist_axis axis = { .is_fine = true };
	static const struct field field = { .type = FIELD_HIST, .axis = &axis };
	static struct count c;
	struct hist_percentile p;

	(void)state;
	for (int bit = 0; bit < 64 * 9; bit++) {
		uint64_t v = (1ull << bit / 9) + (bit % 9 - 4) * ((1ull << bit / 9) / 8);
		const uint64_t *words;
		struct value value = { .len = EXPR_PCT_BUCKETS * sizeof(uint64_t) };
		struct hist h;

		count_init(&c, bit % 2, measures, 2, NULL, 0);
		c.run.args[2] = c.run.args[3] = v;
		count_run(&c);
		words = words_of(&c, 0) + result_of(&c, 0)->word;
		value.bytes = (const char *)words;
		h = hist_of(&field, &value);
		assert_int_equal(hist_total(&h), 1);
		assert_true(hist_percentile(&h, 50000, &p));
		if (p.value > v ? p.value - v > v / 8 : v - p.value > v / 8)
			fail_msg("%llu is shown as %llu", (unsigned long long)v,
				 (unsigned long long)p.value);
		assert_int_equal(p.exact, v < 16);
		expect_ends(&c, 0, v, v);
		words = words_of(&c, 0) + result_of(&c, 1)->word;
		assert_int_equal(words[0], (int64_t)v < 0);
		harness_free(&c.run);
	}
}

static void test_lhist(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_LHIST, "number", -10, 11, 4 },
		{ EXPR_LHIST, "count", 10, 20, 5 },
	};
	static struct count c;
	uint64_t want[2][8] = {};

	(void)state;
	count_init(&c, 1, measures, 2, NULL, 0);
	assert_int_equal(result_of(&c, 0)->words, 8 + EXPR_HIST_ENDS);
	assert_int_equal(result_of(&c, 1)->words, 4 + EXPR_HIST_ENDS);
	for (int64_t v = -20; v < 40; v++) {
		c.run.args[2] = c.run.args[3] = v;
		count_run(&c);
		want[0][v < -10 ? 0 : v >= 11 ? 7 : 1 + (v + 10) / 4]++;
		want[1][v < 0 || v >= 20 ? 3 : v < 10 ? 0 : 1 + (v - 10) / 5]++;
	}
	assert_memory_equal(words_of(&c, 0) + result_of(&c, 0)->word, want[0], 64);
	assert_memory_equal(words_of(&c, 0) + result_of(&c, 1)->word, want[1], 32);
	expect_ends(&c, 0, -20, 39);
	expect_ends(&c, 1, 0, -1);
	harness_free(&c.run);
}

/* ---- keys ---- */

/* A program leaves alone what others measure, and the words are the same in all. */
static void test_owners(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_COUNT },
		{ EXPR_COUNT, .name = "mine", .owner = 1 },
		{ EXPR_SUM, "number", .owner = 2 },
		{ EXPR_MAX, "count", .owner = 1 },
		{ EXPR_AVG, "thing->next->number", .owner = 1 },
		{ EXPR_COUNT, .name = "other", .owner = 2 },
		{ EXPR_MIN, "thing->next->number" },
	};
	static const int64_t values[2][COUNT(measures)] = { { 3, 3, 0, 9, -8, 0, -8 },
							    { 3, 0, 15, 0, 0, 3, -8 } };
	static struct count counts[2];
	uint64_t n;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct count *c = &counts[i];

		count_init_of(c, 0, measures, COUNT(measures), NULL, 0, i + 1);
		c->run.args[2] = 9;
		c->run.args[3] = 5;
		c->things[1].number = -8;
		count_run(c);
		count_run(c);
		c->things[0].next = THING_AT + sizeof(struct thing);
		count_run(c);
		for (size_t m = 0; m < COUNT(measures); m++)
			if (result_of(c, m)->is_own)
				assert_int_equal(value_of(c, 0, m, &n), values[i][m]);
			else
				assert_int_equal(words_of(c, 0)[result_of(c, m)->calls], 0);
		assert_int_equal(value_of(c, 0, 4, &n), i ? 0 : -8);
		assert_int_equal(n, i ? 0 : 1);
		value_of(c, 0, 6, &n);
		assert_int_equal(n, 1);
	}
	for (int i = 0; i < 2; i++)
		harness_free(&counts[i].run);
}

static const struct expr_measure only_count[] = { { EXPR_COUNT } };

/* Bits of a register above the value are not part of the key. */
static void test_key_numbers(void **state)
{
	static const char *const keys[] = { "small", "count:x16", "count:b3@1/8", "$pid", "$tid" };
	static struct count c;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, only_count, 1, keys, COUNT(keys));
		c.run.args[1] = 0x1234567800000005;
		c.run.args[2] = 0xabcd00000000000f;
		count_run(&c);
		c.run.args[1] = 0x0000999900000005;
		c.run.args[2] = 0x111100000003000f;
		count_run(&c);
		assert_int_equal(counts_of(&c)->count, 1);
		assert_int_equal(words_of(&c, 0)[0], 2);
		c.run.args[1] = 6;
		count_run(&c);
		assert_int_equal(counts_of(&c)->count, 2);
		harness_free(&c.run);
	}
}

/* Text in memory after a NUL, or left in the scratch, does not distinguish keys. */
static void test_key_strings(void **state)
{
	static const char *const keys[] = { "thing->text", "thing->array", "$comm" };
	static const char *const texts[] = {
		"",
		"a",
		"eight by",
		"sixteen bytes of",
		"sixteen bytes of1",
		"a string of more than the fortyeight bytes that are fast, it is long",
	};
	static struct count c;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		for (size_t i = 0; i < COUNT(texts); i++) {
			count_init(&c, kernel, only_count, 1, keys, COUNT(keys));
			for (int fill = 0; fill < 4; fill++) {
				memset(c.text, "\1zq\xff"[fill], sizeof(c.text));
				memset(c.things[0].array, "\2zq\xff"[fill], 16);
				memset(c.task + 16, "\3zq\xff"[fill], 16);
				vm_map_fill(&c.run.vm, EXPR_MAP_SCRATCH, "\4zq\xff"[fill]);
				strcpy(c.text, texts[i]);
				snprintf(c.things[0].array, 16, "%s", texts[i]);
				snprintf((char *)c.task + 16, 16, "%s", texts[i]);
				count_run(&c);
			}
			if (counts_of(&c)->count != 1)
				fail_msg("kernel %d: '%s' is %u keys", kernel, texts[i],
					 counts_of(&c)->count);
			assert_int_equal(words_of(&c, 0)[0], 4);
			harness_free(&c.run);
		}
	}
}

static void test_key_null(void **state)
{
	static const char *const keys[] = { "thing->next->text" };
	static struct count c;
	struct value v;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, only_count, 1, keys, 1);
		count_run(&c);
		vm_map_fill(&c.run.vm, EXPR_MAP_SCRATCH, 0x77);
		count_run(&c);
		assert_int_equal(counts_of(&c)->count, 1);
		assert_int_equal(field_load(&expr_schema(c.run.program)->fields[0],
					    counts_of(&c)->keys, counts_of(&c)->asked->key_size,
					    &v),
				 0);
		assert_int_equal(v.status, EVENT_NULL);
		harness_free(&c.run);
	}
}

static void test_full(void **state)
{
	static const char *const keys[] = { "number" };
	static struct count c;

	(void)state;
	count_init(&c, 0, only_count, 1, keys, 1);
	for (int i = 0; i < 30; i++) {
		c.run.args[3] = i % 6;
		count_run(&c);
	}
	assert_int_equal(counts_of(&c)->count, 4);
	assert_int_equal(words_of(&c, 3)[0], 5);
	assert_int_equal(vm_loss(&c.run.vm, LOSS_KEYS_FULL), 10);
	harness_free(&c.run);
}

/* The last word of one of the places for a key that a user probe's program has on a CPU. */
static uint64_t *claim_of(struct count *c, unsigned i)
{
	const struct vm_map *map = vm_map_of(&c->run.vm, EXPR_MAP_CLAIMED);

	assert_true(i < map->room);
	return (uint64_t *)(map->values + i * map->stride + map->asked->value_size - 8);
}

/* A user probe's programs that were preempted hold on to their keys; those that run meanwhile have others. */
static void test_preempted(void **state)
{
	static const char *const keys[] = { "thing->text" };
	static struct count c;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, only_count, 1, keys, 1);
		harness_free(&c.run);
		c.run.in.site.in_user = true;
		c.run.in.target.preempt_disable_id = 0;
		assert_true(harness_compile(&c.run, keys, 1));
		strcpy(c.text, "key");
		for (unsigned held = 0; held < 4; held++) {
			count_run(&c);
			assert_int_equal(words_of(&c, 0)[0], held + 1);
			assert_int_equal(*claim_of(&c, held), 0);
			*claim_of(&c, held) = 1;
		}
		count_run(&c);
		assert_int_equal(words_of(&c, 0)[0], 4);
		assert_int_equal(vm_loss(&c.run.vm, LOSS_RECURSION), 1);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(*claim_of(&c, i), 1);
		assert_int_equal(counts_of(&c)->count, 1);
		harness_free(&c.run);
	}
}

/* Another thread stores a larger value between the load of a largest one and its store: that stays. */
static void test_preempted_largest(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_MAX, "count" } };
	static struct count c;
	const struct bpf_insn *i;
	uint64_t n, *word;
	size_t pc = 0, tries = 0;

	(void)state;
	count_init(&c, 1, measures, 1, NULL, 0);
	harness_free(&c.run);
	c.run.in.site.in_user = true;
	c.run.in.target.preempt_disable_id = 0;
	assert_true(harness_compile(&c.run, NULL, 0));
	c.run.args[2] = 7;
	harness_context(&c.run, false);
	vm_begin(&c.run.vm);
	word = (uint64_t *)words_of(&c, 0) + result_of(&c, 0)->word;
	do {
		i = &c.run.vm.code.insns[pc];
		if (i->code == (BPF_STX | BPF_ATOMIC | BPF_DW) && i->imm == BPF_CMPXCHG)
			*word = ++tries == 1 ? 5 : 9;
	} while (vm_next(&c.run.vm, &c.run.vm.code, &pc));
	assert_string_equal(c.run.vm.trouble, "");
	assert_int_equal(tries, 2);
	assert_int_equal(value_of(&c, 0, 0, &n), 9);
	harness_free(&c.run);
}

/* A string that is compared with a pattern has a buffer of its own: those in use are another's. */
static void test_preempted_pattern(void **state)
{
	static const char *const texts[] = { "thing->text ~ \"*ke*y*\"" };
	static struct count c;

	(void)state;
	for (int kernel = 0; kernel < 2 /* not under lockdown */; kernel++) {
		const struct vm_map *map;

		count_init(&c, kernel, only_count, 1, texts, 1);
		strcpy(c.text, "a key");
		map = vm_map_of(&c.run.vm, EXPR_MAP_TEXT);
		assert_non_null(map);
		for (unsigned held = 0; held < EXPR_TEXTS; held++) {
			uint64_t *claim = (uint64_t *)(map->values + held * map->stride +
						       EXPR_TEXT_SIZE);

			strcpy((char *)map->values + held * map->stride, "another's");
			count_run(&c);
			assert_int_equal(words_of(&c, 0)[0], held + 1);
			assert_int_equal(*claim, 0);
			strcpy((char *)map->values + held * map->stride, "another's");
			*claim = 1;
		}
		assert_string_equal((char *)map->values, "another's");
		count_run(&c); /* a key of its own: unknown */
		assert_int_equal(vm_loss(&c.run.vm, LOSS_FAULT), 1);
		assert_int_equal(words_of(&c, 0)[0], EXPR_TEXTS);
		harness_free(&c.run);
	}
}

/* Bytes after a socket's address do not distinguish rows; its port does. */
static const struct field address = { .name = "to", .type = FIELD_SOCKADDR, .size = 32 };
static const struct schema address_key = { .fields = &address, .count = 1, .record_min = 32 };

static const struct schema *const address_keys[] = { &address_key };

static void test_merge(void **state)
{
	static const struct expr_result results[] = {
		{ .kind = EXPR_COUNT },
		{ .kind = EXPR_MAX, .word = 1, .words = 1 },
	};
	static const struct expr_table table = {
		.key_size = 32, .words = 2, .results = results, .count = 2
	};
	struct aggregate a = { .table = &table, .key_schemas = address_keys, .programs = 1 };
	static struct row {
		uint8_t key[32];
		uint64_t words[2];
	} all[] = {
		{ { 2, 0, 0, 80, 127, 0, 0, 1, [20] = 9 }, { 3, 7 } },
		{ { 2, 0, 0, 81, 127, 0, 0, 1, [20] = 9 }, { 5, 1 } },
		{ { 2, 0, 0, 80, 127, 0, 0, 1, [31] = 8 }, { 4, 6 } },
		{ { 2, 0, 0, 80, 127, 0, 0, 1 }, { 1, 9 } },
	};
	struct aggregate_rows rows = { (char *)all, sizeof(all[0]), 4 };

	(void)state;
	assert_int_equal(aggregate_merge(&a, &rows), 0);
	assert_int_equal(rows.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct row *r = row_key(&rows, i);

		assert_int_equal(r->words[0], r->key[3] == 80 ? 8 : 5);
		assert_int_equal(r->words[1], r->key[3] == 80 ? 9 : 1);
	}
}

/* Two probes counted by the same key: one row, unless a column shows the probe. */
static const struct field number_key_field = {
	.name = "n", .type = FIELD_UINT, .offset = 8, .size = 8
};
static const struct schema number_key = { .fields = &number_key_field,
					  .count = 1,
					  .record_min = 16 };

static void test_merge_probes(void **state)
{
	static const struct expr_result count = { .kind = EXPR_COUNT };
	static const struct expr_table table = {
		.has_source = true, .key_size = 16, .words = 1, .results = &count, .count = 1
	};
	static const struct schema *const keys[] = { &number_key, &number_key };
	static const uint64_t counted[4][3] = { { 0, 77, 3 },
						{ 1ull << 32 | 1, 77, 4 },
						{ 1ull << 32 | 1, 78, 5 },
						{ 2ull << 32, 77, 6 } };
	struct aggregate a = { .table = &table, .key_schemas = keys, .programs = 2 };
	uint64_t all[4][3];
	struct aggregate_rows rows = { (char *)all, sizeof(all[0]), 4 };

	(void)state;
	memcpy(all, counted, sizeof(all));
	assert_int_equal(aggregate_merge(&a, &rows), 0);
	assert_int_equal(rows.count, 4);
	a.source = AGGREGATE_SOURCE_NONE;
	assert_int_equal(aggregate_merge(&a, &rows), 0);
	assert_int_equal(rows.count, 2);
	assert_int_equal(all[0][1] + all[1][1], 77 + 78);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(all[i][2], all[i][1] == 77 ? 13 : 5);
}

/* ---- what has not ended ---- */

/* The words that a value gives are the same, whether the program or user space computes them. */
static void test_kept_words(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_COUNT },
		{ EXPR_SUM, "number" },
		{ EXPR_AVG, "number" },
		{ EXPR_MIN, "number" },
		{ EXPR_MAX, "number" },
		{ EXPR_HIST, "number" },
		{ EXPR_LHIST, "number", -10, 11, 4 },
		{ EXPR_MIN, "count" },
		{ EXPR_MAX, "count" },
		{ EXPR_HIST, "count" },
		{ EXPR_LHIST, "count", 3, 50, 7 },
	};
	static const int64_t values[] = { 0,  1,  2,  3,   9,	10,	   11,	      49,	50,
					  51, -1, -9, -10, -11, INT64_MAX, INT64_MIN, 1ll << 40 };
	static struct count c;
	static uint64_t words[1000];
	uint64_t record[64];

	(void)state;
	for (size_t i = 0; i < COUNT(values); i++) {
		const struct expr_program *p;

		count_init(&c, 1, measures, COUNT(measures), NULL, 0);
		p = c.run.program;
		assert_true(p->table.words <= COUNT(words) && p->record.size <= sizeof(record));
		c.run.args[2] = c.run.args[3] = values[i];
		count_run(&c);
		for (size_t s = 0; s < p->slot_count; s++)
			memcpy((char *)record + p->slots[s].place.offset, &values[i], 8);
		memset(words, 0, sizeof(words));
		expr_kept_words(p, measures, record, words);
		assert_memory_equal(words, words_of(&c, 0), p->table.words * 8);
		harness_free(&c.run);
	}
}

struct open_row {
	uint64_t key, words[2];
};

static void test_unite(void **state)
{
	static const struct expr_result results[] = { { .kind = EXPR_MAX, .word = 1, .words = 1 } };
	const struct expr_table table = {
		.key_size = 8, .words = 2, .results = results, .count = 1
	};
	const struct aggregate a = { .table = &table };
	struct open_row all[] = { { 5, { 1, 9 } }, { 3, { 1, 2 } }, { 5, { 1, 40 } },
				  { 4, { 1, 1 } }, { 3, { 1, 1 } }, { 5, { 1, 7 } } };
	const struct open_row want[] = { { 3, { 2, 2 } }, { 4, { 1, 1 } }, { 5, { 3, 40 } } };
	struct aggregate_rows rows = { (char *)all, sizeof(all[0]), COUNT(all) };

	(void)state;
	aggregate_rows_merge_equal(&a, &rows);
	assert_int_equal(rows.count, 3);
	assert_memory_equal(all, want, sizeof(want));
	rows.count = 0;
	aggregate_rows_merge_equal(&a, &rows);
	assert_int_equal(rows.count, 0);
}

/* ---- stacks ---- */

static const uint64_t *key_words(struct count *c, unsigned entry)
{
	const struct vm_map *counts = counts_of(c);

	return (const uint64_t *)(counts->keys + entry * counts->asked->key_size);
}

static void frames_set(struct count *c, const uint64_t *frames, size_t count)
{
	memset(c->run.vm.frames, 0, sizeof(c->run.vm.frames));
	memcpy(c->run.vm.frames, frames, count * sizeof(*frames));
}

/* Two stacks that begin alike are two keys, and each is kept once. */
static void test_stacks(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_COUNT } };
	static const char *const keys[] = { "$kstack", "$ustack" };
	static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020, 0x4000 };
	static struct count c;
	struct vm_map *kept;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, measures, 1, keys, 2);
		vm_map_fill(&c.run.vm, EXPR_MAP_STACK, 0xcc);
		for (int i = 0; i < 10; i++) {
			frames_set(&c, frames, i % 3 ? 2 : 3);
			count_run(&c);
		}
		kept = vm_map_of(&c.run.vm, EXPR_MAP_STACKS);
		assert_int_equal(counts_of(&c)->count, 2);
		assert_int_equal(kept->count, 4); /* of the kernel, and of process 42 */
		assert_int_equal(c.run.vm.pushed, 2);
		assert_int_equal(words_of(&c, 0)[0], 4);
		assert_int_equal(words_of(&c, 1)[0], 6);
		assert_int_equal(key_words(&c, 0)[2], 42);
		assert_int_not_equal(key_words(&c, 0)[0], key_words(&c, 1)[0]);
		assert_memory_equal(kept->values + sizeof(struct event_stack), frames, 24);
		harness_free(&c.run);
	}
}

/* After an exec the same addresses are those of another program. */
static void test_stacks_exec(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_COUNT } };
	static const char *const keys[] = { "$ustack" };
	static struct count c;

	(void)state;
	for (int kernel = 0; kernel < KERNELS; kernel++) {
		count_init(&c, kernel, measures, 1, keys, 1);
		frames_set(&c, (uint64_t[]){ 0x4000, 0x5000 }, 2);
		for (uint32_t i = 0; i < 6; i++) {
			memcpy(c.task + 40, (uint32_t[]){ i / 3 }, 4);
			count_run(&c);
		}
		assert_int_equal(counts_of(&c)->count, 2);
		assert_int_equal(words_of(&c, 0)[0], 3);
		assert_int_equal(key_words(&c, 1)[1], 1ull << 32 | 42);
		harness_free(&c.run);
	}
}

/* A stack that cannot be stored or captured is counted as a call without a stack. */
static void test_stacks_full(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_COUNT } };
	static const char *const keys[] = { "$kstack" };
	static struct count c;

	(void)state;
	count_init(&c, 1, measures, 1, keys, 1);
	vm_map_of(&c.run.vm, EXPR_MAP_STACKS)->room = 1;
	for (uint64_t i = 1; i <= 4; i++) {
		frames_set(&c, (uint64_t[]){ i > 1 ? i : 1 }, 1);
		count_run(&c);
	}
	assert_int_equal(counts_of(&c)->count, 2);
	assert_int_equal(key_words(&c, 1)[0], STACK_LOST);
	assert_int_equal(words_of(&c, 1)[0], 3);
	assert_int_equal(vm_loss(&c.run.vm, LOSS_STACKS_FULL), 3);
	c.run.vm.stack_fails = true;
	count_run(&c);
	assert_int_equal(key_words(&c, 2)[0], STACK_FAULT);
	assert_int_equal(vm_loss(&c.run.vm, LOSS_FAULT), 1);
	harness_free(&c.run);
}

/* As many frames as fit, and none. */
static void test_stacks_ends(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_COUNT } };
	static const char *const keys[] = { "$kstack" };
	static struct count c;

	(void)state;
	count_init(&c, 0, measures, 1, keys, 1);
	count_run(&c);
	memset(c.run.vm.frames, 0x11, sizeof(c.run.vm.frames));
	count_run(&c);
	count_run(&c);
	assert_int_equal(counts_of(&c)->count, 2);
	assert_int_equal(words_of(&c, 1)[0], 2);
	harness_free(&c.run);
}

/* A slot for each processor, a cache line from the next, in the values of a plain hash; without keys, or where the
 * values would be too large, the map is per CPU. */
static void test_slots(void **state)
{
	static const struct expr_measure count[] = { { EXPR_COUNT } },
					 large[] = { { EXPR_PCT, "count" } };
	static const char *const keys[] = { "count" };
	static struct count c;

	(void)state;
	for (cpus = 1; cpus <= VM_CPU + 1; cpus += VM_CPU) {
		unsigned here = cpus == 1 ? 0 : VM_CPU * EXPR_SLOT / 8;

		for (int kernel = 0; kernel < KERNELS; kernel++) {
			count_init(&c, kernel, count, 1, keys, 1);
			c.run.args[2] = 3;
			count_run(&c);
			count_run(&c);
			assert_int_equal(counts_of(&c)->count, 1);
			assert_int_equal(counts_of(&c)->asked->type, BPF_MAP_TYPE_HASH);
			assert_int_equal(counts_of(&c)->stride, cpus == 1 ? 8 : cpus * EXPR_SLOT);
			assert_int_equal(words_of(&c, 0)[here], 2);
			for (unsigned i = 0; i < counts_of(&c)->stride / 8; i++)
				assert_int_equal(words_of(&c, 0)[i], i == here ? 2 : 0);
			harness_free(&c.run);
		}
	}
	count_init(&c, 0, large, 1, keys, 1);
	assert_int_equal(counts_of(&c)->asked->type, BPF_MAP_TYPE_PERCPU_HASH);
	harness_free(&c.run);
	count_init(&c, 0, count, 1, NULL, 0);
	assert_int_equal(counts_of(&c)->asked->type, BPF_MAP_TYPE_PERCPU_ARRAY);
	harness_free(&c.run);
	cpus = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_hist),
		cmocka_unit_test(test_lhist),
		cmocka_unit_test(test_key_numbers),
		cmocka_unit_test(test_key_strings),
		cmocka_unit_test(test_key_null),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_preempted_largest),
		cmocka_unit_test(test_preempted_pattern),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_merge_probes),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_stacks_full),
		cmocka_unit_test(test_stacks_ends),
		cmocka_unit_test(test_kept_words),
		cmocka_unit_test(test_unite),
		cmocka_unit_test(test_stacks_exec),
		cmocka_unit_test(test_pct),
		cmocka_unit_test(test_slots),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
