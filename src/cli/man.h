/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * man.h - texts derived from descriptors: man pages (roff), and the rows of README's table. It does not know any
 * applet by name.
 */
#ifndef CORETAP_CLI_MAN_H
#define CORETAP_CLI_MAN_H

#include "util/buf.h"

struct applet;

/* Writes the page of an applet as `name`. If that is not the applet's own name, it is run as coretap APPLET. */
void man_page(const struct applet *applet, const char *name, struct buf *o);
/* Writes the page of coretap itself. `list` is the output of --list. */
void man_suite(struct buf *o, const char *description, const char *list);
/* Writes a markdown table of all applets. `more` lists names, up to NULL, of applets outside of the table of applets;
 * `find` looks one up. */
typedef const struct applet *man_find_fn(const char *name);
void man_table(struct buf *o, const char *const *more, man_find_fn *find);
/* Writes the table of docs/sees.md: what each of the named tools sees, and what it does not see. */
void man_sees(struct buf *o, const char *const *names, man_find_fn *find);

#endif
