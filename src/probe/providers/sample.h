/* SPDX-License-Identifier: GPL-2.0-only */
/* sample.h - hz:, every:, hw: and sw: (sample.c). */
#ifndef CORETAP_PROBE_PROVIDERS_SAMPLE_H
#define CORETAP_PROBE_PROVIDERS_SAMPLE_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_sample;
/* Attaches a probe that is attached to one more processor; nothing to do for probes of another kind, and for every:, which
 * samples one alone. Returns 0 or -errno. */
int sample_attach_cpu(struct argdump_probe *p, int cpu);

#endif
