/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_meta.h - where a line of JSON is from: host, boot, kernel and applet, in each line (--meta).
 */
#ifndef CORETAP_OUTPUT_ROWS_JSON_META_H
#define CORETAP_OUTPUT_ROWS_JSON_META_H

#include <stdbool.h>

/* From now on each line has these members. `applet` is the name of what runs; it must stay. */
void json_meta_set(const char *applet);
/* Members for behind "type", with a comma in front of each; "" unless they are set. */
const char *json_meta_text(void);

struct buf;
/* Gives `put` the name and the text of each. */
void json_meta_each(struct buf *o, const char *applet,
		    void (*put)(struct buf *o, const char *name, const char *value));

#endif
