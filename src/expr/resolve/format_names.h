/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_names.h - names of bits from BTF.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_NAMES_H
#define CORETAP_EXPR_RESOLVE_FORMAT_NAMES_H

#include "expr/compile.h"

/* The bits of a gfp_t in this kernel. */
const struct field_name *gfp_names(struct compile *c);

#endif
