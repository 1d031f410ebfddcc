/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_tracing.h - the frames that tracing adds to a captured kernel stack. */
#ifndef CORETAP_OUTPUT_FIELD_STACK_TRACING_H
#define CORETAP_OUTPUT_FIELD_STACK_TRACING_H

#include <stdbool.h>
#include <string.h>

#include "output/field/stack.h"

/* bytes of a function's first instructions, which call the tracing code */
enum { STACK_ENTRY_BYTES = 16 };

/* Returns the address of frame i of those that were captured. */
static inline uint64_t stack_address(const struct stack_walk *w, size_t i)
{
	uint64_t address;

	if (w->copied.frames)
		return w->copied.frames[i].address;
	memcpy(&address, w->frames + i * sizeof(address), sizeof(address));
	return address;
}

/* Returns how many frames are those of tracing and of the probed function itself, which is shown by its known address,
 * whether the stack contains it or not. */
size_t stack_tracing_skip(const struct stack_walk *w);
/* True if a function of tracing begins at the address. */
bool stack_is_trampoline(uint64_t address);

#endif
