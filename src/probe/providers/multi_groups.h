/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_groups.h - finds functions that can share a probe: those with the same prototype, and those whose compiled
 * programs are equal.
 *
 * There may be tens of thousands of either, so nothing is compared with all others.
 */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_GROUPS_H
#define CORETAP_PROBE_PROVIDERS_MULTI_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

struct multi_groups; /* Opaque. */

/* Returns groups for up to that many functions. NULL: out of memory. */
struct multi_groups *multi_groups_new(size_t functions);
void multi_groups_free(struct multi_groups *g);

/* Finds the probe of functions with that prototype; `btf` is NULL and `proto` 0 for all functions without types.
 * Returns false if this is the first function. */
bool multi_groups_find(const struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		       size_t *probe);
/* Adds a prototype. Call it at most once for each function. */
void multi_groups_add(struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		      size_t probe);
/* Returns the probe whose program equals this one: an earlier one, or `probe`. Call it at most once for each
 * function. */
size_t multi_groups_same(struct multi_groups *g, const struct expr_program *program, size_t probe);

#endif
