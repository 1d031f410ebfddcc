/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * multi_attach.c - attaches all probes of a set of functions with one link: fentry.multi or
 * kprobe.multi at their entries, fexit.multi or kretprobe.multi at their returns, fsession.multi or
 * kprobe.session at both.
 *
 * There are few links because the kernel waits for all CPUs each time one is removed. The low half
 * of a function's cookie is its number within its probe. A few probes have a link each. If there are
 * more, all have one, and the high half says which probe is meant: a small program that is attached
 * in front, the switch, makes a tail call to it. A cookie costs much: of 1600 functions the kernel
 * finds it in 200 instructions.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "attach/attach_error.h"
#include "probe/providers/multi_targets.h"
#include "util/errname.h"
#include "util/log.h"

static const struct argdump_variant variants[] = {
	ARGDUMP_VARIANT(FENTRY_MULTI, FENTRY_MULTI, true, true),
	ARGDUMP_VARIANT(FENTRY_MULTI, FENTRY_MULTI, true, false),
	ARGDUMP_VARIANT(KPROBE_MULTI, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE_MULTI, KPROBE, true, false),
	ARGDUMP_VARIANT(KPROBE_MULTI, KPROBE, false, true),
};
static const struct argdump_variant set_call_variants[] = {
	ARGDUMP_VARIANT(FSESSION_MULTI, FENTRY_MULTI, true, true),
	ARGDUMP_VARIANT(FSESSION_MULTI, FENTRY_MULTI, true, false),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, true),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, true, false),
	ARGDUMP_VARIANT(KPROBE_SESSION, KPROBE, false, true),
};

/* ---- programs ---- */

static void set_target(const struct argdump_probe *p, const struct argdump_variant *variant,
		       struct attach_target *t)
{
	*t = (struct attach_target){
		.is_return = p->input.scope == EXPR_SCOPE_RETURN,
		.type = attach_has(variant->method, ATTACH_FPROBE) ?
				p->target.attach_kprobe_session :
				p->functions.attach_type,
	};
}

/* A session's 8 bytes are allocated only if the attached program itself asks for them. */
static int switch_load(const struct argdump_probe *p, const struct argdump_variant *variant,
		       int map_fd)
{
	enum { CTX = BPF_REG_6, ATTACH_COOKIE = BPF_FUNC_get_attach_cookie, SESSION = 3 };
	const struct bpf_insn insns[] = {
		{ BPF_ALU64 | BPF_MOV | BPF_X, CTX, BPF_REG_1, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, p->target.session_cookie_id },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, CTX, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, CTX, BPF_REG_1, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, ATTACH_COOKIE },
		{ BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_0, 0, 0 },
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_2, BPF_PSEUDO_MAP_FD, 0, map_fd },
		{ 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, CTX, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_tail_call },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};

	size_t from = attach_has(variant->method, ATTACH_SESSION) ? 0 : SESSION;
	struct attach_target t;

	set_target(p, variant, &t);
	return prog_load(insns + from, sizeof(insns) / sizeof(insns[0]) - from, variant->method, &t,
			 NULL, 0);
}

/* Builds the program to attach, in the list of the first probe; a switch follows that probe's own programs. */
static int switch_build(struct argdump_probe *const *probes, size_t count,
			const struct argdump_variant *variant)
{
	struct argdump_probe *first = probes[0];
	int map = prog_switch_open(count), err = fdset_add(&first->fds.switches, map);

	for (size_t i = 0; i < count && !err; i++)
		err = prog_switch_set(map, i, probes[i]->fds.programs.fds[0]);
	if (!err)
		err = fdset_add(&first->fds.programs, switch_load(first, variant, map));
	return err;
}

/* ---- the link ---- */

static int targets_link(const struct multi_targets *t, const struct argdump_probe *p,
			const struct argdump_variant *variant)
{
	const struct attach_multi multi = {
		.count = t->count,
		.names = t->names,
		.addresses = t->have_addresses ? t->addresses : NULL,
		.ids = t->ids,
		.cookies = t->cookies,
		.asks = p->target.rdonly_cast_id, /* new in 6.2, too */
	};
	struct attach_target target;

	set_target(p, variant, &target);
	target.multi = &multi;
	return attach_link(variant->method, &target,
			   p->fds.programs.fds[p->fds.programs.count - 1]);
}

