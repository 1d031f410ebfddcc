/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - the catalogue of kernel functions: what BTF, /proc/kallsyms, ftrace's list and the kprobe blacklist
 * say about the functions that patterns name, and why one of them cannot be traced.
 *
 * --list, patterns, single names and explanations of failures all use it. Each of the kernel's lists takes 160 to 500
 * ms to read, so each is read at most once, and only if it is wanted.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_FUNCTIONS_H
#define CORETAP_SYMBOLS_KERNEL_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "btf/btf.h"
#include "btf/btf_modules.h"
#include "btf/param_type.h"

/* ---- functions by pattern (function_match.c) ---- */

/* The kernel's answer about a plain name (attach/ask_functions.c). */
enum function_answer {
	FUNCTION_UNKNOWN,
	FUNCTION_ABSENT,    /* nothing has that name */
	FUNCTION_TRACEABLE, /* ftrace can patch it, and no other has the name */
};

struct function_pattern {
	const char *name;   /* may be a pattern of * ? [a-z] */
	const char *module; /* may also be a pattern; NULL: any; "vmlinux": the kernel proper */
	const char *type;   /* the type of one parameter: "struct sk_buff *"; NULL: any */
	bool is_pattern;    /* `name` contains wildcards */
	enum function_answer answer;
};
struct function_patterns {
	const struct function_pattern *list;
	size_t count;
	size_t wrong; /* after -EINVAL: the index of the pattern whose type is invalid */
};

struct function_match {
	/* the types that `id` belongs to: the kernel's, or the module's on top of them */
	const struct btf_view *btf;
	uint32_t id; /* of a BTF_KIND_FUNC */
	const char *name;
	const char *module; /* NULL: the kernel proper */
};

/*
 * Calls `fn` once for each function that at least one pattern names: the kernel's, then those of each module. Without
 * a module a pattern matches in all of them, but a plain name matches in modules only if the kernel proper does not
 * have it. `modules` may be NULL: no modules are searched. Everything passed to `fn` lives as long as `kernel` and
 * `modules`. Returns 0 (also when nothing matches), the first result of `fn` that is not 0, -EINVAL for an invalid
 * type, -ENOMEM, or -errno of reading types.
 */
int functions_match(struct function_patterns *patterns, const struct btf_view *kernel,
		    struct btf_modules *modules,
		    int (*fn)(const struct function_match *f, void *context), void *context);
/* True if a pattern without a parameter type matches that name. */
bool function_patterns_name(const struct function_patterns *patterns, const char *name,
			    const char *module);

struct function {
	const char *name, *module; /* module NULL: the kernel proper */
	const struct btf_view
		/* the types that `id` belongs to: the kernel's, or the module's; NULL: the function is in neither */
		*btf;
	uint32_t id;	      /* of a BTF_KIND_FUNC */
	uint64_t address;     /* address of its first byte; 0: unknown */
	uint64_t patched;     /* the address that ftrace patches; 0: unknown */
	unsigned bodies;      /* number of symbols with that name */
	const char *suffixed; /* a copy that the compiler changed: NAME.isra.0, …; NULL: none */
	bool ftrace;	      /* ftrace can patch it */
	bool blacklisted;     /* protected from kprobes */
	/* its code is freed after boot (if there are several, tells about the last one) */
	bool at_boot;
	/* FUNCTIONS_BODIES: several have its name, so only the address identifies it */
	bool duplicate_symbol;
};

/* What to read in addition to BTF. */
enum functions_want {
	FUNCTIONS_FTRACE = 1 << 0,
	FUNCTIONS_SYMBOLS =
		/* reads bodies, suffixed, at_boot; adds functions that only have a symbol */
	1 << 1,
	FUNCTIONS_ADDRESSES = 1 << 2, /* reads the address of the first body, or of each one */
	FUNCTIONS_BLACKLIST = 1 << 3,
	/* Makes an entry for each body that ftrace can patch, instead of one for each name in BTF. Symbols add no
	 * functions. Addresses are read if names are not enough. */
	FUNCTIONS_BODIES = 1 << 4,
	FUNCTIONS_ASKED = 1 << 5, /* function_list.c: the kernel is asked first */
};

