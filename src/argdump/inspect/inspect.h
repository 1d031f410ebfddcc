/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inspect.h - looks without tracing: what could be traced (--list), what a type contains (--type).
 *
 * Both use only types and the kernel's own lists; nothing is loaded.
 */
#ifndef CORETAP_ARGDUMP_INSPECT_H
#define CORETAP_ARGDUMP_INSPECT_H

#include "argdump/argdump.h"

/* Parses the positional arguments of --list or --type. Returns 0, or -EINVAL after printing an
 * error. */
int inspect_args(struct session *s, struct argdump *a, int argc, char **argv);
/* The functions below return an exit code. */
int inspect_run(struct session *s, struct argdump *a);
/* Does the kernel or a module have a type of that name? `*` does not count. If not, prints the
 * nearest name as a hint. */
bool inspect_type_known(struct session *s, const char *type);
/* TYPE: [MODULE:][struct|union|enum] NAME[.MEMBER]… */
int inspect_type(struct session *s, const char *text);

#endif
