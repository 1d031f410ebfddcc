/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objects.c - loads and attaches an applet's objects, each in its attach order. Reports what this kernel does not
 * show, and adds missed events to the ledger.
 *
 * The first object's maps belong to the run; the other objects share them.
 */
#include "run/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "run/filter.h"
#include "run/pidns.h"
#include "run/session.h"
#include "util/log.h"

static size_t objects_count(const struct session *s)
{
	size_t n = 0;

	while (s->applet->objects[n].hooks)
		n++;
	return n;
}

struct skeleton_config objects_config(const struct options *o)
{
	return (struct skeleton_config){
		.param = o,
		.btf = o->attach.btf,
		.asked = o->attach.method,
		.buffer = o->attach.buffer,
		.family = filter_has_family(o),
		.names = o->tasks.names.table,
		.shared = SKELETON_NO_MAPS,
	};
}

const enum attach_method_id *objects_order(const struct options *o,
					   const struct skeleton_source *source)
{
	static enum attach_method_id asked[] = { ATTACH_ANY, ATTACH_END };

	asked[0] = o->attach.method;
	if (asked[0] != ATTACH_ANY)
		return asked;
	return skeleton_order(source, session_preempts(o));
}

/* ---- attach ---- */

/* Reports which hook is missing. */
static int plan_explain(const struct attach_plan *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];

		if (hp->method == ATTACH_ANY && hp->needed && !hp->hook->optional)
			log_error("%s: %s: %s", hp->hook->name, hp->hook->functions, hp->why);
	}
	log_hint("run coretap doctor to check what works on this kernel");
	return EXIT_CANNOT;
}

static void plan_report(const struct attach_plan *p)
{
	const char *lost = "";

	for (size_t i = 0; i < p->count; i++) {
		const struct hook_plan *hp = &p->hooks[i];

		if (hp->method != ATTACH_ANY || !hp->needed || !hp->hook->without ||
		    !strcmp(hp->hook->without, lost))
			continue;
		lost = hp->hook->without;
		log_note("not seen here: %s (%s: %s)", lost, hp->hook->functions, hp->why);
	}
	if (p->refused)
		attach_reason_hint(p->refused);
}

static void maps_share(struct session *s, const struct skeleton_maps *m)
{
	s->fds.ring = m->ring;
	s->fds.lost = m->losses;
	s->fds.followed = m->followed;
	s->fds.cgroups = m->cgroups;
	if (s->options.rows.inner_pids) /* without the option, no row needs the lookup */
		inner_pids_use(m->inners);
}

static int object_attach(struct session *s, struct skeleton *sk, struct skeleton_config *c)
{
	const struct skeleton_source *source = &s->applet->objects[sk - s->objects];
	int err = skeleton_load(sk, source, c, objects_order(&s->options, source));

	if (err == -ENOENT)
		return plan_explain(&sk->plan);
	if (err) {
		session_types_open(s);
		attach_explain(sk->failed[0] ? sk->failed : NULL, s->btf, err);
		/* the functions are not named by the user, so a missing one is the kernel's limit */
		return EXIT_CANNOT;
	}
	c->shared = s->objects->maps;
	return EXIT_FINE;
}

static int objects_attach(struct session *s)
{
	struct skeleton_config c = objects_config(&s->options);
	struct event_filter filter;
	int code = EXIT_FINE;

	filter_fill(s, &filter);
	c.filter = &filter;
	c.types = &s->btf;
	c.cgroup_fds = s->traced.cgroup_fds;
	c.cgroup_count = s->traced.cgroup_count;
	s->object_count = objects_count(s);
	s->objects = calloc(s->object_count, sizeof(*s->objects));
	if (!s->objects) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < s->object_count && !code; i++)
		code = object_attach(s, &s->objects[i], &c);
	if (code)
		return code;
	maps_share(s, &s->objects->maps);
	for (size_t i = 0; i < s->object_count; i++)
		plan_report(&s->objects[i].plan);
	return s->applet->hooks.attached ? s->applet->hooks.attached(s) : EXIT_FINE;
}

/* ---- --dry-run ---- */

/* Prints the plan of the first attach method that would be used. */
static int object_plan(struct session *s, const struct skeleton_source *source)
{
	const enum attach_method_id *method = objects_order(&s->options, source);
	struct attach_plan plan = { 0 };
	int err = -ENOENT;

	for (; *method != ATTACH_END; method++) {
		err = attach_plan_build(&plan, source->hooks, s->btf, *method);
		if (err != -EOPNOTSUPP &&
		    (!attach_plan_misses(&plan) || s->options.attach.method == (int)*method))
			break;
	}
	attach_plan_print(&plan, &s->out);
	attach_plan_free(&plan);
	return err;
}

