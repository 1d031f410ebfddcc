/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_unwind.c - stacks made here, on both architectures: by unwind tables and by frame pointers,
 * what ends them, and stacks that lead nowhere. Then the same out of a record.
 */
#include <errno.h>
#include <string.h>

#include "output/field/stack.h"
#include "output/field/value.h"
#include "symbols/user/cfi.h"
#include "symbols/user/unwind.h"
#include "symbols/user/usyms.h"
#include "event.h"
#include "cfi_sample.h"
#include "unit.h"

enum { STACK = 0x7ff000, WORDS = 80, MOST = 16 };

/* Functions of 0x100 bytes, from 0x1000 on. */
enum { PUSHES = 0x1000, LEAF = 0x1100, OUTERMOST = 0x1200, SIGNAL = 0x1300, NO_TABLE = 0x1400 };

static uint64_t registers[ARCH_REGISTERS_MAX], stack[WORDS];
static struct unwind_frame frames[MOST];
static struct cfi *tables[ARCH_COUNT];
static enum unwind_end end;

/* ---- tables ---- */

/* On x86-64 the frame's address is sp + 8, and the return address is below it; on arm64 it is sp, and
 * the return address in x30. */
static struct cfi *table_make(enum arch_id arch)
{
	static const uint8_t x86[] = { CFI_SAMPLE_X86 };
	static const uint8_t arm[] = { 1, 0x78, 30, 1, 0x1b, 0x0c, 31, 0 };
	/* bx, or the link and x19, are saved in a frame of 32 bytes */
	static const uint8_t x86_pushes[] = { 0x0e, 32, 0x83, 2 };
	static const uint8_t arm_pushes[] = { 0x2d, 0x0e, 32, 0x9e, 3, 0x93, 2 };
	static const uint8_t last[] = { 0x07, 16 }, arm_last[] = { 0x07, 30 };
	/* all is where the stack pointer points: pc, sp */
	static const uint8_t by_signal[] = { 0x0f, 3, 0x77, 8, 0x06, 0x10, 16, 2, 0x77, 0 };
	bool is_arm = arch == ARCH_ARM64;
	struct cfi_sample s = { .size = 0 };
	size_t common = is_arm ? sample_common(&s, "zR", arm, sizeof(arm)) :
				 sample_common(&s, "zR", x86, sizeof(x86));
	struct cfi *cfi;

	if (is_arm)
		sample_function(&s, common, PUSHES, arm_pushes, sizeof(arm_pushes));
	else
		sample_function(&s, common, PUSHES, x86_pushes, sizeof(x86_pushes));
	sample_function(&s, common, LEAF, "", 1);
	sample_function(&s, common, OUTERMOST, is_arm ? arm_last : last, sizeof(last));
	if (!is_arm) {
		common = sample_common(&s, "zRS", x86, sizeof(x86));
		sample_function(&s, common, SIGNAL - 1, by_signal, sizeof(by_signal));
	}
	assert_int_equal(cfi_read(sample_copy(&s), s.size, 0, false, &cfi), 0);
	return cfi;
}

static const struct cfi *table_find(void *ctx, uint64_t address, uint64_t *in_file)
{
	*in_file = address;
	return address < NO_TABLE ? ctx : NULL;
}

/* ---- a thread ---- */

static void thread_set(enum arch_id arch, uint64_t pc)
{
	const struct arch *a = &arches[arch];

	memset(registers, 0, sizeof(registers));
	memset(stack, 0, sizeof(stack));
	registers[a->ip] = pc;
	registers[a->sp] = STACK;
	registers[a->mode] |= a->user_mode.value;
}

static size_t frames_find(enum arch_id arch, size_t words)
{
	const struct unwind_input in = { .arch = &arches[arch],
					 .registers = registers,
					 .stack = stack,
					 .stack_size = words * 8,
					 .find = table_find,
					 .ctx = tables[arch] };

	return unwind(&in, frames, MOST, &end);
}

static void expect(size_t count, const uint64_t *addresses, size_t have, enum unwind_end why)
{
	assert_int_equal(count, have);
	for (size_t i = 0; i < have; i++)
		assert_int_equal(frames[i].address, addresses[i]);
	assert_int_equal(end, why);
}

#define EXPECT(count, why, ...)                                                                    \
	expect(count, (const uint64_t[]){ __VA_ARGS__ },                                           \
	       sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8, why)

