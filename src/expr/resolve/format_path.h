/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_path.h - which values can be shown as a path.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_PATH_H
#define CORETAP_EXPR_RESOLVE_FORMAT_PATH_H

#include "expr/compile.h"

/* Can a path be found: by this kernel's types, and not under lockdown? */
bool path_is_known(struct compile *c);
/* Where the walk begins: the offset of the struct path, unless the value points to a dentry. False: the
 * value has no path. */
bool path_find(struct compile *c, const struct node *n, int *offset, bool *is_dentry);
void path_format(struct compile *c, struct slot *s);
/* NODE_PATH */
void resolve_path(struct compile *c, struct node *n);

#endif
