/* SPDX-License-Identifier: GPL-2.0 */
/*
 * context.h - what of $ctx is due to the probing itself, found by probing ourselves.
 */
#ifndef CORETAP_ARGDUMP_CONTEXT_H
#define CORETAP_ARGDUMP_CONTEXT_H

#include "argdump/argdump.h"

/* For p->input, which is being compiled for way `p->rung`. Measured at the first call, then known; *known stays
 * what it is where nothing will be loaded.
 * Returns 0, -EOPNOTSUPP where these probes do not see it, or another -errno. */
int context_measure(struct argdump_probe *p, bool at_return, struct expr_context *known);

#endif
