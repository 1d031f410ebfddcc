/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sock_text.h - part of resolve: addresses of a socket that are compared with a text.
 */
#ifndef CORETAP_EXPR_RESOLVE_SOCK_TEXT_H
#define CORETAP_EXPR_RESOLVE_SOCK_TEXT_H

#include "expr/compile.h"

/* EXPR:sock, :local, :peer before a comparison. */
void resolve_sock(struct compile *c, struct node *n);
/* Is the comparison of such a thing with a text? Then it becomes comparisons of numbers. */
bool resolve_sock_text(struct compile *c, struct node *n);

#endif
