/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * points.c - names the places that requests are resolved to, and compiles for each.
 *
 * Types of maps depend on all places together, so the first round of compilations only collects the places.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "probe/name_parts.h"
#include "script/inside.h"
#include "util/log.h"

/* ---- names of the points ---- */

/* Returns the function of "FILE:FUNCTION", or the name of a raw tracepoint "GROUP:NAME". */
static const char *point_function(const struct bt_place *place, const struct argdump_probe *p,
				  const char *name)
{
	bool is_last = p->request->spec.kind == PROBE_SPEC_USER ||
		       place->attach->kind == PROBE_RAW_TRACEPOINT;
	const char *colon = is_last ? name_colon(name, strlen(name)) : NULL;

	return colon ? colon + 1 : name;
}

/* Returns the text after the file in "FILE:PROVIDER:NAME". */
static const char *point_in_file(const struct bt_place *place, const struct argdump_probe *p,
				 const char *name)
{
	const char *last = point_function(place, p, name);

	if (place->attach->kind != PROBE_USDT || last - name < 2)
		return last;
	for (last -= 2; last > name && *last != ':';)
		last--;
	return *last == ':' ? last + 1 : last;
}

/* Returns the module whose types have the tracepoint. */
static const char *tracepoint_module(const struct bt *b, const char *event)
{
	size_t count = btf_modules_count(b->a.modules);
	const struct btf_view *view;
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", event);
	if (!count || btf_view_find(b->session->btf, BTF_KIND_TYPEDEF, type))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!btf_modules_view(b->a.modules, i, &view) &&
		    btf_view_find(view, BTF_KIND_TYPEDEF, type))
			return btf_modules_name(b->a.modules, i);
	return NULL;
}

/* bpftrace adds the module to the names of these kinds, but not to those of kprobes. */
static bool names_module(const struct script_attach *at)
{
	return ((at->kind == PROBE_FENTRY || at->kind == PROBE_FEXIT) &&
		strncmp(at->rest, "bpf:", 4)) ||
	       at->kind == PROBE_RAW_TRACEPOINT;
}

/* "fentry:vmlinux:vfs_read" */
static char *module_name(const struct bt *b, const struct bt_place *place,
			 const struct argdump_probe *p, size_t i, const char *function)
{
	const struct script_attach *at = place->attach;
	const char *module = at->kind == PROBE_RAW_TRACEPOINT ? tracepoint_module(b, function) :
			     p->functions.count		      ? p->functions.items[i]->module :
								p->symbol.module;
	const char *colon = strchr(function, ':');
	char *full;

	return asprintf(&full, "%.*s:%s:%s", (int)strcspn(at->text, ":"), at->text,
			module ?: "vmlinux", colon ? colon + 1 : function) < 0 ?
		       NULL :
		       full;
}

/* Returns "kprobe:" of "kprobe:vfs_*", followed by the name of the place. */
static char *point_name(const struct bt_place *place, const struct argdump_probe *p,
			const char *name, bool is_only)
{
	const char *text = place->attach->text;
	size_t prefix = strcspn(text, ":") + 1;
	const char *colon;
	char *full;

	if (is_only && place->attach->kind != PROBE_USDT && !strpbrk(text, "*?["))
		return strdup(text);
	if (p->request->spec.kind == PROBE_SPEC_USER && (colon = strchr(text + prefix, ':')))
		prefix = bt_language_skip(colon + 1) - text;
	return asprintf(&full, "%.*s%s", (int)prefix, text, point_in_file(place, p, name)) < 0 ?
		       NULL :
		       full;
}

/* Returns FUNCTION of "FUNCTION%return". NULL: out of memory. */
static const char *without_return(struct bt *b, const char *function)
{
	const char *end = strstr(function, "%return");
	char *copy = end ? arena_alloc(&b->script->arena, end - function + 1) : NULL;

	return copy ? memcpy(copy, function, end - function) : end ? NULL : function;
}

static const struct bt_place *place_of(const struct bt *b, const struct argdump_probe *p)
{
	return &b->places[p->request->owner - 1];
}

/* True if the attach point is one place: several have one probe each, or one with several functions. */
static bool is_only(const struct bt *b, const struct argdump_probe *p)
{
	const struct argdump_probe *end = b->a.probes + b->a.probe_count;

	return p->functions.count <= 1 &&
	       (p == b->a.probes || p[-1].request->owner != p->request->owner) &&
	       (p + 1 == end || p[1].request->owner != p->request->owner);
}

