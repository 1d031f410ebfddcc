/* SPDX-License-Identifier: GPL-2.0 */
/* preempt.h - may the kernel take the processor away from a BPF program that runs? */
#ifndef CORETAP_PREEMPT_H
#define CORETAP_PREEMPT_H

#include <stdbool.h>

/*
 * Where it may, fentry and fexit programs are not to be relied on: while one waits to go on, the
 * kernel refuses to run the same program on that CPU, so whatever other tasks do there meanwhile is
 * missed (counted, LOSS_RECURSION): with 3 busy tasks on 2 CPUs every tenth open on Debian's 7.3,
 * and an fexit that was refused leaves its entry behind. kprobes run with preemption off.
 */
bool preempt_possible(void);

/* From "#1 SMP PREEMPT_DYNAMIC …" (uname) and "none voluntary (full)" (debugfs). Either may be
 * empty. Exported for their test; -1: it cannot be told from this. */
int preempt_from_version(const char *version);
int preempt_from_modes(const char *modes);

#endif
