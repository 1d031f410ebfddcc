// SPDX-License-Identifier: GPL-2.0
/*
 * source_function.c - a probe on one kernel function: fentry, kprobe.multi, kprobe; or on one of its
 * instructions, by kprobe.
 *
 * What BTF does not know, and a name that several functions share, go the long way round by ftrace's
 * list and the addresses (source_set.c).
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "argdump/argdump.h"
#include "core/diag.h"

static const struct argdump_way ways_inside[] = {
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, true, true },
	{ PROBE_RUNG_KPROBE, EXPR_RUNG_KPROBE, false, true },
};

/* ---- where it is ---- */

/* "MODULE:FUNCTION": its types are the module's. Without them it may still be there. */
static int module_find(struct session *s, struct argdump *a, struct argdump_probe *p,
		       const struct probe_spec_item *item)
{
	int err = a->modules ? 0 : btf_modules_open(s->btf, NULL, &a->modules);

	p->module = item->place;
	for (size_t i = 0; !err && i < btf_modules_count(a->modules); i++) {
		if (strcmp(btf_modules_name(a->modules, i), item->place))
			continue;
		err = btf_modules_view(a->modules, i, &p->btf);
		if (!err)
			p->input.func_id = btf_view_func(p->btf, item->name);
		return p->input.func_id >= btf_view_first(p->btf) ? 0 : -ENOENT;
	}
	return err ? err : -ENOENT;
}

static bool in_module(const struct probe_spec_item *item)
{
	return item->place && strcmp(item->place, "vmlinux");
}

/* Returns 0 and p->input.func_id, or -errno. */
static int function_find(struct session *s, struct argdump *a, struct argdump_probe *p,
			 const struct probe_spec_item *item)
{
	int err = expr_target_detect(s->btf, item->name, &p->target, &p->input.func_id);

	if (!err && in_module(item))
		return module_find(s, a, p, item);
	return err || p->input.func_id ? err : -ENOENT;
}

/* An instruction: what the parameters have become there nobody knows. */
static int inside_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	struct argdump_probe *p = argdump_probe_add(a, request, request->text);
	int err = p ? function_find(s, a, p, item) : -ENOMEM;

	if (err && err != -ENOENT)
		return probe_explain(NULL, s->btf, err);
	p->kind = &probe_kind_instruction;
	p->symbol = item->name;
	p->offset = item->offset;
	p->input.func_id = 0;
	argdump_probe_untyped(p);
	return EXIT_FINE;
}

/*
 * BTF has such a name once, and fentry takes the first that comes. All of them are asked for by their
 * addresses, which takes a look at all symbols: only where the kernel says that there are several.
 * 5.10 (which has no bpf_get_func_arg) would take 10 ms to say nothing: settle.c finds the others.
 */
static bool name_is_shared(struct session *s, struct argdump_probe *p,
			   const struct probe_spec_item *item)
{
	int shared = -EOPNOTSUPP;

	if (s->options.btf || in_module(item))
		return false;
	if (p->target.func_arg)
		shared = probe_name_is_shared(item->name);
	p->one_of_all = shared < 0;
	return shared > 0;
}

static int function_resolve(struct session *s, struct argdump *a, struct argdump_request *request)
{
	const struct probe_spec_item *item = request->spec.items;
	struct argdump_probe *p;
	int err;

	if (a->both && item->has_offset) {
		diag_error("cannot trace %s: -r is for whole functions", request->text);
		return EXIT_USAGE;
	}
	if (request->spec.count > 1 || item->is_pattern)
		return function_set_resolve(s, a, request);
	if (item->has_offset)
		return inside_resolve(s, a, request);
	p = argdump_probe_add(a, request, request->text);
	if (!p)
		return probe_explain(NULL, s->btf, -ENOMEM);
	if (a->both)
		p->kind = &probe_kind_call;
	else if (request->spec.is_return)
		p->kind = &probe_kind_return;
	p->symbol = item->name;
	err = function_find(s, a, p, item);
	if (a->both)
		expr_target_sessions(s->btf, &p->target);
	if (!err && name_is_shared(s, p, item))
		err = -ENOENT;
	if (err != -ENOENT)
		return err ? probe_explain(p->name, s->btf, err) : EXIT_FINE;
	argdump_probe_drop(a);
	return function_set_resolve(s, a, request);
}

/* ---- load and attach ---- */

