/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vmlinux.h - the file of the running kernel that has its debug information: lines, inlined functions, variables.
 */
#ifndef CORETAP_SYMBOLS_USER_VMLINUX_H
#define CORETAP_SYMBOLS_USER_VMLINUX_H

#include <stdbool.h>
#include <stddef.h>

/* Opens `given` or, if that is NULL, the first file of that kernel at the places where distributions install it. `any`: a
 * file of another build is accepted. Writes the path to `path`, also after an error. Returns a descriptor; -ENOENT: none is
 * there; -ESTALE: it is of another build; or another -errno. */
int vmlinux_open(const char *given, bool any, char *path, size_t size);

#endif
