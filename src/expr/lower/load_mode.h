/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load_mode.h - the load mode of each hop.
 */
#ifndef CORETAP_EXPR_LOWER_LOAD_MODE_H
#define CORETAP_EXPR_LOWER_LOAD_MODE_H

#include "expr/compile.h"

/* Sets mode, cast_* and pointee of a LOAD or BYTES whose base exists. `user`: the pointer is tagged
 * __user; `as_number`: the value is used in arithmetic, so the verifier must not see a pointer. */
void load_mode_choose(struct compile *c, struct vreg *v, bool user, bool as_number);

#endif
