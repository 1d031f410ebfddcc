/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - the page of the live view (view.html), and the headers that it is served with.
 */
#ifndef CORETAP_RUN_VIEW_H
#define CORETAP_RUN_VIEW_H

#include <stddef.h>

#include "util/buf.h"

/* Returns the page; empty if it cannot be unpacked, or no nonce could be made. Valid until view_close. */
const struct buf *view_page(void);
/* Returns the headers that keep everything but the page's own script and style from running. */
const char *view_headers(void);
/* Writes random digits, and a NUL. Returns 0 or -errno. */
int view_random(char *text, size_t length);
void view_close(void);

#endif
