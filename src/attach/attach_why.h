/* SPDX-License-Identifier: GPL-2.0-only */
/* attach_why.h - internal to attach_error.c (reasons that lie in the function) and attach_why.c (all others). */
#ifndef CORETAP_ATTACH_ATTACH_WHY_H
#define CORETAP_ATTACH_ATTACH_WHY_H

#include <stdbool.h>

#include "attach/attach_error.h"
#include "kernel/privileges.h"
#include "symbols/kernel/functions.h"

struct why {
	const char *function; /* NULL: the failure is about no function */
	char name[192];	      /* its name without %return, as the kernel's lists have it */
	/* the same, split at the colon; module NULL: none */
	char parts[192];
	const char *module, *symbol;
	struct btf_view *btf; /* may be NULL */
	int error;	      /* a positive errno */
	bool is_uprobe;
	struct privileges rights;
	struct functions list; /* owned: the functions of that name, and their copies */
	/* points into `list`; NULL: no function has exactly that name */
	const struct function *found;
	/* the result */
	enum attach_fault fault;
	char reason[384]; /* the text after "cannot trace X: " */
	char hint[768];
};

/* Sets the reason, and returns true. */
bool why_answer(struct why *w, enum attach_fault fault, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets the hint: what to do about the reason. */
void why_hint(struct why *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* True if the error means a lack of rights. */
bool why_refused(const struct why *w);

/* Both return true if they found a reason: first that of the process, then that of the kernel. */
bool why_process(struct why *w);
bool why_kernel(struct why *w);

#endif
