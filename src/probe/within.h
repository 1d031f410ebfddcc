/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within.h - only inside of calls of other functions: --in FUNC, $depth.
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

/* The functions of the n-th --in are set n, from 1 on: those of all, then those of each probe. */
struct argdump_within {
	struct argdump *marks;		    /* owned: what marks the calls; NULL: nothing to mark */
	unsigned count;			    /* of --in */
	uint32_t user;			    /* bits: sets of user functions */
	unsigned depth_of;		    /* the set that $depth counts; 0: none */
	bool depth_own;			    /* … it is that of all functions that -r traces */
	struct argdump_inside inside[SETS]; /* what @in( ) asks for, by set */
	size_t inside_most;		    /* values that a call of some set keeps */
	const struct argdump_within *of;    /* of `marks`: whose it is */
};

/* clang-format off */
#define WITHIN_OPTIONS(add_)                                                                              \
	{ .name = "in", .is_saved = true, .setting = MODEL_IN, .type = OPTION_LIST, .arg = "FUNC",        \
	  .add = add_,                                                                                    \
	  .section = SECTION_CALLS, .brief = "only inside of FUNC's calls", .help = "trace only while the thread is inside of a call of FUNC, any PROBE with an entry and " \
		  "a return; a list or a pattern: of one of them; several --in: of all. Calls that "      \
		  "began before the tracing are not known" }
/* clang-format on */

/* Once all requests are there: makes what marks the calls. Returns 0 or -errno, after printing any
 * error. */
int within_set(struct argdump *a);
/* Finds the functions; attaches, before anything else is; the plan of --dry-run. Return an exit
 * code, after printing any error. */
int within_resolve(struct session *s, struct argdump *a);
int within_attach(struct session *s, struct argdump *a);
int within_plan(struct session *s, struct argdump *a);
/* After all else is detached: the ledger. */
void within_detach(struct session *s, struct argdump *a);

#endif
