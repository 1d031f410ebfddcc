/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expr_list.h - several expressions in one text: EXPR,EXPR...
 */
#ifndef CORETAP_CLI_EXPR_LIST_H
#define CORETAP_CLI_EXPR_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/options.h"

/* Cuts `text` at its commas and adds the expressions to items[*count], of which there may be
 * `room`; they point into the text. Prints an error that names `option`, and returns -EINVAL. */
int expr_list_cut(const char *option, char *text, const char **items, size_t room, size_t *count);
/* Is what can be given once for a probe given twice? Prints that. */
bool expr_list_is_twice(const struct option_list *list, const char *name);

#endif
