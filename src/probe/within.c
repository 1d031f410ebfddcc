/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within.c - --in FUNC and $depth: which functions' calls are marked, and which probes check these marks.
 *
 * The marks are set by a second set of probes, with its own struct argdump that shares the maps: it is resolved,
 * compiled and attached like any other, and the first knows nothing about it. expr/emit/emit_within.c describes the
 * programs.
 */
#include "probe/within.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "probe/lost_calls.h"
#include "util/log.h"

enum { OWN_SET = SETS - 1, SETS_MAX = OWN_SET - 1 };

/* ---- which functions ---- */

static int wrong_report(const struct argdump_request *r, const char *why)
{
	log_error("--in %s: %s", r->text, why);
	argdump_request_caret(r, 0, strlen(r->text));
	log_hint("FUNC has an entry and a return: a function of the kernel, s:NAME, u:FILE:FUNC");
	return -EINVAL;
}

/* Checks that the probe has calls that a thread can be inside of. */
static int request_check(const struct argdump_request *r)
{
	const struct probe_spec *spec = &r->spec;

	if (r->old)
		return wrong_report(r, "it is a PROBE of argdump's own language");
	if (spec->is_return)
		return wrong_report(r, "a return alone has no duration: leave out %return");
	if (probe_spec_is_sample(spec))
		return wrong_report(r, "a sample is not a call");
	for (size_t i = 0; i < spec->count; i++) {
		if (spec->items[i].kind == PROBE_SPEC_TRACEPOINT)
			return wrong_report(r, "a tracepoint is not a call");
		if (spec->items[i].has_offset && spec->items[i].offset)
			return wrong_report(r, "an instruction is not a call");
	}
	return 0;
}

static int marks_add(struct argdump *a, const char *text, unsigned set)
{
	struct argdump_within *w = &a->within;
	struct argdump_request *r;
	int err;

	if (!w->marks) {
		w->marks = calloc(1, sizeof(*w->marks));
		if (!w->marks)
			return -ENOMEM;
		*w->marks = (struct argdump){ .both = true,
					      .max_probes = a->max_probes,
					      .within.of = w,
					      .maps = PROGRAM_MAPS_NONE };
	}
	err = argdump_request_add(w->marks, text, NULL, 0);
	if (err)
		return err;
	r = &w->marks->requests[w->marks->request_count - 1];
	r->owner = set;
	r->is_again = set == OWN_SET;
	if (r->spec.kind == PROBE_SPEC_USER)
		w->user |= 1u << set;
	return request_check(r);
}

/* ---- $depth ---- */

/* Marks the calls of the probes that name $depth: a mark costs a call 1,500 instructions (6.12). */
static int depth_set(struct argdump *a)
{
	struct argdump_within *w = &a->within;
	int err = 0;

	if (!model_mentions(&a->model, "$depth"))
		return 0;
	w->depth_of = w->count ? 1 : 0;
	for (size_t i = 0; i < a->request_count && !err; i++) {
		const struct argdump_request *r = &a->requests[i];

		if (r->old || r->is_end || !(argdump_request_has_return(r) || a->both) ||
		    !model_mentions_for(&a->model, r->given, "$depth"))
			continue;
		w->depth_of = OWN_SET;
		w->depth_own = true;
		err = marks_add(a, r->text, OWN_SET);
	}
	return err;
}

/* Adds a set for each --in of the list, which is the common one or a probe's. */
static int list_add(struct argdump *a, const struct model_options *list,
		    const struct model_probe *owner)
{
	const struct model_option *in = NULL;
	int err = 0;

	while (!err && (in = model_options_next(list, MODEL_IN, in))) {
		unsigned set = ++a->within.count;

		if (set > SETS_MAX) {
			log_error("--in can be given at most %d times: name several functions by "
				  "FUNC,FUNC",
				  SETS_MAX);
			return -EINVAL;
		}
		for (size_t i = 0; i < a->request_count; i++)
			if (!owner || a->requests[i].given == owner)
				a->requests[i].within |= 1u << set;
		err = marks_add(a, in->text.text, set);
	}
	return err;
}

int within_set(struct argdump *a)
{
	int err = list_add(a, &a->model.all, NULL);

	for (unsigned i = 1; i <= a->model.count && !err; i++) {
		const struct model_probe *p = model_probe_at(&a->model, i);

		err = list_add(a, &p->own, p);
	}
	return err ?: depth_set(a) ?: inside_find(a);
}

/* ---- programs ---- */

int within_resolve(struct session *s, struct argdump *a)
{
	struct argdump *marks = a->within.marks;
	int code = argdump_requests_resolve(s, marks);

	if (code || !a->within.inside_most)
		return code;
	inside_link(marks);
	for (size_t i = 0; i < marks->probe_count; i++) /* report errors in these first */
		if (argdump_probe_compile_or_report(s, marks, &marks->probes[i]))
			return EXIT_USAGE;
	return EXIT_FINE;
}

int within_attach(struct session *s, struct argdump *a)
{
	struct argdump *marks = a->within.marks;
	int code;

	marks->maps = a->maps;
	code = argdump_probes_attach(s, marks);
	a->maps = marks->maps; /* shares the maps that were created for the marks */
	return code;
}

int within_plan(struct session *s, struct argdump *a)
{
	struct argdump *marks = a->within.marks;
	int code = EXIT_FINE;

	for (size_t i = 0; i < marks->probe_count && !code; i++) {
		struct argdump_probe *p = &marks->probes[i];

		if (argdump_probe_compile_or_report(s, marks, p))
			return EXIT_USAGE;
		if (a->look.dump_stage)
			continue;
		buf_printf(&s->out, "%s %s %s", p->request->owner == OWN_SET ? "depth" : "in",
			   argdump_method_name(p, p->variant), p->name);
		if (p->functions.count > 1)
			buf_printf(&s->out, " and %zu more", p->functions.count - 1);
		buf_char(&s->out, '\n');
	}
	return code;
}

void within_detach(struct session *s, struct argdump *a)
{
	struct argdump *marks = a->within.marks;

	for (size_t i = 0; i < marks->probe_count; i++) {
		struct argdump_probe *p = &marks->probes[i];

		argdump_links_account(&s->losses, p);
		fdset_close(&p->fds.links);
	}
	for (size_t i = 0; i < marks->probe_count; i++)
		argdump_lost_account(&s->losses, &marks->probes[i]);
}
