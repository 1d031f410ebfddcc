/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracer.c - argdump's hooks into a session: all probes share one ring, one ledger and the maps.
 *
 * If there are several probes, each record has the number of its probe (expr_record_probe), whose sink prints it.
 * Nothing here knows how a probe is attached.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "probe/copies.h"
#include "output/rows/line.h"
#include "probe/lost_calls.h"
#include "probe/origin.h"
#include "front/front.h"
#include "kernel/processors.h"
#include "probe/providers/providers.h"
#include "inspect/inspect.h"
#include "run/filter.h"
#include "util/clock.h"
#include "util/errname.h"
#include "util/escape.h"
#include "util/log.h"
#include "output/types/dump.h"

/* ---- maps ---- */

static int cgroups_set(const struct session *s)
{
	for (uint32_t i = 0; i < s->traced.cgroup_count; i++)
		if (bpf_map_update_elem(s->fds.cgroups, &i, &s->traced.cgroup_fds[i], BPF_ANY))
			return -errno;
	return 0;
}

int argdump_maps_open(struct session *s, struct argdump *a)
{
	size_t ring = aggregate_wanted(&a->aggregate) ? 0 : s->options.attach.buffer;
	int err = program_maps_open(&a->maps, ring, filter_has_family(&s->options),
				    s->traced.cgroup_count != 0, s->options.tasks.names.table);

	if (err)
		return err;
	s->fds.ring = a->maps.fds[EXPR_MAP_RING];
	s->fds.lost = a->maps.fds[EXPR_MAP_LOSSES];
	s->fds.followed = a->maps.fds[EXPR_MAP_FOLLOWED];
	s->fds.cgroups = a->maps.fds[EXPR_MAP_CGROUPS];
	return cgroups_set(s);
}

/* ---- records ---- */

/* --diff hides calls that changed nothing, unless zeros are requested. */
static bool is_unchanged(struct argdump *a, const struct argdump_probe *p, const void *record,
			 size_t size)
{
	if (!dump_diff_is_empty(&p->schema, record, size))
		return false;
	a->diff.unchanged++;
	return true;
}

static int change_show(struct session *s, const void *record, size_t size)
{
	struct argdump *a = s->private;
	uint32_t number = a->probe_count > 1 ? expr_record_probe(record, size) : 0;
	bool hides = a->diff.given.count && !a->run.zeros;

	if (hides && number < a->probe_count && is_unchanged(a, &a->probes[number], record, size))
		return 0;
	return recorder_output(s, record, size);
}

static int window_record(struct session *s, const void *record, size_t size)
{
	return window_show(s, record, size, change_show);
}

static bool tracer_has_ended(struct session *s)
{
	return window_has_ended(s->private);
}

static void time_report(const char *done, const struct argdump *a, uint64_t began)
{
	log_debug(1, "%s %u function%s in %.1f ms", done, a->run.point_count,
		  a->run.point_count == 1 ? "" : "s", (now_ns() - began) / 1e6);
}

/* ---- --list, --type, --dry-run ---- */

static void functions_write(const struct argdump_probe *p, struct buf *o)
{
	if (!p->functions.count)
		buf_printf(o, " %s", p->name);
	for (size_t i = 0; i < p->functions.count; i++)
		buf_printf(o, " %s", p->functions.items[i]->name);
	buf_char(o, '\n');
}

/* True if the text that describes the probe was stored instead of its program. The first probe is always compiled,
 * because a text that $func is compared with is searched among all names. */
static bool plan_is_kept(const struct argdump *a, const struct argdump_probe *p)
{
	return !p->expr && p->plan.text && p != a->probes;
}

static int plan_compile(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	if (!a->look.dump_stage &&
	    (plan_is_kept(a, p) || (p->expr && (p != a->probes || p->attempt.variant))))
		return 0;
	return argdump_probe_compile_or_report(s, a, p);
}