/* The kernel's own object for a module's BTF, by which fentry finds the function: an fd or -errno. */
static int module_btf_open(const char *module)
{
	__u32 id = 0;

	while (!bpf_btf_get_next_id(id, &id)) {
		struct bpf_btf_info info = {};
		__u32 len = sizeof(info);
		char name[64] = "";
		int fd = bpf_btf_get_fd_by_id(id);

		info.name = (uintptr_t)name;
		info.name_len = sizeof(name);
		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len) && info.kernel_btf &&
		    !strcmp(name, module))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -ENOENT;
}

/* By types alone one of the functions that share a name would be had, whichever it is. */
int argdump_typed_load(struct argdump_probe *p, const struct bpf_insn *insns, size_t count,
		       struct program_type *type, char *log, size_t log_size)
{
	int fd;

	if (!p->input.func_id || p->address)
		return -EOPNOTSUPP;
	type->btf_id = p->input.func_id;
	if (!p->module)
		return program_load_as(insns, count, type, log, log_size);
	type->btf_fd = module_btf_open(p->module);
	if (type->btf_fd < 0)
		return type->btf_fd;
	fd = program_load_as(insns, count, type, log, log_size);
	close(type->btf_fd);
	return fd;
}

static bool is_return(const struct argdump_probe *p)
{
	return p->kind->scope == EXPR_SCOPE_RETURN;
}

int argdump_function_load(struct argdump_probe *p, const struct argdump_way *way, char *log,
			  size_t log_size)
{
	struct program_type typed = {
		.prog = BPF_PROG_TYPE_TRACING,
		.attach = is_return(p) ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY,
	};
	size_t count;
	const struct bpf_insn *insns = expr_insns(p->expr, &count);

	return fd_list_add(&p->programs,
			   way->rung == PROBE_RUNG_FENTRY ?
				   argdump_typed_load(p, insns, count, &typed, log, log_size) :
				   program_load(insns, count, way->rung, 0, log, log_size));
}

/* A kprobe is told the module too; kprobe.multi looks among all symbols. */
int argdump_kprobe_attach(const struct argdump_probe *p, int prog_fd, bool is_return)
{
	char name[192];

	if (p->address || p->place)
		return probe_link_kprobe(prog_fd, NULL, p->address ?: p->place, is_return);
	snprintf(name, sizeof(name), "%s%s%s", p->module ?: "", p->module ? ":" : "", p->symbol);
	return probe_link_kprobe(prog_fd, name, p->offset, is_return);
}

int argdump_function_attach(struct argdump_probe *p, const struct argdump_way *way)
{
	const struct probe_multi one = {
		.count = 1,
		.names = &p->symbol,
		.addresses = p->address ? &p->address : NULL,
		.is_return = is_return(p),
	};
	int fd = p->programs.fds[0];

	switch (way->rung) {
	case PROBE_RUNG_FENTRY:
		return fd_list_add(&p->links, probe_link_tracing(fd));
	case PROBE_RUNG_KPROBE_MULTI:
		return fd_list_add(&p->links, probe_link_kprobe_multi(fd, &one));
	default:
		return fd_list_add(&p->links, argdump_kprobe_attach(p, fd, is_return(p)));
	}
}

int argdump_function_explain(struct session *s, struct argdump_probe *p, int err)
{
	return probe_explain(p->name, s->btf, err);
}

static int instruction_explain(struct session *s, struct argdump_probe *p, int err)
{
	/* EINVAL is a place that is none, or a helper that lockdown took away (5.10) */
	if ((err != -EILSEQ && err != -EINVAL && err != -ENOENT) ||
	    probe_diagnose(p->symbol, s->btf, err) == PROBE_FAULT_LOCKDOWN)
		return probe_explain(p->symbol, s->btf, err);
	diag_error("cannot trace %s: %s", p->name,
		   err == -EILSEQ ? "no instruction begins there" :
				    "there is no such function, or it ends before that");
	diag_hint("objdump -d on the kernel's vmlinux shows where instructions begin");
	return EXIT_USAGE;
}

const struct probe_kind probe_kind_function = {
	.ways = argdump_ways,
	.way_count = ARGDUMP_WAYS,
	.resolve = function_resolve,
	.load = argdump_function_load,
	.attach = argdump_function_attach,
	.explain = argdump_function_explain,
};

const struct probe_kind probe_kind_instruction = {
	.ways = ways_inside,
	.way_count = sizeof(ways_inside) / sizeof(ways_inside[0]),
	.load = argdump_function_load,
	.attach = argdump_function_attach,
	.explain = instruction_explain,
};