static int set_link(struct argdump_probe *const *probes, size_t count,
		    const struct argdump_variant *variant)
{
	struct argdump_probe *first = probes[0];
	struct multi_targets targets;
	int err = multi_targets_build(&targets, probes, count);

	if (!err)
		err = fdset_add(&first->fds.links, targets_link(&targets, first, variant));
	if (err)
		log_debug(1, "cannot attach %zu functions by %s: %s", targets.count,
			  argdump_method_name(first, variant), errtext(-err));
	else
		log_debug(1, "%s: %zu functions, %zu program%s, %s loads",
			  argdump_method_name(first, variant), targets.count, count,
			  count == 1 ? "" : "s", variant->typed_loads ? "typed" : "probe_read");
	multi_targets_free(&targets);
	return err;
}

/* ---- one variant for all functions ---- */

static void set_close(struct argdump_probe *const *probes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fdset_close(&probes[i]->fds.links);
		fdset_close(&probes[i]->fds.programs);
		fdset_close(&probes[i]->fds.switches);
	}
}

enum { LINKS_ALONE = 16 };

/* One link for all, or one for each. */
static int set_links(struct argdump_probe *const *p, size_t count,
		     const struct argdump_variant *variant)
{
	bool alone = count == 1 ||
		     (count <= LINKS_ALONE && attach_has(variant->method, ATTACH_FPROBE));
	int err = 0;

	if (!alone)
		return switch_build(p, count, variant) ?: set_link(p, count, variant);
	for (size_t i = 0; i < count && !err; i++)
		err = set_link(p + i, 1, variant);
	return err;
}

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

static int set_load(struct session *s, struct argdump *a, struct argdump_probe *const *p,
		    size_t count, const struct argdump_variant *variant)
{
	size_t total = multi_functions_count(p, count), done = 0;
	int err = 0;

	files_allow(count); /* one for each program: functions with the same parameters share one */
	for (size_t i = 0; i < count && !err; i++) {
		log_busy("attaching", done, total);
		err = argdump_variant_load(s, a, p[i], variant);
		done += multi_functions_count(p + i, 1);
	}
	return err;
}

typedef bool goes_fn(const struct argdump_probe *p, const struct argdump_probe *first);

static struct argdump_probe **probes_list(struct argdump *a, size_t *count, goes_fn *wanted,
					  const struct argdump_probe *first)
{
	struct argdump_probe **list = calloc(a->probe_count + 1, sizeof(struct argdump_probe *));

	*count = 0;
	for (struct argdump_probe *p = a->probes; list && p < a->probes + a->probe_count; p++)
		if (wanted(p, first))
			list[(*count)++] = p;
	return list;
}

static bool is_of_request(const struct argdump_probe *p, const struct argdump_probe *first)
{
	return p >= first && p->request == first->request &&
	       p->functions.attach_type == first->functions.attach_type;
}

typedef int list_link_fn(struct argdump_probe *const *p, size_t count,
			 const struct argdump_variant *variant);

/* Loads a variant for all probes that go with the first one, and links them. */
static int list_try(struct session *s, struct argdump *a, struct argdump_probe *first,
		    const struct argdump_variant *variant, goes_fn *goes, list_link_fn *link)
{
	size_t count;
	struct argdump_probe **list = probes_list(a, &count, goes, first);
	int err = list ? set_load(s, a, list, count, variant) : -ENOMEM;

	if (!err)
		err = link(list, count, variant);
	if (err && list)
		set_close(list, count);
	free(list);
	return err;
}

/* Tries a variant for all probes of a request; `p` is the first. */
static int set_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		   const struct argdump_variant *variant)
{
	return list_try(s, a, p, variant, is_of_request, set_links);
}

static int set_attach_all(struct session *s, struct argdump *a, struct argdump_probe *first)
{
	int err = argdump_variants_try(s, a, first, set_try);

	return err ? first->kind->explain(s, first, err) : EXIT_FINE;
}

/* With many functions, no single one can be blamed. */
static int set_explain(struct session *s, struct argdump_probe *p, int err)
{
	(void)p;
	return attach_explain(NULL, s->btf, err);
}

/* Whether a session is for one function or many depends on the target's attach type. */
static void call_prepare(struct argdump_probe *p, const struct argdump_variant *variant)
{
	(void)variant;
	p->input.target.attach_fsession = p->functions.attach_type > 0 ? p->functions.attach_type :
									 0;
}

#define SET_KIND(variants_)                                                                        \
	.variants = variants_, .variant_count = sizeof(variants_) / sizeof(variants_[0]),          \
	.target = set_target, .explain = set_explain, .attach_all = set_attach_all

