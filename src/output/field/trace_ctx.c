/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace_ctx.c - writes irqs-off, need-resched, hardirq/softirq/NMI, preempt depth and migrate depth as the letters at
 * the start of ftrace's lines, and as a JSON object.
 */
#include "output/field/trace_ctx.h"

#include <stdbool.h>

static bool has(uint64_t value, enum trace_ctx_bit bit)
{
	return value >> bit & 1;
}

static unsigned depth(uint64_t value, enum trace_ctx_bit bit)
{
	return value >> bit & 0xff;
}

static char irqs_letter(uint64_t v)
{
	bool bh = has(v, TRACE_CTX_HAS_BH) && has(v, TRACE_CTX_BH_OFF);

	if (has(v, TRACE_CTX_IRQS_OFF))
		return bh ? 'D' : 'd';
	return bh ? 'b' : '.';
}

/* The letter depends on the task's flag, its copy in the preempt count, and the lazy flag. */
static char resched_letter(uint64_t v)
{
	static const char letters[] = ".npNlbLB";
	bool lazy = has(v, TRACE_CTX_HAS_LAZY) && has(v, TRACE_CTX_LAZY_RESCHED);

	return letters[has(v, TRACE_CTX_TASK_RESCHED) | has(v, TRACE_CTX_CPU_RESCHED) << 1 |
		       lazy << 2];
}

static char interrupt_letter(uint64_t v)
{
	bool hard = has(v, TRACE_CTX_HARDIRQ), soft = has(v, TRACE_CTX_SOFTIRQ);

	if (has(v, TRACE_CTX_NMI))
		return hard ? 'Z' : 'z';
	if (hard)
		return soft ? 'H' : 'h';
	return soft ? 's' : '.';
}

static char depth_letter(unsigned depth)
{
	return ".123456789abcdef"[depth < 15 ? depth : 15];
}

void trace_ctx_write(struct buf *o, uint64_t v)
{
	buf_char(o, irqs_letter(v));
	buf_char(o, resched_letter(v));
	buf_char(o, interrupt_letter(v));
	buf_char(o, depth_letter(depth(v, TRACE_CTX_DEPTH)));
	if (has(v, TRACE_CTX_HAS_MIGRATE))
		buf_char(o, depth_letter(depth(v, TRACE_CTX_MIGRATE)));
}

void trace_ctx_write_json(struct buf *o, uint64_t v)
{
	static const struct {
		const char *name;
		enum trace_ctx_bit bit;
	} flags[] = {
		{ "irqs_off", TRACE_CTX_IRQS_OFF },
		{ "bh_off", TRACE_CTX_BH_OFF },
		{ "need_resched", TRACE_CTX_TASK_RESCHED },
		{ "preempt_resched", TRACE_CTX_CPU_RESCHED },
		{ "lazy_resched", TRACE_CTX_LAZY_RESCHED },
		{ "hardirq", TRACE_CTX_HARDIRQ },
		{ "softirq", TRACE_CTX_SOFTIRQ },
		{ "nmi", TRACE_CTX_NMI },
	};

	buf_str(o, "{\"text\":\"");
	trace_ctx_write(o, v);
	buf_char(o, '"');
	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		buf_printf(o, ",\"%s\":%s", flags[i].name, has(v, flags[i].bit) ? "true" : "false");
	buf_printf(o, ",\"preempt_depth\":%u,\"migrate_depth\":%u}", depth(v, TRACE_CTX_DEPTH),
		   depth(v, TRACE_CTX_MIGRATE));
}
