/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call_run.h - calls of a traced function on the simulated machine, for the tests of programs that see both
 * sides: enters and leaves, reads the record of both, and looks at what is kept in between.
 */
#ifndef CORETAP_CALL_RUN_H
#define CORETAP_CALL_RUN_H

#include <stddef.h>

#include "unit.h"
#include "btf_build.h"
#include "../lib/harness.h"
#include "../lib/targets.h"
#include "../lib/vm_maps.h"
#include "output/field/value.h"

struct thing {
	uint64_t text;
	int32_t number, pad;
	char name[200];
};

#define THING_AT 0xffff888010000000ull
#define TEXT_AT	 0xffff888010001000ull
#define STACK_AT 0xffffc90000100000ull /* where a traced function's return address lies */

static struct btf_build build;
static struct btf_view *btf;
static uint32_t func_id, void_id;
static struct thing thing;
static char text[64];

static inline int setup(void **state)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t char_id = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t string = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t array = build_array(&build, char_id, 200);
	uint32_t thing_id, pointer;

	build_regs(&build, u64_id);
	thing_id = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
				(struct build_part[]){ { "text", string, 0, 0 },
						       { "number", int_id, 64, 0 },
						       { "name", array, 128, 0 } },
				3);
	pointer = build_ref(&build, BTF_KIND_PTR, "", thing_id);
	func_id = build_func(
		&build, "probe", int_id,
		(struct build_part[]){ { "thing", pointer, 0, 0 }, { "count", int_id, 0, 0 } }, 2);
	void_id = build_func(&build, "silent", 0, &(struct build_part){ "count", int_id, 0, 0 }, 1);
	return built_open(&build, &btf, state);
}

/* ---- ways ---- */

static const struct way {
	const char *target;
	bool session;
} ways[] = {
	{ "6.18", false },	 { "6.18,untyped", false },	 { "6.18", true },
	{ "6.18,kprobe", true }, { "6.18,kprobe", false },	 { "6.18,kprobe,untyped", false },
	{ "6.18,arm64", false }, { "6.18,kprobe,arm64", false },
};

static inline void run_init(struct harness *r, const struct way *way)
{
	struct expr_target target = target_of(btf, way->target);

	harness_init(r, btf, func_id, &target);
	r->in.scope = EXPR_SCOPE_CALL;
	r->in.session = way->session;
	r->args[0] = THING_AT;
	memset(&thing, 0, sizeof(thing));
	thing.text = TEXT_AT;
	thing.number = 7;
	strcpy(text, "before");
	vm_region_add(&r->vm, THING_AT, &thing, sizeof(thing));
	vm_region_add(&r->vm, TEXT_AT, text, sizeof(text));
	r->vm.pid_tgid = 42ull << 32 | 43;
	r->vm.now = 1000;
}

static inline void run_compile(struct harness *r, const char *const *texts, size_t count)
{
	assert_true(harness_compile(r, texts, count));
}

static inline void context_fill(struct harness *r, bool at_return, uint64_t stack, int count,
				uint64_t returned)
{
	r->stack = stack;
	r->args[1] = 0xdeadbeef00000000ull | (uint32_t)count;
	r->vm.returned = returned;
	harness_context(r, at_return);
}

/* Does the kernel look at the return at all? */
static inline bool enter(struct harness *r, uint64_t stack, int count)
{
	size_t size = r->vm.code.count;

	context_fill(r, false, stack, count, 0);
	if (r->in.session)
		r->vm.cookie = 0;
	if (size)
		assert_true(harness_run(r, &r->vm.code));
	return !size || !(r->in.session && r->in.target.method == EXPR_CTX_KPROBE) || !r->vm.reg[0];
}

static inline void leave(struct harness *r, uint64_t stack, int count, uint64_t returned)
{
	context_fill(r, true, stack, count, returned);
	r->vm.submitted = false;
	r->vm.record_size = 0;
	memset(r->vm.written, 0, sizeof(r->vm.written));
	assert_true(harness_run(r, r->in.session ? &r->vm.code : &r->vm.code_return));
}

static inline struct value value_of(struct harness *r, const char *name)
{
	const struct schema *schema = expr_schema(r->program);
	struct value v = {};

	assert_true(r->vm.submitted);
	assert_int_equal(r->vm.record_size, expr_record_size(r->program));
	for (size_t i = 0; i < schema->count; i++) {
		if (strcmp(schema->fields[i].name, name))
			continue;
		assert_int_equal(
			field_load(&schema->fields[i], r->vm.record, r->vm.record_size, &v), 0);
		return v;
	}
	fail_msg("no field %s", name);
	return v;
}

#define assert_value(r_, name_, want_) assert_int_equal((int64_t)value_of(r_, name_).u, want_)
#define assert_text(r_, name_, want_)                                                              \
	do {                                                                                       \
		struct value v_ = value_of(r_, name_);                                             \
		assert_int_equal(v_.len, strlen(want_));                                           \
		assert_memory_equal(v_.bytes, want_, v_.len);                                      \
	} while (0)

static inline unsigned kept_in_hash(struct harness *r)
{
	const struct vm_map *calls = vm_map_of(&r->vm, EXPR_MAP_CALLS);

	return calls ? calls->count : 0;
}

/* Bytes of the array of places; 0: the program keeps nothing there. */
static inline uint32_t places_size(struct harness *r)
{
	const struct vm_map *places = vm_map_of(&r->vm, EXPR_MAP_PLACES);

	return places ? places->asked->value_size : 0;
}

static inline uint32_t place_size(struct harness *r)
{
	const struct vm_map *calls = vm_map_of(&r->vm, EXPR_MAP_CALLS);
	uint32_t size = 32;

	while (calls && size < calls->asked->value_size)
		size *= 2;
	return size;
}

static inline uint64_t place_word(struct harness *r, uint32_t at)
{
	uint64_t word;

	memcpy(&word, vm_map_of(&r->vm, EXPR_MAP_PLACES)->values + at, sizeof(word));
	return word;
}

/* Of the places, the word of who wants them: taken, and from bit 32 on how many are in the hash. */
static inline uint64_t places_wanted(struct harness *r)
{
	uint64_t sum = 0;

	for (uint32_t at = 0; at < places_size(r); at += place_size(r))
		sum += place_word(r, at + 16);
	return sum;
}

/* Both tell the same: keys, and who is counted. */
static inline unsigned kept(struct harness *r)
{
	unsigned in_hash = kept_in_hash(r), count = 0;

	for (uint32_t at = 0; at < places_size(r); at += place_size(r))
		count += place_word(r, at + 24) != 0;
	if (places_size(r) > place_size(r)) /* one: there is no more than a blank */
		assert_int_equal(places_wanted(r), count + ((uint64_t)in_hash << 32));
	return count + in_hash;
}

#endif
