/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracer.c - the run of a program: its hooks into a session.
 *
 * BEGIN runs before anything is attached. END runs after everything is detached and before the rest of the ring is
 * read; then the maps are printed.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "front/front.h"
#include "probe/origin.h"
#include "probe/providers/user_file.h"
#include "script/inside.h"
#include "run/stop.h"
#include "util/errname.h"
#include "util/log.h"

/* ---- maps ---- */

static int maps_compare(const void *x, const void *y)
{
	const struct script_map *const *a = x, *const *b = y;

	return strcmp((*a)->name, (*b)->name);
}

/* Prints all maps, ordered by name. */
static void maps_print(struct bt *b)
{
	size_t count = b->script->map_count;
	const struct script_map *maps[count + 1];

	for (size_t i = 0; i < count; i++)
		maps[i] = b->script->maps[i];
	qsort(maps, count, sizeof(maps[0]), maps_compare);
	for (size_t i = 0; i < count; i++) {
		int err = maps[i]->is_hidden ? 0 : bt_print_map(b, maps[i], 0, 0, true);

		if (err)
			log_warn("@%s cannot be printed: %s", maps[i]->name, errtext(-err));
	}
}

/* ---- SIGUSR1 prints all maps, unless the program has a probe for it ---- */

static volatile sig_atomic_t maps_asked;

static void maps_ask(int signal)
{
	(void)signal;
	maps_asked = 1;
}

