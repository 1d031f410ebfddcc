/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * param_type.h - a parameter type in a pattern: "struct sk_buff *", "gfp_t", "void **".
 */
#ifndef CORETAP_SYMBOLS_KERNEL_PARAM_TYPE_H
#define CORETAP_SYMBOLS_KERNEL_PARAM_TYPE_H

#include "btf/btf.h"

struct param_type {
	unsigned kind;	  /* BTF_KIND_STRUCT, UNION or ENUM; BTF_KIND_UNKN: any of that name */
	const char *name; /* points into the text, not NUL-terminated; "void" is a name, too */
	size_t len;
	unsigned integer;  /* which of C's integer types; 0: none */
	unsigned pointers; /* number of `*` */
};
/* Returns 0, or -EINVAL if the text is not a type. */
int param_type_parse(const char *text, struct param_type *type);
/* Do name and kind match? `*` does not count. */
bool param_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct param_type *type);
/* Is it that type, ignoring qualifiers? A typedef matches by its own name and by the type it stands
 * for. */
bool param_type_is(const struct btf_view *btf, uint32_t id, const struct param_type *type);

#endif
