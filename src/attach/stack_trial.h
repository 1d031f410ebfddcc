/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_trial.h - finds out if programs of an attach method get complete stacks on this kernel. */
#ifndef CORETAP_ATTACH_STACK_TRIAL_H
#define CORETAP_ATTACH_STACK_TRIAL_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

/* True if a program captures the stack of its context. */
bool stack_is_captured(const struct bpf_insn *insns, size_t count);

/* True if the kernel stack of a kprobe.multi program has more than its first frame. Tried once, with a system call of
 * our own; if a trial is not possible, stacks count as complete. */
bool stack_of_multi_is_whole(void);

#endif
