/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prefixed_names.h - the functions and typedefs whose names begin with a given prefix, in the BTF of
 * the kernel and its modules.
 */
#ifndef CORETAP_BTF_PREFIXED_NAMES_H
#define CORETAP_BTF_PREFIXED_NAMES_H

#include "btf/btf.h"
#include "btf/btf_modules.h"

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
/* A name that begins with several prefixes counts for the first. Returns 0 or -ENOMEM; the caller frees n->names. */
int prefixed_names_find(struct prefixed_names *n, const struct btf_view *kernel,
			struct btf_modules *modules, const char *const *prefixes, size_t count);
/* The first of that name, or NULL. */
const struct prefixed_name *prefixed_names_get(const struct prefixed_names *n, const char *name,
					       size_t prefix);

#endif
