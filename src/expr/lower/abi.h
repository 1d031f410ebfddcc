/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abi.h - where parameters are passed.
 */
#ifndef CORETAP_EXPR_LOWER_ABI_H
#define CORETAP_EXPR_LOWER_ABI_H

#include "expr/compile.h"

struct argument_location {
	bool is_stack;
	bool is_split; /* … but half of it is in the last register; `at` is not told */
	unsigned at;   /* number of the register, or bytes above the stack pointer */
};

/* For a kprobe at the function's first instruction. */
struct argument_location argument_location(struct compile *c, unsigned param);
/* For fentry: the parameter's first u64 in the context; the result comes after the last
 * parameter. */
unsigned argument_slot(struct compile *c, unsigned param);

#endif
