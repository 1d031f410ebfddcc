/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * only.h - which calls of FUNC are printed: --longer, --errors.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_ONLY_H
#define CORETAP_APPLETS_FUNCGRAPH_ONLY_H

#include "applets/funcgraph/show.h"

/* The names of a bare --errors: any error will do. */
extern const char graph_any_error[];

/* Sets show->longer from 100us, 5ms, 0.5s or 20 (seconds, as in -d); NULL: 0. Returns 0, or -EINVAL after printing the
 * error. */
int graph_longer_set(struct graph_show *show, const char *text);
/* Parses the names of --errors: sets show->errors, and show->wanted unless any error will do. Returns like the above. */
int graph_errors_set(struct graph_show *show, const char *names);
/* The word after a bare --errors is its argument if it is an error: --errors EPERM FUNC. */
void graph_errors_word_read(const char **names, int *argc, char **argv);

#endif
