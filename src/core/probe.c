/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe.c - the attach ladder: a plan made from BTF alone. What becomes of it is probe_load.c's.
 */
#include "core/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/btf_wanted.h"

const char *const probe_rung_choices[] = { "any", "fentry", "kprobe.multi", "kprobe",
					 "fentry.multi", "fsession", NULL };

const char *probe_rung_name(enum probe_rung rung, bool is_return)
{
	static const char *const names[][2] = {
		[PROBE_RUNG_ANY] = { "nothing", "nothing" },
		[PROBE_RUNG_FENTRY] = { "fentry", "fexit" },
		[PROBE_RUNG_KPROBE_MULTI] = { "kprobe.multi", "kretprobe.multi" },
		[PROBE_RUNG_KPROBE] = { "kprobe", "kretprobe" },
		[PROBE_RUNG_FENTRY_MULTI] = { "fentry.multi", "fexit.multi" },
		[PROBE_RUNG_FSESSION] = { "fsession", "fsession" },
		[PROBE_RUNG_TRACEPOINT] = { "tp_btf", "tp_btf" },
	};
	return names[rung][is_return];
}

/* ---- what must be known of the kernel's types ---- */

/* A tracepoint is a typedef of its callback. */
#define TRACEPOINT "btf_trace_"
#define TARGET_LEN 96

/* The next of a hook's alternatives; NULL at the end. */
static const char *alternative_next(const char *from, char *name, size_t size)
{
	size_t len = strcspn(from, " ");

	if (!len)
		return NULL;
	snprintf(name, size, "%.*s", (int)len, from);
	return from + len + (from[len] == ' ');
}

/* A function or tracepoint as the types have it; returns its kind. */
static unsigned target_name(const struct hook *h, const char *function, char *name)
{
	snprintf(name, TARGET_LEN, "%s%s", h->tracepoint ? TRACEPOINT : "", function);
	return h->tracepoint ? BTF_KIND_TYPEDEF : BTF_KIND_FUNC;
}

static void hook_want(const struct hook *h, struct btf_wanted *w)
{
	char function[64], name[TARGET_LEN];
	const char *next = h->functions;

	while ((next = alternative_next(next, function, sizeof(function)))) {
		unsigned kind = target_name(h, function, name);

		btf_wanted_add(w, kind, name, strlen(name));
	}
	if (h->unless_field)
		btf_wanted_add(w, BTF_KIND_STRUCT, h->unless_field, strcspn(h->unless_field, "."));
}

void probe_plan_want(const struct hook *hooks, struct btf_wanted *w)
{
	for (const struct hook *h = hooks; h->name; h++)
		hook_want(h, w);
	btf_wanted_add(w, BTF_KIND_STRUCT, "fprobe", strlen("fprobe"));
}

/* Has the kernel that "struct.member"? */
static bool field_exists(const char *field, const struct btf_view *btf, const struct btf_wanted *w)
{
	size_t len = strcspn(field, ".");
	const char *member = field + len + 1;
	uint32_t id = btf_wanted_id(w, BTF_KIND_STRUCT, field, len);
	struct btf_found found;

	return id && btf_view_member(btf, id, member, strlen(member), &found);
}

/* ---- deciding ---- */

/* The first of the hook's alternatives that the kernel has. */
static bool function_choose(struct hook_plan *hp, const struct btf_wanted *w)
{
	const char *next = hp->hook->functions;
	char name[TARGET_LEN];

	while ((next = alternative_next(next, hp->function, sizeof(hp->function)))) {
		unsigned kind = target_name(hp->hook, hp->function, name);

		hp->btf_id = btf_wanted_id(w, kind, name, strlen(name));
		if (hp->btf_id)
			return true;
	}
	hp->function[0] = 0;
	return false;
}

static bool hook_wanted(const struct hook *h)
{
	return !(h->unless && *h->unless) && !(h->only_if && !*h->only_if);
}

static bool rung_needs(const struct hook *h, enum probe_rung rung)
{
	if (rung == PROBE_RUNG_ANY)
		rung = PROBE_RUNG_FENTRY;
	return !h->rungs || h->rungs & 1u << rung;
}

static bool by_fentry(enum probe_rung rung)
{
	return rung == PROBE_RUNG_ANY || rung == PROBE_RUNG_FENTRY;
}

