/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.h - completion of PROBEs (complete.c) and of expressions (complete_expr.c), by the kernel's types
 * (complete_types.c).
 */
#ifndef CORETAP_FRONT_COMPLETE_H
#define CORETAP_FRONT_COMPLETE_H

#include "btf/btf_modules.h"
#include "front/front.h"

/* Calls `each` for each type of that kind whose name begins with `begin`; n->name is what follows. */
typedef void complete_type_fn(struct completion *c, const struct prefixed_name *n, void *ctx);
void complete_types_each(struct completion *c, unsigned kind, const char *begin,
			 complete_type_fn *each, void *ctx);

/* Completes an expression on the parameters of the PROBE c->first. */
void complete_expr(struct completion *c);

#endif
