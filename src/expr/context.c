// SPDX-License-Identifier: GPL-2.0
/*
 * context.c - $ctx: what ftrace's latency field says of the moment of the probe.
 *
 * A part of resolve. The kernel keeps it in several places, which differ by kernel and architecture; each
 * has an expression of this language, so $ctx is read as if one long expression had been written. It
 * stands behind the user's in the slot's text. Sources of what BTF does not tell (they are macros):
 *
 *	irqs off	the saved flags: EFLAGS.IF is bit 9 on x86, PSTATE.I bit 7 on arm64. Only kprobes
 *			have them.
 *	the count	include/linux/preempt.h; where there is a local_interrupt_disable_state, interrupts
 *			are counted further up
 *	need-resched	in the count: bit 31, or all of the upper half, is 0 where it is asked for. In the task's
 *			flags: the caller finds the bit by trying. The lazy one is the next bit on x86
 *			(asm/thread_info.h, asm-generic/thread_info_tif.h), bit 16 on arm64.
 *	the format	the names of enum trace_flag_type; the digit of migrate-disable came when all tasks got
 *			that member
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "expr/parser.h"

enum { MACRO_MAX = 1024, TERM_MAX = 160, ARM64_LAZY = 16 };

/* Where the preempt count is, and how many bytes of it. */
struct count {
	char text[TERM_MAX];
	uint64_t size;
};

static bool has_variable(const struct compile *c, const char *name)
{
	return btf_view_find(c->in->btf, BTF_KIND_VAR, name) != 0;
}

/* By the names that it has had. Older BTF has no variables: by address, in this CPU's area. */
static void count_find(const struct compile *c, struct count *count)
{
	const struct btf_view *b = c->in->btf;
	uint32_t var = btf_view_find(b, BTF_KIND_VAR, "__preempt_count");

	count->size = var ? btf_view_size(b, btf_view_type(b, var)->type) : 4;
	if (c->in->target.arch == EXPR_ARCH_ARM64) {
		count->size = 8;
		strcpy(count->text, "$task->thread_info.preempt_count");
	} else if (var) {
		strcpy(count->text, "@__preempt_count");
	} else if (has_variable(c, "pcpu_hot")) {
		strcpy(count->text, "@pcpu_hot.preempt_count");
	} else {
		strcpy(count->text, "*(unsigned int *)((unsigned long)&@__preempt_count + "
		                    "((unsigned long *)&@__per_cpu_offset)[$cpu])");
	}
}

static bool has_constant(struct compile *c, const char *name)
{
	const struct btf_view *b = c->in->btf;
	uint32_t id = btf_view_find(b, BTF_KIND_ENUM, "trace_flag_type");
	const struct btf_type *t = btf_view_type(b, id);

	for (unsigned i = 0; id && i < btf_vlen(t); i++) {
		if (!strcmp(btf_view_string(b, btf_enums(t)[i].name_off), name))
			return true;
	}
	return false;
}

static bool has_migration(struct compile *c)
{
	struct btf_found found;

	return btf_view_member(c->in->btf, c->in->target.task_struct_id, "migration_disabled",
	                       strlen("migration_disabled"), &found);
}

struct macro {
	char text[MACRO_MAX];
	size_t len;
};

