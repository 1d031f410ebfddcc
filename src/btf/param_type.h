/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * param_type.h - a type as text, by which functions and their parameters are found: "struct sk_buff *", "gfp_t",
 * "void **".
 *
 * Qualifiers are ignored: struct sock * is const struct sock *, too.
 */
#ifndef CORETAP_BTF_PARAM_TYPE_H
#define CORETAP_BTF_PARAM_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"

struct param_type {
	/* BTF_KIND_STRUCT, UNION or ENUM; BTF_KIND_UNKN: any type of that name */
	unsigned kind;
	const char *name; /* points into the text, not NUL-terminated; may be "void" */
	size_t len;
	unsigned integer;  /* number of one of C's integer types (integer_key), or 0 */
	unsigned pointers; /* number of `*` */
};

/* Returns 0, or -EINVAL if the text is not a type. */
int param_type_parse(const char *text, struct param_type *type);
/* True if name and kind match. Ignores `*`. */
bool param_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct param_type *type);
/* True if type `id` matches. A typedef matches by its own name and by its target. */
bool param_type_is(const struct btf_view *btf, uint32_t id, const struct param_type *type);

#endif
