/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_ring.h - records to the ring buffer.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_RING_H
#define CORETAP_EXPR_EMIT_EMIT_RING_H

#include "expr/emit/emit_common.h"

extern const struct record_ops home_ring;

#endif
