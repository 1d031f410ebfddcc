/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expand_depth.h - --depth: slots for followed pointers.
 */
#ifndef CORETAP_EXPR_RESOLVE_EXPAND_DEPTH_H
#define CORETAP_EXPR_RESOLVE_EXPAND_DEPTH_H

#include "expr/compile.h"

void expr_follow(struct compile *c, struct slot *s); /* adds slots after the last one */

#endif
