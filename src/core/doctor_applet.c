/* SPDX-License-Identifier: GPL-2.0 */
/*
 * doctor_applet.c - does this applet work here? Its hooks by the ladder's own plan, its programs by
 * loading them; attaching is what the table of ways has already tried.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/doctor.h"
#include "core/session.h"

/* What hooks without a place cost: the applet's work, or a part of it. */
struct verdict {
	unsigned hooks;	   /* that this rung needs */
	char without[200]; /* what is not seen, of optional hooks */
	char blocked[160]; /* the first hook that it cannot do without, and why */
};

static bool can_attach(const struct doctor *d, const struct hook_plan *hp)
{
	bool is_return = hp->hook->is_return;

	switch (hp->rung) {
	case PROBE_RUNG_ANY:
		return false;
	case PROBE_RUNG_TRACEPOINT:
		return !d->tries || d->works[DOCTOR_TP_BTF];
	case PROBE_RUNG_FENTRY:
		return !d->tries || d->works[is_return ? DOCTOR_FEXIT : DOCTOR_FENTRY];
	default:
		return !d->tries || d->works[is_return ? DOCTOR_KRETPROBE : DOCTOR_KPROBE];
	}
}

static void hook_judge(const struct doctor *d, const struct hook_plan *hp, struct verdict *v)
{
	const struct hook *h = hp->hook;
	size_t len = strlen(v->without);

	if (!hp->needed)
		return;
	v->hooks++;
	if (can_attach(d, hp))
		return;
	if (h->optional && h->without)
		snprintf(v->without + len, sizeof(v->without) - len, "%s%s", len ? ", " : "",
			 h->without);
	else if (!h->optional && !v->blocked[0])
		snprintf(v->blocked, sizeof(v->blocked), "%s (%s): %s", h->name, h->functions,
			 hp->rung == PROBE_RUNG_ANY ? hp->why : "no way to attach works");
}

/* Loads the applet's own programs, as its session without any option would; lets them go. */
static int programs_load(const struct applet *a, enum probe_rung rung)
{
	struct session s = SESSION_INIT(a);
	int err;

	s.options.buffer = getpagesize();
	err = session_load(&s, rung);
	session_unload(&s);
	probe_plan_free(&s.plan);
	return err;
}

/* One step of the ladder: its plan, then the programs. */
static bool rung_judge(struct doctor *d, const struct applet *a, enum probe_rung rung,
		       struct doctor_result *r)
{
	const char *by = rung == PROBE_RUNG_ANY ? "fentry" : "kprobe";
	struct probe_plan plan = { 0 };
	struct verdict v = { 0 };
	int err = 0;

	probe_plan_make(&plan, a->hooks, d->btf, rung);
	for (size_t i = 0; i < plan.count; i++)
		hook_judge(d, &plan.hooks[i], &v);
	if (!v.blocked[0] && d->tries)
		err = programs_load(a, rung);
	probe_plan_free(&plan);
	if (v.blocked[0])
		doctor_say(r, DOCTOR_NO, 0, "%s", v.blocked);
	else if (err)
		doctor_say(r, DOCTOR_NO, -err, "the kernel refuses its programs%s",
			   d->rights.lockdown == RIGHTS_LOCKDOWN_CONFIDENTIALITY ?
				   ", perhaps because of lockdown" : "");
	else if (v.without[0])
		doctor_say(r, DOCTOR_PARTLY, 0, "by %s; not seen: %s", by, v.without);
	else
		doctor_say(r, DOCTOR_YES, 0, "all %u hooks, by %s", v.hooks, by);
	return r->answer != DOCTOR_NO;
}

/* Down the same ladder as a session; of two refusals the first is told. */
static void hooks_judge(struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	struct doctor_result second = { .answer = DOCTOR_NO };

	if (!rung_judge(d, a, PROBE_RUNG_ANY, r) &&
	    rung_judge(d, a, PROBE_RUNG_KPROBE, &second))
		*r = second;
}

/* argdump: generated programs on one function. */
static void generated_judge(struct doctor *d, struct doctor_result *r)
{
	static const struct { enum doctor_ability ability; const char *name; } rungs[] = {
		{ DOCTOR_FENTRY, "fentry" },
		{ DOCTOR_KPROBE_MULTI, "kprobe.multi" },
		{ DOCTOR_KPROBE, "kprobe" },
	};
	unsigned functions = doctor_functions(d->btf);
	char by[64] = "";

	if (!d->tries) {
		doctor_say(r, functions ? DOCTOR_YES : DOCTOR_NO, 0, "%u functions", functions);
		return;
	}
	for (size_t i = 0; i < sizeof(rungs) / sizeof(rungs[0]); i++)
		if (d->works[rungs[i].ability])
			snprintf(by + strlen(by), sizeof(by) - strlen(by), "%s%s",
				 by[0] ? ", " : "by ", rungs[i].name);
	if (!by[0])
		doctor_say(r, DOCTOR_NO, 0, "no way to attach to a function's entry works");
	else if (!d->works[DOCTOR_RING])
		doctor_say(r, DOCTOR_NO, 0, "there is no ring buffer");
	else if (d->works[DOCTOR_PROBE_READ] || d->works[DOCTOR_RDONLY_CAST])
		doctor_say(r, DOCTOR_YES, 0, "%s", by);
	else if (d->works[DOCTOR_TYPED_LOADS])
		doctor_say(r, DOCTOR_PARTLY, 0,
			   "%s; only what typed pointers reach: no strings by pointer", by);
	else
		doctor_say(r, DOCTOR_NO, 0, "no way to read kernel memory works");
}

void doctor_judge(struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	if (!d->btf) {
		doctor_say(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return;
	}
	if (a->hooks)
		hooks_judge(d, a, r);
	else
		generated_judge(d, r);
	/* what exists is not what this user may have */
	if (r->answer != DOCTOR_NO && !d->tries && !d->options->btf) {
		char text[sizeof(r->text)];

		snprintf(text, sizeof(text), "%s", r->text);
		doctor_say(r, DOCTOR_NO, 0, "for lack of %s; otherwise: %.200s",
			   rights_missing(&d->rights), text);
	}
}
