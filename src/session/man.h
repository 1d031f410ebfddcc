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
void man_completion(struct buf *o, bool zsh);
/* Writes a markdown table of all applets. */
void man_table(struct buf *o);

#endif
