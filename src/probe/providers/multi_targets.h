/* SPDX-License-Identifier: GPL-2.0-only */
/* multi_targets.h - the functions of a set of probes as the kernel's multi links take them. */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_TARGETS_H
#define CORETAP_PROBE_PROVIDERS_MULTI_TARGETS_H

#include "probe/argdump.h"

/* The arrays for the kernel, one element per function. */
struct multi_targets {
	const char **names;
	uint64_t *addresses, *cookies;
	uint32_t *ids;
	size_t count;
	bool have_addresses;
};

/* Returns how many functions the probes have. */
size_t multi_functions_count(struct argdump_probe *const *probes, size_t count);
/* Builds the arrays of all functions of the probes; the high half of a cookie is the number of the probe. Returns 0 or
 * -ENOMEM; call multi_targets_free() in either case. */
int multi_targets_build(struct multi_targets *t, struct argdump_probe *const *probes, size_t count);
void multi_targets_free(struct multi_targets *t);

#endif