/* Names the points of argdump's probes, then the special programs. Returns 0 or -ENOMEM. */
static int names_build(struct bt *b)
{
	size_t count = b->a.run.point_count + b->special_count;

	b->name_list = calloc(count + 1, sizeof(*b->name_list));
	if (!b->name_list)
		return -ENOMEM;
	b->names.all = b->name_list;
	for (const struct argdump_probe *p = b->a.probes; p < b->a.probes + b->a.probe_count; p++)
		for (size_t i = 0; i < (p->functions.count ?: 1); i++) {
			struct script_name *n = &b->name_list[p->first_point + i];
			const char *name = b->a.points[p->first_point + i].name;
			const struct bt_place *place = place_of(b, p);

			n->func = without_return(b, point_function(place, p, name));
			n->probe = !n->func ? NULL :
				   names_module(place->attach) ?
					      module_name(b, place, p, i, n->func) :
					      point_name(place, p, name, is_only(b, p));
			if (!n->probe || !n->func)
				return -ENOMEM;
			b->names.count++;
		}
	for (size_t i = 0; i < b->special_count; i++) {
		struct script_name *n = &b->name_list[b->a.run.point_count + i];

		n->probe = strdup(b->specials[i].attach->text);
		n->func = "";
		if (!n->probe)
			return -ENOMEM;
		b->names.count++;
	}
	return 0;
}

/* ---- compilation ---- */

/* True if the variant provides what the probe's kind promises: fields of an event, or arguments of a tracepoint. */
static bool variant_fits(const struct bt_place *place, const struct argdump_probe *p)
{
	if (place->attach->kind == PROBE_TRACEPOINT)
		return p->input.target.method == EXPR_CTX_EVENT;
	if (place->attach->kind == PROBE_RAW_TRACEPOINT)
		return p->input.target.method != EXPR_CTX_EVENT;
	return true;
}

static int bt_compile(struct session *s, struct argdump *a, struct argdump_probe *p,
		      struct expr_error *error)
{
	struct bt *b = bt_of(s);
	const struct bt_place *place = place_of(b, p);
	struct script_point point = { place->probe, place->attach, &p->input, &b->names };
	int err;

	(void)a;
	*error = (struct expr_error){ .text = (size_t)-1, .stage = -1 };
	if (!variant_fits(place, p)) {
		snprintf(error->message, sizeof(error->message),
			 "this kernel has no such tracepoint");
		return -EOPNOTSUPP;
	}
	if (b->is_inferring) {
		b->points[b->point_count++] = point;
		return 0;
	}
	err = (b->points ? script_compile : script_try)(b->script, &b->world, &point, &p->expr,
							&b->error);
	if (err == -EINVAL || err == -EOPNOTSUPP) {
		snprintf(error->message, sizeof(error->message), "%s", b->error.message);
		snprintf(error->hint, sizeof(error->hint), "%s", b->error.hint);
		error->start = b->error.span.start;
		error->end = b->error.span.end;
		error->stage = 0;
	}
	return err;
}

static void bt_report(struct session *s, const struct expr_error *error)
{
	struct script_error e = { .span = { error->start, error->end } };

	snprintf(e.message, sizeof(e.message), "%s", error->message);
	snprintf(e.hint, sizeof(e.hint), "%s", error->hint);
	bt_error_report(bt_of(s), &e);
}

/* Reports nothing: no user wrote the probe. */
static void bt_absent(struct session *s, const struct argdump_request *r)
{
	if (bt_of(s)->places[r->owner - 1].probe->ends_owner)
		log_hint(
			"this kernel does not report the end of such an object: without owned_by() "
			"the program itself deletes entries");
}

static void bt_place(struct session *s, const struct argdump_request *request)
{
	const struct bt *b = bt_of(s);
	const struct span *at = request ? &b->places[request->owner - 1].attach->span : NULL;

	log_place(at ? b->text : NULL, at ? at->start : 0, at ? at->end : 0);
}

static bool bt_spares(struct session *s, const struct argdump_request *request)
{
	const struct bt *b = bt_of(s);
	int mode = b->script->config.missing_probes;
	bool spares = request && mode != SCRIPT_MISSING_ERROR &&
		      !b->places[request->owner - 1].probe->ends_owner;

	log_spare(!spares			? LOG_SPARES_NOTHING :
		  mode == SCRIPT_MISSING_IGNORE ? LOG_SPARES_SILENTLY :
						  LOG_SPARES_ALOUD);
	return spares;
}

static void stack_find(struct script_expr *e, void *ctx)
{
	*(bool *)ctx |= (e->kind == X_WORD || e->kind == X_CALL) && !strcmp(e->name, "kstack");
}

static bool walks_kernel(const struct script_probe *p)
{
	bool found = false;

	if (p->condition)
		script_walk(p->condition, stack_find, &found);
	script_walk_stmts(p->body, stack_find, &found);
	return found;
}

static bool bt_walks(const struct session *s, const struct argdump_request *request)
{
	return walks_kernel(bt_of(s)->places[request->owner - 1].probe);
}

