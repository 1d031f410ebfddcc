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

static int return_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
		       size_t log_size)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	return fd_list_add(&p->programs,
			   program_load_return(insns, count, way->rung, p->input.func_id, log,
					       log_size));
}

static int return_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	return fd_list_add(&p->links,
			   program_attach_return(p->programs.fds[0], way->rung, p->name));
}

static int return_explain(struct session *s, struct argdump_probe *p, int err)
{
	return probe_explain(p->name, s->btf, err);
}

const struct probe_kind probe_kind_return = {
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(ways[0]),
	.scope = EXPR_SCOPE_RETURN,
	.load = return_load,
	.attach = return_attach,
	.explain = return_explain,
};
