/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall.h - probes on system calls.
 */
#ifndef CORETAP_PROBE_PROVIDERS_SYSCALL_H
#define CORETAP_PROBE_PROVIDERS_SYSCALL_H

#include "probe/argdump.h"

extern const struct probe_ops probe_ops_syscall;

#endif
