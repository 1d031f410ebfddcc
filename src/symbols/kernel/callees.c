/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callees.c - finds the calls in the code of functions, level by level.
 *
 * Instructions are not decoded: any bytes that look like a call and lead to the first byte of a function count as
 * one. Of 100,000 groups of four bytes that are no call, about one does so by chance.
 */
#include "symbols/kernel/callees.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/kernel/kcore.h"
#include "symbols/kernel/ksyms.h"
#include "util/array.h"
#include "util/glob.h"

enum { TEXT_MAX = 64 << 10 }; /* bytes to read of a function */

/* ---- instructions ---- */

/* Finds call and jmp with a 4-byte offset from the next instruction (Intel SDM, volume 2: CALL, JMP). */
static int scan_x86_64(const uint8_t *text, size_t size, uint64_t address,
		       int (*call)(uint64_t target, void *ctx), void *ctx)
{
	int32_t distance;
	int err = 0;

	for (size_t i = 0; i + 5 <= size && !err; i++) {
		if ((text[i] & 0xfe) != 0xe8)
			continue;
		memcpy(&distance, text + i + 1, sizeof(distance));
		err = call(address + i + 5 + distance, ctx);
	}
	return err;
}

/* Finds bl and b: an offset of 26 bits from this instruction, in instructions (Arm ARM, C6.2: BL, B). */
static int scan_arm64(const uint8_t *text, size_t size, uint64_t address,
		      int (*call)(uint64_t target, void *ctx), void *ctx)
{
	uint32_t word;
	int err = 0;

	for (size_t i = 0; i + 4 <= size && !err; i += 4) {
		memcpy(&word, text + i, sizeof(word));
		if ((word & 0x7c000000) == 0x14000000)
			err = call(address + i + (int64_t)((int32_t)(word << 6) >> 6) * 4, ctx);
	}
	return err;
}

/* Finds jal with 20 bits, and auipc followed by jalr of the same register (RISC-V ISA, volume I, 2.5: JAL, JALR,
 * AUIPC). Instructions have 2 or 4 bytes. */
static int scan_riscv64(const uint8_t *text, size_t size, uint64_t address,
			int (*call)(uint64_t target, void *ctx), void *ctx)
{
	uint32_t word, next = 0;
	int err = 0;

	for (size_t i = 0; i + 4 <= size && !err; i += (text[i] & 3) == 3 ? 4 : 2) {
		memcpy(&word, text + i, sizeof(word));
		if (i + 8 <= size)
			memcpy(&next, text + i + 4, sizeof(next));
		if ((word & 0x7f) == 0x6f) {
			uint32_t distance = (word >> 31) * 0xfff00000 | (word & 0xff000) |
					    (word >> 9 & 0x800) | (word >> 20 & 0x7fe);

			err = call(address + i + (int32_t)distance, ctx);
		} else if ((word & 0x7f) == 0x17 && (next & 0x707f) == 0x67 &&
			   (word >> 7 & 31) == (next >> 15 & 31)) {
			err = call(address + i + (int32_t)(word & 0xfffff000) +
					   ((int32_t)next >> 20),
				   ctx);
		}
	}
	return err;
}

/* Finds bl and b: an offset of 24 bits from this instruction, in instructions (Power ISA, book I, 2.4: I-form). A call
 * may be to the local entry, behind the two instructions that load the TOC pointer (ELF V2 ABI, section 2.3.2.1). */
static int scan_ppc64le(const uint8_t *text, size_t size, uint64_t address,
			int (*call)(uint64_t target, void *ctx), void *ctx)
{
	uint32_t word;
	int err = 0;

	for (size_t i = 0; i + 4 <= size && !err; i += 4) {
		uint64_t target;

		memcpy(&word, text + i, sizeof(word));
		if ((word & 0xfc000002) != 0x48000000)
			continue;
		target = address + i + ((int32_t)(word << 6) >> 6 & ~3);
		err = call(target, ctx) ?: call(target - 8, ctx);
	}
	return err;
}

int calls_scan(enum arch_id arch, const uint8_t *text, size_t size, uint64_t address,
	       int (*call)(uint64_t target, void *ctx), void *ctx)
{
	static int (*const scans[ARCH_COUNT])(const uint8_t *, size_t, uint64_t,
					      int (*)(uint64_t, void *), void *) = {
		[ARCH_X86_64] = scan_x86_64,
		[ARCH_ARM64] = scan_arm64,
		[ARCH_RISCV64] = scan_riscv64,
		[ARCH_PPC64LE] = scan_ppc64le,
	};

	return scans[arch](text, size, address, call, ctx);
}

/* ---- levels ---- */

struct walk {
	struct callees *found;
	void *known; /* a tree of addresses (tsearch) */
	size_t max;
	unsigned depth; /* of the callees now being searched */
};

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

	return (x > y) - (x < y);
}

