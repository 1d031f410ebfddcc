/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost_account.c - what the programs of a probe have missed, and what of it is lost.
 */
#include "probe/lost_account.h"

void argdump_links_account(struct lost *l, const struct argdump_probe *p)
{
	bool is_kprobe = p->variant && p->variant->method == ATTACH_KPROBE;

	for (size_t i = 0; i < p->links.count; i++)
		lost_add_link(l, p->links.fds[i], is_kprobe);
}

static bool sees_both_sides(const struct argdump_probe *p)
{
	return p->kind->scope == EXPR_SCOPE_CALL && !argdump_is_return_alone(p);
}

/* The programs are for the return and the entry of calls, alternately. A call is lost if its return
 * was missed, or if its return was seen but found no entry. */
static void pairs_account(struct lost *l, const struct argdump_probe *p)
{
	bool counted = expr_counts_no_entry(p->expr);

	for (size_t i = 0; i + 1 < p->programs.count; i += 2) {
		uint64_t entries = lost_of_program(p->programs.fds[i + 1]);

		lost_add_program(l, p->programs.fds[i]);
		if (counted)
			l->entries_missed += entries;
		else
			l->local[LOSS_RECURSION] += entries;
		l->twice |= !counted && entries;
	}
}

void argdump_lost_account(struct lost *l, const struct argdump_probe *p)
{
	uint64_t before = l->local[LOSS_RECURSION];

	if (sees_both_sides(p) && p->variant && !attach_has(p->variant->method, ATTACH_SESSION)) {
		pairs_account(l, p);
		return;
	}
	for (size_t i = 0; i < p->programs.count; i++)
		lost_add_program(l, p->programs.fds[i]);
	/* a kprobe does not see the return of a call whose entry it missed; a trampoline may miss
	 * both sides, and counts both */
	if (sees_both_sides(p) && p->variant && !attach_has(p->variant->method, ATTACH_FPROBE))
		l->session |= l->local[LOSS_RECURSION] > before;
	l->twice |= l->session;
}
