// SPDX-License-Identifier: GPL-2.0
/*
 * source_function.c - probes on kernel functions: fentry, kprobe.multi, kprobe.
 */
#include <errno.h>

#include "argdump/argdump.h"
#include "core/diag.h"

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

/* What the language has and this version has not. */
static int refuse(const struct argdump_request *request, const char *what)
{
	diag_error("cannot trace %s: %s are not supported yet", request->text, what);
	return EXIT_USAGE;
}

static int function_resolve(struct session *s, struct argdump *a,
			    const struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	struct argdump_probe *p;
	int err;

	if (request->spec.count > 1 || item->is_pattern)
		return refuse(request, "several functions by one probe");
	if (item->has_offset)
		return refuse(request, "instructions inside of a function");
	p = argdump_probe_add(a, request, item->name);
	if (!p)
		return probe_explain(NULL, s->btf, -ENOMEM);
	if (request->spec.is_return)
		p->kind = &probe_kind_return;
	err = expr_target_detect(s->btf, p->name, &p->target, &p->input.func_id);
	if (!err && p->input.func_id)
		return EXIT_FINE;
	return probe_explain(p->name, s->btf, err ? err : -ENOENT);
}

static int function_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
			 size_t log_size)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	return fd_list_add(&p->programs, program_load(insns, count, way->rung, p->input.func_id,
						      log, log_size));
}

static int function_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	return fd_list_add(&p->links, program_attach(p->programs.fds[0], way->rung, p->name));
}

static int function_explain(struct session *s, struct argdump_probe *p, int err)
{
	return probe_explain(p->name, s->btf, err);
}

const struct probe_kind probe_kind_function = {
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(ways[0]),
	.resolve = function_resolve,
	.load = function_load,
	.attach = function_attach,
	.explain = function_explain,
};
