/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within.h - traces only inside calls of other functions: --in FUNC, $depth.
 */
#ifndef CORETAP_PROBE_WITHIN_H
#define CORETAP_PROBE_WITHIN_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/inside.h"
#include "expr/expr.h"
#include "cli/options.h"

struct argdump;
struct argdump_probe;
struct argdump_request;
struct session;

enum { SETS = 32 };

/* The functions of the n-th --in are set n, from 1 on: the common ones first, then those of each probe. */
struct argdump_within {
	/* owned: probes that mark calls; NULL: nothing to mark */
	struct argdump *marks;
	unsigned count;	   /* number of --in */
	uint32_t user;	   /* bit mask: sets of user functions */
	unsigned depth_of; /* the set that $depth counts; 0: none */
	/* depth_of is the set of all functions that -r traces */
	bool depth_own;
	struct argdump_inside inside[SETS]; /* what @in( ) asks for, by set */
	size_t inside_most;		    /* the most values that a call of any set stores */
	const struct argdump_within *of;    /* in `marks`: the struct whose marks it sets */
};

/* clang-format off */
#define WITHIN_OPTIONS(add_)                                                                              \
	{ .name = "in", .is_saved = true, .setting = MODEL_IN, .type = OPTION_LIST, .arg = "FUNC",        \
	  .add = add_,                                                                                    \
	  .section = SECTION_CALLS, .brief = "only inside calls of FUNC", .help = "trace only while the thread is inside a call of FUNC, any PROBE with an entry and a "      \
		  "return. Of a list or pattern, one is enough; several --in must all be true. Calls "    \
		  "that began before the tracing are not known" }
/* clang-format on */

/* Creates the probes that mark calls, after all requests are added. Returns 0 or -errno after printing any error. */
int within_set(struct argdump *a);
/* Resolve the functions; attach, before anything else is attached; print the plan of --dry-run. Return an exit code
 * after printing any error. */
int within_resolve(struct session *s, struct argdump *a);
int within_attach(struct session *s, struct argdump *a);
int within_plan(struct session *s, struct argdump *a);
/* Detaches, after everything else, and adds to the ledger. */
void within_detach(struct session *s, struct argdump *a);

#endif
