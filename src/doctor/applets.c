/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * applets.c - checks which applets and recipes work here. Plans an applet's hooks for each attach method, and loads
 * its programs; the table of attach methods has already tried attaching.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attach/method_can.h"
#include "attach/prog.h"
#include "btf/core_fields.h"
#include "doctor/check.h"
#include "front/recipe/recipe.h"
#include "kernel/preempt.h"
#include "run/objects.h"
#include "util/log.h"

/* The hooks that can be attached, and what the applet misses without the others. */
struct verdict {
	unsigned hooks;		  /* number of hooks that can be attached */
	enum attach_method_id by; /* the cheapest method among them, or ATTACH_END */
	char without[200];	  /* what is missed without optional hooks */
	capabilities needs;	  /* needed for the hooks, and to choose among the methods */
	char blocked[160];	  /* the first required hook that fails, and why */
};

static bool can_attach(const struct doctor *d, const struct hook_plan *hp)
{
	bool is_return = hp->hook->is_return && !attach_has(hp->method, ATTACH_SESSION);

	return hp->method != ATTACH_ANY && (!d->tries || d->attaches[hp->method][is_return]);
}

/* Capabilities for perf events; root owns tracefs, which tells tracepoints by number. */
static capabilities method_needs(const struct doctor *d, enum attach_method_id method)
{
	if (method == ATTACH_EVENT)
		return d->for_perf | CAPABILITY(CAP_DAC_READ_SEARCH);
	return method == ATTACH_KPROBE ? d->for_perf : 0;
}

/* Capabilities for the choice of the cheapest method: only debugfs, which root alone can read, may tell if programs
 * are preempted. */
static capabilities order_needs(void)
{
	return preempt_is_hidden() ? CAPABILITY(CAP_DAC_READ_SEARCH) : 0;
}

/* Capabilities for programs that are attached later, to functions of files. */
static capabilities source_needs(const struct doctor *d, const struct skeleton_source *source)
{
	capabilities needs = CAPS_TRACE | d->for_maps;

	if (source->unattached && source->unattached[0])
		needs |= CAPS_FILES | d->for_uprobes;
	return needs | (source->order_preempted ? order_needs() : 0);
}

/* Returns why none works, after all methods were tried. */
static const char *no_method(void)
{
	const struct attach_switch *off = attach_switch_refused();

	return off ? off->is : "no attach method works";
}

static void hook_judge(const struct doctor *d, const struct hook_plan *hp, struct verdict *v)
{
	const struct hook *h = hp->hook;
	size_t len = strlen(v->without);

	if (!hp->needed || h->copy_of)
		return;
	if (can_attach(d, hp)) {
		v->hooks++;
		v->needs |= method_needs(d, hp->method);
		v->by = hp->method < v->by ? hp->method : v->by;
	} else if (h->optional && (hp->method == ATTACH_ANY || hp->method == ATTACH_KPROBE)) {
		if (h->without && !strstr(v->without, h->without))
			snprintf(v->without + len, sizeof(v->without) - len, "%s%s",
				 len ? ", " : "", h->without);
	} else if (!v->blocked[0]) /* a run uses the next method for all hooks, if it must */
		snprintf(v->blocked, sizeof(v->blocked), "%s (%s): %s", h->name, h->functions,
			 hp->method == ATTACH_ANY ? hp->why : no_method());
}

static void refusal_report(const struct doctor *d, struct doctor_result *r, int err)
{
	if (err == -EPERM && privileges_memlock_limit())
		doctor_report(r, DOCTOR_NO, -err, "locked memory is limited to %lu KiB (ulimit -l)",
			      privileges_memlock_limit());
	else
		doctor_report(r, DOCTOR_NO, -err, "the kernel refuses its programs%s",
			      d->rights.jit_off ? ", as its BPF JIT is off" :
			      d->rights.lockdown == PRIVILEGES_LOCKDOWN_CONFIDENTIALITY ?
						  ", perhaps because of lockdown" :
						  "");
}

