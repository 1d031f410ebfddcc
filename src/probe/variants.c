/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * variants.c - the variants in which a probe may be attached, in the order in which they are tried.
 *
 * Each kind lists its variants from the cheapest on; those that may miss calls on this kernel are moved after those
 * that see all.
 */
#include "probe/argdump.h"
#include "attach/method_can.h"

const struct argdump_variant argdump_variants[ARGDUMP_VARIANTS] = {
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, true),
	/* lockdown=confidentiality forbids probe_read */
	ARGDUMP_VARIANT(FENTRY, FENTRY, true, false),
	ARGDUMP_VARIANT(FENTRY, FENTRY, false, true),
	ARGDUMP_VARIANT(KPROBE_MULTI, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE_MULTI, KPROBE, true, false),
	ARGDUMP_VARIANT(KPROBE, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE, KPROBE, false, true),
};

static bool sees_return(const struct argdump_probe *p)
{
	return p->kind->scope != EXPR_SCOPE_ENTRY || p->request->spec.is_return;
}

/* True if the calls in progress are kept in a pool, which may run out. */
static bool misses_returns(const struct argdump_probe *p, const struct argdump_variant *variant)
{
	return attach_has(variant->method, ATTACH_MISSES_RETURNS) && sees_return(p) &&
	       !(attach_has(variant->method, ATTACH_FPROBE) && p->target.multi_by_fgraph);
}

bool argdump_is_kretprobe(const struct argdump_probe *p)
{
	return p->variant && misses_returns(p, p->variant);
}

/*
 * While a trampoline's program is preempted, calls by other tasks on the same CPU are missed (preempt.h). kprobes
 * cannot be preempted, but those with returns store calls in progress in a pool that may run out; only a kprobe.multi
 * on the function graph has no such limit.
 */
static bool may_miss(const struct options *o, const struct argdump_probe *p,
		     const struct argdump_variant *variant)
{
	return misses_returns(p, variant) ||
	       (attach_has(variant->method, ATTACH_MISSES_PREEMPTED) && session_preempts(o));
}

/* A plan loads nothing, so it asks the types instead of the kernel. */
static bool trampoline_accepts(const struct btf_view *kernel, const struct argdump_probe *p)
{
	char why[FUNCTION_WHY];

	return !p->limits.kernel || !p->input.site.func_id ||
	       attach_can_type(p->limits.kernel, p->btf ?: kernel, p->input.site.func_id, why);
}

static bool is_possible(const struct options *o, const struct btf_view *kernel,
			const struct argdump_probe *p, const struct argdump_variant *variant)
{
	if (variant->context == EXPR_CTX_FENTRY_MULTI && p->functions.attach_type < 0)
		return false;
	if (attach_has(variant->method, ATTACH_FPROBE) && !p->target.kprobe_multi)
		return false;
	if (p->limits.method != ATTACH_ANY && variant->method != p->limits.method)
		return false;
	if (p->limits.by_kprobe && variant->method != ATTACH_KPROBE)
		return false;
	if (p->limits.frames &&
	    (variant->context == EXPR_CTX_KPROBE) != (p->limits.frames == FRAMES_KPROBE))
		return false;
	if (o->attach.dry_run && variant->context == EXPR_CTX_FENTRY &&
	    variant->method != ATTACH_TRACEPOINT && !trampoline_accepts(kernel, p))
		return false;
	return argdump_method_asked(o, variant->method);
}

/* True if a variant is slow for kernel stacks: without registers, a walk begins in the walk itself and takes 2400
 * instructions to reach the traced function. A single kprobe is attached faster than a kprobe.multi. */
static bool walks_slowly(const struct argdump_probe *p, const struct argdump_variant *variant)
{
	return p->limits.walks_kernel && !sees_return(p) && variant->method != ATTACH_KPROBE;
}

const struct argdump_variant *argdump_variant_at(const struct options *o,
						 const struct btf_view *kernel,
						 const struct argdump_probe *p, size_t n)
{
	const struct argdump_variant *end = p->kind->variants + p->kind->variant_count;

	for (int rank = 0; rank < 4; rank++)
		for (const struct argdump_variant *variant = p->kind->variants; variant < end;
		     variant++)
			if (is_possible(o, kernel, p, variant) &&
			    2 * may_miss(o, p, variant) + walks_slowly(p, variant) == rank && !n--)
				return variant;
	return NULL;
}

bool argdump_method_asked(const struct options *o, enum attach_method_id method)
{
	enum attach_method_id asked = o->attach.method;

	return asked == ATTACH_ANY || asked == method || asked == attach_methods[method].asked_as;
}

bool argdump_is_return_alone(const struct argdump_probe *p)
{
	size_t entry = 0, at_return = 0;

	if (p->expr) {
		expr_insns(p->expr, &entry);
		expr_insns_return(p->expr, &at_return);
	}
	return at_return && !entry;
}

const char *argdump_method_name(const struct argdump_probe *p,
				const struct argdump_variant *variant)
{
	if (p->input.scope == EXPR_SCOPE_CALL && !argdump_is_return_alone(p))
		return attach_methods[variant->method].pair_name;
	return attach_method_name(variant->method, p->input.scope != EXPR_SCOPE_ENTRY);
}
