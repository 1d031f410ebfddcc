/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.c - searches the code of each symbol, up to the next symbol, for calls of a function.
 */
#include "symbols/kernel/callers.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/arch.h"
#include "symbols/kernel/callees.h"
#include "symbols/kernel/kcore.h"
#include "symbols/kernel/ksyms.h"
#include "symbols/suffix.h"

enum {
	WINDOW = 1 << 20, /* bytes to read at a time */
	SYMBOL_MAX = 64 << 10,
	PAGE = 4096,
	BESIDE = 60, /* functions to search on either side: a source file has fewer */
	RARE = 30,   /* a function with at most this many callers identifies its caller */
};

/* A symbol with the bytes up to the next one. */
struct piece {
	struct ksym s;
	enum ksym_part part;
	bool is_code;
	size_t size, next; /* next: the index of the next symbol */
};

struct search {
	struct callers *found;
	const struct kcore *k;
	uint8_t *bytes; /* WINDOW bytes that were read at `at` */
	uint64_t at;
	size_t len;

	const char *func;
	uint64_t address;
	size_t index; /* of the function's symbol */
	struct function_calls own;
	size_t called[FUNCTION_CALLS]; /* for each of own.targets: how many functions call it */
	bool has_hit, has_data;
};

/* ---- bytes ---- */

/* Returns NULL if the bytes cannot be read. May reduce *size. */
static const uint8_t *bytes_get(struct search *w, uint64_t address, size_t *size)
{
	ssize_t n;

	if (address < w->at || address + *size > w->at + w->len) {
		n = kcore_read(w->k, address, w->bytes, WINDOW);
		w->at = address;
		w->len = n > 0 ? n : 0;
	}
	if (*size > w->at + w->len - address)
		*size = w->at + w->len - address;
	return *size ? w->bytes + (address - w->at) : NULL;
}

/* Finds the next symbol with another address. Returns false at the end. A module's last symbol ends with its page. */
static bool piece_get(size_t i, struct piece *p)
{
	struct ksym next = { 0 };

	if (!ksyms_get(i, &p->s))
		return false;
	p->is_code = ksym_is_code(&p->s, &p->part);
	for (p->next = i + 1; ksyms_get(p->next, &next) && next.address == p->s.address; p->next++)
		p->is_code |= ksym_is_code(&next, &p->part);
	p->size = next.address > p->s.address && next.module == p->s.module ?
			  next.address - p->s.address :
			  PAGE - p->s.address % PAGE;
	if (p->size > SYMBOL_MAX)
		p->size = SYMBOL_MAX;
	return true;
}

static void name_add(struct caller_names *n, const char *name)
{
	if (n->count < CALLERS_NAMED)
		n->names[n->count] = name;
	n->count++;
}

/* ---- code and data ---- */

static int call_check(uint64_t target, void *ctx)
{
	struct search *w = ctx;

	w->has_hit |= target == w->address;
	for (size_t i = 0; i < w->own.count; i++)
		w->called[i] += target == w->own.targets[i];
	return 0;
}

/* True if the address is an operand, absolute or relative to the end of the instruction. A conditional jump counts as
 * a call. */
static void operands_scan(struct search *w, const uint8_t *text, size_t size, uint64_t address)
{
	uint32_t wanted = w->address, value;

	for (size_t i = 2; i + 4 <= size; i++) {
		memcpy(&value, text + i, sizeof(value));
		if (value == wanted)
			w->found->may_be_pointed = true;
		else if (value == wanted - (uint32_t)(address + i + 4) && text[i - 2] == 0x0f &&
			 (text[i - 1] & 0xf0) == 0x80)
			w->has_hit = true;
		else if (value == wanted - (uint32_t)(address + i + 4) &&
			 (text[i - 1] & 0xfe) != 0xe8)
			w->found->may_be_pointed = true;
	}
}

static void code_scan(struct search *w, const struct piece *p, const uint8_t *text, size_t size)
{
	w->has_hit = false;
	calls_scan(ARCH_NATIVE, text, size, p->s.address, call_check, w);
	if (ARCH_NATIVE == ARCH_X86_64)
		operands_scan(w, text, size, p->s.address);
	if (w->has_hit && ksym_is_foreign(&p->s))
		/* the jump of a static call: its target is patched */
		w->found->may_be_pointed = true;
	else if (w->has_hit)
		name_add(&w->found->calls, p->s.name);
}

