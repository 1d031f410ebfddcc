/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_modules.h - the loaded modules, each with its types on top of the kernel's.
 *
 * At first only their names are read; a module's types are read when they are needed.
 */
#ifndef CORETAP_BTF_BTF_MODULES_H
#define CORETAP_BTF_BTF_MODULES_H

#include <stddef.h>

#include "btf/btf.h"

struct btf_modules; /* Opaque. */

/* Opens the modules whose BTF is in `folder` (NULL: the running kernel's in /sys), sorted by name. `base` is that
 * kernel's BTF and must outlive them. Returns 0 or -errno. */
int btf_modules_open(const struct btf_view *base, const char *folder, struct btf_modules **out);
void btf_modules_close(struct btf_modules *m);

size_t btf_modules_count(const struct btf_modules *m); /* m may be NULL: 0 */
/* Both results are valid as long as `m`. The view is opened at its first use: returns 0 or -errno. */
const char *btf_modules_name(const struct btf_modules *m, size_t i);
int btf_modules_view(struct btf_modules *m, size_t i, const struct btf_view **out);

/* ---- names with given prefixes, in the kernel and its modules (btf_find.c) ---- */

struct prefixed_name {
	const char *name; /* after the prefix */
	size_t prefix;	  /* index of the prefix */
	const struct btf_view *btf;
	uint32_t id;
};
struct prefixed_names {
	struct prefixed_name *names; /* owned; sorted by name, then prefix */
	size_t count, room;
};
/* Collects the names. One that begins with several prefixes counts for the first. Returns 0 or -ENOMEM; the caller
 * frees n->names. */
int prefixed_names_find(struct prefixed_names *n, const struct btf_view *kernel,
			struct btf_modules *modules, const char *const *prefixes, size_t count);
/* Returns the first entry of that name, or NULL. */
const struct prefixed_name *prefixed_names_get(const struct prefixed_names *n, const char *name,
					       size_t prefix);

#endif
