/* SPDX-License-Identifier: GPL-2.0 */
/*
 * look.h - looking before touching: what could be traced (--list), what a type holds (--type).
 *
 * Both are answered from types and the kernel's own lists; nothing is loaded.
 */
#ifndef CORETAP_ARGDUMP_LOOK_H
#define CORETAP_ARGDUMP_LOOK_H

#include "argdump/argdump.h"

/* The positional arguments of a look: 0 or -EINVAL, said. */
int look_args(struct session *s, struct argdump *a, int argc, char **argv);
/* The rest of these return an exit code. */
int look_run(struct session *s, struct argdump *a);
/* Has the kernel proper, or a module, a type of that name? Stars do not count. If not, it is hinted
 * at what is nearest. */
bool look_type_known(struct session *s, const char *type);
/* TYPE: [MODULE:][struct|union|enum] NAME[.MEMBER]… */
int look_type(struct session *s, const char *text);

#endif
