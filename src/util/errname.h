/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errname.h - names of errors, including those internal to the kernel.
 */
#ifndef CORETAP_UTIL_ERRNAME_H
#define CORETAP_UTIL_ERRNAME_H

/* "ENOENT" for 2; NULL for a number that is not an errno. */
const char *errname(int err);
/* No errno of the kernel's: a setting of the kernel is such that what was asked for would have no effect. */
enum { ERR_SWITCHED_OFF = 600 };
/* What the kernel answers, and the C library does not know. */
enum { KERNEL_ENOTSUPP = 524 };
/* strerror, but the name of one that is internal to the kernel, as the C library knows none. */
const char *errtext(int err);

#endif
