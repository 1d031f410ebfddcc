/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_ctx.h - $ctx.
 */
#ifndef CORETAP_EXPR_RESOLVE_BUILTIN_CTX_H
#define CORETAP_EXPR_RESOLVE_BUILTIN_CTX_H

#include "expr/compile.h"

void resolve_context(struct compile *c, struct node *n);

#endif
