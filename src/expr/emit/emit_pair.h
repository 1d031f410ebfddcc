/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pair.h - the two programs of a pair of probes.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PAIR_H
#define CORETAP_EXPR_EMIT_EMIT_PAIR_H

#include "expr/emit/emit_common.h"

/* Makes the one that expr_pair.makes_end says. */
void gen_pair(struct gen *g);

#endif
