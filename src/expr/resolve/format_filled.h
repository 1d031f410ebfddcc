/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_filled.h - buffers that the function fills.
 */
#ifndef CORETAP_EXPR_RESOLVE_FORMAT_FILLED_H
#define CORETAP_EXPR_RESOLVE_FORMAT_FILLED_H

#include "expr/resolve/resolve.h"

/* Is the name one of these, between blanks? */
bool has_word(const char *words, const char *name);
bool is_param(const struct node *n);
/* The format of a parameter that is such a buffer; NULL: it is none. */
const char *filled_format(struct compile *c, struct slot *s);

#endif
