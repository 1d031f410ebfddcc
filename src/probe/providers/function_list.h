/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_list.h - the functions that the items of a PROBE name, from the catalogue (symbols/kernel/functions.h):
 * all of them, or only the traceable ones.
 */
#ifndef CORETAP_PROBE_PROVIDERS_FUNCTION_LIST_H
#define CORETAP_PROBE_PROVIDERS_FUNCTION_LIST_H

#include <stddef.h>

#include "cli/options.h"
#include "probe/probe_spec.h"
#include "symbols/kernel/functions.h"

/* Functions that cannot be traced for the same reason. */
struct function_left_out {
	size_t count;
	const char *first; /* the name of one of them; NULL: none */
	char why[FUNCTION_WHY];
};

struct function_list {
	struct functions found;
	struct function_pattern *patterns; /* owned: found.patterns.list */
	struct function_left_out left_out[FUNCTION_FAULTS];
};

/* Returns the `want` of a run that traces lists of functions. The kernel is asked about plain names, unless --dry-run
 * may load nothing, or a file's types may be of another kernel. */
unsigned function_list_want(const struct options *o);
/* Finds what a spec of kind PROBE_SPEC_FUNCTION names. Returns 0 (even if nothing matches), -EINVAL with *error
 * filled for an invalid type, -ENOMEM, or -errno of reading types. The caller frees the list in any case. */
int function_list_find(struct function_list *list, const struct probe_spec *spec,
		       const struct btf_view *kernel, struct btf_modules *modules, unsigned want,
		       struct probe_spec_error *error);
/* Finds those that ftrace can patch, with an item for each body; the others are counted in left_out. Where the kernel
 * answers nothing, ftrace's list is read, which takes 160 to 320 ms. If it cannot be read (lockdown empties tracefs), all
 * functions in BTF are included. */
int function_list_traceable(struct function_list *list, const struct probe_spec *spec,
			    const struct btf_view *kernel, struct btf_modules *modules,
			    unsigned want, struct probe_spec_error *error);
void function_list_free(struct function_list *list);

#endif
