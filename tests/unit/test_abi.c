/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_abi.c - locations of parameters: in registers, on the stack, in fentry's context.
 *
 * Expects what gcc 12 does with such prototypes on each machine.
 */
#include <string.h>

#include "unit.h"
#include "btf_build.h"
#include "expr/lower/lower.h"

enum type { NUMBER, ONE, TWO, THREE, WIDE, TYPES }; /* int, structs of so many u64, __int128 */

static struct btf_build build;
static struct btf_view *btf;
static uint32_t types[TYPES];
static struct expr_program program;
static struct expr_input input;
static struct compile c = { .in = &input, .p = &program };

/* A prototype of the types named by letters: i 1 2 3 w. */
static uint32_t proto(const char *letters)
{
	struct build_part parts[16] = {};
	unsigned count = 0;

	for (; *letters; letters++)
		parts[count++].type = types[strchr("i123w", *letters) - "i123w"];
	for (unsigned i = 0; i < count; i++)
		parts[i].name = "p";
	return build_func(&build, "f", types[NUMBER], parts, count) - 1;
}

static const struct {
	const char *letters;
	enum arch_id arch;
	const char *homes; /* of each: r0 … a register, s8 … bytes from the stack pointer */
} cases[] = {
	{ "iiiiiiii", ARCH_X86_64, "r0 r1 r2 r3 r4 r5 s8 s16" },
	{ "1i2i", ARCH_X86_64, "r0 r1 r2 r4" },
	{ "3i", ARCH_X86_64, "s8 r0" },
	{ "iiiii2ii", ARCH_X86_64, "r0 r1 r2 r3 r4 s8 r5 s24" },
	{ "iwi", ARCH_X86_64, "r0 r1 r3" },
	{ "iiiiiii3i", ARCH_X86_64, "r0 r1 r2 r3 r4 r5 s8 s16 s40" },
	{ "iiiiiiiiii", ARCH_ARM64, "r0 r1 r2 r3 r4 r5 r6 r7 s0 s8" },
	{ "3i", ARCH_ARM64, "r0 r1" },
	{ "iwi", ARCH_ARM64, "r0 r2 r4" },
	{ "i2i", ARCH_ARM64, "r0 r1 r3" },
	{ "iiiiiii2ii", ARCH_ARM64, "r0 r1 r2 r3 r4 r5 r6 s0 s16 s24" },
	{ "iiiiiiiiiwi", ARCH_ARM64, "r0 r1 r2 r3 r4 r5 r6 r7 s0 s16 s32" },
	{ "iiiiiiiiii", ARCH_RISCV64, "r0 r1 r2 r3 r4 r5 r6 r7 s0 s8" },
	{ "3i", ARCH_RISCV64, "r0 r1" },
	{ "iwi", ARCH_RISCV64, "r0 r1 r3" },
	{ "iiiiiii2ii", ARCH_RISCV64, "r0 r1 r2 r3 r4 r5 r6 x0 s8 s16" },
};

static uint32_t protos[COUNT(cases)], slots_proto;

static int setup(void **state)
{
	types[NUMBER] = build_int(&build, "int", 4, BTF_INT_SIGNED);
	types[WIDE] = build_int(&build, "__int128", 16, BTF_INT_SIGNED);
	for (enum type t = ONE; t <= THREE; t++)
		types[t] = build_struct(&build, BTF_KIND_STRUCT, "s", 8 * t,
					(struct build_part[]){ { "a", types[NUMBER], 0, 0 } }, 1);
	for (size_t i = 0; i < COUNT(cases); i++)
		protos[i] = proto(cases[i].letters);
	slots_proto = proto("i12wi");
	input.btf = NULL;
	return built_open(&build, &btf, state);
}

static void test_homes(void **state)
{
	(void)state;
	input.btf = btf;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char homes[128] = "";

		input.target.arch = cases[i].arch;
		program.proto = protos[i];
		for (unsigned n = 0; n < strlen(cases[i].letters); n++) {
			struct argument_location home = argument_location(&c, n);
			size_t len = strlen(homes);

			snprintf(homes + len, sizeof(homes) - len, "%s%c%u", n ? " " : "",
				 home.is_split ? 'x' :
				 home.is_stack ? 's' :
						 'r',
				 home.at);
		}
		if (strcmp(homes, cases[i].homes))
			fail_msg("%s: %s, not %s", cases[i].letters, homes, cases[i].homes);
	}
}

static void test_slots(void **state)
{
	static const unsigned slots[] = { 0, 1, 2, 4, 6 };

	(void)state;
	input.btf = btf;
	program.proto = slots_proto;
	for (unsigned i = 0; i < COUNT(slots); i++)
		assert_int_equal(argument_slot(&c, i), slots[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_homes),
		cmocka_unit_test(test_slots),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
