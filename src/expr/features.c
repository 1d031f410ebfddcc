/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - what a kernel offers to our programs, as far as BTF shows.
 */
#include <string.h>

#include "expr/expr.h"

enum {
	QUERY_FUNC,
	QUERY_HELPERS,
	QUERY_CAST,
	QUERY_STRCMP,
	QUERY_TASK,
	QUERY_REGS,
	QUERY_MULTI,
	QUERY_FPROBE,
	QUERY_PREEMPT,
	QUERY_HOT,
	QUERY_DISABLE,
	QUERY_PREEMPT_OFF,
	QUERY_PREEMPT_ON,
	QUERY_VERIFIER,
	QUERY_BTF,
	QUERY_COUNT,
};

/* Helpers are numbered from 0 without gaps; the enum ends with __BPF_FUNC_MAX_ID. */
static bool helper_exists(const struct btf_view *b, uint32_t helpers, unsigned helper)
{
	const struct btf_type *t = btf_view_type(b, helpers);

	return t && btf_vlen(t) > helper + 1;
}

static bool has_member(const struct btf_view *b, uint32_t id, const char *name)
{
	struct btf_found found;

	return id && btf_view_member(b, id, name, strlen(name), &found);
}

/* Finds the per-CPU variable that is the preempt count, or a struct that contains it. */
static void preempt_find(const struct btf_view *b, uint32_t count, uint32_t hot,
			 struct expr_target *t)
{
	struct btf_found found;

	t->preempt.var = count;
	if (count || !hot ||
	    !btf_view_member(b, btf_view_type(b, hot)->type, "preempt_count",
			     strlen("preempt_count"), &found))
		return;
	t->preempt.var = hot;
	t->preempt.offset = found.bit_offset / 8;
}

static const struct btf_query queries[QUERY_COUNT] = {
	[QUERY_HELPERS] = { BTF_KIND_ENUM, "bpf_func_id", 0 },
	[QUERY_CAST] = { BTF_KIND_FUNC, "bpf_rdonly_cast", 0 },
	/* exists since 6.17, when bpf_rdonly_cast began to accept void */
	[QUERY_STRCMP] = { BTF_KIND_FUNC, "bpf_strcmp", 0 },
	[QUERY_TASK] = { BTF_KIND_STRUCT, "task_struct", 0 },
	[QUERY_REGS] = { BTF_KIND_STRUCT, "pt_regs", 0 },
	/* kprobe.multi needs CONFIG_FPROBE */
	[QUERY_MULTI] = { BTF_KIND_FUNC, "register_fprobe_ips", 0 },
	[QUERY_FPROBE] = { BTF_KIND_STRUCT, "fprobe", 0 },
	[QUERY_PREEMPT] = { BTF_KIND_VAR, "__preempt_count", 0 },
	[QUERY_HOT] = { BTF_KIND_VAR, "pcpu_hot", 0 }, /* 6.2 to 6.14 */
	[QUERY_DISABLE] = { BTF_KIND_VAR, "local_interrupt_disable_state", 0 },
	[QUERY_PREEMPT_OFF] = { BTF_KIND_FUNC, "bpf_preempt_disable", 0 },
	[QUERY_PREEMPT_ON] = { BTF_KIND_FUNC, "bpf_preempt_enable", 0 },
	[QUERY_VERIFIER] = { BTF_KIND_STRUCT, "bpf_verifier_state", 0 },
	[QUERY_BTF] = { BTF_KIND_STRUCT, "btf", 0 },
};

static const struct btf_query session_queries[] = {
	{ BTF_KIND_FUNC, "bpf_session_is_return", 0 },
	{ BTF_KIND_FUNC, "bpf_session_cookie", 0 },
	{ BTF_KIND_ENUM, "bpf_attach_type", 0 },
};

enum { SESSION_QUERIES = sizeof(session_queries) / sizeof(session_queries[0]) };

static void names_add(struct btf_lookup *names, const struct btf_query *q, size_t count)
{
	for (size_t i = 0; i < count; i++)
		btf_lookup_add(names, q[i].kind, q[i].name, strlen(q[i].name));
}

void expr_target_names(struct btf_lookup *names)
{
	names_add(names, queries + QUERY_FUNC + 1, QUERY_COUNT - QUERY_FUNC - 1);
	names_add(names, session_queries, SESSION_QUERIES);
}

int expr_target_detect(const struct btf_view *b, const char *func, struct expr_target *target,
		       uint32_t *func_id)
{
	struct btf_query q[QUERY_COUNT];
	int err;

	memcpy(q, queries, sizeof(q));
	q[QUERY_FUNC] = (struct btf_query){ BTF_KIND_FUNC, func, 0 };
	err = btf_view_find_all(b, q, QUERY_COUNT);

	if (err)
		return err;
	*func_id = q[QUERY_FUNC].id;
	*target = (struct expr_target){
		.arch = ARCH_NATIVE,
		.method = EXPR_CTX_FENTRY,
		.typed_loads = true,
		.rdonly_cast_id = q[QUERY_CAST].id,
		.rdonly_cast_void = q[QUERY_CAST].id && q[QUERY_STRCMP].id,
		.pt_regs_id = q[QUERY_REGS].id,
		.task_struct_id = q[QUERY_TASK].id,
		.current_task_btf = helper_exists(b, q[QUERY_HELPERS].id,
						  BPF_FUNC_get_current_task_btf),
		.func_arg = helper_exists(b, q[QUERY_HELPERS].id, BPF_FUNC_get_func_arg),
		.probe_read = true,
		.kprobe_multi = q[QUERY_MULTI].id != 0,
		.multi_by_fgraph = has_member(b, q[QUERY_FPROBE].id, "hlist_array"),
		.preempt_wide = q[QUERY_DISABLE].id != 0,
		.may_goto = has_member(b, q[QUERY_VERIFIER].id, "may_goto_depth"),
		.types_unsorted = !has_member(b, q[QUERY_BTF].id, "named_start_id"),
	};
	if (q[QUERY_PREEMPT_OFF].id && q[QUERY_PREEMPT_ON].id) {
		target->preempt_disable_id = q[QUERY_PREEMPT_OFF].id;
		target->preempt_enable_id = q[QUERY_PREEMPT_ON].id;
	}
	preempt_find(b, q[QUERY_PREEMPT].id, q[QUERY_HOT].id, target);
	return 0;
}

void expr_target_sessions(const struct btf_view *b, struct expr_target *target)
{
	struct btf_query q[SESSION_QUERIES];

	memcpy(q, session_queries, sizeof(q));
	if (btf_view_find_all(b, q, sizeof(q) / sizeof(q[0])))
		return;
	target->session_is_return_id = q[0].id;
	target->session_cookie_id = q[1].id;
	target->attach_kprobe_session = btf_view_enumerator(b, q[2].id, "BPF_TRACE_KPROBE_SESSION",
							    0);
	target->attach_fsession = btf_view_enumerator(b, q[2].id, "BPF_TRACE_FSESSION", 0);
}