/* With types only: checks that the fields exist that its programs read. */
static void fields_judge(struct doctor *d, const struct skeleton_source *source,
			 const struct skeleton_config *config, struct verdict *v)
{
	struct skeleton sk = { 0 };
	struct doctor_lacking lacking = { 0 };
	struct btf_view *types = NULL;
	int err = skeleton_open(&sk, source, config);

	if (!err)
		err = core_fields_types(sk.base->data, sk.base->data_sz, &types);
	lacking.of = types;
	if (!err)
		err = doctor_fields_compare(d->btf, &lacking);
	btf_view_close(types);
	skeleton_free(&sk);
	if (err)
		snprintf(v->blocked, sizeof(v->blocked), "its types cannot be compared: %s",
			 strerror(-err));
	else if (lacking.count)
		snprintf(v->blocked, sizeof(v->blocked), "missing, or of another type: %.120s",
			 lacking.names);
}

/* Judges the object of a run without options for one method of its attach order: builds its plan, loads its programs
 * as a run does, and closes them. */
static bool method_judge(struct doctor *d, const struct options *o,
			 const struct skeleton_source *source, enum attach_method_id method,
			 struct doctor_result *r)
{
	const struct event_filter filter = { .self = getpid() };
	struct skeleton_config config = objects_config(o);
	struct skeleton sk = { 0 };
	struct verdict v = { .by = ATTACH_END, .needs = source_needs(d, source) };
	bool misses;
	int err = 0;

	attach_plan_build(&sk.plan, source->hooks, d->btf, method);
	for (size_t i = 0; i < sk.plan.count; i++)
		hook_judge(d, &sk.plan.hooks[i], &v);
	misses = attach_plan_misses(&sk.plan);
	config.filter = &filter;
	config.types = &d->btf;
	config.load_only = true;
	if (!v.blocked[0] && !misses && d->tries)
		err = skeleton_try(&sk, source, &config, method);
	else if (!v.blocked[0] && d->options->attach.btf)
		fields_judge(d, source, &config, &v);
	skeleton_free(&sk);
	if (v.blocked[0])
		doctor_report(r, DOCTOR_NO, 0, "%s", v.blocked);
	else if (misses)
		doctor_report(r, DOCTOR_NO, 0, "%s would miss returns here",
			      attach_method_name(method, false));
	else if (err)
		refusal_report(d, r, err);
	else if (!v.hooks)
		doctor_report(r, DOCTOR_NO, 0, "none of its hooks can be attached");
	else if (v.without[0])
		doctor_report(r, DOCTOR_PARTLY, 0, "by %s; not seen: %s",
			      attach_method_name(v.by, false), v.without);
	else
		doctor_report(r, DOCTOR_YES, 0, "all %u hooks, by %s", v.hooks,
			      attach_method_name(v.by, false));
	r->needs = d->tries && r->answer != DOCTOR_NO ? v.needs : 0;
	return r->answer != DOCTOR_NO;
}

/* Tries the object's attach order; if all methods are refused, reports the first refusal. */
static void object_judge(struct doctor *d, const struct options *o,
			 const struct skeleton_source *source, struct doctor_result *r)
{
	bool works = false;

	for (const enum attach_method_id *method = objects_order(o, source);
	     *method != ATTACH_END && !works; method++) {
		struct doctor_result one = { .answer = DOCTOR_NO };

		works = method_judge(d, o, source, *method, &one);
		if (works || !r->text[0])
			*r = one;
	}
}

/* The applet's result is the worst of its objects'. */
static void objects_judge(struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	struct options o = { .attach.buffer = applet_buffer(a),
			     .attach.btf = d->options->attach.btf,
			     .attach.dry_run = !d->tries };

	if (a->prepare)
		a->prepare(&o);
	for (const struct skeleton_source *source = a->objects; source->hooks; source++) {
		struct doctor_result one = { .answer = DOCTOR_NO };

		object_judge(d, &o, source, &one);
		one.needs |= r->needs;
		if (source == a->objects || one.answer > r->answer)
			*r = one;
		r->needs = one.needs;
	}
}

