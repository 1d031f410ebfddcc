/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silence.c - a run that showed nothing: what that may mean.
 *
 * A function can have a symbol, and callers, and still never be called: within its own file the compiler puts its
 * code into them. The probe is right then, and its silence looks as if nothing happened.
 */
#include "argdump/silence.h"

#include <string.h>

#include "util/log.h"

/* A recipe's own functions are chosen so that they are called. */
static bool is_users(const struct session *s)
{
	const char *args = s->applet->args ?: "";

	return !strcmp(s->applet->name, "argdump") || !strncmp(args, "FUNC", 4);
}

static const struct argdump_request *function_find(const struct argdump *a)
{
	for (size_t i = 0; i < a->request_count; i++)
		if (a->requests[i].spec.kind == PROBE_SPEC_FUNCTION && a->requests[i].spec.count)
			return &a->requests[i];
	return NULL;
}

static bool has_filters(const struct session *s)
{
	const struct options *o = &s->options;

	return s->losses.filtered || o->pids.count || o->tids.count || o->uids.count ||
	       o->names.count || o->cgroups.count || o->containers.count || o->command;
}

/* Who gives a condition expects that nothing may fit; only a person at a terminal reads then why that can be. */
static bool is_expected(const struct argdump *a, const struct argdump_request *r)
{
	return (a->conditions.count || r->conditions[0]) && !log_is_watched();
}

void silence_tell(const struct session *s, const struct argdump *a)
{
	const struct argdump_request *r = function_find(a);

	if (!s->ended_at || s->sink.rows || s->sink.counted > 0 || !r || !is_users(s) ||
	    a->unchanged || is_expected(a, r))
		return;
	log_note(
		"%s was not seen%s: nobody called it, or its callers have it inlined on this kernel and never "
		"call it; what calls them, or a system call (s:NAME), is seen in any case",
		r->text, has_filters(s) ? " within the filters" : "");
}
