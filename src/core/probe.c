/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.c - the attach ladder for skeletons: a plan made from BTF alone, applied before load,
 * attached after it.
 */
#include "core/probe.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diag.h"

const char *const probe_rung_choices[] = { "any", "fentry", "kprobe.multi", "kprobe", NULL };

const char *probe_rung_name(enum probe_rung rung, bool is_return)
{
	static const char *const names[][2] = {
		[PROBE_RUNG_ANY] = { "nothing", "nothing" },
		[PROBE_RUNG_FENTRY] = { "fentry", "fexit" },
		[PROBE_RUNG_KPROBE_MULTI] = { "kprobe.multi", "kretprobe.multi" },
		[PROBE_RUNG_KPROBE] = { "kprobe", "kretprobe" },
		[PROBE_RUNG_TRACEPOINT] = { "tp_btf", "tp_btf" },
	};
	return names[rung][is_return];
}

/*
 * The functions that the hooks may use, and which of them this kernel has: asked all at once, for
 * each pass over the types costs milliseconds. A tracepoint is a typedef of its callback.
 */
#define TARGETS_MAX 32
#define TARGET_LEN 96

struct targets {
	struct btf_query queries[TARGETS_MAX];
	char names[TARGETS_MAX][TARGET_LEN];
	size_t count;
};

/* The next of a hook's alternatives; NULL at the end. */
static const char *alternative_next(const char *from, char *name, size_t size)
{
	size_t len = strcspn(from, " ");

	if (!len)
		return NULL;
	snprintf(name, size, "%.*s", (int)len, from);
	return from + len + (from[len] == ' ');
}

static void targets_add(struct targets *t, const struct hook *h)
{
	char name[64];

	for (const char *next = h->functions;
	     t->count < TARGETS_MAX && (next = alternative_next(next, name, sizeof(name)));
	     t->count++) {
		snprintf(t->names[t->count], TARGET_LEN, "%s%s",
			 h->tracepoint ? "btf_trace_" : "", name);
		t->queries[t->count] = (struct btf_query){
			h->tracepoint ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC, t->names[t->count], 0,
		};
	}
}

static bool targets_have(const struct targets *t, const struct hook *h, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->queries[i].id &&
		    !strcmp(t->names[i] + (h->tracepoint ? strlen("btf_trace_") : 0), name))
			return true;
	return false;
}

/* The first of the hook's alternatives that the kernel has, into hp->function. */
static bool function_choose(struct hook_plan *hp, const struct targets *t)
{
	const char *next = hp->hook->functions;

	while ((next = alternative_next(next, hp->function, sizeof(hp->function))))
		if (targets_have(t, hp->hook, hp->function))
			return true;
	hp->function[0] = 0;
	return false;
}

static bool hook_needed(const struct hook *h, enum probe_rung rung)
{
	if (rung == PROBE_RUNG_ANY)
		rung = PROBE_RUNG_FENTRY;
	return !h->rungs || h->rungs & 1u << rung;
}

static bool hook_wanted(const struct hook *h)
{
	return !(h->unless && *h->unless) && !(h->only_if && !*h->only_if);
}

/* The rung for one hook; hp->why says why there is none. */
static void rung_choose(struct hook_plan *hp, const struct targets *t, enum probe_rung rung)
{
	const struct hook *h = hp->hook;

	hp->rung = PROBE_RUNG_ANY;
	if (!hook_wanted(h) || !hook_needed(h, rung))
		hp->why = "not asked for";
	else if (!function_choose(hp, t))
		hp->why = "this kernel has no such function";
	else if (h->tracepoint)
		hp->rung = PROBE_RUNG_TRACEPOINT;
	else if (h->multi && rung == PROBE_RUNG_KPROBE_MULTI)
		hp->rung = PROBE_RUNG_KPROBE_MULTI;
	else if (h->fentry && (rung == PROBE_RUNG_ANY || rung == PROBE_RUNG_FENTRY))
		hp->rung = PROBE_RUNG_FENTRY;
	else if (h->kprobe && (rung == PROBE_RUNG_ANY || rung == PROBE_RUNG_KPROBE))
		hp->rung = PROBE_RUNG_KPROBE;
	else
		hp->why = "no program for that rung";
}

