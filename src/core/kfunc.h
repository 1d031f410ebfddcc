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
/* How alike two names are: 0 the same but for leading underscores; ~0u not at all. */
unsigned kfunc_rank(const char *wanted, const char *name);

#endif