static void data_scan(struct search *w, const uint8_t *bytes, size_t size)
{
	uint64_t value;

	w->has_data = true;
	for (size_t i = 0; i + 8 <= size && !w->found->may_be_pointed; i += 8) {
		memcpy(&value, bytes + i, sizeof(value));
		w->found->may_be_pointed = value == w->address;
	}
}

/* True for F.constprop.0, F.isra.0, F.part.0, which callers may call instead of F. */
static bool is_copy(const struct search *w, const struct ksym *s)
{
	enum symbol_suffix suffix = symbol_suffix_of(s->name, w->func);

	return suffix != SUFFIX_NONE && suffix != SUFFIX_COLD;
}

static void pieces_scan(struct search *w)
{
	struct piece p = { 0 };

	for (size_t i = 0; piece_get(i, &p); i = p.next) {
		size_t size = p.size;
		const uint8_t *bytes;

		if (!(p.s.address >> 63) || p.part == KSYM_INIT || p.s.address == w->address)
			continue;
		bytes = bytes_get(w, p.s.address, &size);
		if (bytes && p.is_code)
			code_scan(w, &p, bytes, size);
		else if (bytes)
			data_scan(w, bytes, size);
		if (p.is_code && is_copy(w, &p.s))
			w->found->copy = p.s.name;
	}
}

/* ---- functions that may have inlined the function ---- */

static bool calls_get(struct search *w, const struct piece *p, struct function_calls *c)
{
	size_t size = p->size;
	const uint8_t *text = bytes_get(w, p->s.address, &size);

	*c = (struct function_calls){ 0 };
	if (text)
		function_calls_read(c, text, size, p->s.address);
	return text;
}

/* True if the function's calls are so distinctive that another function with the same ones is no coincidence. */
static bool calls_are_distinctive(const struct search *w)
{
	for (size_t i = 0; i < w->own.count; i++)
		if (w->called[i] <= RARE)
			return true;
	return w->own.count && w->own.count + !!w->own.by_pointer >= 2;
}

static void like_check(struct search *w, size_t i, uint64_t *last)
{
	struct function_calls calls;
	struct piece p = { 0 };

	if (!piece_get(i, &p) || !p.is_code || p.s.address == w->address || p.s.address == *last ||
	    ksym_is_cold(&p.s) || ksym_is_foreign(&p.s))
		return;
	*last = p.s.address;
	if (calls_get(w, &p, &calls) && function_calls_contain(&calls, &w->own) &&
	    !function_calls_include(&calls, w->address))
		name_add(&w->found->like, p.s.name);
}

/* Searches the nearest functions first. */
static void like_find(struct search *w)
{
	uint64_t below = 0, above = 0;

	for (size_t d = 1; d <= BESIDE; d++) {
		if (d <= w->index)
			like_check(w, w->index - d, &below);
		like_check(w, w->index + d, &above);
	}
}

/* ---- the search ---- */

static int func_find(struct search *w)
{
	struct piece p = { 0 }, found = { 0 };
	struct ksym s;
	size_t count = 0;

	for (size_t i = 0; ksyms_get(i, &s); i++) {
		if (!ksym_type_is_code(s.type) || strcmp(s.name, w->func))
			continue;
		w->index = i;
		count += piece_get(i, &p);
		found = p;
	}
	if (count != 1)
		return count ? -ENOTUNIQ : -ESRCH;
	w->address = found.s.address;
	return calls_get(w, &found, &w->own) ? 0 : -EFAULT;
}

int callers_find(struct callers *c, const struct kcore *k, const char *func)
{
	struct search w = { .found = c, .k = k, .func = func, .bytes = malloc(WINDOW) };
	int err = w.bytes ? ksyms_load() : -ENOMEM;

	*c = (struct callers){ 0 };
	err = err ?: func_find(&w);
	if (!err) {
		pieces_scan(&w);
		c->may_be_pointed |= !w.has_data || ARCH_NATIVE != ARCH_X86_64;
		if (calls_are_distinctive(&w))
			like_find(&w);
	}
	free(w.bytes);
	return err;
}
