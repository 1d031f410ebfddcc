/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_check.c - which common options exclude, or need, one another.
 */
#include "session/option_check.h"

#include <stdlib.h>

#include "event.h"
#include "session/form.h"
#include "session/listen.h"
#include "session/option_read.h"
#include "session/recorder.h"
#include "util/json_number.h"
#include "util/log.h"

#define STACK_DEPTH_MAX 1024

/* What is wrong with them, or NULL. */
static const char *wrong_find(const struct options *o)
{
	const struct {
		bool is_wrong;
		const char *why;
	} rules[] = {
		{ o->command && !o->command[0], "-- must be followed by a command" },
		{ o->command && (o->pids.count || o->tids.count),
		  "-- COMMAND traces that command and its children: it excludes -p and -t" },
		{ o->follow && !o->pids.count && !o->command,
		  "-f follows the children of a process: it needs -p PID or -- COMMAND" },
		{ o->as_user && !o->command, "--as is for a command: give one after --" },
		{ o->keep && !o->command, "--keep needs a command: give one after --" },
		{ o->meta && !o->json, "--meta has no effect without -j" },
		{ json_strings && !o->json, "--json-strings has no effect without -j" },
		{ o->json && o->timestamp,
		  "--timestamp and --json exclude each other: each record has \"time\" and "
		  "\"ts_ns\" in JSON" },
		{ options_want_metrics(o) && (o->clear || o->svg || o->heatmap || o->folded),
		  "--openmetrics and --listen have counts that grow: they do not go with --clear, --svg, "
		  "--heatmap and --folded" },
		{ o->btf_force && !o->btf, "--btf-force needs --btf FILE" },
		{ o->rotate && (!o->output || o->trace_json), "--rotate needs --output FILE" },
		{ o->ring && o->events,
		  "--ring and --events exclude each other: one has the last records, the other the "
		  "first" },
		{ o->ring > RECORDER_MAX, "--ring keeps at most 1000000 records" },
		{ o->stack_depth > STACK_DEPTH_MAX, "--stack-depth takes at most 1024" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return rules[i].why;
	return NULL;
}

void options_check_or_exit(struct options *o)
{
	const char *wrong = o->rotate ? rotate_parse(o->rotate, &o->rotated) : NULL;

	if (o->listen)
		wrong = wrong ?: listen_check(o->listen);
	wrong = wrong ?: session_form_check(o) ?: wrong_find(o) ?: option_names_compile(&o->names);

	o->follow &= !o->command; /* which does so anyway */
	o->user_stack |= o->dwarf != 0;
	o->extended |= o->columns != NULL; /* any of them may be named */
	if (o->folded && !o->kernel_stack && !o->user_stack)
		o->kernel_stack = o->user_stack = true;
	if (!wrong)
		return;
	log_error("%s", wrong);
	log_hint_help();
	exit(EXIT_USAGE);
}