const struct argdump_language bt_language = { bt_compile, bt_report, bt_absent,
					      bt_place,	  bt_spares, bt_walks };

/* Compiles for the first variant that fits, only to collect the points. */
static int points_collect(struct session *s, struct bt *b)
{
	int err = 0;

	b->is_inferring = true;
	for (size_t i = 0; i < b->a.probe_count && !err; i++) {
		struct argdump_probe *p = &b->a.probes[i];

		p->limits.walks_kernel = p->functions.count <= 1 &&
					 walks_kernel(place_of(b, p)->probe);
		err = argdump_probe_compile_or_report(s, &b->a, p);
		p->attempt.variant = p->variant = NULL;
	}
	b->is_inferring = false;
	return err;
}

static void special_input(struct session *s, struct bt *b, size_t i,
			  const struct expr_target *target)
{
	struct expr_input *in = &b->specials[i].input;

	*in = (struct expr_input){ .run = b->a.run,
				   .btf = s->btf,
				   .site.name = b->specials[i].attach->text,
				   .target = *target,
				   .point.index = (int)(b->a.run.point_count + i),
				   .point.first = b->a.run.point_count + i,
				   .point.count = 1,
				   .probe_number = b->a.probe_count + i };
	in->target.method = EXPR_CTX_NONE;
	/* filters apply to traced tasks, not to this process */
	in->run.filter = (struct event_filter){ .numbers = b->a.run.filter.numbers };
	b->points[b->point_count++] = (struct script_point){ b->specials[i].probe,
							     b->specials[i].attach, in, &b->names };
}

static int specials_collect(struct session *s, struct bt *b)
{
	struct expr_target target;
	uint32_t none;

	if (b->special_count && expr_target_detect(s->btf, "", &target, &none))
		return -EBADMSG;
	for (size_t i = 0; i < b->special_count; i++)
		special_input(s, b, i, &target);
	return 0;
}

/* True if the attach point, as written in the program, still has a place. */
static bool is_there(const struct bt *b, const struct script_attach *typed)
{
	if (bt_is_special(typed->kind) || typed->kind == PROBE_TEST || typed->kind == PROBE_BENCH)
		return true;
	for (size_t i = 0; i < b->special_count; i++)
		if (b->specials[i].attach == typed)
			return true;
	for (size_t i = 0; i < b->place_count; i++)
		if (b->places[i].typed->span.start == typed->span.start && b->a.requests[i].text)
			return true;
	return false;
}

/* Returns 0, or -EINVAL if the program does not allow missing probes. */
static int missing_report(const struct bt *b, const struct script_probe *p,
			  const struct script_attach *at)
{
	bool minds = b->script->config.missing_probes == SCRIPT_MISSING_ERROR;

	if (is_there(b, at) || (at > p->attaches && at->span.start == at[-1].span.start))
		return 0;
	if (minds && (p->attach_count == 1 || at->is_of_pattern))
		return bt_place_fail(b, at, "this probe does not exist here", "");
	log_warn("skipping %s: it does not exist here", at->text);
	return 0;
}

/* Nothing could ever run. */
static int missing_all_fail(const struct bt *b)
{
	const struct script_attach *first = b->script->probe_count ? b->script->probes->attaches :
								     NULL;

	if (!first || !b->place_count || b->a.probe_count || b->special_count || b->asked.lists)
		return 0;
	return bt_place_fail(b, first, "none of the program's probes exists here", "");
}

static int missing_report_all(const struct bt *b)
{
	const struct script *s = b->script;
	int err = 0;

	if (b->asked.lists || s->config.missing_probes == SCRIPT_MISSING_IGNORE)
		return missing_all_fail(b);
	for (size_t i = 0; i < s->probe_count && !err; i++)
		for (size_t j = 0; j < s->probes[i].attach_count && !err; j++)
			err = missing_report(b, &s->probes[i], &s->probes[i].attaches[j]);
	return err ?: missing_all_fail(b);
}

int bt_types_find(struct session *s, struct bt *b)
{
	int err = names_build(b);

	if (!err && missing_report_all(b))
		return EXIT_USAGE;
	b->a.run.siblings = b->a.probe_count + b->special_count;
	b->points = calloc(b->a.probe_count + b->special_count + 1, sizeof(*b->points));
	if (!b->points)
		err = -ENOMEM;
	if (!err && points_collect(s, b))
		return EXIT_USAGE;
	if (!err)
		err = specials_collect(s, b);
	if (!err)
		err = script_infer(b->script, &b->world, b->points, b->point_count, &b->error);
	if (err == -EINVAL) {
		bt_error_report(b, &b->error);
		return EXIT_USAGE;
	}
	if (!err && bt_probes_filter(b))
		return EXIT_USAGE;
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}
