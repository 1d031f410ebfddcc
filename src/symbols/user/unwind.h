/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unwind.h - the return addresses of a thread, from its registers and a copy of the top of its
 * stack.
 *
 * The call frame information of each function describes where its caller's registers are (cfi.h); without it, the
 * frame pointer is used. The program may forge all of this, so the work is bounded by the number of frames. This file
 * knows nothing about processes and files.
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
	const void *registers; /* struct pt_regs as far as arch->sample_registers */
	const void *stack;     /* the stack from the stack pointer on … */
	size_t stack_size;     /* … bytes */
	/* Returns the information for an address, and that address in the file's own headers; or NULL. */
	const struct cfi *(*find)(void *ctx, uint64_t address, uint64_t *in_file);
	void *ctx;
};

enum unwind_end {
	UNWIND_END,	/* the outermost function */
	UNWIND_MOST,	/* there is no room for more frames */
	UNWIND_COPY,	/* the copy of the stack ends before the frame does */
	UNWIND_AWAY,	/* the frame is on another stack, of which there is no copy */
	UNWIND_UNKNOWN, /* no information about the caller */
	UNWIND_DAMAGED, /* the information about the caller is invalid */
};

struct unwind_frame {
	uint64_t address;
	bool is_exact; /* of the next instruction, not a return address */
};

/* Fills up to `most` frames, the innermost first, and returns their number. A program of 32 bits has
 * only one, which is where it is; a thread of the kernel has none. */
size_t unwind(const struct unwind_input *in, struct unwind_frame *frames, size_t most,
	      enum unwind_end *end);

#endif
