/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_ctx.h - FIELD_TRACE_CTX: the kernel's context, in the notation of ftrace's latency field.
 */
#ifndef CORETAP_OUTPUT_FIELD_TRACE_CTX_H
#define CORETAP_OUTPUT_FIELD_TRACE_CTX_H

#include <stdint.h>

#include "util/buf.h"

/* Bit numbers of the value. */
enum trace_ctx_bit {
	TRACE_CTX_DEPTH = 0,   /* 8 bits: how often preemption is disabled */
	TRACE_CTX_SOFTIRQ = 8, /* a softirq is being served */
	TRACE_CTX_BH_OFF,
	TRACE_CTX_HARDIRQ,
	TRACE_CTX_NMI,
	TRACE_CTX_IRQS_OFF,
	TRACE_CTX_TASK_RESCHED, /* the flag in the task */
	TRACE_CTX_CPU_RESCHED,	/* the flag's copy in the preempt count */
	TRACE_CTX_LAZY_RESCHED,
	TRACE_CTX_MIGRATE = 16, /* 8 bits: how often migration is disabled */
	/* what this kernel's own latency field shows: D and b; letters for lazy; the last digit */
	TRACE_CTX_HAS_BH = 24,
	TRACE_CTX_HAS_LAZY,
	TRACE_CTX_HAS_MIGRATE,
};

void trace_ctx_write(struct buf *o, uint64_t value); /* Writes "d.h1.". */
/* Writes an object that includes that text. */
void trace_ctx_write_json(struct buf *o, uint64_t value);

#endif
