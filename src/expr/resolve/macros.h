/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * macros.h - names that kernel developers know and BTF does not, because they are macros.
 */
#ifndef CORETAP_EXPR_RESOLVE_MACROS_H
#define CORETAP_EXPR_RESOLVE_MACROS_H

#include "expr/compile.h"

/* Turns the node into a NUMBER if its name is a flag, an errno or another known constant. */
bool macro_constant_find(struct compile *c, struct node *n);
/* sk_dport of struct sock, for __sk_common.skc_dport. */
bool macro_member_find(struct compile *c, uint32_t id, const char *name, size_t len,
		       struct btf_found *found);

#endif
