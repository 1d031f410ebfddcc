/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.h - converts FUNC and the functions to print inside of its calls to probes: one for the returns and one for
 * the entries of a list.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_WORDS_H
#define CORETAP_APPLETS_FUNCGRAPH_WORDS_H

#include <stddef.h>

#include "cli/options.h"
#include "model/model.h"
#include "util/buf.h"

/* Writes the names, separated by commas, and reports which these are; if there are none, reports why and writes
 * nothing. `levels`: of calls inside of FUNC's; 0: as many as keep the number of functions low. `max`: functions; 0:
 * as many as this kernel attaches quickly. Returns 0 or -ENOMEM. */
int graph_set_build(const char *func, unsigned levels, size_t max, struct buf *names);

extern const struct applet argdump_applet;

/* Checks that there is one FUNC and that it is a name. Returns 0, or -EINVAL after printing the error. */
int graph_words_check(int argc, char **argv);
/* Adds one list: FUNC, and the given names and patterns. Returns 0 or -ENOMEM. */
int graph_probes_given(struct model *m, const char *func, const struct option_list *funcs);
/* Adds FUNC, and a list of `names`, separated by commas, which other functions also call: only calls inside of FUNC
 * are recorded. `names` may be empty; a NUL is added. Returns 0 or -ENOMEM. */
int graph_probes_found(struct model *m, const char *func, struct buf *names);

#endif
