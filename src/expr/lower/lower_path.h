/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_path.h - the path that :path shows.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_PATH_H
#define CORETAP_EXPR_LOWER_LOWER_PATH_H

#include "expr/compile.h"

void path_plan(struct compile *c, struct slot *s);

#endif
