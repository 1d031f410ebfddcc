/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_ctx.c - $ctx: the context of the probe, as in ftrace's latency field.
 *
 * The kernel keeps this information in several places, which differ by kernel and architecture.
 * Each can be read by an expression of this language, so $ctx is compiled as one long expression,
 * whose text follows the user's in the slot's text. What the probing itself adds is a fact that
 * the loader finds out ($fact, which only these texts may use). Macros are not in BTF; their
 * values are from:
 *
 *	irqs off	the saved flags: EFLAGS.IF is bit 9 on x86, PSTATE.I bit 7 on arm64. Only
 *			kprobes have them.
 *	the count	include/linux/preempt.h; on kernels with local_interrupt_disable_state,
 *			interrupts are counted in higher bits
 *	need-resched	in the count: bit 31, or the whole upper half, is 0 if a reschedule is
 *			requested. In the task's flags: the loader finds the bit by trying. The lazy
 *			bit is the next one (asm/thread_info.h, asm-generic/thread_info_tif.h).
 *	the format	the names of enum trace_flag_type; the digit of migrate-disable exists since
 *			all tasks have that member
 */
#include "expr/resolve/resolve.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr/syntax/syntax.h"
#include "output/field/trace_ctx.h"

enum { MACRO_MAX = 1536, TERM_MAX = 160 };

/* The preempt count, and its size in bytes. */
struct count {
	char text[TERM_MAX];
	uint64_t size;
};

/* Finds the count by the names that it has had. Older BTF has no variables: uses the address in
 * this CPU's area. */
static void count_find(const struct compile *c, struct count *count)
{
	const struct btf_view *b = c->in->btf;
	uint32_t var = symbol_variable(c, "__preempt_count");
	const struct arch *arch = target_arch(&c->in->target);

	count->size = var ? btf_view_size(b, btf_view_type(b, var)->type) : 4;
	if (arch->preempt_count) {
		count->size = 8;
		snprintf(count->text, sizeof(count->text), "%s", arch->preempt_count);
	} else if (var) {
		strcpy(count->text, "@__preempt_count");
	} else if (symbol_variable(c, "pcpu_hot")) {
		strcpy(count->text, "@pcpu_hot.preempt_count");
	} else {
		strcpy(count->text, "*(unsigned int *)((unsigned long)&@__preempt_count + "
				    "((unsigned long *)&@__per_cpu_offset)[$cpu])");
	}
}