static int attach_plan(struct session *s, struct argdump *a, struct argdump_probe *p)
{
	struct buf text;

	if (plan_compile(s, a, p))
		return EXIT_USAGE;
	buf_init(&text, -1);
	if (a->look.dump_stage) {
		expr_dump(p->expr, EXPR_STAGE_TOKENS + a->look.dump_stage - 1, &text);
	} else {
		bool kept = plan_is_kept(a, p);

		buf_printf(&text, "%s%s", p->request->is_end ? "until " : "",
			   kept ? p->plan.method : argdump_method_name(p, p->variant));
		functions_write(p, &text);
		if (kept)
			buf_str(&text, p->plan.text);
		else
			expr_describe(p->expr, p->request->is_end, &text);
	}
	/* expressions as typed, names of a file's types */
	escape_write_lines(&s->out, text.data, text.len);
	buf_free(&text);
	return EXIT_FINE;
}

void argdump_loaded(struct session *s)
{
	const struct argdump *a = s->private;

	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		if (!p->variant)
			continue;
		buf_printf(&s->out, "%s%s", p->request->is_end ? "until " : "",
			   argdump_method_name(p, p->variant));
		functions_write(p, &s->out);
	}
}

/* False if some were freed once their text was stored: then not every column is known. */
static bool has_all_programs(const struct argdump *a)
{
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		if (!p->expr)
			return false;
	return true;
}

static int resolve(struct session *s, struct argdump *a)
{
	int code = a->within.marks ? within_resolve(s, a) : EXIT_FINE;

	return code ?: argdump_requests_resolve(s, a);
}

static int tracer_dry_run(struct session *s)
{
	struct argdump *a = s->private;
	bool counts = aggregate_wanted(&a->aggregate);
	int code;

	if (a->look.list || a->look.type)
		return inspect_run(s, a);
	code = resolve(s, a);
	log_busy_end(); /* later output may go to the same terminal */
	if (code || argdump_requests_clear(a))
		return code;
	if (counts)
		code = counting_compile_all(s, a);
	if (!code && a->within.marks)
		code = within_plan(s, a);
	for (size_t i = 0; i < a->probe_count && !code; i++)
		code = attach_plan(s, a, &a->probes[i]);
	if (!code)
		argdump_depth_check(a);
	if (!code && has_all_programs(a))
		code = argdump_rows_prepare(s, a) ?: counts ? counting_begin(s, a) : EXIT_FINE;
	if (!code && a->files.save)
		code = probe_file_write(a, a->files.save, s);
	return code;
}

/* ---- the hooks ---- */

static int processor_add(void *ctx, int cpu)
{
	struct session *s = ctx;
	struct argdump *a = s->private;
	int err = 0;

	for (size_t i = 0; i < a->probe_count && !err; i++)
		err = sample_attach_cpu(&a->probes[i], cpu);
	if (!err)
		log_note("processor %d came online: sampling it from now on", cpu);
	else
		log_debug(1, "processor %d: %s", cpu, errtext(-err));
	if (err && err != -ENODEV)
		s->losses.local[LOSS_CPU]++;
	return err;
}

void argdump_online(struct session *s)
{
	static struct processors known;

	processors_poll(&known, processor_add, s);
}