static int objects_dry_run(struct session *s)
{
	size_t count = objects_count(s);
	int err = 0;

	for (size_t i = 0; i < count; i++)
		err = object_plan(s, &s->applet->objects[i]) ?: err;
	return err ? EXIT_CANNOT : EXIT_FINE;
}

/* From here on no program is loaded, and nothing else is looked up: a tool that runs for days needs no types. */
static void objects_settle(struct session *s)
{
	btf_view_close(s->btf);
	s->btf = NULL;
}

static void objects_loaded(struct session *s)
{
	for (size_t i = 0; i < s->object_count; i++)
		attach_plan_print(&s->objects[i].plan, &s->out);
}

/* ---- while it runs ---- */

static void objects_poll(struct session *s)
{
	if (s->applet->hooks.look)
		s->applet->hooks.look(s);
}

static void objects_rest(struct session *s)
{
	if (s->applet->hooks.rest)
		s->applet->hooks.rest(s);
}

/* ---- closing ---- */

/* Counts calls of which a kprobe.session saw neither end; the programs themselves count those of which they see only
 * one. */
static void sessions_account(struct session *s, const struct attach_plan *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->hooks[i].link_fd >= 0 && attach_has(p->hooks[i].method, ATTACH_SESSION))
			lost_add_link(&s->losses, p->hooks[i].link_fd, false);
}

static void objects_detach(struct session *s)
{
	for (struct skeleton *sk = s->objects; sk < s->objects + s->object_count; sk++) {
		if (sk->source->ending)
			sk->source->ending(sk);
		sessions_account(s, &sk->plan);
		attach_plan_detach(&sk->plan);
	}
}

static const struct hook_plan *copy_next(const struct skeleton *sk, const char *program,
					 const struct hook_plan *after)
{
	const struct hook_plan *end = sk->plan.hooks + sk->plan.count;

	for (const struct hook_plan *hp = after ? after + 1 : sk->plan.hooks; hp < end; hp++)
		if (hp->hook->copy_of && hp->method != ATTACH_ANY &&
		    !strcmp(hp->hook->copy_of, program))
			return hp;
	return NULL;
}

static bool is_copy(const struct skeleton *sk, const struct bpf_program *prog)
{
	for (size_t i = 0; i < sk->plan.count; i++)
		if (sk->plan.hooks[i].hook->copy_of && sk->plan.hooks[i].method != ATTACH_ANY &&
		    attach_plan_program(&sk->plan.hooks[i], sk->object) == prog)
			return true;
	return false;
}

/* Each copy of a program has missed at least what all of them have missed together. */
static void program_account(struct session *s, const struct skeleton *sk,
			    const struct bpf_program *prog)
{
	uint64_t missed = lost_of_program(bpf_program__fd(prog));
	const struct hook_plan *hp = NULL;

	if (is_copy(sk, prog))
		return;
	while ((hp = copy_next(sk, bpf_program__name(prog), hp))) {
		uint64_t other = lost_of_program(
			bpf_program__fd(attach_plan_program(hp, sk->object)));

		missed = other < missed ? other : missed;
		s->losses.filtered = true;
	}
	s->losses.local[LOSS_RECURSION] += missed;
}

/* Adds the kernel's own counters of missed events. */
static void objects_account(struct session *s)
{
	struct bpf_program *prog;

	for (size_t i = 0; i < s->object_count; i++)
		bpf_object__for_each_program(prog, s->objects[i].object)
			program_account(s, &s->objects[i], prog);
}

static void objects_close(struct session *s)
{
	for (size_t i = 0; i < s->object_count; i++)
		skeleton_free(&s->objects[i]);
	free(s->objects);
}

static const struct tracer_ops objects_tracer = {
	.attach = objects_attach,
	.dry_run = objects_dry_run,
	.loaded = objects_loaded,
	.settle = objects_settle,
	.look = objects_poll,
	.detach = objects_detach,
	.rest = objects_rest,
	.account = objects_account,
	.close = objects_close,
};

const struct tracer_ops *session_tracer(const struct session *s)
{
	return s->applet->tracer ?: &objects_tracer;
}