static void node_not_freed(void *node)
{
	(void)node;
}

static int callee_add(struct callees *c, const struct callee *callee)
{
	if (!ARRAY_RESERVE(c->list, c->count, c->room, 256))
		return -ENOMEM;
	c->list[c->count++] = *callee;
	return 0;
}

static bool is_function(const struct ksym *s)
{
	return !ksym_is_cold(s) && !ksym_is_foreign(s);
}

/* Adds the function that begins at `target`, if there is one and it is new. */
static int callee_try(uint64_t target, void *ctx)
{
	struct walk *w = ctx;
	struct ksym s = { .address = target, .type = 't' };
	uint64_t offset;
	void *key = (void *)(uintptr_t)target;

	if (w->found->count > w->max)
		return 0;
	s.name = ksyms_name(target, &offset, &s.module);
	if (!s.name || offset || !is_function(&s) || tfind(key, &w->known, by_address))
		return 0;
	if (!tsearch(key, &w->known, by_address))
		return -ENOMEM;
	return callee_add(w->found, &(struct callee){ s.name, target, w->depth });
}

static int function_scan(struct walk *w, const struct kcore *k, const struct callee *f,
			 uint8_t *text)
{
	uint64_t size = ksyms_size(f->address);
	ssize_t n = kcore_read(k, f->address, text, size < TEXT_MAX ? size : TEXT_MAX);

	w->depth = f->depth + 1;
	if (n < 0)
		return f->depth ? 0 : (int)n;
	return calls_scan(ARCH_NATIVE, text, n, f->address, callee_try, w);
}

int callees_find(struct callees *c, const struct kcore *k, const char *func, unsigned depth,
		 size_t max)
{
	struct walk w = { .found = c, .max = max };
	uint8_t *text = malloc(TEXT_MAX);
	uint64_t address = 0;
	int err = text ? ksyms_load() : -ENOMEM;

	*c = (struct callees){ 0 };
	if (!err)
		address = ksyms_address(func, NULL);
	if (!err && !address)
		err = -ESRCH;
	if (!err)
		err = callee_try(address, &w);
	for (size_t i = 0; i < c->count && !err; i++) {
		struct callee f = c->list[i]; /* a copy, because the list may move */

		if (f.depth < depth)
			err = function_scan(&w, k, &f, text);
	}
	if (!err && c->count)
		memmove(c->list, c->list + 1, --c->count * sizeof(*c->list));
	tdestroy(w.known, node_not_freed);
	free(text);
	return err;
}

void callees_free(struct callees *c)
{
	free(c->list);
	*c = (struct callees){ 0 };
}

/* ---- calls by pointer ---- */

/*
 * True for a call or jump by a register. At boot the kernel replaces calls of a thunk (__x86_indirect_thunk_rax, 5
 * bytes) with these, which have 2 or 3 bytes: the rest is a prefix or lfence before, or a nop or int3 after. Without
 * that, the instruction's bytes would be too common.
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

/* Counts blr and its variants, blraa and others (Arm ARM, C6.2: BLR, BLRA). */
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

/* Counts c.jalr, and jalr ra unless it is the second half of an auipc's call (RISC-V ISA, volume I, 2.5 and 16.4). */
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

/* Counts bctrl (Power ISA, book I, 2.4: XL-form). */
static size_t pointers_ppc64le(const uint8_t *text, size_t size)
{
	size_t count = 0;
	uint32_t word;

	for (size_t i = 0; i + 4 <= size; i += 4) {
		memcpy(&word, text + i, sizeof(word));
		count += word == 0x4e800421;
	}
	return count;
}

size_t calls_by_pointer(enum arch_id arch, const uint8_t *text, size_t size)
{
	static size_t (*const scans[ARCH_COUNT])(const uint8_t *, size_t) = {
		[ARCH_X86_64] = pointers_x86_64,
		[ARCH_ARM64] = pointers_arm64,
		[ARCH_RISCV64] = pointers_riscv64,
		[ARCH_PPC64LE] = pointers_ppc64le,
	};

	return scans[arch](text, size);
}

/* ---- the calls of one function ---- */

/* True for functions that the compiler calls from every function. */
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

static int call_add(uint64_t target, void *ctx)
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
	calls_scan(ARCH_NATIVE, text, size, address, call_add, c);
	c->by_pointer += calls_by_pointer(ARCH_NATIVE, text, size);
}

bool function_calls_include(const struct function_calls *c, uint64_t target)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->targets[i] == target)
			return true;
	return false;
}

bool function_calls_contain(const struct function_calls *c, const struct function_calls *other)
{
	/* how many there are may differ, because compilers merge branches */
	if (other->by_pointer && !c->by_pointer)
		return false;
	for (size_t i = 0; i < other->count; i++)
		if (!function_calls_include(c, other->targets[i]))
			return false;
	return true;
}
