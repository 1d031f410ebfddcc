// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - argdump's hooks of a session: all probes share one ring, one ledger and the maps.
 *
 * With several probes each record says whose it is (expr_record_probe), and its probe's sink
 * shows it. It must not know how a probe is attached.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "argdump/argdump.h"
#include "argdump/look.h"
#include "argdump/saved.h"
#include "core/diag.h"
#include "core/diff.h"

enum { POINT_WIDTH = 32 }; /* a column for longer names would be wide for nothing */

const struct probe_kind *const probe_kinds[PROBE_SPEC_KINDS] = {
	[PROBE_SPEC_FUNCTION] = &probe_kind_function,
	[PROBE_SPEC_TRACEPOINT] = &probe_kind_tracepoint,
	[PROBE_SPEC_SYSCALL] = &probe_kind_syscall,
	[PROBE_SPEC_USER] = &probe_kind_user,
};

/* ---- requests ---- */

static void spec_tell(const char *text, const struct probe_spec_error *e)
{
	diag_error("cannot trace %s: %s", text, e->message);
	diag_caret(text, e->start, e->end);
	if (e->hint[0])
		diag_hint("%s", e->hint);
}

static int request_parse(struct argdump_request *r)
{
	struct probe_spec_error error;
	int err = probe_spec_parse(r->text, &r->spec, &error);

	if (err == -EINVAL)
		spec_tell(r->text, &error);
	return err;
}

int argdump_request_add(struct argdump *a, const char *text, const char *const *exprs,
			size_t expr_count)
{
	struct argdump_request *requests, *r;
	int err;

	requests = realloc(a->requests, (a->request_count + 1) * sizeof(*requests));
	if (!requests)
		return -ENOMEM;
	a->requests = requests;
	r = &requests[a->request_count];
	*r = (struct argdump_request){ .text = text, .exprs = exprs, .expr_count = expr_count,
				       .typed = exprs - 1, .typed_count = expr_count };
	err = argdump_old_take(r);
	if (!err && !r->old)
		err = request_parse(r);
	if (err)
		argdump_old_free(r->old);
	else
		a->request_count++;
	return err;
}

static void width_grow(struct argdump *a, const char *name)
{
	size_t len = strlen(name);

	if (len > POINT_WIDTH)
		len = POINT_WIDTH;
	if (len > a->point_width)
		a->point_width = len;
}

static void probes_number(struct argdump *a)
{
	size_t compat = 0;

	for (size_t i = 0; i < a->probe_count; i++)
		compat += a->probes[i].is_compat;
	a->many |= a->probe_count > 1 || compat;
	a->one_call = compat == 1 && a->probe_count <= 2;
	for (size_t i = 0; i < a->probe_count; i++) {
		struct argdump_probe *p = &a->probes[i];

		p->number = i;
		if (!p->function_count)
			width_grow(a, p->name);
		for (size_t j = 0; j < p->function_count; j++)
			width_grow(a, p->functions[j]->types.name);
	}
}

/* What only this kernel can tell. Returns the exit code. */
static int request_translate(struct session *s, struct argdump_request *r)
{
	int code = argdump_old_translate(s, r);

	if (code || !r->text)
		return code;
	return request_parse(r) ? EXIT_USAGE : EXIT_FINE;
}

/* The caller comes first; who asks for nothing else still gets every parameter, or the result. */
static int request_caller_add(struct argdump_request *r)
{
	const char **exprs = calloc(r->expr_count + 1, sizeof(*exprs));

	if (!exprs) {
		diag_error("out of memory");
		return EXIT_FAILED;
	}
	exprs[0] = argdump_old_caller(r->old) ?: "caller=$caller:sym";
	r->caller_alone = !r->expr_count && !r->old;
	for (size_t i = 0; i < r->expr_count; i++)
		exprs[i + 1] = r->exprs[i];
	r->expr_count++;
	r->exprs = r->with_caller = exprs;
	return EXIT_FINE;
}

static int requests_translate(struct session *s, struct argdump *a)
{
	int code = EXIT_FINE;

	for (size_t i = 0; i < a->request_count && !code; i++) {
		struct argdump_request *r = &a->requests[i];

		if (r->old)
			code = request_translate(s, r);
		if (!code && (a->caller || argdump_old_caller(r->old)))
			code = request_caller_add(r);
	}
	return code;
}

/* Returns the exit code. */
static int requests_resolve(struct session *s, struct argdump *a)
{
	int code = requests_translate(s, a);

	for (size_t i = 0; i < a->request_count && !code; i++) {
		struct argdump_request *r = &a->requests[i];

		if (r->text && a->both && r->spec.kind != PROBE_SPEC_FUNCTION) {
			diag_error("cannot trace %s: -r is for functions of the kernel", r->text);
			code = EXIT_USAGE;
		} else if (r->text) /* NULL: -:NAME */
			code = probe_kinds[r->spec.kind]->resolve(s, a, r);
	}
	if (code)
		return code;
	probes_number(a);
	if (!argdump_points_make(a))
		return EXIT_FINE;
	diag_error("out of memory");
	return EXIT_FAILED;
}

