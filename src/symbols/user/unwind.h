/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwind.h - finds a thread's return addresses from its registers and a copy of the top of its stack.
 *
 * The call frame information of each function tells where its caller's registers are (cfi.h); without it, the frame
 * pointer is used. The program may forge all of this, so the work is bounded by the number of frames. This file knows
 * nothing about processes and files.
 */
#ifndef CORETAP_SYMBOLS_USER_UNWIND_H
#define CORETAP_SYMBOLS_USER_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/arch.h"

struct cfi;

struct unwind_input {
	const struct arch *arch;
	const void *registers; /* the registers of arch->sample_registers, as in struct pt_regs */
	const void *stack;     /* the stack, from the stack pointer on */
	size_t stack_size;     /* bytes */
	/* Returns the information for an address, and the address in terms of the file's program headers; or NULL. */
	const struct cfi *(*find)(void *ctx, uint64_t address, uint64_t *in_file);
	void *ctx;
};

enum unwind_end {
	UNWIND_END,	/* reached the outermost function */
	UNWIND_MOST,	/* no room for more frames */
	UNWIND_COPY,	/* the frame continues after the end of the copy */
	UNWIND_AWAY,	/* the frame is on another stack, which was not copied */
	UNWIND_UNKNOWN, /* no information about the caller */
	UNWIND_DAMAGED, /* the information about the caller is invalid */
};

struct unwind_frame {
	uint64_t address;
	bool is_exact; /* the address of the next instruction, not a return address */
};

/* Fills at most `most` frames, the innermost first, and returns their number. A 32-bit program has only the first
 * one, its current address; a kernel thread has none. */
size_t unwind(const struct unwind_input *in, struct unwind_frame *frames, size_t most,
	      enum unwind_end *end);

#endif
