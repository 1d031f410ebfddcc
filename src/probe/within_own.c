/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within_own.c - does a traced function belong to a set of --in itself?
 *
 * If so, its program must distinguish the mark of its own call from outer ones, by the frame. If not, no frame is
 * needed, which kprobe.multi does not know at a return on every kernel.
 */
#include "probe/within_own.h"

#include <string.h>

#include "probe/argdump.h"

static const char *function_name(const struct argdump_probe *p, size_t i)
{
	return p->functions.count ? p->functions.items[i]->name : p->symbol.name;
}

static bool is_function(const struct argdump_probe *p)
{
	return p->request->spec.kind == PROBE_SPEC_FUNCTION && p->symbol.name;
}

/* Compares by name: functions that share one count as the same. */
static bool share_functions(const struct argdump_probe *p, const struct argdump_probe *mark)
{
	if (!is_function(p) || !is_function(mark))
		return true; /* unknown */
	for (size_t i = 0; i < (p->functions.count ?: 1); i++)
		for (size_t j = 0; j < (mark->functions.count ?: 1); j++)
			if (!strcmp(function_name(p, i), function_name(mark, j)))
				return true;
	return false;
}

static bool set_is_others(const struct argdump *marks, unsigned set, const struct argdump_probe *p)
{
	bool any = false;

	for (size_t i = 0; i < marks->probe_count; i++) {
		if (marks->probes[i].request->owner != set)
			continue;
		any = true;
		if (share_functions(p, &marks->probes[i]))
			return false;
	}
	return any;
}

void within_sets(const struct argdump *a, const struct argdump_probe *p, struct expr_within *within)
{
	const struct argdump_within *w = &a->within;

	within->sets = p->request->within;
	within->others = 0;
	for (unsigned set = 1; w->marks && set < SETS; set++)
		if (within->sets >> set & 1 && set_is_others(w->marks, set, p))
			within->others |= 1u << set;
}

/* True if one of the probes checks whether a call marked by this one is its own. */
static bool is_asked(const struct argdump *a, const struct argdump_probe *mark,
		     const struct argdump_probe *first, size_t count)
{
	for (const struct argdump_probe *p = first; p < first + count; p++) {
		struct expr_within within;

		within_sets(a, p, &within);
		if (within.sets & ~within.others & 1u << mark->request->owner && is_function(p) &&
		    share_functions(p, mark))
			return true;
	}
	return false;
}

void within_match(const struct argdump *a, struct argdump_probe *first, size_t count)
{
	const struct argdump *marks = a->within.marks;
	const struct argdump_variant *variant =
		NULL; /* the first probe of the request has the link */

	first->limits.frames = FRAMES_ANY;
	for (size_t i = 0; marks && i < marks->probe_count && !first->limits.frames; i++) {
		const struct argdump_probe *mark = &marks->probes[i];

		if (mark->fds.links.count)
			variant = mark->variant;
		if (variant && is_function(mark) && is_asked(a, mark, first, count))
			first->limits.frames = variant->context == EXPR_CTX_KPROBE ?
						       FRAMES_KPROBE :
						       FRAMES_TRAMPOLINE;
	}
}
