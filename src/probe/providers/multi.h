/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi.h - probes on many functions: a list, or patterns.
 */
#ifndef CORETAP_PROBE_PROVIDERS_MULTI_H
#define CORETAP_PROBE_PROVIDERS_MULTI_H

#include "probe/argdump.h"

/* `resolve` of PROBE_SPEC_FUNCTION for more than one plain name. */
int multi_resolve(struct session *s, struct argdump *a, struct argdump_request *request);

#endif
