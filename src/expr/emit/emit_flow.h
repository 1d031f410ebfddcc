/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_flow.h - :flow, a packet's addresses and ports from its headers.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_FLOW_H
#define CORETAP_EXPR_EMIT_EMIT_FLOW_H

#include "expr/emit/emit_common.h"

/* The struct sk_buff at REG_VALUE → struct flow (output/field/flow.h) in the slot. */
void gen_flow(struct gen *g, const struct slot *s, bool exact);

#endif
