/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_calls.c - the calls of a function's code, as a set that can be compared with another function's.
 */
#include "symbols/kernel/function_calls.h"

#include <string.h>

#include "symbols/kernel/callees.h"
#include "symbols/kernel/ksym_kind.h"
#include "symbols/kernel/ksyms.h"
#include "util/wildcard.h"

/* ---- by pointer ---- */

/*
 * A call or a jump through a thunk (__x86_indirect_thunk_rax, 5 bytes) that the kernel has replaced at boot by one of
 * a register, which has 2 or 3: in front of it prefixes or an lfence, or a nop or int3 behind it. The bytes of the
 * instruction alone are too common.
 */
static bool is_pointer_x86_64(const uint8_t *at)
{
	static const uint8_t nop3[] = { 0x0f, 0x1f, 0x00 }, nop2[] = { 0x66, 0x90 },
			     old3[] = { 0x66, 0x66, 0x90 }, lfence[] = { 0x0f, 0xae, 0xe8 };
	bool is_wide = at[-1] == 0x41, is_jump = (at[1] & 0xf8) == 0xe0;
	const uint8_t *before = at - is_wide;

	if (at[0] != 0xff || (!is_jump && (at[1] & 0xf8) != 0xd0))
		return false;
	return !memcmp(at + 2, nop3, sizeof(nop3)) || !memcmp(at + 2, old3, sizeof(old3)) ||
	       (is_wide && !memcmp(at + 2, nop2, sizeof(nop2))) || before[-1] == 0x2e ||
	       !memcmp(before - 3, lfence, sizeof(lfence)) ||
	       (is_jump && before[-1] != 0x3e && at[2] == 0xcc);
}

static size_t pointers_x86_64(const uint8_t *text, size_t size)
{
	size_t count = 0;

	for (size_t i = 4; i + 5 <= size; i++)
		count += is_pointer_x86_64(text + i);
	return count;
}

/* blr, and blraa and its like (Arm ARM, C6.2: BLR, BLRA) */
static size_t pointers_arm64(const uint8_t *text, size_t size)
{
	size_t count = 0;
	uint32_t word;

	for (size_t i = 0; i + 4 <= size; i += 4) {
		memcpy(&word, text + i, sizeof(word));
		count += (word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfefff800) == 0xd63f0800;
	}
	return count;
}

/* jalr ra that is not the second half of an auipc's call, and c.jalr (RISC-V ISA, volume I, 2.5 and 16.4) */
static size_t pointers_riscv64(const uint8_t *text, size_t size)
{
	uint32_t word, before = 0;
	size_t count = 0;

	for (size_t i = 0; i + 4 <= size; i += (text[i] & 3) == 3 ? 4 : 2) {
		memcpy(&word, text + i, sizeof(word));
		if ((text[i] & 3) != 3)
			count += (word & 0xf07f) == 0x9002 && (word >> 7 & 31);
		else
			count += (word & 0x7fff) == 0xe7 && (before & 0x7f) != 0x17;
		before = word;
	}
	return count;
}

size_t calls_by_pointer(enum arch_id arch, const uint8_t *text, size_t size)
{
	static size_t (*const scans[ARCH_COUNT])(const uint8_t *, size_t) = {
		[ARCH_X86_64] = pointers_x86_64,
		[ARCH_ARM64] = pointers_arm64,
		[ARCH_RISCV64] = pointers_riscv64,
	};

	return scans[arch](text, size);
}

/* ---- by name ---- */

/* What is called by every function, or by none that somebody wrote. */
static bool is_everywhere(const char *name)
{
	static const char *const names[] = { "__fentry__",     "_mcount",
					     "ftrace_*",       "__x86_return_thunk",
					     "*_return_thunk", "__stack_chk_fail",
					     "__sanitizer_*" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (wildcard_matches(names[i], name))
			return true;
	return false;
}

static int target_take(uint64_t target, void *ctx)
{
	struct function_calls *c = ctx;
	struct ksym s = { .address = target, .type = 't' };
	uint64_t offset;

	s.name = ksyms_name(target, &offset, &s.module);
	if (!s.name || offset || is_everywhere(s.name))
		return 0;
	if (!strncmp(s.name, "__x86_indirect_", 15)) {
		c->by_pointer++;
		return 0;
	}
	for (size_t i = 0; i < c->count; i++)
		if (c->targets[i] == target)
			return 0;
	if (!ksym_is_foreign(&s) && !ksym_is_cold(&s) && c->count < FUNCTION_CALLS)
		c->targets[c->count++] = target;
	return 0;
}

void function_calls_read(struct function_calls *c, const uint8_t *text, size_t size,
			 uint64_t address)
{
	calls_scan(ARCH_NATIVE, text, size, address, target_take, c);
	c->by_pointer += calls_by_pointer(ARCH_NATIVE, text, size);
}

bool function_calls_have(const struct function_calls *c, uint64_t target)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->targets[i] == target)
			return true;
	return false;
}

bool function_calls_contain(const struct function_calls *c, const struct function_calls *other)
{
	if (other->by_pointer && !c->by_pointer) /* how many differs: branches are merged */
		return false;
	for (size_t i = 0; i < other->count; i++)
		if (!function_calls_have(c, other->targets[i]))
			return false;
	return true;
}
