/* SPDX-License-Identifier: GPL-2.0 */
/*
 * match.h - the kernel functions that a PROBE names: by name, pattern, module and type of a
 * parameter, from BTF alone.
 */
#ifndef CORETAP_ARGDUMP_MATCH_H
#define CORETAP_ARGDUMP_MATCH_H

#include "argdump/spec.h"
#include "core/btf.h"
#include "core/btf_modules.h"

struct match_func {
	const struct btf_view *btf; /* that `id` is of: the kernel's, or the module's over it */
	uint32_t id;		    /* BTF_KIND_FUNC */
	const char *name;
	const char *module; /* NULL: the kernel proper */
};

/*
 * Gives `take` each function that at least one item of the list takes, once: the kernel's, then
 * each module's. An item without a module looks in all, but a mere name in the modules only when
 * the kernel proper has it not; "vmlinux:" is the kernel proper alone. `modules` may be NULL: none
 * are looked at. Everything lives as long as `kernel` and `modules` do.
 * Returns 0 (also when there is none), what `take` returned if that was not 0, -EINVAL with *error
 * filled for what cannot be a type, -ENOMEM, or -errno of reading types.
 */
int match_functions(const struct probe_spec *spec, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*take)(const struct match_func *f, void *context), void *context,
		    struct probe_spec_error *error);

/* Does an item that asks for no type take such a name? */
bool match_name(const struct probe_spec *spec, const char *name, const char *module);

/* The type of a parameter that a pattern asks for: "struct sk_buff *", "gfp_t", "void **". */
struct match_type {
	unsigned kind;	  /* BTF_KIND_STRUCT, UNION or ENUM; BTF_KIND_UNKN: any of that name */
	const char *name; /* of the text, not ended by NUL; "void" is a name too */
	size_t len;
	unsigned integer;  /* C's own integers: which one; 0: it is none */
	unsigned pointers; /* stars */
};
/* Returns 0, or -EINVAL: that is no type. */
int match_type_parse(const char *text, struct match_type *type);
/* Is that its own name and kind? Stars do not count. */
bool match_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct match_type *type);
/* Is it that type, qualifiers aside? A typedef's name counts as well as what it stands for. */
bool match_type_is(const struct btf_view *btf, uint32_t id, const struct match_type *type);

#endif
