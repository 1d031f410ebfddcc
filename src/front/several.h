/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * several.h - several probes on the command line: PROBE EXPR... --and PROBE EXPR...
 *
 * Conditions, measures, keys, an --until … behind a PROBE are its own if there are several; those before
 * the first are everybody's.
 */
#ifndef CORETAP_FRONT_SEVERAL_H
#define CORETAP_FRONT_SEVERAL_H

#include "probe/argdump.h"

/* Makes the requests of the command line, and says whose the options are. Returns 0, or -errno after
 * printing an error. */
int several_add(struct argdump *a, int argc, char **argv);
/* The lists whose items behind a PROBE are its own, in the order of --save; NULL: there are no more. */
struct option_list *several_own_list(const struct argdump *a, size_t i);
enum { ARGDUMP_LISTS_MAX = 16 }; /* with --and, --if and a NULL */
/* For words that are put before those of the command line: how long each list was before, … */
void several_lists_mark(const struct argdump *a, size_t counts[ARGDUMP_LISTS_MAX]);
/* … and then what was in it stands behind `before` arguments more; of the `args` that follow, the
 * first is another PROBE. */
void several_lists_shift(struct argdump *a, const size_t counts[ARGDUMP_LISTS_MAX], unsigned before,
			 unsigned args);

#endif