/* Lists the attach methods that work, in the order that a run tries them: "by fentry, kprobe". Returns what they
 * need. */
static capabilities methods_report(const struct doctor *d, const struct applet *a, char *by,
				   size_t size)
{
	enum attach_method_id methods[ATTACH_END + 1] = { ATTACH_END };
	capabilities needs = CAPS_TRACE | d->for_maps;
	size_t len = 0;

	a->tracer->methods(d->btf, methods);
	for (const enum attach_method_id *method = methods; *method != ATTACH_END; method++)
		if (d->attaches[*method][false]) {
			len += snprintf(by + len, size - len, "%s%s", len ? ", " : "by ",
					attach_method_name(*method, false));
			needs |= method_needs(d, *method);
		}
	return needs;
}

/* Judges an applet that attaches nothing: it needs types. */
static void lister_judge(struct doctor *d, struct doctor_result *r)
{
	bool has_types = doctor_functions(d->btf);

	doctor_report(r, has_types ? DOCTOR_YES : DOCTOR_NO, 0,
		      has_types ? "attaches nothing" : "no functions");
}

/* Judges argdump: generated programs on one function. */
static void generated_judge(struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	unsigned functions = doctor_functions(d->btf);
	char by[64] = "";

	if (!d->tries) {
		doctor_report(r, functions ? DOCTOR_YES : DOCTOR_NO, 0, "%u functions", functions);
		return;
	}
	r->needs = methods_report(d, a, by, sizeof(by)) | order_needs();
	if (!by[0])
		doctor_report(r, DOCTOR_NO, 0, "%s%s", no_method(),
			      attach_switch_refused() ? "" : " at a function's entry");
	else if (!d->works[DOCTOR_RING])
		doctor_report(r, DOCTOR_NO, 0, "this kernel has no ring buffer");
	else if (d->works[DOCTOR_PROBE_READ] || d->works[DOCTOR_RDONLY_CAST])
		doctor_report(r, DOCTOR_YES, 0, "%s", by);
	else if (d->works[DOCTOR_TYPED_LOADS])
		doctor_report(r, DOCTOR_PARTLY, 0,
			      "%s; typed pointers only: no strings through pointers", by);
	else
		doctor_report(r, DOCTOR_NO, 0, "kernel memory cannot be read");
}

enum { PARTS_MAX = 16 }; /* options of one applet */

/* What the exit status of a trial means: only EXIT_CANNOT tells that the kernel cannot do it. */
enum part { PART_WORKS, PART_REFUSED, PART_UNTRIED, PARTS };

static enum part part_try(const struct doctor *d, const struct applet *a, const char *part)
{
	struct doctor_trial t;
	char command[128];
	int code;

	snprintf(command, sizeof(command), "%s %s", a->name, part);
	doctor_trial_start(d, a, command, &t);
	code = doctor_trial_wait(&t);
	if (code && code != EXIT_CANNOT)
		log_debug(1, "%s: status %d: %s", command, code, t.errors ?: "");
	doctor_trial_free(&t);
	return !code ? PART_WORKS : code == EXIT_CANNOT ? PART_REFUSED : PART_UNTRIED;
}

/* Writes "; not with -F, --caller". */
static void parts_report(const struct applet *a, const enum part *found, size_t count,
			 enum part kind, struct doctor_result *r)
{
	static const char *const begins[PARTS] = {
		[PART_REFUSED] = "; not with ", [PART_UNTRIED] = "; could not be tried: "
	};
	const char *before = begins[kind];

	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(r->text);

		if (found[i] != kind)
			continue;
		snprintf(r->text + len, sizeof(r->text) - len, "%s%s", before, a->parts[i]);
		before = ", ";
		r->answer = DOCTOR_PARTLY;
	}
}

/* Tries each option that enables a part of the programs, and names those that do not work: the rest works. A trial
 * that ended otherwise (a wrong command line, out of memory) tells nothing about the kernel. */
