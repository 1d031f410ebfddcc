// SPDX-License-Identifier: GPL-2.0
/*
 * target.c - what a kernel offers to our programs, as far as its BTF tells.
 */
#include <string.h>

#include "expr/compiler.h"

/* From include/uapi/linux/bpf.h: the ids of helpers never change. */
enum { HELPER_CURRENT_TASK_BTF = 158, HELPER_FUNC_ARG = 183 };

enum { QUERY_FUNC, QUERY_HELPERS, QUERY_CAST, QUERY_STRCMP, QUERY_TASK, QUERY_REGS, QUERY_COUNT };

/* Helpers are numbered from 0 without a gap; the enum ends with __BPF_FUNC_MAX_ID. */
static bool helper_exists(const struct btf_view *b, uint32_t helpers, unsigned helper)
{
	const struct btf_type *t = btf_view_type(b, helpers);

	return t && btf_vlen(t) > helper + 1;
}

int expr_target_detect(const struct btf_view *b, const char *func, struct expr_target *target,
                       uint32_t *func_id)
{
	struct btf_query q[QUERY_COUNT] = {
		[QUERY_FUNC] = { BTF_KIND_FUNC, func, 0 },
		[QUERY_HELPERS] = { BTF_KIND_ENUM, "bpf_func_id", 0 },
		[QUERY_CAST] = { BTF_KIND_FUNC, "bpf_rdonly_cast", 0 },
		/* came with the kernel that made bpf_rdonly_cast take void, 6.17 */
		[QUERY_STRCMP] = { BTF_KIND_FUNC, "bpf_strcmp", 0 },
		[QUERY_TASK] = { BTF_KIND_STRUCT, "task_struct", 0 },
		[QUERY_REGS] = { BTF_KIND_STRUCT, "pt_regs", 0 },
	};
	int err = btf_view_find_all(b, q, QUERY_COUNT);

	if (err)
		return err;
	*func_id = q[QUERY_FUNC].id;
	*target = (struct expr_target){
#ifdef __aarch64__
		.arch = EXPR_ARCH_ARM64,
#endif
		.rung = EXPR_RUNG_FENTRY,
		.typed_loads = true,
		.rdonly_cast_id = q[QUERY_CAST].id,
		.rdonly_cast_void = q[QUERY_CAST].id && q[QUERY_STRCMP].id,
		.pt_regs_id = q[QUERY_REGS].id,
		.task_struct_id = q[QUERY_TASK].id,
		.current_task_btf = helper_exists(b, q[QUERY_HELPERS].id, HELPER_CURRENT_TASK_BTF),
		.func_arg = helper_exists(b, q[QUERY_HELPERS].id, HELPER_FUNC_ARG),
		.probe_read = true,
	};
	return 0;
}

static int enum_value(const struct btf_view *b, uint32_t id, const char *name)
{
	const struct btf_type *t = btf_view_type(b, id);

	for (unsigned i = 0; t && i < btf_vlen(t); i++) {
		if (!strcmp(btf_view_string(b, btf_enums(t)[i].name_off), name))
			return btf_enums(t)[i].val;
	}
	return 0;
}

void expr_target_sessions(const struct btf_view *b, struct expr_target *target)
{
	struct btf_query q[] = {
		{ BTF_KIND_FUNC, "bpf_session_is_return", 0 },
		{ BTF_KIND_FUNC, "bpf_session_cookie", 0 },
		{ BTF_KIND_ENUM, "bpf_attach_type", 0 },
	};

	if (btf_view_find_all(b, q, sizeof(q) / sizeof(q[0])))
		return;
	target->session_is_return_id = q[0].id;
	target->session_cookie_id = q[1].id;
	target->attach_kprobe_session = enum_value(b, q[2].id, "BPF_TRACE_KPROBE_SESSION");
	target->attach_fsession = enum_value(b, q[2].id, "BPF_TRACE_FSESSION");
}