struct functions {
	struct function *list; /* owned; sorted by name, then module */
	size_t count;
	unsigned known;				    /* what was read (enum functions_want) */
	int symbols_err, ftrace_err, blacklist_err; /* -errno if that list could not be read */
	bool hidden;				    /* the kernel shows no addresses */
	size_t unreachable; /* FUNCTIONS_BODIES: functions left out because addresses are hidden */
	struct function_patterns patterns;
	/* for functions.c only */
	bool has_ftrace;
	size_t room, sorted;	     /* the first `sorted` functions are in order */
	struct function_name *names; /* owned */
};

/* Finds the functions that patterns name. `patterns` and `modules` (NULL: do not search modules) must outlive `l`.
 * Returns 0, even if none is found or a list cannot be read, or an error of functions_match. The caller frees *l in
 * any case. */
int functions_find(struct functions *l, const struct function_patterns *patterns,
		   const struct btf_view *kernel, struct btf_modules *modules, unsigned want);
/* Reads more about the functions found. Returns 0 or -ENOMEM. */
int functions_read(struct functions *l, unsigned want);
/* Returns the kernel proper's function of that name, else a module's, else NULL. */
const struct function *functions_get(const struct functions *l, const char *name);
/* Drops functions that ftrace cannot patch, unless its list cannot be read. */
void functions_drop_untraceable(struct functions *l);
void functions_free(struct functions *l);

/* ---- why a function cannot be traced (function_why.c) ---- */

enum function_fault {
	FUNCTION_FINE,	  /* no fault is known */
	FUNCTION_CHANGED, /* only a copy of it exists, which the compiler changed */
	FUNCTION_INLINED,
	FUNCTION_AT_BOOT,
	FUNCTION_NOTRACE,
	FUNCTION_FAULTS,
};
enum { FUNCTION_WHY = 192 }; /* bytes for a reason */
/* Writes why nothing can be attached to a function, to be printed after "cannot trace X: ". Needs FUNCTIONS_SYMBOLS
 * and FUNCTIONS_FTRACE; a list that cannot be read is no reason. Leaves `why` unchanged if it returns FUNCTION_FINE. */
enum function_fault function_why_not(const struct functions *l, const struct function *f,
				     char why[FUNCTION_WHY]);
/* Writes why the function's parameters are unknown. Returns false if it is in BTF. */
bool function_why_untyped(const struct function *f, char why[FUNCTION_WHY]);
/* The reason why kprobes cannot attach to a function on the blacklist. */
extern const char function_blacklisted[];

/* ---- similar names (function_why.c) ---- */

/* Writes "did you mean a, b or c?" with the most similar names in /proc/kallsyms or, if that cannot be read, in
 * `btf`. If `btf` is not NULL, all of them are in it. Returns false, with `text` unchanged, if there is none. */
bool function_suggest(const char *wanted, const struct btf_view *btf, char *text, size_t size);
/* Returns how similar two names are: 0 if equal but for leading underscores; ~0u if not similar. */
unsigned function_rank(const char *wanted, const char *name);

/* ---- the kernel's lists of functions (kernel_lists.c) ---- */

enum kernel_list { KERNEL_LIST_FTRACE, KERNEL_LIST_BLACKLIST, KERNEL_LISTS };

struct kernel_list_line {
	const char *name;   /* valid until the next line */
	const char *module; /* NULL: the kernel proper; always NULL in the blacklist */
	uint64_t patched;   /* the address that ftrace patches; 0: unknown */
};

/* Reads the list into memory if possible: this process and its children then use that copy. */
void kernel_list_preload(enum kernel_list list);
/* Calls `fn` for each line until it returns an error. Returns that, -errno if the list cannot be read, or 0. */
int kernel_list_read(enum kernel_list list,
		     int (*fn)(const struct kernel_list_line *line, void *context), void *context);

#endif
