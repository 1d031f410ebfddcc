/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callees.h - which functions of the kernel a function may call, by what its code says.
 *
 * Found are calls, and jumps to another function's first byte, of the instructions that are in memory
 * now. Calls by a pointer are not: nothing in the code says where they lead. Nothing here knows which
 * of the functions can be traced.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_CALLEES_H
#define CORETAP_SYMBOLS_KERNEL_CALLEES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch.h"

struct kcore;

struct callee {
	const char *name; /* the symbol table's (ksyms.h) */
	uint64_t address;
	unsigned depth; /* how many calls lead to it, at least */
};

struct callees {
	struct callee *list; /* owned; the nearest first */
	size_t count, room;
};

/* Follows the calls of `func`, `depth` levels down, until `max` functions are known, `func` not
 * counted. Returns 0, -ESRCH: there is no such function, -ENOMEM, or -errno of reading the symbols or
 * its code. The caller frees *c in any case. */
int callees_find(struct callees *c, const struct kcore *k, const char *func, unsigned depth,
		 size_t max);
void callees_free(struct callees *c);

/* Passes where the instructions of `size` bytes at `address` may call or jump to, which is any address:
 * on x86-64 an instruction's other bytes may look like a call. */
int calls_scan(enum arch_id arch, const uint8_t *text, size_t size, uint64_t address,
	       int (*take)(uint64_t target, void *ctx), void *ctx);

#endif
