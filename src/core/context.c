// SPDX-License-Identifier: GPL-2.0
/*
 * context.c - irqs-off, need-resched, hardirq/softirq/NMI, preempt depth and migrate depth as the
 * letters that ftrace prints in front of each of its lines, and as an object.
 */
#include "core/context.h"

#include <stdbool.h>

static bool has(uint64_t value, enum context_bit bit)
{
	return value >> bit & 1;
}

static unsigned depth(uint64_t value, enum context_bit bit)
{
	return value >> bit & 0xff;
}

static char irqs_letter(uint64_t v)
{
	bool bh = has(v, CONTEXT_HAS_BH) && has(v, CONTEXT_BH_OFF);

	if (has(v, CONTEXT_IRQS_OFF))
		return bh ? 'D' : 'd';
	return bh ? 'b' : '.';
}

/* By the task's flag, its copy, and the lazy one. */
static char resched_letter(uint64_t v)
{
	static const char letters[] = ".npNlbLB";
	bool lazy = has(v, CONTEXT_HAS_LAZY) && has(v, CONTEXT_LAZY_RESCHED);

	return letters[has(v, CONTEXT_TASK_RESCHED) | has(v, CONTEXT_CPU_RESCHED) << 1 | lazy << 2];
}

static char interrupt_letter(uint64_t v)
{
	bool hard = has(v, CONTEXT_HARDIRQ), soft = has(v, CONTEXT_SOFTIRQ);

	if (has(v, CONTEXT_NMI))
		return hard ? 'Z' : 'z';
	if (hard)
		return soft ? 'H' : 'h';
	return soft ? 's' : '.';
}

static char depth_letter(unsigned depth)
{
	return ".123456789abcdef"[depth < 15 ? depth : 15];
}

void context_put(struct out *o, uint64_t v)
{
	out_char(o, irqs_letter(v));
	out_char(o, resched_letter(v));
	out_char(o, interrupt_letter(v));
	out_char(o, depth_letter(depth(v, CONTEXT_DEPTH)));
	if (has(v, CONTEXT_HAS_MIGRATE))
		out_char(o, depth_letter(depth(v, CONTEXT_MIGRATE)));
}

void context_put_json(struct out *o, uint64_t v)
{
	static const struct {
		const char *name;
		enum context_bit bit;
	} flags[] = {
		{ "irqs_off", CONTEXT_IRQS_OFF },	  { "bh_off", CONTEXT_BH_OFF },
		{ "need_resched", CONTEXT_TASK_RESCHED }, { "preempt_resched", CONTEXT_CPU_RESCHED },
		{ "lazy_resched", CONTEXT_LAZY_RESCHED }, { "hardirq", CONTEXT_HARDIRQ },
		{ "softirq", CONTEXT_SOFTIRQ },		  { "nmi", CONTEXT_NMI },
	};

	out_str(o, "{\"text\":\"");
	context_put(o, v);
	out_char(o, '"');
	for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		out_printf(o, ",\"%s\":%s", flags[i].name, has(v, flags[i].bit) ? "true" : "false");
	out_printf(o, ",\"preempt_depth\":%u,\"migrate_depth\":%u}", depth(v, CONTEXT_DEPTH),
		   depth(v, CONTEXT_MIGRATE));
}