static void test_x86(void **state)
{
	(void)state;
	thread_set(ARCH_X86_64, LEAF);
	stack[0] = PUSHES + 9; /* frames of 8 and of 32 bytes */
	stack[4] = PUSHES + 5;
	stack[8] = OUTERMOST + 1;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_END, LEAF, PUSHES + 9, PUSHES + 5,
	       OUTERMOST + 1);
	assert_true(frames[0].is_exact);
	assert_false(frames[1].is_exact);
	EXPECT(frames_find(ARCH_X86_64, 8), UNWIND_COPY, LEAF, PUSHES + 9, PUSHES + 5);
	EXPECT(frames_find(ARCH_X86_64, 0), UNWIND_COPY, LEAF);
	/* a call as the last instruction: its return address is the next function's */
	stack[0] = LEAF;
	stack[4] = 0;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_END, LEAF, LEAF);
}

static void test_arm64(void **state)
{
	(void)state;
	thread_set(ARCH_ARM64, LEAF);
	registers[30] = PUSHES + 9;
	stack[1] = 0x00aa000000000000 | (PUSHES + 5); /* signed; 24 below the frame's address */
	stack[5] = OUTERMOST + 4;
	EXPECT(frames_find(ARCH_ARM64, WORDS), UNWIND_END, LEAF, PUSHES + 9, PUSHES + 5,
	       OUTERMOST + 4);
	EXPECT(frames_find(ARCH_ARM64, 5), UNWIND_COPY, LEAF, PUSHES + 9, PUSHES + 5);
}

/* What was interrupted may have been at the first byte of a function, and what its handler returns
 * to is the first byte of the trampoline. */
static void test_signal(void **state)
{
	(void)state;
	thread_set(ARCH_X86_64, LEAF);
	stack[0] = SIGNAL;
	stack[1] = PUSHES;
	stack[2] = STACK + 80;
	stack[13] = OUTERMOST + 1;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_END, LEAF, SIGNAL, PUSHES, OUTERMOST + 1);
	assert_true(frames[1].is_exact && frames[2].is_exact && !frames[3].is_exact);
	stack[2] = 0x123456789000;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_AWAY, LEAF, SIGNAL, PUSHES);
}

/* arm64's trampoline has no row. What the kernel saved is told by the frame record that it made of it; without, there is
 * the record alone. */
static void test_signal_arm64(void **state)
{
	const size_t saved = arches[ARCH_ARM64].frames.signal_registers / 8;

	(void)state;
	thread_set(ARCH_ARM64, LEAF);
	registers[30] = NO_TABLE;
	registers[29] = STACK + 76 * 8;
	stack[saved + 29] = stack[76] = 4711;
	stack[saved + arches[ARCH_ARM64].sp] = STACK + 78 * 8;
	stack[saved + arches[ARCH_ARM64].ip] = PUSHES;
	stack[saved + 30] = stack[77] = PUSHES + 4; /* of a call that has returned */
	stack[79] = OUTERMOST + 4;
	EXPECT(frames_find(ARCH_ARM64, WORDS), UNWIND_END, LEAF, NO_TABLE, PUSHES, OUTERMOST + 4);
	assert_true(frames[1].is_exact && frames[2].is_exact && !frames[3].is_exact);
	stack[77] = PUSHES + 8;
	EXPECT(frames_find(ARCH_ARM64, WORDS), UNWIND_END, LEAF, NO_TABLE, PUSHES + 8,
	       OUTERMOST + 4);
	assert_true(!frames[1].is_exact && !frames[2].is_exact);
	stack[77] = PUSHES + 4;
	stack[saved + arches[ARCH_ARM64].sp] = 0x123456789000;
	EXPECT(frames_find(ARCH_ARM64, WORDS), UNWIND_AWAY, LEAF, NO_TABLE, PUSHES);
}

static void test_frame_pointers(void **state)
{
	const struct arch *x86 = &arches[ARCH_X86_64];

	(void)state;
	thread_set(ARCH_X86_64, NO_TABLE);
	registers[x86->dwarf[x86->frames.fp]] = STACK + 16;
	stack[2] = STACK + 40;
	stack[3] = NO_TABLE + 100;
	stack[5] = 0;
	stack[6] = PUSHES + 5; /* … and on by its table: 32 bytes from here */
	stack[10] = OUTERMOST + 1;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_END, NO_TABLE, NO_TABLE + 100, PUSHES + 5,
	       OUTERMOST + 1);
}

/* The same, without what follows. */
static void test_frame_pointers_end(void **state)
{
	const struct arch *x86 = &arches[ARCH_X86_64];
	uint64_t *bp = &registers[x86->dwarf[x86->frames.fp]];

	(void)state;
	thread_set(ARCH_X86_64, NO_TABLE);
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, NO_TABLE);
	*bp = STACK - 8; /* below the stack pointer */
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, NO_TABLE);
	*bp = STACK + 3;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, NO_TABLE);
	*bp = STACK + 16;
	stack[3] = 14; /* no code */
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, NO_TABLE);
	stack[2] = STACK + 16; /* itself: it is below the stack pointer then */
	stack[3] = NO_TABLE;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, NO_TABLE, NO_TABLE);
}

