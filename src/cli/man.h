/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * man.h - texts derived from descriptors: man pages (roff), and the rows of README's table. It does not know any
 * applet by name.
 */
#ifndef CORETAP_CLI_MAN_H
#define CORETAP_CLI_MAN_H

#include "util/buf.h"

struct applet;

/* The page of an applet, which it calls `name`: with another name than the applet's, it is run as coretap
 * APPLET. */
void man_page(const struct applet *applet, const char *name, struct buf *o);
/* The page of coretap itself. `list` is what --list prints. */
void man_suite(struct buf *o, const char *description, const char *list);
/* Writes a markdown table of all applets. `more` has names, up to NULL, of applets that are not in the table of
 * applets; `find` returns one. */
typedef const struct applet *man_find_fn(const char *name);
void man_table(struct buf *o, const char *const *more, man_find_fn *find);
/* Writes docs/sees.md's table: what each of the named tools sees, and what it does not. */
void man_sees(struct buf *o, const char *const *names, man_find_fn *find);

#endif
