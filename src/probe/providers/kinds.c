/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kinds.c - the table of kinds of PROBE.
 */
#include "probe/providers/providers.h"

const struct probe_ops *const probe_kinds_all[PROBE_SPEC_KINDS] = {
	[PROBE_SPEC_FUNCTION] = &probe_ops_function,
	[PROBE_SPEC_TRACEPOINT] = &probe_ops_tracepoint,
	[PROBE_SPEC_SYSCALL] = &probe_ops_syscall,
	[PROBE_SPEC_USER] = &probe_ops_user,
	[PROBE_SPEC_PROGRAM] = &probe_ops_program,
	[PROBE_SPEC_HZ] = &probe_ops_sample,
	[PROBE_SPEC_EVERY] = &probe_ops_sample,
	[PROBE_SPEC_HARDWARE] = &probe_ops_sample,
	[PROBE_SPEC_SOFTWARE] = &probe_ops_sample,
	[PROBE_SPEC_WATCH] = &probe_ops_sample,
};
