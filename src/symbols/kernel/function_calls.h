/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_calls.h - what the code of one function calls, by the instructions in memory now.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_FUNCTION_CALLS_H
#define CORETAP_SYMBOLS_KERNEL_FUNCTION_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch.h"

enum { FUNCTION_CALLS = 128 };

struct function_calls {
	uint64_t targets[FUNCTION_CALLS]; /* functions that it calls or jumps to, once each */
	size_t count;
	size_t by_pointer; /* calls of which the code does not say where they lead; at least so many */
};

/* Adds the calls of `size` bytes of code at `address`. What the compiler puts into every function (its entry for
 * ftrace, checks of the stack, thunks of returns) is left out. The symbols have been read (ksyms.h). */
void function_calls_read(struct function_calls *c, const uint8_t *text, size_t size,
			 uint64_t address);
bool function_calls_have(const struct function_calls *c, uint64_t target);
/* Does `c` call all that `other` calls? */
bool function_calls_contain(const struct function_calls *c, const struct function_calls *other);
/* The calls by pointer in `size` bytes. On x86-64, where the kernel was not built for thunks, none are found. */
size_t calls_by_pointer(enum arch_id arch, const uint8_t *text, size_t size);

#endif
