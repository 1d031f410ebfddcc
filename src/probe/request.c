/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.c - resolves PROBE texts to probes on this kernel, and sets what all their programs have in common.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "attach/ask_functions.h"
#include "probe/name_choice.h"
#include "probe/probe_hint.h"
#include "run/filter.h"
#include "run/pidns.h"
#include "symbols/kernel/ksyms.h"
#include "util/log.h"

enum { FIRST_MAX = 3 };	   /* texts before the EXPRs */
enum { POINT_WIDTH = 32 }; /* a wider column for longer names would waste space */

/* ---- what all programs have in common ---- */

static uint64_t symbol_address(void *ctx, const char *name)
{
	(void)ctx;
	return ksyms_address(name, NULL);
}

static uint64_t symbol_ask(void *ctx, const char *name)
{
	(void)ctx;
	return kernel_symbol_ask(name);
}

/* For a plan with another kernel's types: whether that kernel has the variable, and where, is unknown. */
static uint64_t symbol_elsewhere(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return ~0ull << 32;
}

/* For programs that mark calls: they show nothing, and ignore the name of a thread, which may change during a call. */
static void marks_run(struct expr_run *run)
{
	run->want_ts = run->kernel_stack = run->user_stack = false;
	run->filter.by_comm = run->filter.by_names = run->filter.by_cgroup = false;
	run->filter.uids = (struct event_ids){ 0 };
	run->filter.numbers = (struct event_numbers){ 0 };
}

/* Sets the part that depends on the options. */
static void run_begin(const struct session *s, struct argdump *a)
{
	/* used until functions have been sorted into probes */
	static const struct field_name unnamed;
	const struct options *o = &s->options;
	struct expr_run *run = &a->run;

	run->memo = &a->memo;
	run->points = &unnamed;
	run->diffs = a->diff.texts;
	run->diff_count = a->diff.given.count;
	run->aggregate = aggregate_wanted(&a->aggregate) ? &a->aggregate.input : NULL;
	run->want_ts = options_want_times(o);
	run->want_begin = o->files.trace_json != NULL;
	run->want_cpu = o->rows.ftrace;
	run->kernel_stack = o->stacks.kernel;
	run->user_stack = o->stacks.user;
	run->stack_depth = o->stacks.depth;
	run->stack_copy = (o->stacks.dwarf + EXPR_COPY_STEP - 1) / EXPR_COPY_STEP * EXPR_COPY_STEP;
	run->keys = a->aggregate.options.keys;
	a->aggregate.input.cpus = o->attach.dry_run ? 0 : libbpf_num_possible_cpus();
	run->symbol = !o->attach.dry_run ? symbol_ask :
		      o->attach.btf	 ? symbol_elsewhere :
					   symbol_address;
	filter_fill(s, &run->filter);
	if (argdump_marks(a))
		marks_run(run);
}

static void width_grow(struct argdump *a, const char *name)
{
	size_t len = strlen(name);

	if (len > POINT_WIDTH)
		len = POINT_WIDTH;
	if (len > a->run.point_width)
		a->run.point_width = len;
}

static void probes_number(struct argdump *a)
{
	struct expr_run *run = &a->run;
	size_t compat = 0, ends = 0;

	for (size_t i = 0; i < a->probe_count; i++) {
		ends += a->probes[i].request->is_end;
		compat += a->probes[i].is_compat && !a->probes[i].request->is_end;
	}
	run->many |= a->probe_count > 1 || compat;
	/* one column value is enough for a call with its 32-bit entry, and for a begin with its end */
	run->points_hidden = a->probe_count - ends <= 1 + compat && compat <= 1 && (compat || ends);
	run->siblings = a->probe_count;
	for (size_t i = 0; i < a->probe_count; i++) {
		struct argdump_probe *p = &a->probes[i];

		p->number = i;
		p->attempt.variant = NULL; /* it was compiled before its number was known */
		if (!p->functions.count)
			width_grow(a, p->point ?: p->name);
		for (size_t j = 0; j < p->functions.count; j++)
			width_grow(a, p->functions.items[j]->name);
	}
}

/* Numbers and names the probed functions, once all probes exist. Returns 0 or -ENOMEM. */
static int points_build(struct argdump *a)
{
	size_t count = 0, n = 0;

	for (size_t i = 0; i < a->probe_count; i++)
		count += a->probes[i].functions.count ?: 1;
	a->points = calloc(count + 1, sizeof(*a->points));
	if (!a->points)
		return -ENOMEM;
	for (struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		p->first_point = n;
		for (size_t i = 0; i < (p->functions.count ?: 1); i++, n++)
			a->points[n] = (struct field_name){ n,
							    p->functions.count ?
								    p->functions.items[i]->name :
							    p->point ?:
								       p->name,
							    0 };
	}
	a->run.points = a->points;
	a->run.point_count = n;
	return 0;
}

