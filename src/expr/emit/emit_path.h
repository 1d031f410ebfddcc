/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_path.h - :path.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PATH_H
#define CORETAP_EXPR_EMIT_EMIT_PATH_H

#include "expr/emit/emit_common.h"

/* Writes the path at REG_VALUE to the slot. */
void gen_path(struct gen *g, const struct slot *s, bool exact);

#endif