static void test_modes(void **state)
{
	const struct arch *x86 = &arches[ARCH_X86_64], *arm = &arches[ARCH_ARM64];

	(void)state;
	thread_set(ARCH_X86_64, LEAF);
	registers[x86->mode] = 0x10; /* the kernel */
	assert_int_equal(frames_find(ARCH_X86_64, WORDS), 0);
	registers[x86->mode] = 0x33;
	stack[0] = OUTERMOST + 1;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_END, LEAF, OUTERMOST + 1);
	registers[x86->mode] = 0x23;
	EXPECT(frames_find(ARCH_X86_64, WORDS), UNWIND_UNKNOWN, LEAF);
	thread_set(ARCH_ARM64, LEAF);
	registers[arm->mode] = 0x60000005; /* EL1h */
	assert_int_equal(frames_find(ARCH_ARM64, WORDS), 0);
	registers[arm->mode] = 0x60000010;
	EXPECT(frames_find(ARCH_ARM64, WORDS), UNWIND_UNKNOWN, LEAF);
}

/* Any registers and stack: it ends, and stays inside. */
static void test_random(void **state)
{
	uint64_t seed = 7;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		enum arch_id arch = i % ARCH_COUNT;

		thread_set(arch, PUSHES + random_next(&seed) % 0x500);
		for (size_t j = 0; j < WORDS; j++)
			stack[j] = random_next(&seed) % 2 ? PUSHES + random_next(&seed) % 0x500 :
							    STACK + random_next(&seed) % 600;
		for (size_t j = 0; j < CFI_REGISTERS; j++)
			if (arches[arch].dwarf[j] == arches[arch].ip ||
			    arches[arch].dwarf[j] == ARCH_NO_REGISTER)
				break;
			else if (j != arches[arch].frames.sp)
				registers[arches[arch].dwarf[j]] = stack[j];
		assert_in_range(frames_find(arch, WORDS), 1, MOST);
	}
}

/* ---- out of a record ---- */

struct record {
	struct event_header head;
	struct event_user_copy copy;
	uint64_t words[ARCH_REGISTERS_MAX + 8]; /* registers, and right behind them the stack */
};

static void test_record(void **state)
{
	const struct arch *a = &arches[ARCH_NATIVE];
	const size_t size = offsetof(struct record, words[a->sample_registers + 8]);
	const struct field f = { .name = "user_stack",
				 .type = FIELD_USER_STACK,
				 .kind = &stack_copy_kind,
				 .offset = offsetof(struct record, copy),
				 .size = size - sizeof(struct event_header) };
	struct record r = { .head.pid = 0, .copy.size = 64 };
	struct value v;
	struct buf o;

	(void)state;
	if (a->frames.fp == ARCH_NO_REGISTER) {
		print_message("frames of this processor have no frame pointer\n");
		skip();
	}
	buf_init(&o, -1);
	assert_int_equal(field_load(&f, &r, size, &v), 0);
	stack_write_lines(&o, &f, &v); /* zeros: not user space's */
	assert_string_equal(taken(&o), "");
	stack_write_json(&o, &f, &v);
	assert_string_equal(taken(&o), "[]");
	r.words[a->ip] = 0x401000;
	r.words[a->sp] = STACK;
	r.words[a->mode] |= a->user_mode.value;
	r.words[a->dwarf[a->frames.fp]] = STACK + 8 - a->frames.record;
	r.words[a->sample_registers + 2] = 0x402000;
	assert_int_equal(field_load(&f, &r, size, &v), 0);
	stack_write_lines(&o, &f, &v);
	assert_string_equal(taken(&o),
			    "    0x401000\n    0x402000\n"
			    "    <cut: no unwind table for this code, nor a frame pointer>\n");
	stack_write_json(&o, &f, &v);
	assert_string_equal(taken(&o),
			    "[\"0x401000\",\"0x402000\","
			    "\"<cut: no unwind table for this code, nor a frame pointer>\"]");
	r.copy.size = 72;
	assert_int_equal(field_load(&f, &r, size, &v), -EBADMSG);
	buf_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_signal_arm64),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_frame_pointers_end),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_record),
	};
	int failed;

	for (int i = 0; i < ARCH_COUNT; i++)
		tables[i] = table_make(i);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	for (int i = 0; i < ARCH_COUNT; i++)
		cfi_free(tables[i]);
	return failed;
}