/* ---- attach ---- */

static int maps_open(struct session *s, struct argdump *a)
{
	size_t ring = aggregate_wanted(&a->aggregate) ? 0 : s->options.buffer;
	int err = program_maps_open(&a->maps, ring, s->options.follow || s->options.command,
				    s->options.cgroup != NULL);

	if (err)
		return err;
	s->ring_fd = a->maps.ring;
	s->losses_fd = a->maps.losses;
	s->followed_fd = a->maps.followed;
	s->cgroups_fd = a->maps.cgroups;
	return session_cgroup_set(s);
}

/* Their sizes are those of a first program's key and entry. Returns an exit code. */
static int aggregate_attach(struct session *s, struct argdump *a)
{
	struct argdump_probe *p = a->probes;
	int err;

	if (!aggregate_wanted(&a->aggregate))
		return EXIT_FINE;
	for (size_t i = 0; i < a->probe_count; i++) {
		if (argdump_probe_compile_or_tell(s, a, &a->probes[i]))
			return EXIT_USAGE;
		if (aggregate_alike(p->expr, a->probes[i].expr))
			continue;
		diag_error("%s and %s cannot be counted together: their values have other types",
			   p->name, a->probes[i].name);
		diag_hint("a cast makes them the same: --by '(long)count'");
		return EXIT_USAGE;
	}
	err = aggregate_open(&a->aggregate, p->expr, a->probe_count);
	if (!err || err == -EPERM)
		return err ? p->kind->explain(s, p, err) : EXIT_FINE;
	diag_error("cannot make the maps to count in: %s", strerror(-err));
	diag_hint("fewer --keys, or fewer and shorter expressions in --by, take less memory");
	return EXIT_CANNOT;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int aggregate_show(struct session *s)
{
	struct argdump *a = s->private;
	int err = aggregate_report(&a->aggregate, &s->out, s->options.json, s->options.timestamp,
				   now_ns());

	s->sink.rows = a->aggregate.rows;
	return err;
}

static const struct schema *probe_schema(void *ctx, uint32_t probe)
{
	struct argdump *a = ctx;

	return expr_schema(a->probes[probe < a->probe_count ? probe : 0].expr);
}

static const char *probe_source(void *ctx, uint32_t probe, uint32_t point)
{
	const struct argdump *a = ctx;

	(void)probe; /* points are numbered through */
	return point < a->point_count ? a->points[point].name : "?";
}

static void aggregate_begin(struct session *s, struct argdump *a)
{
	if (!aggregate_wanted(&a->aggregate))
		return;
	a->aggregate.table = expr_table(a->probes[0].expr);
	a->aggregate.schema = probe_schema;
	a->aggregate.source = probe_source;
	a->aggregate.ctx = a;
	s->report = aggregate_show;
	s->report_ns = a->aggregate_options.interval_ns;
}

/* A wrong expression is told before a lack of rights. */
static int failure_tell(struct session *s, struct argdump *a, struct argdump_probe *p, int err)
{
	if (argdump_probe_compile_or_tell(s, a, p))
		return EXIT_USAGE;
	return p->kind->explain(s, p, err);
}

size_t argdump_request_probes(const struct argdump *a, const struct argdump_probe *first)
{
	const struct argdump_probe *p = first;

	while (p < a->probes + a->probe_count && p->request == first->request &&
	       p->attach_type == first->attach_type)
		p++;
	return p - first;
}

/* Of several functions one by one, those that refuse are left out and told, unless all do. */
static int each_attach(struct session *s, struct argdump *a, struct argdump_probe *first)
{
	size_t count = argdump_request_probes(a, first);
	struct argdump_probe *failed = NULL;
	size_t failures = 0;
	int first_err = 0;

	for (struct argdump_probe *p = first; p < first + count; p++) {
		int err = argdump_ways_try(s, a, p, NULL);

		if (!err)
			continue;
		first_err = failures++ ? first_err : err;
		failed = failed ?: p;
		if (err == -EPERM)
			break;
	}
	if (failures == count || first_err == -EPERM)
		return failure_tell(s, a, failed, first_err);
	if (failures)
		diag_note("%zu function%s left out, as %s: the kernel refused: %s", failures,
			  failures == 1 ? "" : "s", failed->name, strerror(-first_err));
	return EXIT_FINE;
}

static int probes_attach(struct session *s, struct argdump *a)
{
	struct argdump_probe *p = a->probes;
	int code = EXIT_FINE;

	for (; p < a->probes + a->probe_count && !code; p += argdump_request_probes(a, p))
		code = (p->kind->attach_all ?: each_attach)(s, a, p);
	for (size_t i = 0; i < a->probe_count && !code; i++)
		a->probes[i].schema = *expr_schema(a->probes[i].expr);
	return code;
}

/* Nobody asks for --diff to see that nothing changed, but for those who want zeros shown. */
static bool is_unchanged(struct argdump *a, const struct argdump_probe *p, const void *record,
			 size_t size)
{
	if (!a->diff.count || a->zeros || !diff_is_empty(&p->schema, record, size))
		return false;
	a->unchanged++;
	return true;
}

/* Of the only probe there is. */
static int change_show(struct session *s, const void *record, size_t size)
{
	struct argdump *a = s->private;

	return is_unchanged(a, a->probes, record, size) ? 0 : sink_record(&s->sink, record, size);
}

/* The session's sink has the limits and the header; the probe's, the fields. */
static int record_show(struct session *s, const void *record, size_t size)
{
	struct argdump *a = s->private;
	uint32_t number = expr_record_probe(record, size);
	struct argdump_probe *p = &a->probes[number];
	int err;

	if (number >= a->probe_count)
		return -EBADMSG;
	if (!p->sink.schema) {
		p->schema.extended = s->schema.extended;
		p->schema.timestamp = s->schema.timestamp;
		p->sink = (struct sink){ .schema = &p->schema, .out = &s->out,
					 .json = s->sink.json, .applet = s->sink.applet,
					 .folded = s->sink.folded };
	}
	if (is_unchanged(a, p, record, size))
		return 0;
	err = sink_record(&p->sink, record, size);
	s->sink.rows += !err;
	return err;
}

static void time_tell(const char *done, const struct argdump *a, uint64_t began)
{
	diag_debug(1, "%s %zu function%s in %.1f ms", done, a->point_count,
		   a->point_count == 1 ? "" : "s", (now_ns() - began) / 1e6);
}

int argdump_attach(struct session *s)
{
	struct argdump *a = s->private;
	uint64_t began = now_ns();
	int code = requests_resolve(s, a), err;

	if (code)
		return code;
	time_tell("found", a, began);
	began = now_ns();
	err = maps_open(s, a);
	code = err ? failure_tell(s, a, a->probes, err) : aggregate_attach(s, a);
	if (!code)
		code = probes_attach(s, a);
	if (code)
		return code;
	time_tell("attached", a, began);
	s->schema = a->probes[0].schema; /* the columns are the same in all */
	if (a->probe_count > 1)
		s->record = record_show;
	else if (a->diff.count)
		s->record = change_show;
	aggregate_begin(s, a);
	return EXIT_FINE;
}

/* ---- a look before touching ---- */

static void functions_put(const struct argdump_probe *p, struct out *o)
{
	if (!p->function_count)
		out_printf(o, " %s", p->name);
	for (size_t i = 0; i < p->function_count; i++)
		out_printf(o, " %s", p->functions[i]->types.name);
	out_char(o, '\n');
}

static int probe_plan(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	if (argdump_probe_compile_or_tell(s, a, p))
		return EXIT_USAGE;
	if (a->dump_stage) {
		expr_dump(p->expr, EXPR_STAGE_TOKENS + a->dump_stage - 1, &s->out);
	} else {
		out_printf(&s->out, "%s", argdump_rung_name(p, p->way));
		functions_put(p, &s->out);
		expr_describe(p->expr, &s->out);
	}
	return EXIT_FINE;
}

int argdump_plan(struct session *s)
{
	struct argdump *a = s->private;
	int code;

	if (a->look.list || a->look.type)
		return look_run(s, a);
	code = requests_resolve(s, a);
	for (size_t i = 0; i < a->probe_count && !code; i++)
		code = probe_plan(s, a, &a->probes[i]);
	if (!code && a->save)
		code = saved_write(a, a->save, s->applet->options);
	return code;
}

/* ---- the end ---- */

void argdump_detach(struct session *s)
{
	struct argdump *a = s->private;
	uint64_t began = now_ns();

	for (size_t i = 0; i < a->probe_count; i++)
		for (size_t j = 0; j < a->probes[i].links.count; j++)
			losses_add_link(&s->losses, a->probes[i].links.fds[j]);
	for (size_t i = 0; i < a->probe_count; i++)
		fd_list_close(&a->probes[i].links);
	time_tell("detached", a, began);
	for (size_t i = 0; i < a->probe_count; i++)
		for (size_t j = 0; j < a->probes[i].programs.count; j++)
			losses_add_program(&s->losses, a->probes[i].programs.fds[j]);
}

static void diff_tell(uint64_t calls)
{
	diag_note("%llu call%s changed nothing that --diff names: not shown (-z shows them)",
		  (unsigned long long)calls, calls == 1 ? "" : "s");
}

void argdump_close(struct session *s)
{
	struct argdump *a = s->private;

	if (!a)
		return;
	if (a->unchanged)
		diff_tell(a->unchanged);
	for (size_t i = 0; i < a->probe_count; i++)
		argdump_probe_close(&a->probes[i]);
	for (size_t i = 0; i < a->request_count; i++) {
		probe_spec_free(&a->requests[i].spec);
		argdump_old_free(a->requests[i].old);
		free(a->requests[i].with_caller);
		function_set_free(&a->requests[i].functions);
	}
	aggregate_close(&a->aggregate);
	btf_modules_close(a->modules);
	free(a->points);
	free(a->probes);
	free(a->requests);
	program_maps_close(&a->maps);
}
