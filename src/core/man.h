/* SPDX-License-Identifier: GPL-2.0 */
/*
 * man.h - texts made from a descriptor: --help, the man page (roff), bash completion, and the
 * rows of README's table. It must not know any applet by name.
 */
#ifndef CORETAP_MAN_H
#define CORETAP_MAN_H

#include "core/out.h"

struct applet;

/* What argp prints around the options: before and, behind \v, after them. To be freed. */
char *man_help(const struct applet *applet);
void man_page(const struct applet *applet, struct out *o);
/* Completion for bash of all applets. */
void man_completion(struct out *o);
/* A markdown table of all applets. */
void man_table(struct out *o);

#endif
