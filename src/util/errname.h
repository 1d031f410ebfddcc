/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * errname.h - names of errors, including those internal to the kernel.
 */
#ifndef CORETAP_UTIL_ERRNAME_H
#define CORETAP_UTIL_ERRNAME_H

#include <stddef.h>

enum { ERRNO_MOST = 4095 };

/* Returns "ENOENT" for 2; NULL for a number that is not an errno. */
const char *errname(int err);
/* Returns 2 for "ENOENT", "enoent" and "2"; 0 for a text that is no error. */
int errname_find(const char *text, size_t len);
/* Not an errno: a kernel setting makes the requested action ineffective. */
enum { ERR_SWITCHED_OFF = 600 };
/* An error of the kernel that the C library has no name for. */
enum { KERNEL_ENOTSUPP = 524 };
/* As strerror, but also names errors internal to the kernel. */
const char *errtext(int err);

#endif
