/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * silence.c - explains a run that printed nothing.
 *
 * A function can have a symbol and callers, and still never be called: within its own file the compiler may inline
 * it. The probe is right then, but it looks as if nothing happened. The kernel's code shows which functions call it,
 * and which ones seem to have it inlined.
 */
#include "front/front.h"

#include <string.h>

#include "kernel/privileges.h"
#include "symbols/kernel/callers.h"
#include "symbols/kernel/kcore.h"
#include "util/buf.h"
#include "util/log.h"

/* True for a function that the user named. A recipe's own functions are chosen so that they are called. */
static bool is_users(const struct session *s, const struct argdump *a)
{
	const char *args = s->applet->args ?: "";

	return argdump_is_run(s) || a->language || !strncmp(args, "FUNC", 4);
}

/* A program of another language may print something without a call, a begin without an end prints nothing. */
static bool is_silent(const struct session *s, const struct argdump *a)
{
	return !a->saw_calls && !a->pairs.calls_unknown &&
	       (a->language || (!s->sink.rows && s->sink.counted <= 0));
}

static const struct argdump_request *function_find(const struct argdump *a)
{
	for (size_t i = 0; i < a->request_count; i++)
		if (a->requests[i].text && a->requests[i].spec.kind == PROBE_SPEC_FUNCTION &&
		    a->requests[i].spec.count)
			return &a->requests[i];
	return NULL;
}

static bool has_filters(const struct session *s, const struct argdump *a)
{
	const struct options *o = &s->options;

	return (s->losses.filtered && !a->language) || o->tasks.pids.count || o->tasks.tids.count ||
	       o->tasks.uids.count || o->tasks.names.count || o->tasks.cgroups.count ||
	       o->tasks.containers.count || o->tasks.cgroup_maps.count || o->child.command;
}

/* A user who gives a condition expects that nothing may match; only at a terminal does a person read why. */
static bool is_expected(const struct argdump *a, const struct argdump_request *r)
{
	return (model_has(&a->model, MODEL_IF) || model_has(&a->model, MODEL_PACKET) ||
		r->condition_count) &&
	       !log_is_watched();
}

/* ---- analysis of the kernel's code ---- */

static struct kcore *kept; /* opening it needs more privileges than reading it */

static bool has_one_function(const struct argdump_request *r)
{
	return r && r->spec.count == 1 && !r->spec.items[0].is_pattern &&
	       !probe_spec_is_line(r->spec.items);
}

void silence_prepare(const struct session *s, const struct argdump *a)
{
	struct privileges rights;

	if (kept || log_is_quiet() || !is_users(s, a) || !has_one_function(function_find(a)))
		return;
	privileges_read(&rights); /* a refusal by lockdown is logged by the kernel */
	if (rights.lockdown != PRIVILEGES_LOCKDOWN_CONFIDENTIALITY)
		kcore_open("/proc/kcore", &kept);
}

/* "a, b and 7 more" */
static void names_append(struct buf *o, const struct caller_names *n)
{
	size_t named = n->count < CALLERS_NAMED ? n->count : CALLERS_NAMED;

	for (size_t i = 0; i < named; i++) {
		if (i)
			buf_str(o, i + 1 == n->count ? " and " : ", ");
		buf_str(o, n->names[i]);
	}
	if (n->count > named)
		buf_printf(o, " and %zu more", n->count - named);
}

static void calls_append(struct buf *o, const struct callers *c)
{
	if (c->copy)
		buf_printf(o, "callers have it inlined, %s; ", c->copy);
	if (c->calls.count) {
		names_append(o, &c->calls);
		buf_str(o, c->calls.count == 1 ? ", which calls it, did not do so" :
						 ", which call it, did not do so");
	} else if (c->may_be_pointed) {
		buf_str(o,
			"no code of this kernel calls it by name: either it is called through a pointer, "
			"and was not, or its callers have it inlined");
	} else {
		buf_str(o, "no code of this kernel calls it, and nothing points to it: its callers "
			   "have it inlined");
	}
}

/* Adds functions with the same calls: a hint about just one of them would mislead. */
static void like_append(struct buf *o, const struct callers *c)
{
	if (c->like.count && c->like.count <= CALLERS_NAMED) {
		buf_str(o, "; ");
		names_append(o, &c->like);
		buf_printf(o, ", like it, %s all functions that it calls, and may have it inlined",
			   c->like.count == 1 ? "calls" : "call");
	} else if (c->calls.count) {
		buf_str(o, "; others may have it inlined");
	}
	buf_str(o, "; calls of a system call (s:NAME) are always seen");
}

/* Appends nothing if the reasons are unknown. */
static void reasons_append(struct buf *o, const struct argdump_request *r)
{
	struct callers c;

	if (!kept || !has_one_function(r) || callers_find(&c, kept, r->spec.items[0].name))
		return;
	calls_append(o, &c);
	like_append(o, &c);
}

void silence_report(const struct session *s, const struct argdump *a)
{
	const struct argdump_request *r = function_find(a);
	struct buf why;

	buf_init(&why, -1);
	if (is_silent(s, a) && r && is_users(s, a) && !a->diff.unchanged && !is_expected(a, r)) {
		reasons_append(&why, r);
		buf_char(&why, 0);
		log_note(
			"%s was not seen%s: %s",
			has_one_function(r) ? r->spec.items[0].name : r->text,
			has_filters(s, a) ? " within the filters" : "",
			probe_spec_is_line(r->spec.items) ?
				"nothing ran this code" :
			!why.error && why.data[0] ?
				why.data :
				"either nothing called it, or its callers have it inlined on this kernel and "
				"never call it; what calls them, or a system call (s:NAME), is always seen");
	}
	buf_free(&why);
	kcore_close(kept);
	kept = NULL;
}
