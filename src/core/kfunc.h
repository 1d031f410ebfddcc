/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kfunc.h - what the kernel's own lists say of one function name: /proc/kallsyms, the kprobe
 * blacklist, ftrace's list of functions.
 *
 * Reading them costs 200 to 500 ms (FACTS), so only after a failure. Needs no BTF.
 */
#ifndef CORETAP_KFUNC_H
#define CORETAP_KFUNC_H

#include <stdbool.h>
#include <stddef.h>

#define KFUNC_NAME 64	 /* bytes of a name that is kept, with its NUL */
#define KFUNC_SIMILAR 8	 /* names kept that contain the wanted one, or are contained in it */

enum kfunc_answer { KFUNC_UNKNOWN, KFUNC_NO, KFUNC_YES };

struct kfunc {
	bool symbols_read;	     /* false: /proc/kallsyms could not be read */
	unsigned bodies;	     /* functions of exactly that name */
	bool data;		     /* a variable has that name */
	char module[KFUNC_NAME];     /* of a body: "" is the kernel proper */
	char suffixed[KFUNC_NAME];   /* name.isra.0, name.constprop.0 …; "" there is none */
	bool hidden;		     /* addresses are hidden (kptr_restrict) */
	enum kfunc_answer blacklisted; /* for kprobes */
	enum kfunc_answer ftrace;      /* ftrace can patch it */
	struct {
		char name[KFUNC_NAME];
		unsigned rank; /* smaller is more alike */
	} similar[KFUNC_SIMILAR];
	size_t similar_count;
	char nearest[KFUNC_NAME]; /* by edit distance; "" none is near */
};

/* `name` may be MODULE:FUNCTION. Never fails: what cannot be read stays unknown. */
void kfunc_look(struct kfunc *k, const char *name);
/* Each name of one of the lists in turn; `module` is NULL for the kernel proper, and always in the
 * blacklist. Returns 0, or -errno when the list cannot be read. */
enum kfunc_list { KFUNC_LIST_FTRACE, KFUNC_LIST_BLACKLIST };
int kfunc_list_each(enum kfunc_list list,
		    void (*take)(const char *name, const char *module, void *context),
		    void *context);
/* Of symbols in the order of ksyms_get: is this one a function? *part is the caller's note between
 * them, KFUNC_PART_TEXT at first, and then says where the symbol lies. */
enum kfunc_part {
	KFUNC_PART_TEXT,
	KFUNC_PART_DATA,
	KFUNC_PART_INIT, /* gone once the kernel has booted */
};
struct ksym;
bool kfunc_is_function(const struct ksym *s, enum kfunc_part *part);
/* How alike two names are: 0 the same but for leading underscores; ~0u not at all. */
unsigned kfunc_rank(const char *wanted, const char *name);

#endif
