/* SPDX-License-Identifier: GPL-2.0-only */
/* preempt.h - whether the kernel may preempt a running BPF program. */
#ifndef CORETAP_KERNEL_PREEMPT_H
#define CORETAP_KERNEL_PREEMPT_H

#include <stdbool.h>

/*
 * If so, fentry and fexit programs are unreliable: while one is preempted, the kernel refuses to run the same program
 * on that CPU, so events of other tasks there are missed (and counted, see LOSS_RECURSION). With 3 busy tasks on 2
 * CPUs, Debian's 7.3 missed every tenth open. A refused fexit leaves the entry of its call in the map. kprobes run
 * with preemption off.
 */
bool preempt_possible(void);
/* True if only debugfs, which only root can read, tells the mode. */
bool preempt_is_hidden(void);

#endif