/* ---- from PROBE texts to probes ---- */

bool argdump_requests_clear(const struct argdump *a)
{
	for (size_t i = 0; i < a->request_count; i++)
		if (!a->requests[i].is_end &&
		    (!a->requests[i].old || !argdump_legacy_clears(a->requests[i].old)))
			return false;
	return a->request_count;
}

/* Inserts texts before the expressions. If no other expression was given, every parameter, or the result, is still
 * shown. */
static int request_first_add(struct argdump_request *r, const char *const *texts, size_t count)
{
	const char **exprs = calloc(r->expr_count + count, sizeof(*exprs));

	if (!exprs) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	memcpy(exprs, texts, count * sizeof(*exprs));
	r->first_alone = !r->expr_count && !r->old;
	for (size_t i = 0; i < r->expr_count; i++)
		exprs[i + count] = r->exprs[i];
	r->expr_count += count;
	r->first_count = count;
	r->exprs = r->with_first = exprs;
	return EXIT_FINE;
}

/* True if -r follows the PROBE. */
bool argdump_request_has_return(const struct argdump_request *r)
{
	return r->given && !r->is_end && model_options_next(&r->given->own, MODEL_RETURN, NULL);
}

/* Applies -r, which tracepoints do not have. Returns an exit code. */
static int both_set(const struct argdump *a, struct argdump_request *r)
{
	bool is_own = argdump_request_has_return(r);
	bool has_event = false, is_sample = probe_spec_is_sample(&r->spec);

	r->both = is_own || (a->both && !r->is_end);
	for (size_t i = 0; i < r->spec.count; i++)
		has_event |= r->spec.items[i].kind == PROBE_SPEC_TRACEPOINT;
	if (!r->both || (!has_event && !is_sample))
		return EXIT_FINE;
	log_error("cannot trace %s: -r is for functions and system calls", r->text);
	if (is_own || a->request_count == 1)
		log_hint("a %s has no return: leave out -r", is_sample ? "sample" : "tracepoint");
	else
		log_hint("-r after a probe applies only to that probe: FUNC -r EXPR...");
	return EXIT_USAGE;
}

/* Adds the values before the EXPRs. Returns an exit code. */
static int request_first_set(const struct session *s, const struct argdump *a,
			     struct argdump_request *r)
{
	const char *texts[FIRST_MAX];
	const char *caller = r->old ? argdump_legacy_caller(r->old) : NULL;
	size_t count = 0;

	r->has_caller = a->front.caller || caller;
	if (r->has_caller)
		texts[count++] = caller ?: "caller=$caller:sym";
	else if (a->front.entry)
		texts[count++] = r->spec.is_return ? a->front.leave : a->front.entry;
	if (s->options.rows.with_container)
		texts[count++] = "container=$cgroup:container";
	if (s->options.rows.inner_pids)
		texts[count++] = INNER_PID_EXPR;
	return count ? request_first_add(r, texts, count) : EXIT_FINE;
}

static int requests_translate(struct session *s, struct argdump *a)
{
	bool has_choice = false;
	int code = EXIT_FINE;

	for (size_t i = 0; i < a->request_count && !code; i++) {
		if (a->requests[i].old)
			code = argdump_request_translate(s, &a->requests[i]);
		has_choice |= probe_spec_has_choice(&a->requests[i].spec);
		if (!code)
			code = both_set(a, &a->requests[i]);
	}
	if (!code && has_choice)
		code = names_choose(s, a);
	for (size_t i = 0; i < a->request_count && !code; i++)
		code = request_first_set(s, a, &a->requests[i]);
	return code;
}

/* A recipe's pattern is for one link of many functions. One by one, each takes so long to attach and to detach that the
 * user has to choose. */
static int singles_allow(const struct session *s, const struct argdump *a)
{
	enum { SINGLES_MAX = 300 };
	size_t singles = 0;

	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		singles += !p->kind->attach_all;
	if (!s->applet->is_recipe || !a->language || singles <= SINGLES_MAX ||
	    s->options.attach.dry_run)
		return EXIT_FINE;
	log_error("%zu functions match, and this kernel attaches them one by one: at most %d",
		  singles, SINGLES_MAX);
	log_hint("it has no kprobe.multi (CONFIG_FPROBE); --help has options for fewer functions");
	return EXIT_CANNOT;
}

