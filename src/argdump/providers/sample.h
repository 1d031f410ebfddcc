/* SPDX-License-Identifier: GPL-2.0-only */
/* sample.h - hz:, every:, hw: and sw: (sample.c). */
#ifndef CORETAP_ARGDUMP_PROVIDERS_SAMPLE_H
#define CORETAP_ARGDUMP_PROVIDERS_SAMPLE_H

#include "argdump/argdump.h"

extern const struct probe_ops probe_ops_sample;

#endif
