/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * checks.c - refuses options that a program cannot fulfil.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "script/inside.h"
#include "util/buf.h"
#include "util/log.h"

/* Refuses columns about the running task, which a row need not be about. */
int bt_columns_check(const struct session *s)
{
	const char *given = s->options.rows.with_container ? "with-container" :
			    s->options.rows.inner_pids	   ? "inner-pids" :
							     NULL;

	if (!given)
		return 0;
	log_error("--%s adds a column, but the columns of a program are those of its emit()",
		  given);
	log_hint(
		"%s",
		s->options.rows.inner_pids ?
			"in a program, curtask.thread_pid.numbers[curtask.thread_pid.level].nr is the number "
			"of the thread in its own pid namespace" :
			"in a program, cgroup is the cgroup's id and cgroup_path(cgroup) its path");
	return -EINVAL;
}

/* Checks pictures: they show histograms and stacks that are counted. */
int bt_pictures_check(const struct session *s, const struct bt_tool *tool)
{
	bool folds = tool && tool->folds;

	if (folds && s->options.rows.json) {
		log_error("--json is for rows, but this prints folded stacks");
		return -EINVAL;
	}
	if ((!s->options.report.svg || folds) && !s->options.report.heatmap)
		return 0;
	log_error("--%s draws histograms, but a program's report has none",
		  s->options.report.svg ? "svg" : "heatmap");
	log_hint("-j has all of its rows");
	return -EINVAL;
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
int bt_trace_check(const struct bt *b)
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

/* ---- options of the program ---- */

struct getopt_list {
	const char *names[32];
	size_t count;
	struct buf text;
	bool has_help;
};

static void option_print(struct script_expr *e, void *ctx)
{
	const struct script_expr *help = e->count > 2 ? e->items[2] : NULL;
	struct getopt_list *list = ctx;

	if (e->kind != X_CALL || strcmp(e->name, "getopt") || !e->count ||
	    e->items[0]->kind != X_STRING)
		return;
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->names[i], e->items[0]->bytes))
			return;
	if (list->count < sizeof(list->names) / sizeof(*list->names))
		list->names[list->count++] = e->items[0]->bytes;
	list->has_help |= !strcmp(e->items[0]->bytes, "help");
	buf_printf(&list->text, "  --%s%s%s\n", e->items[0]->bytes,
		   help && help->kind == X_STRING ? "  " : "",
		   help && help->kind == X_STRING ? help->bytes : "");
}

void bt_help_check(const struct bt *b)
{
	const struct script *script = b->script;
	struct getopt_list list = { 0 };
	bool asked = false;

	for (size_t i = 0; i < b->args.option_count; i++)
		asked |= !strcmp(b->args.options[i].name, "help");
	if (!asked)
		return;
	buf_init(&list.text, STDOUT_FILENO);
	buf_str(&list.text, "Options of this program, after --:\n");
	for (size_t i = 0; i < script->probe_count; i++) {
		script_walk(script->probes[i].condition, option_print, &list);
		script_walk_stmts(script->probes[i].body, option_print, &list);
	}
	if (!list.has_help) {
		buf_flush(&list.text);
		exit(EXIT_FINE);
	}
	buf_free(&list.text);
}

/* Refuses a --NAME that no getopt() reads. */
int bt_options_check(const struct bt *b)
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