static int tracer_attach(struct session *s)
{
	struct argdump *a = s->private;
	uint64_t began = now_ns();
	bool counts = aggregate_wanted(&a->aggregate);
	int code = resolve(s, a), err;

	if (code)
		return code;
	user_other_watch(s);
	time_report("found", a, began);
	began = now_ns();
	err = argdump_maps_open(s, a);
	code = err    ? argdump_failure_report(s, a, a->probes, err) :
	       counts ? counting_attach(s, a) :
			EXIT_FINE;
	if (!code && a->within.marks)
		code = within_attach(s, a);
	if (!code)
		code = argdump_probes_attach(s, a);
	if (code)
		return code;
	if (s->needs.samples)
		argdump_online(s); /* records which processors are online now */
	if (stacks_open(a) || copies_open(a)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	origin_watch_modules(a);
	silence_prepare(s, a);
	argdump_depth_check(a);
	time_report("attached", a, began);
	s->rows.schema = a->probes[0].schema; /* all have the same columns */
	if (a->probe_count > 1) {
		s->rows.tag = expr_record_probe;
		s->rows.schemas = a->rows.schemas;
		s->rows.schema_count = a->probe_count;
	}
	if (a->diff.given.count && !a->run.zeros)
		s->record = change_show;
	if (window_reads(a))
		s->record = window_record;
	s->end.may_come = window_counts(a);
	return counts ? counting_begin(s, a) : EXIT_FINE;
}

/* ---- the end ---- */

void argdump_look(struct session *s)
{
	ended_calls_poll(s);
	origin_poll(s);
}

void argdump_detach(struct session *s)
{
	struct argdump *a = s->private;
	uint64_t began = now_ns();

	origin_poll(s);
	s->losses.filtered |= a->within.count || a->window.bounds;
	for (size_t i = 0; i < a->request_count; i++)
		s->losses.filtered |= a->requests[i].condition_count != 0;

	for (size_t i = 0; i < a->probe_count; i++)
		argdump_links_account(&s->losses, &a->probes[i]);
	/* The begin is detached first: without its end it would be replaced, or stay open. In a program it comes first, and
	 * what removes the entries of maps with owners last: without that a new owner would inherit them. */
	for (size_t i = 0; i < a->probe_count; i++) {
		size_t which = a->language ? i : a->probe_count - i - 1;

		log_busy("detaching", i, a->run.point_count);
		fdset_close(&a->probes[which].fds.links);
	}
	if (a->within.marks)
		within_detach(s, a);
	time_report("detached", a, began);
	for (size_t i = 0; i < a->probe_count; i++) {
		argdump_lost_account(&s->losses, &a->probes[i]);
		ended_calls_count(s, &a->probes[i]);
	}
}

/* Frees the probes of --in; `a` owns their maps. */
static void marks_free(struct argdump *a)
{
	struct argdump *marks = a->within.marks;

	inside_free(a);
	marks->maps = (struct program_maps)PROGRAM_MAPS_NONE;
	argdump_free(marks);
	free(marks);
	a->within.marks = NULL;
}

void argdump_free(struct argdump *a)
{
	if (a->within.marks)
		marks_free(a);
	if (a->window.before.kept)
		recorder_close(&a->window.before);
	for (size_t i = 0; i < a->probe_count; i++)
		argdump_probe_close(&a->probes[i]);
	for (size_t i = 0; i < a->request_count; i++) {
		probe_spec_free(&a->requests[i].spec);
		free(a->requests[i].chosen);
		if (a->requests[i].old)
			argdump_legacy_free(a->requests[i].old);
		free(a->requests[i].with_first);
		if (a->requests[i].functions.patterns)
			function_list_free(&a->requests[i].functions);
	}
	if (a->aggregate.input.measures)
		aggregate_close(&a->aggregate);
	if (a->stacks.copies)
		copies_close(a);
	if (a->stacks.room || a->stacks.named)
		stacks_close(a);
	if (a->pairs.count)
		pairs_close(a);
	if (a->modules)
		btf_modules_close(a->modules);
	free(a->points);
	for (size_t i = 0; a->rows.lines && i < a->probe_count; i++)
		line_free(a->rows.lines[i]);
	free(a->rows.lines);
	free(a->rows.schemas);
	free(a->probes);
	free(a->requests);
	model_free(&a->model);
	program_maps_close(&a->maps);
}

static void diff_report(uint64_t calls)
{
	log_note("%llu call%s changed nothing that --diff names: not shown (-z shows them)",
		 (unsigned long long)calls, calls == 1 ? "" : "s");
}

static void tracer_close(struct session *s)
{
	struct argdump *a = s->private;

	if (!a)
		return;
	if (a->diff.unchanged)
		diff_report(a->diff.unchanged);
	if (a->window.bounds)
		window_report(a, s);
	if (s->end.is_whole)
		silence_report(s, a);
	if (s->end.is_whole && !user_other_report() && !s->sink.rows && !a->saw_calls)
		user_file_unseen_report();
	argdump_free(a);
}

static void tracer_poll(struct session *s)
{
	stacks_poll(s);
	copies_poll(s);
}

const struct tracer_ops argdump_tracer = {
	.attach = tracer_attach,
	.dry_run = tracer_dry_run,
	.loaded = argdump_loaded,
	.methods = argdump_methods,
	.settle = argdump_post_attach,
	.poll = tracer_poll,
	.look = argdump_look,
	.online = argdump_online,
	.has_ended = tracer_has_ended,
	.detach = argdump_detach,
	.rest = pair_rest,
	.close = tracer_close,
};
