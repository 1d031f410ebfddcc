/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_trial.h - are the stacks whole that programs of an attach method get here? */
#ifndef CORETAP_ATTACH_STACK_TRIAL_H
#define CORETAP_ATTACH_STACK_TRIAL_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* Does a program take the stack that its context leads to? */
bool stack_is_taken(const struct bpf_insn *insns, size_t count);

/* Does the kernel stack of a program of kprobe.multi go on behind its first frame? It is tried out once, with a system
 * call of our own; what cannot be tried out counts as whole. */
bool stack_of_multi_is_whole(void);

#endif
