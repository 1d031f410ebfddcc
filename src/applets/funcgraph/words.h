/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.h - FUNC and what is shown inside of its calls, as probes: one for the returns and one for the entries of a
 * list.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_WORDS_H
#define CORETAP_APPLETS_FUNCGRAPH_WORDS_H

#include <stddef.h>

#include "cli/options.h"
#include "model/model.h"
#include "util/buf.h"

/* Writes the names, with commas between, and says which these are, or why there is none: then nothing
 * is written. `levels`: of calls inside of FUNC's; 0: so many that there are not too many functions.
 * `max`: functions; 0: what this kernel attaches in little time. Returns 0 or -ENOMEM. */
int graph_set_build(const char *func, unsigned levels, size_t max, struct buf *names);

extern const struct applet argdump_applet;

/* Checks that there is one FUNC and that it is a name. Returns 0, or -EINVAL after printing the
 * error. */
int graph_words_check(int argc, char **argv);
/* One list: FUNC, and the names and patterns that were given. Returns 0 or -ENOMEM. */
int graph_probes_given(struct model *m, const char *func, const struct option_list *funcs);
/* FUNC, and a list of `names` with commas, which others call, too: of these only calls inside of FUNC's are
 * recorded. `names` may be empty; a NUL is added. Returns 0 or -ENOMEM. */
int graph_probes_found(struct model *m, const char *func, struct buf *names);

#endif
