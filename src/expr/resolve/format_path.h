/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_path.h - which values can be shown as a path.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_PATH_H
#define CORETAP_EXPR_RESOLVE_FORMAT_PATH_H

#include "expr/compile.h"

void path_format(struct compile *c, struct slot *s);

#endif
