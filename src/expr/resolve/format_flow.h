/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_flow.h - :flow, where a packet comes from and goes to.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_FLOW_H
#define CORETAP_EXPR_RESOLVE_FORMAT_FLOW_H

#include "expr/compile.h"

void flow_format(struct compile *c, struct slot *s);

#endif