static void term_add(struct macro *m, enum context_bit bit, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* " | (fmt) << bit" */
static void term_add(struct macro *m, enum context_bit bit, const char *fmt, ...)
{
	char term[2 * TERM_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(term, sizeof(term), fmt, args);
	va_end(args);
	m->len += snprintf(m->text + m->len, sizeof(m->text) - m->len, "%s(%s) << %d",
	                   m->len ? " | " : "", term, bit);
}

static void add_count(struct compile *c, struct macro *m, const struct expr_context *known)
{
	bool disable = has_variable(c, "local_interrupt_disable_state");
	struct count count;
	char now[TERM_MAX + 16];

	count_find(c, &count);
	snprintf(now, sizeof(now), "(%s - %u)", count.text, known->preempt);
	term_add(m, CONTEXT_DEPTH, "%s & 0x1ff", now);
	term_add(m, CONTEXT_BH_OFF, "(%s & 0xfe00) != 0", now);
	term_add(m, CONTEXT_HARDIRQ, "(%s & %s) != 0", now, disable ? "0xf000000" : "0xf0000");
	term_add(m, CONTEXT_NMI, "(%s & %s) != 0", now, disable ? "0x70000000" : "0xf00000");
	if (count.size == 8)
		term_add(m, CONTEXT_CPU_RESCHED, "%s >> 32 == 0", now);
	else
		term_add(m, CONTEXT_CPU_RESCHED, "%s >> 31 == 0", now);
	if (known->need_resched < 0) /* its copy is the best that is known of it */
		term_add(m, CONTEXT_TASK_RESCHED, "%s >> %d == 0", now, count.size == 8 ? 32 : 31);
}

static void add_task(struct compile *c, struct macro *m, const struct expr_context *known)
{
	bool arm64 = c->in->target.arch == EXPR_ARCH_ARM64;

	if (known->need_resched >= 0)
		term_add(m, CONTEXT_TASK_RESCHED, "$task->thread_info.flags >> %d & 1",
		         known->need_resched);
	if (known->need_resched >= 0 && has_constant(c, "TRACE_FLAG_NEED_RESCHED_LAZY"))
		term_add(m, CONTEXT_LAZY_RESCHED, "$task->thread_info.flags >> %d & 1",
		         arm64 ? ARM64_LAZY : known->need_resched + 1);
	if (has_migration(c))
		term_add(m, CONTEXT_MIGRATE, "($task->migration_disabled - %u) & 0xff", known->migrate);
	if (arm64)
		term_add(m, CONTEXT_IRQS_OFF, "$reg(pstate) >> 7 & 1");
	else
		term_add(m, CONTEXT_IRQS_OFF, "$reg(flags) >> 9 & 1 ^ 1");
}

static void macro_make(struct compile *c, struct macro *m, const struct expr_context *known)
{
	unsigned has = (unsigned)has_constant(c, "TRACE_FLAG_BH_OFF") << CONTEXT_HAS_BH |
	               (unsigned)has_constant(c, "TRACE_FLAG_NEED_RESCHED_LAZY") << CONTEXT_HAS_LAZY |
	               (unsigned)has_migration(c) << CONTEXT_HAS_MIGRATE;

	add_count(c, m, known);
	add_task(c, m, known);
	term_add(m, 0, "0x%x", has);
}

/* What the probing itself adds is asked for once for each way. */
static bool context_known(struct compile *c, struct node *n, struct expr_context *known)
{
	bool at_return = c->in->scope == EXPR_SCOPE_RETURN || c->slot->at_return;
	int err = 0;

	if (c->in->target.rung != EXPR_RUNG_KPROBE || c->in->session)
		compile_refuse(c, n->span, "only kprobes tell whether interrupts are off");
	else if (c->in->context)
		err = c->in->context(c->in->ctx, at_return, known);
	if (err) {
		compile_refuse(c, n->span, "not known to probes of this kind");
		compile_hint(c, "--rung kprobe, where a function of the kernel begins or returns");
	}
	return !c->err;
}

void resolve_context(struct compile *c, struct node *n)
{
	struct expr_context known = { .need_resched = -1 };
	struct macro m = { .len = 0 };

	if (!context_known(c, n, &known))
		return;
	macro_make(c, &m, &known);
	n->child = parse_inner(c, m.text);
	if (!c->err)
		resolve_node(c, n->child);
	if (c->err != -EINVAL) /* about a text that nobody wrote */
		return;
	c->error->start = n->span.start;
	c->error->end = n->span.end;
	snprintf(c->error->message, sizeof(c->error->message),
	         "this kernel does not tell where it counts preemption");
}
