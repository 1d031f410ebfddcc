// SPDX-License-Identifier: GPL-2.0
/*
 * source_return.c - probes on the return of kernel functions: fexit, kretprobe.multi, kretprobe.
 *
 * What the probe names is found as for its entry (source_function.c).
 */
#include "argdump/argdump.h"

const struct probe_kind probe_kind_return = {
	.ways = argdump_ways,
	.way_count = ARGDUMP_WAYS,
	.scope = EXPR_SCOPE_RETURN,
	.load = argdump_function_load,
	.attach = argdump_function_attach,
	.explain = argdump_function_explain,
};
