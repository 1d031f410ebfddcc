/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_diff.h - which value --diff compares, before it gets a format.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_DIFF_H
#define CORETAP_EXPR_RESOLVE_FORMAT_DIFF_H

#include "expr/compile.h"

void diff_format(struct compile *c, struct slot *s);

#endif
