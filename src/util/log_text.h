/* SPDX-License-Identifier: GPL-2.0-only */
/* log_text.h - texts of messages, for log.c: hints that the user can follow, and carets below a source line. */
#ifndef CORETAP_UTIL_LOG_TEXT_H
#define CORETAP_UTIL_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"

/* True if the running tool has an option of that name, without the dashes. */
typedef bool hint_option_has(const char *name, size_t len);

/* Removes, in place, the parts of a hint, separated by "; ", that name an option which the tool does not have; `has`
 * NULL: all exist. An option after the name of another tool belongs to that tool. */
void hint_fit(char *text, hint_option_has *has);

/* Appends the line, and below it a caret and tildes under bytes [start, end). */
void caret_append(struct buf *o, const char *source, size_t start, size_t end);

#endif
