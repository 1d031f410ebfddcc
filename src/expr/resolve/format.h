/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format.h - how a value is shown: by :FORMAT, or by its type.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_H
#define CORETAP_EXPR_RESOLVE_FORMAT_H

#include "expr/compile.h"

void expr_format(struct compile *c, struct slot *s);

#endif
