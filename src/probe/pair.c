/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.c - two probes that belong together: which probe is which side.
 *
 * Nothing here knows what is compiled (expr/resolve/pair.c, expr/emit/emit_pair.c).
 */
#include "probe/pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "cli/expr_list.h"
#include "util/log.h"

void pairs_close(struct argdump *a)
{
	for (struct argdump_pair *pair = a->pairs; pair < a->pairs + a->pair_count; pair++) {
		for (size_t i = 0; i < OPTION_LIST_MAX; i++)
			free(pair->texts[i]);
		program_maps_close(&pair->maps);
	}
	free(a->pairs);
	a->pairs = NULL;
	a->pair_count = 0;
}

/* ---- sides ---- */

static bool is_other(const struct argdump_probe *p, const struct argdump_probe *other)
{
	return other->request->pair == p->request->pair &&
	       other->request->is_end != p->request->is_end;
}

struct argdump_probe *pair_other(struct argdump *a, const struct argdump_probe *p)
{
	struct argdump_probe *first = NULL;

	if (!p->request->pair)
		return NULL;
	/* those that do not fit the expressions are never attached */
	for (struct argdump_probe *other = a->probes + a->probe_count; other-- > a->probes;)
		if (is_other(p, other) && (other->variant || !first || !first->variant))
			first = other;
	return first ?: a->probes;
}

const struct argdump_request *pair_begin(const struct argdump *a, const struct argdump_request *r)
{
	return r->pair ? &a->requests[r->pair->begin] : r;
}

struct program_maps *pair_maps(const struct argdump_probe *p)
{
	return p->request->pair ? &p->request->pair->maps : NULL;
}

bool pair_writes(const struct argdump_probe *p)
{
	return !p->request->pair || p->request->is_end;
}

unsigned pair_rank(const struct argdump_probe *p)
{
	if (!p->request->is_end)
		return 1;
	return p->request->spec.kind == PROBE_SPEC_TRACEPOINT ? 0 : 2;
}

void pair_match(const struct argdump *a, struct argdump_probe *p)
{
	for (size_t i = 0; p->request->pair && i < a->probe_count; i++) {
		const struct argdump_probe *other = &a->probes[i];

		if (other->variant && is_other(p, other) &&
		    other->request->spec.kind == p->request->spec.kind &&
		    other->kind->scope == p->kind->scope && !strcmp(other->name, p->name))
			p->same_method = other->variant->method;
	}
}

int pair_check(const struct argdump *a, const struct argdump_probe *p, struct expr_error *error)
{
	const struct argdump_probe *other = a->probes, *end = other + a->probe_count;

	while (other < end &&
	       (other == p || !other->compiled || other->request->pair != p->request->pair))
		other++;
	if (other == end || expr_keep_alike(other->expr, p->expr))
		return 0;
	*error = (struct expr_error){ .text = (size_t)-1 };
	snprintf(error->message, sizeof(error->message),
		 "what %s keeps has other types than the expressions have elsewhere", p->name);
	snprintf(error->hint, sizeof(error->hint), "a cast makes them the same: '(long)count'");
	return -EINVAL;
}
