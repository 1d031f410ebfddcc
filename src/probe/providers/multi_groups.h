/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_groups.h - which functions have a probe in common: those with the same prototype, and those
 * whose programs came out the same.
 *
 * There may be tens of thousands of either, so nothing is compared with all others.
 */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_GROUPS_H
#define CORETAP_PROBE_PROVIDERS_MULTI_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

struct multi_groups; /* opaque */

/* For so many functions. NULL: no memory. */
struct multi_groups *multi_groups_new(size_t functions);
void multi_groups_free(struct multi_groups *g);

/* The probe of functions with that prototype; `btf` is NULL and `proto` 0 for all without types.
 * False: this is the first one. */
bool multi_groups_find(const struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		       size_t *probe);
/* At most once for each of the functions. */
void multi_groups_add(struct multi_groups *g, const struct btf_view *btf, uint32_t proto,
		      size_t probe);
/* The probe whose program does the same as this one: an earlier one, or `probe`. At most once for each of
 * the functions. */
size_t multi_groups_same(struct multi_groups *g, const struct expr_program *program, size_t probe);

#endif
