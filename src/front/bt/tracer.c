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

/* ---- records ---- */

enum { EXIT_FAILED_ASSERT = 1 }; /* as in bpftrace */

/* A test ends only itself. */
static void run_end(struct bt *b)
{
	b->is_exiting = true;
	if (!b->asked.tested)
		stop_note();
}

static int exit_record(struct session *s, struct bt *b, const struct script_action *action,
		       const void *record, size_t size)
{
	s->end.status = bt_action_number(action, 0, record, size, 0);
	run_end(b);
	return 0;
}

static int assert_record(struct session *s, struct bt *b, const struct script_action *action,
			 const void *record, size_t size)
{
	int err = bt_assert_show(&b->show, action, record, size);

	buf_flush(&b->err);
	s->end.status = EXIT_FAILED_ASSERT;
	run_end(b);
	return err;
}

static bool is_end(const struct bt *b, size_t point)
{
	return point >= b->a.run.point_count &&
	       b->specials[point - b->a.run.point_count].attach->kind == PROBE_END;
}

/* True for actions that -n counts. */
static bool is_output(const struct script_action *action)
{
	switch (action->kind) {
	case ACTION_EXIT:
	case ACTION_CLEAR:
	case ACTION_ZERO:
	case ACTION_FAILURE:
	case ACTION_DELETE_MISSED: return false;
	default: return true;
	}
}

/* -n: ends the run like exit(). */
static void limit_reach(struct session *s, struct bt *b)
{
	b->is_exiting = true;
	lost_over(&s->losses, ring_fits(s->ring));
	stop_note();
}

static int record_write(struct session *s, const void *record, size_t size)
{
	const struct script_record *head = record;
	struct bt *b = bt_of(s);

	s->sink.rows++;
	bt_live_action(b, b->script->actions[head->action], record, size);
	return bt_print_action(b, b->script->actions[head->action], record, size);
}

static void header_write(struct session *s)
{
	bt_rows_header(&bt_of(s)->show);
}

static int bt_record(struct session *s, const void *record, size_t size)
{
	struct bt *b = bt_of(s);
	const struct script_record *head = record;
	const struct script_action *action;
	int err;

	if (size < sizeof(*head) || head->action >= b->script->action_count)
		return -EBADMSG;
	action = b->script->actions[head->action];
	if (size < action->size)
		return -EBADMSG;
	if (b->is_exiting && !is_end(b, head->point))
		return 0; /* after exit() only END runs */
	err = bt_report_read(b, record, size);
	if (err)
		return err < 0 ? err : 0;
	b->a.saw_calls |= head->point < b->a.run.point_count;
	switch (action->kind) {
	case ACTION_EXIT: return exit_record(s, b, action, record, size);
	case ACTION_ASSERT: return assert_record(s, b, action, record, size);
	default:
		err = is_output(action) ? recorder_output(s, record, size) :
					  bt_print_action(b, action, record, size);
	}
	if (b->asked.limit && s->sink.rows >= b->asked.limit && !b->is_exiting)
		limit_reach(s, b);
	return err;
}

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

/* ---- a program that printed nothing ---- */

/* A map that is not empty was filled by a probe: then the program was not silent. */
static void maps_silence_check(struct bt *b)
{
	for (size_t i = 0; i < b->script->map_count && !b->a.saw_calls; i++) {
		const struct script_map *map = b->script->maps[i];
		struct bt_map_copy copy;

		if (!bt_map_read(b, map, &copy))
			b->a.saw_calls = map->has_key ? copy.count != 0 : bt_map_has_value(&copy);
		bt_map_copy_free(&copy);
	}
}

static void hiding_note(struct script_expr *e, void *ctx)
{
	bool *hides = ctx;

	*hides |= e->kind == X_AND || e->kind == X_OR || e->kind == X_CHOICE ||
		  (e->kind == X_CALL && (!strcmp(e->name, "delete") || !strcmp(e->name, "clear") ||
					 !strcmp(e->name, "zero")));
}

/* True if the program may leave out some of what its probes see. */
static bool may_hide(const struct script *script)
{
	bool hides = false;

	for (size_t i = 0; i < script->probe_count && !hides; i++) {
		const struct script_probe *p = &script->probes[i];

		hides = p->condition || !p->body;
		for (const struct script_stmt *s = p->body; s; s = s->next)
			hides |= s->kind != S_EXPR && s->kind != S_ASSIGN && s->kind != S_LET;
		script_walk_stmts(p->body, hiding_note, &hides);
	}
	return hides;
}

/* Explains silence, as argdump does. Nothing is known if the program may hide what it saw. */
static void silence_explain(struct session *s, struct bt *b)
{
	b->a.saw_calls |= !b->script || may_hide(b->script);
	silence_report(s, &b->a);
	if (s->end.at && !user_other_report() && !b->a.saw_calls)
		user_file_unseen_report();
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

static bool is_text(const struct script_action *action)
{
	switch (action->kind) {
	case ACTION_PRINTF:
	case ACTION_PRINT:
	case ACTION_PRINT_MAP:
	case ACTION_PRINT_ENTRY:
	case ACTION_TIME:
	case ACTION_JOIN:
	case ACTION_CAT: return true;
	default: return false;
	}
}

/* The file can hold only events. */
static int trace_check(const struct bt *b)
{
	const struct script *script = b->script;
	bool has_rows = false, has_text = false;

	if (!b->session->options.files.trace_json)
		return EXIT_FINE;
	for (size_t i = 0; i < script->action_count; i++) {
		has_rows |= script->actions[i]->kind == ACTION_EMIT;
		has_text |= is_text(script->actions[i]);
	}
	if (has_rows && !has_text)
		return EXIT_FINE;
	log_error(has_text ?
			  "--trace-json writes only rows of emit(), but the program prints text" :
			  "--trace-json writes rows of emit(), but the program has none");
	log_hint("use emit(pid, comm, NAME = EXPR) instead of printf() and print()");
	return EXIT_USAGE;
}

/* Refuses a --NAME that no getopt() reads. */
static int options_check(const struct bt *b)
{
	for (size_t i = 0; i < b->args.option_count; i++) {
		if (b->args.options[i].is_used)
			continue;
		log_error("the program has no option --%s: it calls no getopt(\"%s\")",
			  b->args.options[i].name, b->args.options[i].name);
		return EXIT_USAGE;
	}
	return EXIT_FINE;
}

static int places_resolve(struct session *s, struct bt *b)
{
	int code;

	bt_world_set(s, b);
	code = bt_places_add_late(b) ? EXIT_USAGE : argdump_requests_resolve(s, &b->a);
	code = code ?: bt_types_find(s, b);
	return code ?: options_check(b) ?: trace_check(b);
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

/* Announces the rights that actions need after all is attached. */
static void rights_announce(struct session *s, const struct script *script)
{
	for (size_t i = 0; i < script->action_count; i++) {
		s->needs.starts_programs |= script->actions[i]->kind == ACTION_SYSTEM;
		s->needs.reads_files |= script->actions[i]->kind == ACTION_CAT;
	}
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
	code = begin_run(s, b) ?: argdump_probes_attach(s, &b->a);
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
	s->record = bt_record;
	s->rows.write = record_write;
	s->rows.header = header_write;
	signal_prepare(s);
	rights_announce(s, b->script);
	return EXIT_FINE;
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
		bt_attached_show(&b->show, b->a.probe_count + b->special_count);
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
	maps_silence_check(b);
	if (b->script->config.print_maps_on_exit)
		maps_print(b);
}

static void tracer_close(struct session *s)
{
	struct bt *b = bt_of(s);

	if (!b)
		return;
	silence_explain(s, b);
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