/* A hook without fentry is a kprobe beside those that have it; one without kprobe.multi, too. */
static enum probe_rung hook_rung(const struct hook *h, enum probe_rung rung)
{
	if (rung > PROBE_RUNG_KPROBE) /* argdump's alone */
		return PROBE_RUNG_ANY;
	if (h->tracepoint)
		return PROBE_RUNG_TRACEPOINT;
	if (h->multi && rung == PROBE_RUNG_KPROBE_MULTI)
		return PROBE_RUNG_KPROBE_MULTI;
	if (h->fentry && by_fentry(rung))
		return PROBE_RUNG_FENTRY;
	return h->kprobe ? PROBE_RUNG_KPROBE : PROBE_RUNG_ANY;
}

static bool hook_needed(const struct hook *h, const struct btf_view *btf,
			const struct btf_wanted *w, enum probe_rung rung)
{
	if (!hook_wanted(h) || !rung_needs(h, rung))
		return false;
	return !(h->unless_field && by_fentry(rung) && field_exists(h->unless_field, btf, w));
}

/* The rung for one hook; hp->why says why there is none. */
static void rung_choose(struct hook_plan *hp, const struct btf_view *btf,
			const struct btf_wanted *w, enum probe_rung rung)
{
	const struct hook *h = hp->hook;

	hp->rung = PROBE_RUNG_ANY;
	hp->needed = hook_needed(h, btf, w, rung);
	if (!hp->needed)
		hp->why = hook_wanted(h) ? "not needed" : "not asked for";
	else if (!function_choose(hp, w))
		hp->why = "this kernel has no such function";
	else
		hp->rung = hook_rung(h, rung);
	if (!hp->why && hp->rung == PROBE_RUNG_ANY)
		hp->why = "no program for that rung";
}

int probe_plan_decide(struct probe_plan *p, const struct hook *hooks, const struct btf_view *btf,
		      const struct btf_wanted *w, enum probe_rung rung)
{
	size_t count = 0;
	int err = 0;

	probe_plan_free(p);
	while (hooks[count].name)
		count++;
	p->rung = rung;
	p->multi_unlimited = field_exists("fprobe.hlist_array", btf, w);
	p->hooks = calloc(count, sizeof(*p->hooks));
	if (!p->hooks)
		return -ENOMEM;
	p->count = count;
	for (size_t i = 0; i < count; i++) {
		struct hook_plan *hp = &p->hooks[i];

		*hp = (struct hook_plan){ .hook = &hooks[i], .link_fd = -1 };
		rung_choose(hp, btf, w, rung);
		if (hp->needed && hp->rung == PROBE_RUNG_ANY && !hp->hook->optional)
			err = -ENOENT;
	}
	return err;
}

int probe_plan_make(struct probe_plan *p, const struct hook *hooks, const struct btf_view *btf,
		    enum probe_rung rung)
{
	struct btf_wanted w = { 0 };
	int err;

	probe_plan_want(hooks, &w);
	err = btf_wanted_find(&w, btf);
	if (!err)
		err = probe_plan_decide(p, hooks, btf, &w, rung);
	btf_wanted_free(&w);
	return err;
}

void probe_plan_print(const struct probe_plan *p, struct out *o)
{
	int width = strlen(probe_rung_name(p->rung == PROBE_RUNG_KPROBE_MULTI ?
						   PROBE_RUNG_KPROBE_MULTI : PROBE_RUNG_KPROBE, true));

	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];
		const struct hook *h = hp->hook;

		if (!hp->needed && hook_wanted(h))
			continue;
		if (hp->rung != PROBE_RUNG_ANY)
			out_printf(o, "%-*s %-32s %s\n", width, probe_rung_name(hp->rung, h->is_return),
				   hp->function, h->name);
		else
			out_printf(o, "%-*s %-32s %s: %s%s%s\n", width,
				   hp->needed && !h->optional ? "MISSING" : "-",
				   h->functions, h->name, hp->why,
				   h->without && hook_wanted(h) ? "; not seen: " : "",
				   h->without && hook_wanted(h) ? h->without : "");
	}
}

void probe_plan_free(struct probe_plan *p)
{
	probe_plan_detach(p);
	free(p->hooks);
	*p = (struct probe_plan){ 0 };
}
