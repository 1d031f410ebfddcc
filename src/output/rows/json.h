/* SPDX-License-Identifier: GPL-2.0-only */
/* json.h - --meta: host, boot, kernel and applet, formatted once for all JSON lines. */
#ifndef CORETAP_OUTPUT_ROWS_JSON_H
#define CORETAP_OUTPUT_ROWS_JSON_H

#include <stdbool.h>

/* From now on, each line has these members. `applet` must outlive all output. */
void json_meta_set(const char *applet);

struct buf;
/* Calls `put` with the name and the text of each. */
void json_meta_each(struct buf *o, const char *applet,
		    void (*put)(struct buf *o, const char *name, const char *value));

#endif