static void signal_prepare(struct session *s)
{
	struct sigaction action = { .sa_handler = maps_ask }, old;

	if (!sigaction(SIGUSR1, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGUSR1, &action, NULL);
	s->end.may_come = true; /* the loop checks often then */
}

static bool tracer_has_ended(struct session *s)
{
	if (maps_asked) {
		maps_asked = 0;
		maps_print(bt_of(s));
		buf_flush(&s->out);
	}
	return false;
}

/* ---- attach ---- */

static int maps_open(struct session *s, struct bt *b)
{
	int err = argdump_maps_open(s, &b->a);

	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}

static int places_resolve(struct session *s, struct bt *b)
{
	int code;

	bt_world_set(s, b);
	code = bt_places_add_late(b) ? EXIT_USAGE : argdump_requests_resolve(s, &b->a);
	code = code ?: bt_types_find(s, b);
	return code ?: bt_options_check(b) ?: bt_trace_check(b);
}

static bool has_special(const struct bt *b, enum script_probe_kind kind)
{
	for (size_t i = 0; i < b->special_count; i++)
		if (b->specials[i].attach->kind == kind)
			return true;
	return false;
}

static int begin_run(struct session *s, struct bt *b)
{
	int err = bt_specials_run(b, PROBE_BEGIN) ?: bt_signals_catch(b);

	/* nothing can ever run */
	if (!b->a.probe_count && !b->asked.tested && !has_special(b, PROBE_SELF) &&
	    !has_special(b, PROBE_INTERVAL) && !s->options.child.command)
		stop_note();
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}

/* Applies --columns after the compilation, when the columns are known. */
static int columns_choose(const struct session *s, struct bt *b)
{
	int err = options_want_all(&s->options) ? 0 :
						  bt_rows_choose(&b->show, s->options.rows.columns);

	if (err == -ENOMEM)
		log_error("out of memory");
	return !err ? EXIT_FINE : err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* missing_probes: fails if not even one probe is left. */
static int spared_all_fail(const struct bt *b)
{
	for (size_t i = 0; i < b->a.probe_count; i++)
		if (!b->a.probes[i].is_spared)
			return EXIT_FINE;
	if (!b->a.probe_count || b->special_count)
		return EXIT_FINE;
	bt_place_fail(b, b->places[0].attach, "none of the program's probes can be attached", "");
	return EXIT_CANNOT;
}

static int tracer_attach(struct session *s)
{
	struct bt *b = bt_of(s);
	int code = s->options.child.command && !s->options.attach.load_only ?
			   traced_command_begin(s) :
			   EXIT_FINE;

	code = code ?: places_resolve(s, b);
	if (!code)
		user_other_watch(s);
	code = code ?: maps_open(s, b) ?: bt_specials_load(s, b);
	if (code || s->options.attach.load_only)
		return code ?: argdump_probes_attach(s, &b->a);
	bt_print_prepare(s, b);
	if (bt_packets_open(&b->show))
		return EXIT_CANNOT;
	code = begin_run(s, b) ?: argdump_probes_attach(s, &b->a) ?: spared_all_fail(b);
	code = code ?: columns_choose(s, b) ?: bt_report_begin(s, b);
	code = code ?: bt_iterators_run(b);
	if (code)
		return code;
	if (s->needs.samples)
		argdump_online(s);
	if (stacks_open(&b->a)) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	origin_watch_modules(&b->a);
	silence_prepare(s, &b->a);
	bt_intervals_run(s, b);
	bt_records_begin(s);
	signal_prepare(s);
	bt_rights_announce(s, b->script);
	return EXIT_FINE;
}

static bool is_single(const struct script_probe *p, enum script_probe_kind kind, const char *of)
{
	return p->attach_count == 1 && p->attaches->kind == kind && !strcmp(p->attaches->rest, of);
}

static size_t single_count(const struct script *s, enum script_probe_kind kind, const char *of)
{
	size_t count = 0;

	for (size_t i = 0; i < s->probe_count; i++)
		count += is_single(&s->probes[i], kind, of);
	return count;
}

/* True for the return of a function whose entry has a probe, too: bpftrace attaches one program to both. */
static bool is_of_session(const struct bt *b, const struct script_probe *p)
{
	const char *of = p->attaches->rest;

	return is_single(p, PROBE_KRETPROBE, of) &&
	       single_count(b->script, PROBE_KRETPROBE, of) == 1 &&
	       single_count(b->script, PROBE_KPROBE, of);
}

/* As bpftrace counts: each function of a pattern. */
static uint64_t attached_count(const struct session *s, const struct bt *b)
{
	bool has_session = attach_type_find(ATTACH_KPROBE_SESSION, true, s->btf) >= 0;
	uint64_t count = b->special_count;

	for (size_t i = 0; i < b->a.probe_count; i++) {
		const struct argdump_probe *p = &b->a.probes[i];
		const struct bt_place *place = &b->places[p->request->owner - 1];

		if (!p->is_spared && (!has_session || !is_of_session(b, place->probe)))
			count += p->functions.count ?: 1;
	}
	return count;
}

/* A user who reads that all is attached may send a signal at once. */
static void tracer_settle(struct session *s)
{
	struct bt *b = bt_of(s);

	argdump_post_attach(s);
	stop_signals_catch();
	if (b->tool && !b->tool->reports)
		bt_rows_header(&b->show);
	else if (!b->tool && !s->options.quiet)
		bt_attached_show(&b->show, attached_count(s, b));
	buf_flush(&b->err);
	if (b->asked.tested)
		bt_tests_run(s, b);
	buf_flush(&s->out);
}

static int listed_write(struct session *s, const struct bt *b)
{
	if (strchr(b->asked.listed, ' '))
		return bt_list_type(s, b->asked.listed);
	bt_list_iterators(s, strchr(b->asked.listed, ':') + 1);
	return EXIT_FINE;
}

static int tracer_dry_run(struct session *s)
{
	struct bt *b = bt_of(s);
	int code;

	if (b->asked.listed)
		return listed_write(s, b);
	code = places_resolve(s, b);
	if (b->asked.pattern && code == EXIT_USAGE)
		return EXIT_FINE; /* a list may be empty: status 0 as in bpftrace */
	for (size_t i = 0; i < b->a.probe_count && !code && !b->asked.lists; i++)
		if (argdump_probe_compile_or_report(s, &b->a, &b->a.probes[i]))
			code = EXIT_USAGE;
	if (!code && !b->asked.lists)
		code = bt_specials_load(s, b);
	if (!code && !b->asked.lists) {
		bt_print_prepare(s, b);
		code = columns_choose(s, b);
	}
	for (size_t i = 0; i < b->a.probe_count && !code && !b->asked.lists && log_level() >= 2;
	     i++)
		expr_dump(b->a.probes[i].expr, EXPR_STAGE_INSNS, &s->out);
	if (!code && (b->asked.lists || b->tool || s->options.verbose))
		bt_list_probes(s, b);
	if (!code && b->asked.pattern && !strchr(b->asked.pattern, ':'))
		bt_list_iterators(s, b->asked.pattern);
	return code;
}

static void tracer_loaded(struct session *s)
{
	bt_list_probes(s, bt_of(s));
}

static void tracer_poll(struct session *s)
{
	stacks_poll(s);
	bt_intervals_run(s, bt_of(s));
}

/* ---- the end ---- */

static void tracer_detach(struct session *s)
{
	int err;

	s->losses.filtered = true; /* the program may have dropped any of it */
	argdump_detach(s);
	err = bt_specials_run(bt_of(s), PROBE_END);
	if (err)
		log_warn("END did not run: %s", errtext(-err));
}

static void tracer_rest(struct session *s)
{
	struct bt *b = bt_of(s);

	if (!b->tool && !b->show.form)
		bt_detached_show(&b->show);
	bt_maps_silence_check(b);
	lost_read(&s->losses);
	if (b->script->config.print_maps_on_exit)
		maps_print(b);
}

static void tracer_close(struct session *s)
{
	struct bt *b = bt_of(s);

	if (!b)
		return;
	bt_silence_explain(s, b);
	bt_specials_close(b);
	bt_live_close();
	bt_rows_free(&b->show);
	bt_packets_close(&b->show);
	bt_stack_texts_free(b->show.names.stack_texts);
	argdump_free(&b->a);
	bt_places_free(b);
	script_free(b->script);
}

const struct tracer_ops bt_tracer = {
	.attach = tracer_attach,
	.dry_run = tracer_dry_run,
	.loaded = tracer_loaded,
	.methods = argdump_methods,
	.settle = tracer_settle,
	.poll = tracer_poll,
	.look = argdump_look,
	.online = argdump_online,
	.has_ended = tracer_has_ended,
	.detach = tracer_detach,
	.rest = tracer_rest,
	.maps = bt_live_maps,
	.close = tracer_close,
};