static bool has_constant(struct compile *c, const char *name)
{
	const struct btf_view *b = c->in->btf;

	return btf_view_enumerator(b, btf_view_find(b, BTF_KIND_ENUM, "trace_flag_type"), name,
				   -1) >= 0;
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

static void term_add(struct macro *m, enum trace_ctx_bit bit, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends " | (fmt) << bit". */
static void term_add(struct macro *m, enum trace_ctx_bit bit, const char *fmt, ...)
{
	char term[2 * TERM_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(term, sizeof(term), fmt, args);
	va_end(args);
	m->len += snprintf(m->text + m->len, sizeof(m->text) - m->len, "%s(%s) << %d",
			   m->len ? " | " : "", term, bit);
}

/* The masks of include/linux/preempt.h. softirq is SOFTIRQ_OFFSET, which is set while a soft
 * interrupt is served; the higher bits count how often soft interrupts are disabled. */
struct preempt_bits preempt_bits(const struct expr_target *t)
{
	static const struct preempt_bits usual = { .softirq = 0x100,
						   .hardirq = 0xf0000,
						   .nmi = 0xf00000 };
	static const struct preempt_bits wide = { .softirq = 0x100,
						  .hardirq = 0xf000000,
						  .nmi = 0x70000000 };

	return t->preempt_wide ? wide : usual;
}

static void add_count(struct compile *c, struct macro *m)
{
	struct preempt_bits bits = preempt_bits(&c->in->target);
	struct count count;
	char now[TERM_MAX + 24];

	count_find(c, &count);
	snprintf(now, sizeof(now), "(%s - $fact(preempt))", count.text);
	term_add(m, TRACE_CTX_DEPTH, "%s & 0x1ff", now);
	term_add(m, TRACE_CTX_BH_OFF, "(%s & 0xfe00) != 0", now);
	term_add(m, TRACE_CTX_HARDIRQ, "(%s & 0x%x) != 0", now, bits.hardirq);
	term_add(m, TRACE_CTX_NMI, "(%s & 0x%x) != 0", now, bits.nmi);
	if (count.size == 8)
		term_add(m, TRACE_CTX_CPU_RESCHED, "%s >> 32 == 0", now);
	else
		term_add(m, TRACE_CTX_CPU_RESCHED, "%s >> 31 == 0", now);
	if (c->in->resched_unknown) /* the copy in the count is the best known value */
		term_add(m, TRACE_CTX_TASK_RESCHED, "%s >> %d == 0", now,
			 count.size == 8 ? 32 : 31);
}

static void add_task(struct compile *c, struct macro *m)
{
	const struct arch *arch = target_arch(&c->in->target);
	bool known = !c->in->resched_unknown;

	if (known)
		term_add(m, TRACE_CTX_TASK_RESCHED,
			 "$task->thread_info.flags >> $fact(resched) & 1");
	if (known && has_constant(c, "TRACE_FLAG_NEED_RESCHED_LAZY"))
		term_add(m, TRACE_CTX_LAZY_RESCHED, "$task->thread_info.flags >> $fact(lazy) & 1");
	if (has_migration(c))
		term_add(m, TRACE_CTX_MIGRATE,
			 "($task->migration_disabled - $fact(migrate)) & 0xff");
	term_add(m, TRACE_CTX_IRQS_OFF, "%s", arch->irqs_off);
}

static void build_macro(struct compile *c, struct macro *m)
{
	unsigned has = (unsigned)has_constant(c, "TRACE_FLAG_BH_OFF") << TRACE_CTX_HAS_BH |
		       (unsigned)has_constant(c, "TRACE_FLAG_NEED_RESCHED_LAZY")
			       << TRACE_CTX_HAS_LAZY |
		       (unsigned)has_migration(c) << TRACE_CTX_HAS_MIGRATE;

	add_count(c, m);
	add_task(c, m);
	term_add(m, 0, "0x%x", has);
}

static bool is_seen(struct compile *c, struct node *n)
{
	bool at_return = c->in->scope == EXPR_SCOPE_RETURN || c->slot->at_return;

	if (!target_arch(&c->in->target)->irqs_off) {
		compile_fail(c, n->span, "not known on this processor");
	} else if (c->in->target.method != EXPR_CTX_KPROBE || c->in->session) {
		compile_refuse(c, n->span, "only kprobes know whether interrupts are off");
	} else if (c->in->context_unknown[at_return]) {
		compile_refuse(c, n->span, "not known to probes of this kind");
		compile_hint(c,
			     "--attach kprobe, where a function of the kernel begins or returns");
	}
	return !c->err;
}

void resolve_context(struct compile *c, struct node *n)
{
	struct macro m = { .len = 0 };

	if (!is_seen(c, n))
		return;
	build_macro(c, &m);
	n->child = parse_inner(c, m.text);
}

/*
 * $irq: 1 in a soft interrupt (bit 8 of the count), 2 in a hard one, 3 in a hard one that
 * interrupted a soft one. The probing adds none of these, except a kprobe's trap, which counts as
 * a hard one and as an NMI.
 */
void resolve_interrupt(struct compile *c, struct node *n)
{
	struct preempt_bits bits = preempt_bits(&c->in->target);
	struct macro m = { .len = 0 };
	struct count count;

	count_find(c, &count);
	term_add(&m, 0, "(%s & 0x100) != 0", count.text);
	term_add(&m, 1, "(u32)((%s & (0x%x | 0x%x)) - 1) < 0x%x", count.text, bits.hardirq,
		 bits.nmi, bits.hardirq);
	n->child = parse_inner(c, m.text);
}