static void parts_judge(const struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	enum part found[PARTS_MAX] = { PART_WORKS };
	size_t count = 0;

	for (; doctor_works(r) && a->parts && count < PARTS_MAX && a->parts[count]; count++)
		found[count] = part_try(d, a, a->parts[count]);
	for (enum part kind = PART_REFUSED; kind < PARTS; kind++)
		parts_report(a, found, count, kind, r);
}

void doctor_judge(struct doctor *d, const struct applet *a, struct doctor_result *r)
{
	if (!d->btf) {
		doctor_report(r, DOCTOR_NO, d->btf_error, "the kernel's types cannot be read");
		return;
	}
	if (d->tries && !(a->tracer && a->tracer->attaches_nothing) && !prog_tracing_exists())
		doctor_report(r, DOCTOR_NO, 0, "%s", PROG_NO_TRACING);
	else if (a->objects)
		objects_judge(d, a, r);
	else if (!a->tracer->methods)
		lister_judge(d, r);
	else
		generated_judge(d, a, r);
	if (d->tries || d->options->attach.btf)
		parts_judge(d, a, r);
	if (r->answer == DOCTOR_NO)
		r->needs = 0;
	/* the features exist, but this user may lack the privileges */
	if (r->answer != DOCTOR_NO && !d->tries && !d->options->attach.btf) {
		char text[sizeof(r->text)];

		snprintf(text, sizeof(text), "%s", r->text);
		doctor_report(r, DOCTOR_NO, 0, "missing %s; otherwise: %.200s",
			      privileges_missing(&d->rights), text);
	}
}

/* ---- recipes ---- */

/* Runs the first example of a recipe without tracing, and reads the plan or the error that it prints. */

static const char *line_end(const char *text)
{
	return strchrnul(text, '\n');
}

/* Reports the first line of "argdump: what is wrong", without the name. */
static void error_report(struct doctor_result *r, const char *errors, const char *name)
{
	size_t len = strlen(name);

	if (!strncmp(errors, name, len) && !strncmp(errors + len, ": ", 2))
		errors += len + 2;
	doctor_report(r, DOCTOR_NO, 0, "%.*s", (int)(line_end(errors) - errors), errors);
}

/* Lines without leading blanks name the method and what it is attached to; reports each method once. */
static void plan_report(struct doctor_result *r, const char *plan)
{
	size_t size = sizeof(r->text), len = 0, method_len = 0;
	const char *method = "";
	char text[sizeof(r->text)];

	for (const char *end; *plan && len < size; plan = end + (*end != 0)) {
		size_t head = strcspn(plan, " \n");
		bool same = head == method_len && !strncmp(plan, method, head);

		end = line_end(plan);
		if (*plan == ' ')
			continue;
		len += snprintf(text + len, size - len, "%s%.*s",
				!len ? "" :
				same ? "" :
				       ", ",
				(int)(end - plan - (same ? head : 0)), plan + (same ? head : 0));
		method = plan;
		method_len = head;
	}
	if (len >= size)
		strcpy(text + size - 4, "...");
	doctor_report(r, DOCTOR_YES, 0, "%s", text);
}

/* The first example has the arguments that the recipe needs. */
void doctor_recipe_start(struct doctor *d, const char *name, struct doctor_recipe *recipe)
{
	const struct applet *a = recipe_named(name);
	const char *example = a && a->examples ? a->examples[0].command : NULL;

	*recipe = (struct doctor_recipe){ .trial.pid = -ENOMEM };
	if (!a)
		return;
	snprintf(recipe->name, sizeof(recipe->name), "%s", a->name);
	doctor_trial_start(d, a, example ?: a->name, &recipe->trial);
}

void doctor_recipe_judge(struct doctor_recipe *recipe, struct doctor_result *r)
{
	int code = doctor_trial_wait(&recipe->trial);

	if (code < 0)
		doctor_report(r, DOCTOR_UNKNOWN, -code, "it could not be tried");
	else if (code)
		error_report(r, recipe->trial.errors, recipe->name);
	else
		plan_report(r, recipe->trial.plan);
	doctor_trial_free(&recipe->trial);
}
