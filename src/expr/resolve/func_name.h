/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_name.h - $func compared with a text: $func == "vfs_read", $func ~ "vfs_*".
 */
#ifndef CORETAP_EXPR_RESOLVE_FUNC_NAME_H
#define CORETAP_EXPR_RESOLVE_FUNC_NAME_H

#include "expr/compile.h"

/* If `n` compares $func with a text, makes it what that is for the numbers of the traced functions,
 * and returns true. */
bool resolve_func_name(struct compile *c, struct node *n);

#endif
