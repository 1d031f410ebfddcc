/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - what the kernel's own lists say about one function name: /proc/kallsyms, the kprobe
 * blacklist, ftrace's list of functions.
 *
 * Reading them takes 200 to 500 ms, so this is done only after a failure. Needs no BTF.
 */
#ifndef CORETAP_SYMBOLS_FUNCTIONS_H
#define CORETAP_SYMBOLS_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#define FUNCTION_NAME	 64 /* bytes kept of a name, including its NUL */
#define FUNCTION_SIMILAR 8  /* names kept that contain the wanted one, or are contained in it */

enum function_answer { FUNCTION_UNKNOWN, FUNCTION_NO, FUNCTION_YES };

struct function_info {
	bool symbols_read;		  /* false: /proc/kallsyms could not be read */
	unsigned bodies;		  /* functions of exactly that name */
	bool data;			  /* a variable has that name */
	char module[FUNCTION_NAME];	  /* where the function is: "" is the kernel proper */
	char suffixed[FUNCTION_NAME];	  /* name.isra.0, name.constprop.0 …; "": none */
	bool hidden;			  /* addresses are hidden (kptr_restrict) */
	enum function_answer blacklisted; /* for kprobes */
	enum function_answer ftrace;	  /* ftrace can patch it */
	char alias[FUNCTION_NAME];	  /* another name under which ftrace can patch it, or "" */
	struct {
		char name[FUNCTION_NAME];
		unsigned rank; /* smaller is more alike */
	} similar[FUNCTION_SIMILAR];
	size_t similar_count;
	char nearest[FUNCTION_NAME]; /* by edit distance; "": none is near */
};

/* `name` may be MODULE:FUNCTION. Never fails: what cannot be read stays FUNCTION_UNKNOWN or
 * empty. */
void function_look_up(struct function_info *k, const char *name);
/* Calls `take` for each name of a list; `module` is NULL for the kernel proper, and always for the
 * blacklist. Returns 0, or -errno if the list cannot be read. */
enum function_list_kind { FUNCTION_LIST_FTRACE, FUNCTION_LIST_BLACKLIST };
int function_list_each(enum function_list_kind list,
		       void (*take)(const char *name, const char *module, void *context),
		       void *context);
/* For symbols in the order of ksyms_get: is this one a function? *part is state between the calls,
 * initially FUNCTION_PART_TEXT; after a call it says which part the symbol is in. */
enum function_part {
	FUNCTION_PART_TEXT,
	FUNCTION_PART_DATA,
	FUNCTION_PART_INIT, /* freed once the kernel has booted */
};
struct ksym;
bool function_is_code(const struct ksym *s, enum function_part *part);
/* How similar two names are: 0: equal except for leading underscores; ~0u: not similar. */
unsigned function_rank(const char *wanted, const char *name);

#endif
