/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - tells which limit of this process caused an error, and what to do about it.
 */
#ifndef CORETAP_KERNEL_LIMITS_H
#define CORETAP_KERNEL_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the limit that causes an errno (positive), as "open files are limited to 16 (ulimit -n)", and returns the
 * remedy. Returns NULL, with `text` unchanged, if no limit causes the error. */
const char *limit_explain(int err, char *text, size_t size);

/* Reports the error "MESSAGE: REASON" of an errno (negative). If a limit caused it, that is the reason, the remedy follows,
 * and it returns true; otherwise the reason is `why`. */
bool limit_error(int err, const char *why, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
