// SPDX-License-Identifier: GPL-2.0
/*
 * set_kind.c - how a set of functions is attached in this kernel: by one link, by two, or one by one.
 *
 * It must not know which functions they are, only how many.
 */
#include <string.h>
#include <sys/resource.h>

#include "argdump/argdump.h"

/* So many may be attached one by one first: cheaper at each call than a multi, but dear to detach. */
enum { SET_FEW = 4 };

/* What of a call is seen, and by what: one by one, or many by one link. */
static const struct side {
	const struct probe_kind *one, *many;
	const char *multi; /* enum bpf_attach_type */
} sides[] = {
	[EXPR_SCOPE_ENTRY] = { &probe_kind_function, &probe_kind_function_set,
			       "BPF_TRACE_FENTRY_MULTI" },
	[EXPR_SCOPE_RETURN] = { &probe_kind_return, &probe_kind_return_set,
				"BPF_TRACE_FEXIT_MULTI" },
	[EXPR_SCOPE_CALL] = { &probe_kind_call, &probe_kind_call_set, "BPF_TRACE_FSESSION_MULTI" },
};

/* What this kernel has is in its BTF: fentry.multi or its like, -1: not; whether kprobe.multi. */
static int multi_find(const struct btf_view *btf, const char *multi, bool *kprobe_multi)
{
	struct btf_query q[] = {
		{ BTF_KIND_FUNC, "register_fprobe_ips", 0 }, /* kprobe.multi needs CONFIG_FPROBE */
		{ BTF_KIND_ENUM, "bpf_attach_type", 0 },
	};
	const struct btf_type *t;

	if (btf_view_find_all(btf, q, 2))
		return -1;
	*kprobe_multi = q[0].id != 0;
	t = btf_view_type(btf, q[1].id);
	for (unsigned i = 0; t && i < btf_vlen(t); i++)
		if (!strcmp(btf_view_string(btf, btf_enums(t)[i].name_off), multi))
			return btf_enums(t)[i].val;
	return -1;
}

/* Eight a function: programs, links and maps. What is not granted the kernel refuses later, which is told. */
static void files_allow(size_t calls)
{
	struct rlimit files;
	rlim_t wanted = 8 * calls + 256;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= wanted)
		return;
	if (files.rlim_max < wanted) {
		struct rlimit more = { wanted, wanted };

		if (!setrlimit(RLIMIT_NOFILE, &more))
			return;
		wanted = files.rlim_max;
	}
	files.rlim_cur = wanted;
	setrlimit(RLIMIT_NOFILE, &files);
}

struct set_kind set_kind_choose(const struct session *s, const struct argdump *a,
				struct argdump_request *r, const struct expr_target *target)
{
	const struct side *side = &sides[a->both	      ? EXPR_SCOPE_CALL :
					 r->spec.is_return ? EXPR_SCOPE_RETURN :
							     EXPR_SCOPE_ENTRY];
	bool any = s->options.rung == PROBE_RUNG_ANY, many = r->functions.count > SET_FEW;
	bool by_id, by_kprobe = false;
	struct set_kind k = { .kind = side->one };

	k.attach_type = multi_find(s->btf, side->multi, &by_kprobe);
	by_id = k.attach_type >= 0 && argdump_rung_asked(s, PROBE_RUNG_FENTRY_MULTI);
	by_kprobe &= argdump_rung_asked(s, PROBE_RUNG_KPROBE_MULTI) &&
		     (!a->both || target->attach_kprobe_session);
	if ((many || !any) && (by_id || by_kprobe)) {
		k.kind = side->many;
		if (by_id)
			k.rest = by_kprobe ? side->many : side->one;
		return k;
	}
	if (!many)
		return k;
	files_allow(r->functions.count);
	/* a trampoline is changed in a time of which hundreds would be many seconds; and without an
	 * address the kernel looks through all its names */
	k.by_kprobe = any && (r->functions.has_list || s->options.btf);
	function_set_locate(&r->functions);
	return k;
}
