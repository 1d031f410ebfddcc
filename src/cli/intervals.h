/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intervals.h - [INTERVAL [COUNT]], the arguments of tools that count, as users of bcc type them.
 */
#ifndef CORETAP_CLI_INTERVALS_H
#define CORETAP_CLI_INTERVALS_H

#include "cli/options.h"

enum { INTERVALS_ARGS = 2 };

/* Sets the interval in `o` and, with COUNT, the duration, from `argc` arguments: at most two. `anew`: each
 * report begins at nothing. 0, or -EINVAL after printing what is wrong. */
int intervals_take(struct options *o, int argc, char **argv, bool anew);

#endif
