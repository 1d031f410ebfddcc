/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_list.h - the functions that a list or patterns name and that can be traced: those in BTF
 * (match.h) that ftrace's own list also has.
 *
 * ftrace's list also has functions without types, and all functions that share a name. Reading it
 * costs 160 to 320 ms, so it is not used for a single name. If there is no list (lockdown empties
 * tracefs), all functions in BTF are taken.
 */
#ifndef CORETAP_ARGDUMP_PROVIDERS_FUNCTION_LIST_H
#define CORETAP_ARGDUMP_PROVIDERS_FUNCTION_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "argdump/providers/match.h"

struct function {
	struct match_func types; /* id 0: not in BTF; btf is NULL */
	uint64_t address;	 /* of its first byte; 0: unknown, or the name is enough */
	uint64_t patched;	 /* where ftrace patches it; 0: unknown */
	char *owned;		 /* NULL: name and module point into BTF */
	bool duplicate_symbol;	 /* other functions have its name: only its address identifies it */
};

struct function_list {
	struct function *list; /* sorted by name and module; functions of one name by `patched` */
	size_t count;
	size_t untraceable; /* functions in BTF that ftrace does not list */
	const char *one;    /* the first of them, in BTF; NULL: none */
	size_t unreachable; /* not in the list: their names are shared, and addresses are hidden */
	bool has_list;	    /* ftrace's list, which lockdown may hide */
};

/* Returns 0 (even if the set is empty), or what match_functions returns. */
int function_list_find(const struct probe_spec *spec, const struct btf_view *kernel,
		       struct btf_modules *modules, struct function_list *set,
		       struct probe_spec_error *error);
/* Finds the addresses of all functions in one search of the symbols, where they are visible. */
void function_list_locate(struct function_list *set);
void function_list_free(struct function_list *set);
/* The number of functions of that name in the list, in any module. */
size_t function_list_named(const struct function_list *set, const char *name);

#endif