/* A pattern may match more than its author thinks. --dry-run attaches nothing, and so only warns. */
int argdump_points_allow(const struct session *s, const struct argdump *a, size_t count)
{
	const char *setting = a->language ? "max_probes" :
					    /* the part of the program's configuration */
					    "--max-probes";

	if (count <= a->max_probes)
		return singles_allow(s, a);
	if (s->options.attach.dry_run)
		log_warn("%zu functions match, and %s allows %u: without --dry-run none would be "
			 "traced",
			 count, setting, a->max_probes);
	else
		log_error("%zu functions match, and %s allows %u at once", count, setting,
			  a->max_probes);
	log_hint("narrow the pattern; %s%s%zu allows that many", setting, a->language ? " = " : " ",
		 count);
	return s->options.attach.dry_run ? EXIT_FINE : EXIT_CANNOT;
}

static int request_resolve(struct session *s, struct argdump *a, struct argdump_request *r)
{
	int code;

	if (!r->text) /* for "-:NAME" */
		return EXIT_FINE;
	code = r->spec.kind == PROBE_SPEC_FUNCTION ? probe_hint_scope(s, r) : EXIT_FINE;
	code = code ?: probe_kinds[r->spec.kind]->resolve(s, a, r);
	if (code && a->language)
		a->language->absent(s, r);
	return code;
}

/* What is known to be impossible without trying it: an event that nothing counts, a place behind the function. */
static bool may_be_impossible(const struct argdump_request *r)
{
	return r->text && (r->spec.kind == PROBE_SPEC_HARDWARE ||
			   (r->spec.count && r->spec.items[0].has_offset));
}

static int resolve_with_place(struct session *s, struct argdump *a, struct argdump_request *request)
{
	bool spares = a->language && may_be_impossible(request) && a->language->spares(s, request);
	size_t before = a->probe_count;
	int code;

	argdump_error_place_set(s, a, request);
	code = request_resolve(s, a, request);
	argdump_error_place_set(s, a, NULL);
	if (!spares)
		return code;
	a->language->spares(s, NULL);
	return a->probe_count > before ? code : EXIT_FINE;
}

/* A search of the types takes 4 ms or more, and remembers what it found. One looks for all that the requests name. */
static void names_find(const struct session *s, const struct argdump *a)
{
	struct btf_lookup names = { 0 };

	expr_target_names(&names);
	expr_path_names(&names);
	for (const struct argdump_request *r = a->requests; r < a->requests + a->request_count;
	     r++) {
		const struct probe_ops *kind = r->text ? probe_kinds[r->spec.kind] : NULL;

		for (size_t i = 0; kind && kind->names && i < r->spec.count; i++)
			if (!r->spec.items[i].is_pattern)
				kind->names(&names, &r->spec.items[i]);
	}
	btf_lookup_find(&names, s->btf);
	btf_lookup_free(&names);
}

/* As bpftrace counts: one link of many functions is one. */
static size_t attachments(const struct argdump *a)
{
	size_t count = 0;

	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		count += p->kind->attach_all || !p->functions.count ? 1 : p->functions.count;
	return count;
}

int argdump_requests_resolve(struct session *s, struct argdump *a)
{
	int code;

	names_find(s, a);
	run_begin(s, a);
	a->run.points_any = s->applet->is_recipe;
	a->kernel.is_known = s->options.attach.dry_run;
	if (a->kernel.is_known)
		attach_kernel_read(s->btf, &a->kernel.has);
	code = requests_translate(s, a);
	for (int is_end = 1; is_end >= 0; is_end--)
		for (size_t i = 0; i < a->request_count && !code; i++)
			if (a->requests[i].is_end == is_end)
				code = resolve_with_place(s, a, &a->requests[i]);
	if (code)
		return code;
	joint_choose(s, a);
	probes_number(a);
	if (!points_build(a))
		return argdump_points_allow(s, a,
					    a->language ? attachments(a) : a->run.point_count);
	log_error("out of memory");
	return EXIT_FAILED;
}

size_t argdump_request_probes(const struct argdump *a, const struct argdump_probe *first)
{
	const struct argdump_probe *p = first;

	while (p < a->probes + a->probe_count && p->request == first->request &&
	       p->functions.attach_type == first->functions.attach_type)
		p++;
	return p - first;
}
