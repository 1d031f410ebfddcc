/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * context.c - resolves ctx, the context of a probe's program: registers, or the arguments of an iterator.
 */
#include <string.h>

#include "script/resolve/resolve.h"

/* struct bpf_iter__task for iter:task. */
static void context_of_iter(struct resolve *r, struct script_expr *e)
{
	const char *rest = r->c->point->attach->rest;
	const char *name = script_print(r->c, "bpf_iter__%.*s", (int)strcspn(rest, ":"), rest);
	uint32_t id = name ? btf_lookup_kind(r, BTF_KIND_STRUCT, name) : 0;

	if (!id) {
		script_fail(r->c, e->span, "this kernel's types have no struct %s", name);
		return;
	}
	e->type = script_pointer_to(r->c->btf, ctype_of(id));
	e->type.is_typed = r->in->target.typed_loads;
}

void func_ctx(struct resolve *r, struct script_expr *e)
{
	enum script_probe_kind kind = r->c->point->attach->kind;
	const char *name = NULL;
	uint32_t id;

	if (kind == PROBE_ITER) {
		context_of_iter(r, e);
		return;
	}
	if (kind == PROBE_KPROBE || kind == PROBE_KRETPROBE || is_user_probe(r))
		name = "pt_regs";
	else if (kind == PROBE_PROFILE || kind == PROBE_SOFTWARE || kind == PROBE_HARDWARE ||
		 kind == PROBE_WATCHPOINT)
		name = "bpf_perf_event_data";
	id = name ? btf_lookup_kind(r, BTF_KIND_STRUCT, name) : 0;
	e->type = id ? script_pointer_to(r->c->btf, ctype_of(id)) :
		       script_pointer_to(NULL, ctype_int(8, false));
}
