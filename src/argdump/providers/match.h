/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * match.h - the kernel functions that a PROBE names: by name, pattern, module and parameter type,
 * from BTF alone.
 */
#ifndef CORETAP_ARGDUMP_PROVIDERS_MATCH_H
#define CORETAP_ARGDUMP_PROVIDERS_MATCH_H

#include "argdump/probe_spec.h"
#include "btf/btf.h"
#include "btf/btf_modules.h"

struct match_func {
	const struct btf_view *btf; /* that has `id`: the kernel's, or the module's on top of it */
	uint32_t id;		    /* BTF_KIND_FUNC */
	const char *name;
	const char *module; /* NULL: the kernel proper */
};

/*
 * Calls `take` once for each function that matches at least one item of the list: the kernel's,
 * then those of each module. An item without a module matches in all of them, but a plain name
 * matches in modules only if the kernel proper does not have it; "vmlinux:" is the kernel proper
 * alone. `modules` may be NULL: no modules are searched. Everything passed to `take` lives as long
 * as `kernel` and `modules`. Returns 0 (also when nothing matches), the first result of `take` that
 * is not 0, -EINVAL with *error filled for an invalid type, -ENOMEM, or -errno of reading types.
 */
int match_functions(const struct probe_spec *spec, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*take)(const struct match_func *f, void *context), void *context,
		    struct probe_spec_error *error);

/* Does an item without a parameter type match that name? */
bool match_name(const struct probe_spec *spec, const char *name, const char *module);

/* A parameter type in a pattern: "struct sk_buff *", "gfp_t", "void **". */
struct match_type {
	unsigned kind;	  /* BTF_KIND_STRUCT, UNION or ENUM; BTF_KIND_UNKN: any of that name */
	const char *name; /* points into the text, not NUL-terminated; "void" is a name, too */
	size_t len;
	unsigned integer;  /* which of C's integer types; 0: none */
	unsigned pointers; /* number of `*` */
};
/* Returns 0, or -EINVAL if the text is not a type. */
int match_type_parse(const char *text, struct match_type *type);
/* Do name and kind match? `*` does not count. */
bool match_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct match_type *type);
/* Is it that type, ignoring qualifiers? A typedef matches by its own name and by the type it stands
 * for. */
bool match_type_is(const struct btf_view *btf, uint32_t id, const struct match_type *type);

#endif
