/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_match.h - the functions that patterns name: by name, module and parameter type, from BTF
 * alone.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_FUNCTION_MATCH_H
#define CORETAP_SYMBOLS_KERNEL_FUNCTION_MATCH_H

#include "btf/btf.h"
#include "btf/btf_modules.h"

struct function_pattern {
	const char *name;   /* may be a pattern of * ? [a-z] */
	const char *module; /* so may this; NULL: any; "vmlinux": the kernel proper */
	const char *type;   /* "struct sk_buff *": of one of its parameters; NULL: any */
	bool is_pattern;    /* is `name` more than a plain name? */
};
struct function_patterns {
	const struct function_pattern *list;
	size_t count;
	size_t wrong; /* after -EINVAL: the one whose type is none */
};

struct function_match {
	const struct btf_view *btf; /* that has `id`: the kernel's, or the module's on top of it */
	uint32_t id;		    /* BTF_KIND_FUNC */
	const char *name;
	const char *module; /* NULL: the kernel proper */
};

/*
 * Calls `take` once for each function that at least one pattern names: the kernel's, then those of
 * each module. Without a module a pattern matches in all of them, but a plain name matches in modules
 * only if the kernel proper does not have it. `modules` may be NULL: no modules are searched.
 * Everything passed to `take` lives as long as `kernel` and `modules`. Returns 0 (also when nothing
 * matches), the first result of `take` that is not 0, -EINVAL for an invalid type, -ENOMEM, or -errno
 * of reading types.
 */
int functions_match(struct function_patterns *patterns, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*take)(const struct function_match *f, void *context), void *context);
/* Does a pattern without a parameter type match that name? */
bool function_patterns_name(const struct function_patterns *patterns, const char *name,
			    const char *module);

#endif