static const struct probe_ops probe_ops_function_set = { SET_KIND(variants) };
static const struct probe_ops probe_ops_return_set = { SET_KIND(variants),
						       .scope = EXPR_SCOPE_RETURN };
static const struct probe_ops probe_ops_call_set = {
	SET_KIND(set_call_variants),
	.scope = EXPR_SCOPE_CALL,
	.prepare = call_prepare,
};

/* ---- one link for probes of several requests ---- */

static bool is_joint(const struct argdump_probe *p, const struct argdump_probe *first)
{
	return p->limits.joint == first->limits.joint;
}

static int joint_link(struct argdump_probe *const *list, size_t count,
		      const struct argdump_variant *variant)
{
	int err = switch_build(list, count, variant) ?: set_link(list, count, variant);

	for (size_t i = 0; i < count && !err; i++)
		list[i]->variant = variant;
	return err;
}

static int joint_try(struct session *s, struct argdump *a, struct argdump_probe *p,
		     const struct argdump_variant *variant)
{
	return list_try(s, a, p, variant, is_joint, joint_link);
}

static struct argdump_probe *joint_first(const struct argdump *a, unsigned number)
{
	struct argdump_probe *p = a->probes, *end = p + a->probe_count;

	while (p < end && p->limits.joint != number)
		p++;
	return p < end ? p : NULL;
}

/* Each will have links of its own. */
static void joint_end(struct argdump *a, unsigned number)
{
	for (struct argdump_probe *p; (p = joint_first(a, number));) {
		p->limits.joint = 0;
		p->limits.method = ATTACH_ANY;
	}
}

void joint_attach(struct session *s, struct argdump *a)
{
	struct argdump_probe *first;

	for (unsigned number = 1; (first = joint_first(a, number)); number++)
		if (argdump_variants_try(s, a, first, joint_try))
			joint_end(a, number);
}

/* ---- one link, two, or one for each function, depending only on their number ---- */

enum { FEW = 4, FEW_ALONE = 8 }; /* of a request, and if the run has no more of them */

static size_t names_count(const struct argdump *a)
{
	size_t count = 0;

	for (size_t i = 0; a && i < a->request_count; i++)
		count += a->requests[i].spec.count;
	return count;
}

/* Counts also what marks calls for --in and $depth. */
static size_t names_of_run(const struct argdump *a)
{
	const char *within = (const char *)a->within.of;

	if (within)
		a = (const void *)(within - offsetof(struct argdump, within));
	return names_count(a) + names_count(a->within.marks);
}

/* More are slower to attach. Where programs can be preempted, trampolines are not used, and little is gained. */
bool multi_is_few(const struct session *s, const struct argdump *a, size_t functions)
{
	return functions <=
	       (session_preempts(&s->options) || names_of_run(a) > FEW_ALONE ? FEW : FEW_ALONE);
}

/* What a probe sees of a call, and the kind for many functions with one link. */
static const struct side {
	const struct probe_ops *many;
	enum attach_method_id typed; /* the method for many functions with typed arguments */
	bool is_return;
} sides[] = {
	[EXPR_SCOPE_ENTRY] = { &probe_ops_function_set, ATTACH_FENTRY_MULTI, false },
	[EXPR_SCOPE_RETURN] = { &probe_ops_return_set, ATTACH_FENTRY_MULTI, true },
	[EXPR_SCOPE_CALL] = { &probe_ops_call_set, ATTACH_FSESSION_MULTI, false },
};

struct multi_mode multi_mode_choose(const struct session *s, const struct argdump *a,
				    struct argdump_request *r, const struct expr_target *target,
				    const struct probe_ops *single)
{
	const struct side *side = &sides[r->both	   ? EXPR_SCOPE_CALL :
					 r->spec.is_return ? EXPR_SCOPE_RETURN :
							     EXPR_SCOPE_ENTRY];
	bool any = s->options.attach.method == ATTACH_ANY,
	     many = !multi_is_few(s, a, r->functions.found.count);
	struct multi_mode k = { .kind = single,
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
			k.rest = by_kprobe ? side->many : single;
		return k;
	}
	if (!many)
		return k;
	files_allow(r->functions.found.count);
	/* changing a trampoline is so slow that hundreds would take many seconds; and without an address the kernel
	 * searches all names */
	k.by_kprobe = any && (!r->functions.found.ftrace_err || s->options.attach.btf);
	functions_read(&r->functions.found, FUNCTIONS_ADDRESSES);
	return k;
}
