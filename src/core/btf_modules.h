/* SPDX-License-Identifier: GPL-2.0 */
/*
 * btf_modules.h - the modules that are loaded, each with its types over the kernel's.
 *
 * Only their names are read at first; a module's types when somebody asks for them.
 */
#ifndef CORETAP_BTF_MODULES_H
#define CORETAP_BTF_MODULES_H

#include <stddef.h>

#include "core/btf.h"

struct btf_modules; /* opaque */

/* The modules whose BTF is in `folder` (NULL: the running kernel's, below /sys), by name. `base` is
 * that kernel's and has to outlive them. Returns 0 or -errno. */
int btf_modules_open(const struct btf_view *base, const char *folder, struct btf_modules **out);
void btf_modules_close(struct btf_modules *m);

size_t btf_modules_count(const struct btf_modules *m); /* of NULL: 0 */
/* Both live as long as `m`. The view is opened at its first use: 0 or -errno. */
const char *btf_modules_name(const struct btf_modules *m, size_t i);
int btf_modules_view(struct btf_modules *m, size_t i, const struct btf_view **out);

#endif
