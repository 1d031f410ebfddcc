/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * post_attach.c - slow work after everything is attached: finds functions that share a plain name, of which the
 * kernel silently chose the first (before 6.1, or under lockdown), and measures facts about kprobes.
 *
 * Only a search of all symbols finds the other functions, which takes longer than all the work before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "util/errname.h"
#include "util/log.h"
#include "symbols/kernel/ksyms.h"

/* ---- functions that share a name ---- */

enum { NAMESAKES_MAX = 64 };

static int fdset_join(struct fdset *to, struct fdset *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count; i++)
		err = fdset_add(to, from->fds[i]) ?: err;
	free(from->fds);
	*from = (struct fdset){ 0 };
	return err;
}

static bool is_alike(const struct argdump *a, const struct argdump_probe *p,
		     const struct argdump_probe *q)
{
	return aggregate_wanted(&a->aggregate) ? !aggregate_unlike(p->expr, q->expr) :
						 expr_alike(p->expr, q->expr);
}

/* Loads another program, attached by address. Its records look like those of the first. */
static int namesake_attach(struct session *s, struct argdump *a, struct argdump_probe *p,
			   uint64_t address)
{
	struct argdump_probe q = *p;
	int err;

	if (!address)
		return -EPERM;
	q.symbol.address = address;
	q.expr = NULL;
	q.attempt.variant = NULL;
	q.fds.programs = q.fds.links = (struct fdset){ 0 };
	err = argdump_variants_try(s, a, &q, NULL);
	if (!err && !is_alike(a, p, &q))
		err = -EOPNOTSUPP;
	if (err) {
		fdset_close(&q.fds.links);
		fdset_close(&q.fds.programs);
	} else {
		err = fdset_join(&p->fds.programs, &q.fds.programs);
		err = fdset_join(&p->fds.links, &q.fds.links) ?: err;
	}
	expr_free(q.expr);
	return err;
}

/* Attaches to the functions that the kernel skipped when it chose the first of that name. */
static void namesakes_attach(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	uint64_t addresses[NAMESAKES_MAX];
	size_t count = ksyms_functions(p->symbol.name, addresses, NAMESAKES_MAX), failures = 0;
	int err = 0;

	for (size_t i = 1; i < count; i++) {
		int one = i < NAMESAKES_MAX ? namesake_attach(s, a, p, addresses[i]) : -ENOBUFS;

		failures += one != 0;
		err = one ?: err;
	}
	if (count > 1 && !failures)
		log_note("%zu functions are called %s: all of them are traced", count,
			 p->symbol.name);
	else if (failures)
		log_warn("%zu functions are called %s, and %zu of them cannot be traced: %s", count,
			 p->symbol.name, failures, errtext(-err));
}

/* ---- kprobes ---- */

static bool by_kprobe(const struct argdump_probe *p)
{
	return p->variant && p->variant->method == ATTACH_KPROBE && p->fds.links.count;
}

static bool by_kretprobe(const struct argdump_probe *p)
{
	return by_kprobe(p) && p->input.scope != EXPR_SCOPE_ENTRY &&
	       p->request->spec.kind == PROBE_SPEC_FUNCTION;
}

static void kretprobe_report(const struct session *s, bool counted)
{
	if (!counted) {
		log_note(
			"kretprobes have limited room for calls in progress; this kernel does not count "
			"those that they miss");
		if (s->options.attach.method ==
		    ATTACH_KPROBE) /* only if asked for: otherwise fentry comes first */
			log_hint("--attach fentry has room for all calls, but is slow to attach to "
				 "many functions");
	}
	/* on architectures with a link register, kernels walk along frame pointers, which skips the tracing */
	if (s->names.kernel && arches[ARCH_NATIVE].return_size &&
	    !ksyms_address("__kretprobe_trampoline", NULL) &&
	    !ksyms_address("arch_rethook_trampoline", NULL))
		log_note("stacks end at the function that returns: this kernel cannot unwind past "
			 "the trampoline of a kretprobe");
}

/* One probe is enough: the result holds for all. */
static void kprobes_settle(struct session *s, const struct argdump *a)
{
	bool counted = false, asked = false;

	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		if (!by_kprobe(p))
			continue;
		if (!asked)
			counted = lost_link_counts(&s->losses, p->fds.links.fds[0], s->btf);
		asked = true;
		if (!by_kretprobe(p))
			continue;
		kretprobe_report(s, counted);
		return;
	}
}

void argdump_post_attach(struct session *s)
{
	struct argdump *a = s->private;

	for (struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		if (p->symbol.is_ambiguous)
			namesakes_attach(s, a, p);
	kprobes_settle(s, a);
	if (a->within.marks)
		kprobes_settle(s, a->within.marks);
}
