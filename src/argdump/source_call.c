// SPDX-License-Identifier: GPL-2.0
/*
 * source_call.c - probes on whole calls of kernel functions: entry and return in one record (-r).
 *
 * What the probe names is found as for its entry (source_function.c).
 */
#include "argdump/argdump.h"

/*
 * A trampoline keeps the arguments and has room for every call; a kprobe's session has neither, at
 * least before 6.14 (probe_multi_unlimited), and a kretprobe misses even more.
 */
#define FSESSION(typed_, probe_read_)                                                             \
	{ PROBE_RUNG_FSESSION, EXPR_RUNG_FENTRY, typed_, probe_read_, true, "fsession" }
#define FENTRY(typed_, probe_read_)                                                               \
	{ PROBE_RUNG_FENTRY, EXPR_RUNG_FENTRY, typed_, probe_read_, false, "fentry+fexit" }
#define SESSION(typed_, probe_read_)                                                              \
	{ PROBE_RUNG_KPROBE_MULTI, EXPR_RUNG_KPROBE, typed_, probe_read_, true, "kprobe.session" }
#define KPROBE(typed_, probe_read_)                                                               \
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, typed_, probe_read_, false, "kprobe+kretprobe" }

static const struct argdump_way ways[] = {
	FSESSION(true, true),
	/* lockdown=confidentiality forbids probe_read */
	FSESSION(true, false), FSESSION(false, true),
	FENTRY(true, true), FENTRY(true, false), FENTRY(false, true),
	SESSION(true, true), SESSION(true, false), SESSION(false, true),
	KPROBE(true, true), KPROBE(false, true),
};

static bool by_kprobe(const struct argdump_way *way)
{
	return way->context == EXPR_RUNG_KPROBE;
}

/* One program more; `attach` is the attach type, of trampolines and sessions. */
static int side_load(struct argdump_probe *p, const struct argdump_way *way,
		     const struct bpf_insn *insns, size_t count, int attach, char *log,
		     size_t log_size)
{
	struct program_type type = { .prog = BPF_PROG_TYPE_TRACING, .attach = attach };

	if (!by_kprobe(way))
		return fd_list_add(&p->programs,
				   argdump_typed_load(p, insns, count, &type, log, log_size));
	type.prog = BPF_PROG_TYPE_KPROBE;
	type.attach = way->session ? attach : 0;
	return fd_list_add(&p->programs, program_load_as(insns, count, &type, log, log_size));
}

/* The return's first, which may be all. */
static int call_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
		     size_t log_size)
{
	const struct expr_target *t = &p->target;
	size_t count;
	const struct bpf_insn *insns = expr_insns_return(p->expr, &count);
	int attach = BPF_TRACE_FENTRY, err = 0;

	if (way->session)
		attach = by_kprobe(way) ? t->attach_kprobe_session : t->attach_fsession;
	if (count)
		err = side_load(p, way, insns, count, BPF_TRACE_FEXIT, log, log_size);
	insns = expr_insns(p->expr, &count);
	if (err || !count)
		return err;
	return side_load(p, way, insns, count, attach, log, log_size);
}

static int side_attach(struct argdump_probe *p, const struct argdump_way *way, size_t program,
		       bool is_return)
{
	int fd = p->programs.fds[program];

	return fd_list_add(&p->links, by_kprobe(way) ? argdump_kprobe_attach(p, fd, is_return) :
						       probe_link_tracing(fd));
}

/* The return's first: no entry may be kept whose return is not seen. */
static int call_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	const struct probe_multi one = {
		.count = 1,
		.names = &p->symbol,
		.addresses = p->address ? &p->address : NULL,
		.session = p->target.attach_kprobe_session,
	};
	int err;

	if (way->session && by_kprobe(way))
		return fd_list_add(&p->links, probe_link_kprobe_multi(p->programs.fds[0], &one));
	err = side_attach(p, way, 0, true);
	return err || p->programs.count == 1 ? err : side_attach(p, way, 1, false);
}

const struct probe_kind probe_kind_call = {
	.ways = ways,
	.way_count = sizeof(ways) / sizeof(ways[0]),
	.scope = EXPR_SCOPE_CALL,
	.load = call_load,
	.attach = call_attach,
	.explain = argdump_function_explain,
};
