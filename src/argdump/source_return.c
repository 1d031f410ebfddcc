// SPDX-License-Identifier: GPL-2.0
/*
 * source_return.c - probes on the return of kernel functions: fexit, kretprobe.multi, kretprobe.
 *
 * What the probe names is found as for its entry (source_function.c).
 */
#include "argdump/argdump.h"

static const struct argdump_way ways[] = {
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, true, true },
	/* lockdown=confidentiality forbids probe_read */
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, true, false },
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, false, true },
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, true, false },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, false, true },
};

const struct probe_kind probe_kind_return = {
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(ways[0]),
	.scope = EXPR_SCOPE_RETURN,
	.load = argdump_function_load,
	.attach = argdump_function_attach,
	.explain = argdump_function_explain,
};
