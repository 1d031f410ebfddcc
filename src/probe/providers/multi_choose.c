/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_choose.c - chooses how a set of functions is attached on this kernel: with one link, with
 * two, or one by one.
 *
 * Only the number of functions matters here, not which ones they are.
 */
#include "probe/providers/multi_choose.h"

#include <string.h>
#include <sys/resource.h>

#include "probe/providers/function.h"
#include "probe/providers/multi_attach.h"

/* Up to this many functions are attached one by one first: cheaper per call than a multi link, but
 * slow to detach. */
enum { SET_FEW = 4 };

/* What a probe sees of a call, and the kinds for it: one by one, or many with one link. */
static const struct side {
	const struct probe_ops *one, *many;
	enum attach_method_id typed; /* the method for many functions with typed arguments */
	bool is_return;
} sides[] = {
	[EXPR_SCOPE_ENTRY] = { &probe_ops_function, &probe_ops_function_set, ATTACH_FENTRY_MULTI,
			       false },
	[EXPR_SCOPE_RETURN] = { &probe_ops_return, &probe_ops_return_set, ATTACH_FENTRY_MULTI,
				true },
	[EXPR_SCOPE_CALL] = { &probe_ops_call, &probe_ops_call_set, ATTACH_FSESSION_MULTI, false },
};

void files_allow(size_t calls)
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

struct multi_mode multi_mode_choose(const struct session *s, struct argdump_request *r,
				    const struct expr_target *target)
{
	const struct side *side = &sides[r->both	   ? EXPR_SCOPE_CALL :
					 r->spec.is_return ? EXPR_SCOPE_RETURN :
							     EXPR_SCOPE_ENTRY];
	bool any = s->options.method == ATTACH_ANY, many = r->functions.found.count > SET_FEW;
	struct multi_mode k = { .kind = side->one,
				.attach_type = attach_type_find(side->typed, side->is_return,
								s->btf) };
	bool by_id = k.attach_type >= 0 && argdump_method_asked(&s->options, side->typed);
	bool by_kprobe = target->kprobe_multi &&
			 argdump_method_asked(&s->options, ATTACH_KPROBE_MULTI) &&
			 (!r->both || target->attach_kprobe_session);

	if (r->pair) { /* both sides must be known before either can be compiled */
		files_allow(r->functions.found.count);
		return k;
	}
	if ((many || !any) && (by_id || by_kprobe)) {
		k.kind = side->many;
		if (by_id)
			k.rest = by_kprobe ? side->many : side->one;
		return k;
	}
	if (!many)
		return k;
	files_allow(r->functions.found.count);
	/* changing a trampoline is so slow that hundreds would take many seconds; and without an
	 * address the kernel searches all its names */
	k.by_kprobe = any && (!r->functions.found.ftrace_err || s->options.btf);
	functions_read(&r->functions.found, FUNCTIONS_ADDRESSES);
	return k;
}
