/* SPDX-License-Identifier: GPL-2.0 */
/*
 * context.h - a FIELD_CONTEXT: in which context the kernel was, as ftrace's latency field says it.
 */
#ifndef CORETAP_CONTEXT_H
#define CORETAP_CONTEXT_H

#include <stdint.h>

#include "core/out.h"

/* The value; numbers of its bits. */
enum context_bit {
	CONTEXT_DEPTH = 0, /* 8 bits: how often preemption is disabled */
	CONTEXT_SOFTIRQ = 8, /* one is being served */
	CONTEXT_BH_OFF,
	CONTEXT_HARDIRQ,
	CONTEXT_NMI,
	CONTEXT_IRQS_OFF,
	CONTEXT_TASK_RESCHED, /* the task's flag */
	CONTEXT_CPU_RESCHED,  /* its copy in the preempt count */
	CONTEXT_LAZY_RESCHED,
	CONTEXT_MIGRATE = 16, /* 8 bits: how often migration is disabled */
	/* what this kernel's own field has: D and b; the letters of lazy; the last digit */
	CONTEXT_HAS_BH = 24,
	CONTEXT_HAS_LAZY,
	CONTEXT_HAS_MIGRATE,
};

void context_put(struct out *o, uint64_t value); /* d.h1. */
void context_put_json(struct out *o, uint64_t value); /* an object, with that as its text */

#endif
