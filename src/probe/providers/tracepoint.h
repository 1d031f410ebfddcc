/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.h - probes on tracepoints.
 */
#ifndef CORETAP_PROBE_PROVIDERS_TRACEPOINT_H
#define CORETAP_PROBE_PROVIDERS_TRACEPOINT_H

#include "probe/argdump.h"

/* By arguments first, or by the fields of the event. */
extern const struct probe_ops probe_ops_tracepoint, probe_ops_event;

#endif
