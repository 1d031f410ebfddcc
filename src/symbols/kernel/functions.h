/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - the catalogue of kernel functions: what BTF, /proc/kallsyms, ftrace's list and the
 * kprobe blacklist say about those that patterns name, and why one of them cannot be traced.
 *
 * --list, patterns, single names and the explanation of a failure all read it. Each of the kernel's
 * lists takes 160 to 500 ms to read, so each is read once, and only if it is wanted.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_FUNCTIONS_H
#define CORETAP_SYMBOLS_KERNEL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"
#include "btf/btf_modules.h"

/* ---- functions by pattern (function_match.c) ---- */

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
/* True if a pattern without a parameter type matches that name. */
bool function_patterns_name(const struct function_patterns *patterns, const char *name,
			    const char *module);

/* ---- a parameter type in a pattern: "struct sk_buff *", "gfp_t", "void **" ---- */

struct param_type {
	unsigned kind;	  /* BTF_KIND_STRUCT, UNION or ENUM; BTF_KIND_UNKN: any of that name */
	const char *name; /* points into the text, not NUL-terminated; "void" is also a name */
	size_t len;
	unsigned integer;  /* number of one of C's integer types, or 0 */
	unsigned pointers; /* number of `*` */
};
/* Returns 0, or -EINVAL if the text is not a type. */
int param_type_parse(const char *text, struct param_type *type);
/* True if name and kind match. Ignores `*`. */
bool param_type_names(const struct btf_view *btf, const struct btf_type *t,
		      const struct param_type *type);

struct function {
	const char *name, *module; /* module NULL: the kernel proper */
	const struct btf_view
		*btf;	      /* that has `id`: the kernel's, or the module's; NULL: neither */
	uint32_t id;	      /* BTF_KIND_FUNC */
	uint64_t address;     /* of its first byte; 0: unknown */
	uint64_t patched;     /* where ftrace patches it; 0: unknown */
	unsigned bodies;      /* symbols of that name */
	const char *suffixed; /* a copy that the compiler changed: NAME.isra.0 …; NULL: none */
	bool ftrace;	      /* ftrace can patch it */
	bool blacklisted;     /* for kprobes */
	/* its code is freed after boot (if there are several: the last one's) */
	bool at_boot;
	/* FUNCTIONS_BODIES: others have its name, only the address identifies it */
	bool duplicate_symbol;
};

/* What to read in addition to BTF. */
enum functions_want {
	FUNCTIONS_FTRACE = 1 << 0,
	FUNCTIONS_SYMBOLS =
		1 << 1, /* bodies, suffixed, at_boot; functions that only have a symbol */
	FUNCTIONS_ADDRESSES = 1 << 2, /* of the first body, or each one's */
	FUNCTIONS_BLACKLIST = 1 << 3,
	/* An entry for each body that ftrace can patch, instead of one for each name in BTF. Symbols
	 * add no functions. Addresses are found where a name is not enough. */
	FUNCTIONS_BODIES = 1 << 4,
};

struct functions {
	struct function *list; /* owned; sorted by name, then module */
	size_t count;
	unsigned known;				    /* what was read (enum functions_want) */
	int symbols_err, ftrace_err, blacklist_err; /* -errno if that list cannot be read */
	bool hidden;				    /* the kernel shows no addresses */
	size_t unreachable; /* FUNCTIONS_BODIES: left out, as addresses are hidden */
	struct function_patterns patterns;
	/* private */
	bool has_ftrace;
	size_t room, sorted;	     /* the first `sorted` functions are in order */
	struct function_name *names; /* owned */
};

/* Finds the functions that patterns name. `patterns` and `modules` (NULL: do not search modules)
 * must outlive `l`. Returns 0, also if there is none or a list cannot be read, or what
 * functions_match returns. The caller frees *l in any case. */
int functions_find(struct functions *l, const struct function_patterns *patterns,
		   const struct btf_view *kernel, struct btf_modules *modules, unsigned want);
/* Reads more about the functions that were found. Returns 0 or -ENOMEM. */
int functions_read(struct functions *l, unsigned want);
/* Returns the kernel proper's function of that name, or else a module's, or NULL. */
const struct function *functions_get(const struct functions *l, const char *name);
/* Keeps those that ftrace can patch, or all if its list cannot be read. */
void functions_keep_traceable(struct functions *l);
void functions_free(struct functions *l);

/* ---- why not (function_why.c) ---- */

enum function_fault {
	FUNCTION_FINE,	  /* or its lists are unknown */
	FUNCTION_CHANGED, /* only a changed copy of it exists */
	FUNCTION_INLINED,
	FUNCTION_AT_BOOT,
	FUNCTION_NOTRACE,
	FUNCTION_FAULTS,
};
enum { FUNCTION_WHY = 192 }; /* bytes for a reason */
/* Why nothing can be attached to a function, after "cannot trace X: ". Needs FUNCTIONS_SYMBOLS and
 * FUNCTIONS_FTRACE; what cannot be read is no reason. `why` is unchanged if the answer is
 * FUNCTION_FINE. */
enum function_fault function_why_not(const struct functions *l, const struct function *f,
				     char why[FUNCTION_WHY]);
/* Why its parameters are unknown. False: it is in BTF. */
bool function_why_untyped(const struct function *f, char why[FUNCTION_WHY]);
/* Why kprobes cannot attach to a function on the blacklist. */
extern const char function_blacklisted[];

/* ---- similar names (function_why.c) ---- */

/* Writes "did you mean a, b or c?" with the names in /proc/kallsyms, or if that cannot be read in
 * `btf`, that are most like the wanted one. If `btf` is not NULL, all of them are in it. False: there
 * is none, and `text` is unchanged. */
bool function_suggest(const char *wanted, const struct btf_view *btf, char *text, size_t size);
/* How similar two names are: 0: equal except for leading underscores; ~0u: not similar. */
unsigned function_rank(const char *wanted, const char *name);

/* ---- the kernel's lists of functions (kernel_lists.c) ---- */

enum kernel_list { KERNEL_LIST_FTRACE, KERNEL_LIST_BLACKLIST, KERNEL_LISTS };

struct kernel_list_line {
	const char *name;   /* valid until the next line */
	const char *module; /* NULL: the kernel proper; always NULL in the blacklist */
	uint64_t patched;   /* the address that ftrace patches; 0: unknown */
};

/* Reads the list into memory, if it can: this process and its children then see it as it is now. */
void kernel_list_keep(enum kernel_list list);
/* Calls `take` for each line, until it returns an error. Returns that, -errno if the list cannot be
 * read, or 0. */
int kernel_list_read(enum kernel_list list,
		     int (*take)(const struct kernel_list_line *line, void *context),
		     void *context);

#endif
