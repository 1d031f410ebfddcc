/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - tells which limit of this process caused an error, and what to do about it.
 */
#ifndef CORETAP_KERNEL_LIMITS_H
#define CORETAP_KERNEL_LIMITS_H

#include <stddef.h>

/* Writes the limit that causes an errno (positive), as "open files are limited to 16 (ulimit -n)", and returns the
 * remedy. Returns NULL, with `text` unchanged, if no limit causes the error. */
const char *limit_explain(int err, char *text, size_t size);

#endif
