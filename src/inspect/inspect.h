/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inspect.h - answers questions without tracing: what can be traced (--list), what a type contains (--type).
 *
 * Both use only types and the kernel's own lists; nothing is loaded.
 */
#ifndef CORETAP_INSPECT_INSPECT_H
#define CORETAP_INSPECT_INSPECT_H

#include "probe/argdump.h"

/* Parses the positional arguments of --list or --type. Returns 0, or -EINVAL after printing an
 * error. */
int inspect_args(struct session *s, struct argdump *a);
/* Returns an exit code. */
int inspect_run(struct session *s, struct argdump *a);

#endif