int probe_plan_make(struct probe_plan *p, const struct hook *hooks, const struct btf_view *btf,
		    enum probe_rung rung)
{
	struct targets targets = { .count = 0 };
	int err;

	probe_plan_free(p);
	p->rung = rung;
	for (const struct hook *h = hooks; h->name; h++, p->count++)
		targets_add(&targets, h);
	p->hooks = calloc(p->count, sizeof(*p->hooks));
	if (!p->hooks)
		return -ENOMEM;
	err = btf_view_find_all(btf, targets.queries, targets.count);
	if (err)
		return err;
	for (size_t i = 0; i < p->count; i++) {
		struct hook_plan *hp = &p->hooks[i];

		hp->hook = &hooks[i];
		rung_choose(hp, &targets, rung);
		if (hp->rung == PROBE_RUNG_ANY && !hp->hook->optional && hook_wanted(hp->hook) &&
		    hook_needed(hp->hook, rung))
			err = -ENOENT;
	}
	return err;
}

bool probe_multi_unlimited(const struct btf_view *btf)
{
	uint32_t id = btf_view_find(btf, BTF_KIND_STRUCT, "fprobe");
	struct btf_found found;

	return id && btf_view_member(btf, id, "hlist_array", strlen("hlist_array"), &found);
}

void probe_plan_print(const struct probe_plan *p, struct out *o)
{
	int width = strlen(probe_rung_name(p->rung == PROBE_RUNG_KPROBE_MULTI ?
						   PROBE_RUNG_KPROBE_MULTI : PROBE_RUNG_KPROBE, true));

	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];
		const struct hook *h = hp->hook;

		if (!hook_needed(h, p->rung))
			continue;
		if (hp->rung != PROBE_RUNG_ANY)
			out_printf(o, "%-*s %-32s %s\n", width, probe_rung_name(hp->rung, h->is_return),
				   hp->function, h->name);
		else
			out_printf(o, "%-*s %-32s %s: %s%s%s\n", width, h->optional ? "-" : "MISSING",
				   h->functions, h->name, hp->why,
				   h->without && hook_wanted(h) ? "; not seen: " : "",
				   h->without && hook_wanted(h) ? h->without : "");
	}
}

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

int probe_plan_apply(const struct probe_plan *p, struct bpf_object *object)
{
	struct bpf_program *prog;
	int err;

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
		if (hp->rung == PROBE_RUNG_KPROBE || hp->rung == PROBE_RUNG_KPROBE_MULTI)
			continue;
		err = bpf_program__set_attach_target(prog, 0, hp->function);
		if (err)
			return err;
	}
	return 0;
}

static struct bpf_link *multi_attach(const struct hook_plan *hp, struct bpf_program *prog)
{
	const char *name = hp->function;
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = &name, .cnt = 1,
		    .retprobe = hp->hook->is_return);

	return bpf_program__attach_kprobe_multi_opts(prog, NULL, &opts);
}

static int hook_attach(struct hook_plan *hp, struct bpf_object *object)
{
	struct bpf_program *prog = bpf_object__find_program_by_name(object, program_name(hp));

	if (hp->rung == PROBE_RUNG_KPROBE)
		hp->link = bpf_program__attach_kprobe(prog, hp->hook->is_return, hp->function);
	else if (hp->rung == PROBE_RUNG_KPROBE_MULTI)
		hp->link = multi_attach(hp, prog);
	else
		hp->link = bpf_program__attach(prog);
	if (hp->link) {
		diag_debug(1, "%s %s: %s", probe_rung_name(hp->rung, hp->hook->is_return),
			   hp->function, hp->hook->name);
		return 0;
	}
	return -errno;
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
			if (p->hooks[i].hook->is_return != is_return)
				continue;
			bpf_link__destroy(p->hooks[i].link);
			p->hooks[i].link = NULL;
		}
	}
}

void probe_plan_free(struct probe_plan *p)
{
	probe_plan_detach(p);
	free(p->hooks);
	*p = (struct probe_plan){ 0 };
}
