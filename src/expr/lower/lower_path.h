/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_path.h - the path that :path shows.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_PATH_H
#define CORETAP_EXPR_LOWER_LOWER_PATH_H

#include "expr/compile.h"

void path_plan(struct compile *c, struct slot *s);
/* NODE_PATH: the address of the text. */
int path_text_plan(struct compile *c, const struct node *n);

#endif
