/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * uprobe.h - probes on functions of programs and libraries.
 */
#ifndef CORETAP_ARGDUMP_PROVIDERS_UPROBE_H
#define CORETAP_ARGDUMP_PROVIDERS_UPROBE_H

#include "argdump/argdump.h"

extern const struct probe_ops probe_ops_user;

#endif
