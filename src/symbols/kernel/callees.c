/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callees.c - the calls in the code of functions, level by level.
 *
 * Instructions are not decoded: whatever looks like a call and leads to the first byte of a function
 * is one. Of four bytes that mean something else one in 100,000 does.
 */
#include "symbols/kernel/callees.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/kernel/kcore.h"
#include "symbols/kernel/ksym_kind.h"
#include "symbols/kernel/ksyms.h"

enum { TEXT_MAX = 64 << 10 }; /* bytes of a function that are looked at */

/* ---- instructions ---- */

/* call and jmp with 4 bytes, counted from the next instruction on (Intel SDM, volume 2: CALL, JMP) */
static int scan_x86_64(const uint8_t *text, size_t size, uint64_t address,
		       int (*take)(uint64_t target, void *ctx), void *ctx)
{
	int32_t distance;
	int err = 0;

	for (size_t i = 0; i + 5 <= size && !err; i++) {
		if ((text[i] & 0xfe) != 0xe8)
			continue;
		memcpy(&distance, text + i + 1, sizeof(distance));
		err = take(address + i + 5 + distance, ctx);
	}
	return err;
}

/* bl and b: 26 bits, counted in instructions from this one on (Arm ARM, C6.2: BL, B) */
static int scan_arm64(const uint8_t *text, size_t size, uint64_t address,
		      int (*take)(uint64_t target, void *ctx), void *ctx)
{
	uint32_t word;
	int err = 0;

	for (size_t i = 0; i + 4 <= size && !err; i += 4) {
		memcpy(&word, text + i, sizeof(word));
		if ((word & 0x7c000000) == 0x14000000)
			err = take(address + i + (int64_t)((int32_t)(word << 6) >> 6) * 4, ctx);
	}
	return err;
}

/* jal with 20 bits, and auipc with the jalr behind it, of the same register (RISC-V ISA, volume I, 2.5: JAL,
 * JALR, AUIPC). Instructions have 2 or 4 bytes. */
static int scan_riscv64(const uint8_t *text, size_t size, uint64_t address,
			int (*take)(uint64_t target, void *ctx), void *ctx)
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

			err = take(address + i + (int32_t)distance, ctx);
		} else if ((word & 0x7f) == 0x17 && (next & 0x707f) == 0x67 &&
			   (word >> 7 & 31) == (next >> 15 & 31)) {
			err = take(address + i + (int32_t)(word & 0xfffff000) +
					   ((int32_t)next >> 20),
				   ctx);
		}
	}
	return err;
}

int calls_scan(enum arch_id arch, const uint8_t *text, size_t size, uint64_t address,
	       int (*take)(uint64_t target, void *ctx), void *ctx)
{
	static int (*const scans[ARCH_COUNT])(const uint8_t *, size_t, uint64_t,
					      int (*)(uint64_t, void *), void *) = {
		[ARCH_X86_64] = scan_x86_64,
		[ARCH_ARM64] = scan_arm64,
		[ARCH_RISCV64] = scan_riscv64,
	};

	return scans[arch](text, size, address, take, ctx);
}

/* ---- levels ---- */

struct walk {
	struct callees *found;
	void *known; /* a tree of addresses (tsearch) */
	size_t max;
	unsigned depth; /* of what is being found */
};

static int by_address(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;

	return (x > y) - (x < y);
}

static void in_place(void *node)
{
	(void)node;
}

static int callee_add(struct callees *c, const struct callee *callee)
{
	size_t room = c->room ? 2 * c->room : 256;
	struct callee *list = c->list;

	if (c->count == c->room) {
		list = realloc(list, room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		c->list = list;
		c->room = room;
	}
	list[c->count++] = *callee;
	return 0;
}

static bool is_function(const struct ksym *s)
{
	return !ksym_is_cold(s) && !ksym_is_foreign(s);
}

/* Is there a function that begins at `target`, and is it a new one? */
static int target_take(uint64_t target, void *ctx)
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
	return calls_scan(ARCH_NATIVE, text, n, f->address, target_take, w);
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
		err = target_take(address, &w);
	for (size_t i = 0; i < c->count && !err; i++) {
		struct callee f = c->list[i]; /* the list may move */

		if (f.depth < depth)
			err = function_scan(&w, k, &f, text);
	}
	if (!err && c->count)
		memmove(c->list, c->list + 1, --c->count * sizeof(*c->list));
	tdestroy(w.known, in_place);
	free(text);
	return err;
}

void callees_free(struct callees *c)
{
	free(c->list);
	*c = (struct callees){ 0 };
}
