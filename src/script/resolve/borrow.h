/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * borrow.h - argdump's compiler, used for what it knows about this kernel (funcs_emit.c).
 */
#ifndef CORETAP_SCRIPT_RESOLVE_BORROW_H
#define CORETAP_SCRIPT_RESOLVE_BORROW_H

#include "expr/resolve/resolve.h"
#include "script/resolve/resolve.h"

struct borrowed {
	struct expr_program p;
	struct compile c;
};
void borrow(struct resolve *r, struct borrowed *b);
/* Errors of the borrowed compiler become errors of this one. */
void borrowed_return(struct resolve *r, struct borrowed *b);

#endif
