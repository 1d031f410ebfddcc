/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe_load.c - a plan and a skeleton's programs: which are loaded, for what, and where they are
 * attached.
 *
 * libbpf would read all of the kernel's types to find the targets of fentry programs (20 ms, 8 MB),
 * although the plan knows them. So these programs are of our own section kind: to libbpf they are raw
 * tracepoints, until the moment that they are handed to the kernel.
 */
#include "core/probe.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"

static const char *program_name(const struct hook_plan *hp)
{
	switch (hp->rung) {
	case PROBE_RUNG_FENTRY:
		return hp->hook->fentry;
	case PROBE_RUNG_KPROBE_MULTI:
		return hp->hook->multi;
	case PROBE_RUNG_KPROBE:
		return hp->hook->kprobe;
	case PROBE_RUNG_TRACEPOINT:
		return hp->hook->tracepoint;
	default:
		return NULL;
	}
}

/* ---- targets by number ---- */

static const struct section_kind {
	const char *section;
	enum bpf_attach_type attach;
} section_kinds[] = {
	{ "fentry", BPF_TRACE_FENTRY },
	{ "fexit", BPF_TRACE_FEXIT },
	{ "tp_btf", BPF_TRACE_RAW_TP },
};

/* What libbpf hands to tracing_prepare is one number for a kind of section, so this is by the side. */
static const struct probe_plan *plan_loading;

/* libbpf's last question before the program is loaded. */
static int tracing_prepare(struct bpf_program *prog, struct bpf_prog_load_opts *opts, long attach)
{
	for (size_t i = 0; i < plan_loading->count; i++) {
		const struct hook_plan *hp = &plan_loading->hooks[i];

		if (hp->rung == PROBE_RUNG_ANY ||
		    strcmp(program_name(hp), bpf_program__name(prog)))
			continue;
		opts->attach_btf_id = hp->btf_id;
		opts->expected_attach_type = attach;
		return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
	}
	return -ESRCH;
}

int probe_plan_handle(struct probe_plan *p)
{
	static bool registered;
	LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .prog_prepare_load_fn = tracing_prepare);

	plan_loading = p;
	for (size_t i = 0; !registered && i < sizeof(section_kinds) / sizeof(section_kinds[0]); i++) {
		int id;

		opts.cookie = section_kinds[i].attach;
		id = libbpf_register_prog_handler(section_kinds[i].section,
						  BPF_PROG_TYPE_RAW_TRACEPOINT, 0, &opts);
		if (id < 0)
			return id;
	}
	registered = true;
	return 0;
}

/* ---- load, attach, detach ---- */

int probe_plan_apply(const struct probe_plan *p, struct bpf_object *object)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, object)
		bpf_program__set_autoload(prog, false);
	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];

		if (hp->rung == PROBE_RUNG_ANY)
			continue;
		prog = bpf_object__find_program_by_name(object, program_name(hp));
		if (!prog)
			return -ESRCH;
		bpf_program__set_autoload(prog, true);
		/* one program may serve as kprobe and as kprobe.multi */
		if (hp->rung == PROBE_RUNG_KPROBE_MULTI)
			bpf_program__set_expected_attach_type(prog, BPF_TRACE_KPROBE_MULTI);
	}
	return 0;
}

static int hook_link(const struct hook_plan *hp, int prog_fd)
{
	const char *function = hp->function;

	if (hp->rung == PROBE_RUNG_KPROBE)
		return probe_link_kprobe(prog_fd, function, 0, hp->hook->is_return);
	if (hp->rung == PROBE_RUNG_KPROBE_MULTI)
		return probe_link_kprobe_multi(prog_fd, &(struct probe_multi){
			.count = 1, .names = &function, .is_return = hp->hook->is_return });
	return probe_link_tracing(prog_fd);
}

static int hook_attach(struct hook_plan *hp, struct bpf_object *object)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(object, program_name(hp));

	hp->link_fd = hook_link(hp, bpf_program__fd(prog));
	if (hp->link_fd < 0)
		return hp->link_fd;
	diag_debug(1, "%s %s: %s", probe_rung_name(hp->rung, hp->hook->is_return), hp->function,
		   hp->hook->name);
	return 0;
}

int probe_plan_attach(struct probe_plan *p, struct bpf_object *object)
{
	/* returns before entries, so that no entry is seen whose return is not */
	for (int is_return = 1; is_return >= 0; is_return--) {
		for (size_t i = 0; i < p->count; i++) {
			struct hook_plan *hp = &p->hooks[i];
			int err;

			if (hp->rung == PROBE_RUNG_ANY || hp->hook->is_return != is_return)
				continue;
			err = hook_attach(hp, object);
			if (!err)
				continue;
			diag_debug(1, "cannot attach %s to %s: %s",
				   probe_rung_name(hp->rung, is_return), hp->function,
				   strerror(-err));
			p->failed = hp->function;
			probe_plan_detach(p);
			return err;
		}
	}
	return 0;
}

void probe_plan_detach(struct probe_plan *p)
{
	/* entries first: the returns of calls that were seen to begin still arrive */
	for (int is_return = 0; is_return <= 1; is_return++) {
		for (size_t i = 0; i < p->count; i++) {
			struct hook_plan *hp = &p->hooks[i];

			if (hp->hook->is_return != is_return || hp->link_fd < 0)
				continue;
			close(hp->link_fd);
			hp->link_fd = -1;
		}
	}
}

