// SPDX-License-Identifier: GPL-2.0
/*
 * settle.c - what takes its time once all is attached: functions that share a plain name, where the
 * kernel took the first of them and does not say so (before 6.1, or under lockdown), and what must be
 * known of kretprobes.
 *
 * Only a look at all symbols tells of the others, which takes longer than everything before it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/argdump.h"
#include "core/diag.h"
#include "core/ksyms.h"

/* ---- functions that share a name ---- */

enum { NAMESAKES_MAX = 64 };

static int fd_list_join(struct fd_list *to, struct fd_list *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count; i++)
		err = fd_list_add(to, from->fds[i]) ?: err;
	free(from->fds);
	*from = (struct fd_list){ 0 };
	return err;
}

static bool is_alike(const struct argdump *a, const struct argdump_probe *p,
		     const struct argdump_probe *q)
{
	return aggregate_wanted(&a->aggregate) ? aggregate_alike(p->expr, q->expr) :
						 expr_alike(p->expr, q->expr);
}

/* A program of its own, by address, whose records are as the first one's. */
static int namesake_attach(struct session *s, struct argdump *a, struct argdump_probe *p,
			   uint64_t address)
{
	struct argdump_probe q = *p;
	int err;

	if (!address)
		return -EPERM;
	q.address = address;
	q.expr = NULL;
	q.programs = q.links = q.tables = (struct fd_list){ 0 };
	err = argdump_ways_try(s, a, &q, NULL);
	if (!err && !is_alike(a, p, &q))
		err = -EOPNOTSUPP;
	if (err) {
		fd_list_close(&q.links);
		fd_list_close(&q.programs);
		fd_list_close(&q.tables);
	} else {
		err = fd_list_join(&p->tables, &q.tables);
		err = fd_list_join(&p->programs, &q.programs) ?: err;
		err = fd_list_join(&p->links, &q.links) ?: err;
	}
	expr_free(q.expr);
	return err;
}

/* The kernel took the first. */
static void namesakes_attach(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	uint64_t addresses[NAMESAKES_MAX];
	size_t count = ksyms_functions(p->symbol, addresses, NAMESAKES_MAX), failures = 0;
	int err = 0;

	for (size_t i = 1; i < count; i++) {
		int one = i < NAMESAKES_MAX ? namesake_attach(s, a, p, addresses[i]) : -ENOBUFS;

		failures += one != 0;
		err = one ?: err;
	}
	if (count > 1 && !failures)
		diag_note("%zu functions are called %s: all of them are traced", count, p->symbol);
	else if (failures)
		diag_warn("%zu functions are called %s, and %zu of them cannot be traced: %s", count,
			  p->symbol, failures, strerror(-err));
}

/* ---- kretprobes ---- */

static bool by_kretprobe(const struct argdump_probe *p)
{
	return p->way && p->way->rung == PROBE_RUNG_KPROBE && p->links.count &&
	       p->input.scope != EXPR_SCOPE_ENTRY && p->request->spec.kind == PROBE_SPEC_FUNCTION;
}

static void kretprobe_tell(const struct session *s, const struct argdump_probe *p)
{
	if (!losses_link_counts(p->links.fds[0])) {
		diag_note("kretprobes have room for few calls of a function at a time, as many as there "
			  "are processors; this kernel does not count those that they miss");
		diag_hint("--rung fentry has room for all; of many functions that takes its time");
	}
	if (s->options.kernel_stack && !ksyms_address("__kretprobe_trampoline", NULL) &&
	    !ksyms_address("arch_rethook_trampoline", NULL))
		diag_note("stacks end at the function that returns: this kernel cannot look behind "
			  "the trampoline of a kretprobe");
}

void argdump_settle(struct session *s)
{
	struct argdump *a = s->private;
	const struct argdump_probe *told = NULL;

	for (struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		if (p->one_of_all)
			namesakes_attach(s, a, p);
		if (told || !by_kretprobe(p))
			continue;
		kretprobe_tell(s, p);
		told = p;
	}
}
