/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * man.h - texts derived from a descriptor: --help, the man page (roff), bash completion, and the
 * rows of README's table. It does not know any applet by name.
 */
#ifndef CORETAP_SESSION_MAN_H
#define CORETAP_SESSION_MAN_H

#include <stdbool.h>

#include "util/buf.h"

struct applet;

/* The text that argp prints around the options: before and, behind \v, after them. The caller frees
 * it. */
char *man_help(const struct applet *applet);
void man_page(const struct applet *applet, struct buf *o);
/* Writes the completion of all applets: for bash, or the same for zsh through its bashcompinit. */
typedef const struct applet *man_find_fn(const char *name);
/* `more` are names, up to a NULL, of applets that are not in the table of applets; `find` makes one. */
void man_completion(struct buf *o, bool zsh, const char *const *more, man_find_fn *find);
/* Writes a markdown table of all applets. */
void man_table(struct buf *o, const char *const *more, man_find_fn *find);

#endif
