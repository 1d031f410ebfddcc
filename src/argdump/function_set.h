/* SPDX-License-Identifier: GPL-2.0 */
/*
 * function_set.h - the functions that a list or patterns name and that can be traced: what BTF has
 * (match.h) held against ftrace's own list.
 *
 * That list also knows functions without types, and all of those that have one name. Reading it
 * costs 160 to 320 ms (FACTS), so a single name never comes here. Where there is no list (lockdown
 * empties tracefs) all that BTF has is taken.
 */
#ifndef CORETAP_ARGDUMP_FUNCTION_SET_H
#define CORETAP_ARGDUMP_FUNCTION_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "argdump/match.h"

struct function {
	struct match_func types; /* id 0: BTF has it not, and btf is NULL */
	uint64_t address;	 /* its first byte; 0: unknown, or names do */
	uint64_t patched;	 /* where ftrace patches it; 0: unknown */
	char *owned;		 /* NULL where name and module are BTF's */
	bool namesake;		 /* others have its name: only its address tells */
};

struct function_set {
	struct function *list; /* by name and module; of those with one name, by `patched` */
	size_t count;
	size_t untraceable;    /* functions of BTF that ftrace has not */
	const char *one;       /* the first of those; BTF's; NULL: none */
	size_t unreachable;    /* not in the list: others have their names, and addresses are hidden */
	bool has_list;	       /* ftrace's: lockdown may hide it */
};

/* Returns 0 (an empty set is no error), or what match_functions returns. */
int function_set_find(const struct probe_spec *spec, const struct btf_view *kernel,
		      struct btf_modules *modules, struct function_set *set,
		      struct probe_spec_error *error);
/* The addresses of all, for one look at all symbols, where they can be seen. */
void function_set_locate(struct function_set *set);
void function_set_free(struct function_set *set);
/* How many functions of that name it has, of any module. */
size_t function_set_named(const struct function_set *set, const char *name);

#endif
