/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_return.c - probes on the return of kernel functions: fexit, kretprobe.multi, kretprobe.
 *
 * The function is found as for a probe on its entry (function.c).
 */
#include "probe/providers/function_return.h"

#include "probe/providers/function.h"

const struct probe_ops probe_ops_return = {
	.variants = argdump_variants,
	.variant_count = ARGDUMP_VARIANTS,
	.scope = EXPR_SCOPE_RETURN,
	.target = function_target,
	.explain = function_explain,
};
