/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - which limit of this process an error comes from, and what to do about it.
 */
#ifndef CORETAP_KERNEL_LIMITS_H
#define CORETAP_KERNEL_LIMITS_H

#include <stddef.h>

/* Words the limit behind an errno (positive): "open files are limited to 16 (ulimit -n)", and what to do. Returns NULL, with
 * `text` unchanged, if the error is that of no limit. */
const char *limit_explain(int err, char *text, size_t size);

#endif
