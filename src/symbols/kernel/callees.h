/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callees.h - finds the kernel functions that a function may call, by reading its code.
 *
 * It finds calls, and jumps to the first byte of another function, in the instructions that are in memory now. It
 * does not find calls by pointer, whose target is not in the code. It does not know which functions can be traced.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_CALLEES_H
#define CORETAP_SYMBOLS_KERNEL_CALLEES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch.h"

struct kcore;

struct callee {
	const char *name; /* owned by the symbol table (ksyms.h) */
	uint64_t address;
	unsigned depth; /* the least number of calls that lead to it */
};

struct callees {
	struct callee *list; /* owned; sorted by depth */
	size_t count, room;
};

/* Follows the calls of `func`, `depth` levels down, until `max` functions are known, `func` not counted. Returns 0;
 * -ESRCH if `func` does not exist; -ENOMEM; or -errno of reading the symbols or the code. The caller frees *c in any
 * case. */
int callees_find(struct callees *c, const struct kcore *k, const char *func, unsigned depth,
		 size_t max);
void callees_free(struct callees *c);

/* Passes to `call` each address that the `size` bytes of code at `address` may call or jump to. Some may be no
 * function: on x86-64 the other bytes of an instruction may look like a call. Returns the first result of `call` that
 * is not 0. */
int calls_scan(enum arch_id arch, const uint8_t *text, size_t size, uint64_t address,
	       int (*call)(uint64_t target, void *ctx), void *ctx);

/* ---- the calls of one function ---- */

enum { FUNCTION_CALLS = 128 };

struct function_calls {
	uint64_t targets[FUNCTION_CALLS]; /* the functions that it calls or jumps to, each once */
	size_t count;
	size_t by_pointer; /* calls whose target the code does not show: a lower bound */
};

/* Adds the calls of `size` bytes of code at `address`. Leaves out what the compiler adds to every function (the entry
 * for ftrace, stack checks, return thunks). Symbols must have been read (ksyms.h). */
void function_calls_read(struct function_calls *c, const uint8_t *text, size_t size,
			 uint64_t address);
bool function_calls_include(const struct function_calls *c, uint64_t target);
/* True if `c` calls everything that `other` calls. */
bool function_calls_contain(const struct function_calls *c, const struct function_calls *other);
/* Counts the calls by pointer in `size` bytes. On x86-64 it finds none if the kernel was built without thunks. */
size_t calls_by_pointer(enum arch_id arch, const uint8_t *text, size_t size);

#endif
