/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.c - a request for each attach point of a program, and the compilation for each place.
 *
 * An attach point becomes a request, which a kind of probe resolves to one or more places. Types of maps come from all
 * places together, so the first round of compilations only collects them.
 */
#include "front/bt/bt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/attach_error.h"
#include "util/log.h"

/* ---- errors ---- */

void bt_error_report(const struct bt *b, const struct script_error *e)
{
	log_place(NULL, 0, 0); /* it is in the error */
	log_error("%s", e->message);
	if (e->span.end > e->span.start)
		log_caret_line(b->text, e->span.start, e->span.end);
	if (e->hint[0])
		log_hint("%s", e->hint);
}

static int place_fail(struct bt *b, const struct script_attach *at, const char *message,
		      const char *hint)
{
	struct script_error e = { .span = at->span };

	snprintf(e.message, sizeof(e.message), "%s", message);
	snprintf(e.hint, sizeof(e.hint), "%s", hint);
	bt_error_report(b, &e);
	return -EINVAL;
}

/* ---- requests ---- */

/* Of a name in a kernel or program: the program does not mind, or it is a pattern among others. */
static bool may_be_missing(const struct bt *b, const struct script_probe *probe,
			   const struct script_attach *at)
{
	bool minds = b->script->config.missing_probes == SCRIPT_MISSING_ERROR;

	return at->kind >= PROBE_KPROBE && at->kind <= PROBE_USDT &&
	       (!minds || (probe->attach_count > 1 && strpbrk(at->rest, "*?[")));
}

static int place_add(struct bt *b, const struct script_probe *probe, const struct script_attach *at)
{
	struct bt_place *place = &b->places[b->place_count];
	int err;

	*place = (struct bt_place){ .probe = probe, .attach = at, .text = bt_point_text(at) };
	if (place->text && may_be_missing(b, probe, at)) {
		size_t len = strcspn(place->text, "%");
		char *text;

		if (asprintf(&text, "%.*s?%s", (int)len, place->text, place->text + len) < 0)
			return -ENOMEM;
		free(place->text);
		place->text = text;
	}
	if (!place->text)
		return place_fail(b, at, "this probe cannot be parsed", bt_point_hint(at->kind));
	err = argdump_request_add(&b->a, place->text, NULL, 0);
	if (err)
		return err;
	b->a.requests[b->place_count++].may_be_missing = may_be_missing(b, probe, at);
	return 0;
}

static bool is_special(enum script_probe_kind kind)
{
	return kind == PROBE_BEGIN || kind == PROBE_END || kind == PROBE_SELF || kind == PROBE_ITER;
}

/* Adds a program that this process runs, or a request. */
static int attach_add(struct bt *b, const struct script_probe *p, const struct script_attach *at)
{
	if (at->kind == PROBE_SELF && bt_signal_number(at) < 0)
		return place_fail(b, at, "there is no such signal", "self:signal:SIGUSR1");
	if (at->kind == PROBE_ITER && at->part_count > 2)
		return place_fail(b, at, "an iterator cannot be pinned",
				  "what it prints is text that bt makes of its records: bt -e "
				  "'iter:task { … }' prints it each time");
	if (is_special(at->kind))
		b->specials[b->special_count++] = (struct bt_special){ .probe = p,
								       .attach = at,
								       .fd = -1 };
	else if (at->kind != PROBE_TEST && at->kind != PROBE_BENCH)
		return place_add(b, p, at);
	return 0;
}

int bt_places_add(struct bt *b)
{
	const struct script *s = b->script;
	size_t most = 0;
	int err = 0;

	for (size_t i = 0; i < s->probe_count; i++)
		most += s->probes[i].attach_count;
	b->places = calloc(most + 1, sizeof(*b->places));
	b->specials = calloc(most + 1, sizeof(*b->specials));
	if (!b->places || !b->specials)
		return -ENOMEM;
	for (size_t i = 0; i < s->probe_count && !err; i++) {
		const struct script_probe *p = &s->probes[i];

		for (size_t j = 0; j < p->attach_count && !err; j++)
			err = attach_add(b, p, &p->attaches[j]);
	}
	if (!err && s->probe_count && !b->place_count && !b->special_count)
		err = place_fail(b, s->probes[0].attaches, "the program has nothing but tests",
				 "bpftrace --test and --bench run them; bt has neither");
	return err;
}

void bt_places_free(struct bt *b)
{
	for (size_t i = 0; i < b->place_count; i++)
		free(b->places[i].text);
	free(b->places);
	free(b->specials);
	for (size_t i = 0; i < b->names.count; i++)
		free((char *)b->name_list[i].probe);
	free(b->name_list);
	free(b->points);
}

/* ---- names of the points ---- */

/* Of "FILE:FUNCTION" the function. */
static const char *point_function(const struct argdump_probe *p, const char *name)
{
	const char *colon = p->request->spec.kind == PROBE_SPEC_USER ? strrchr(name, ':') : NULL;

	return colon ? colon + 1 : name;
}

/* Of "FILE:PROVIDER:NAME" what is behind the file. */
static const char *point_in_file(const struct bt_place *place, const struct argdump_probe *p,
				 const char *name)
{
	const char *last = point_function(p, name);

	if (place->attach->kind != PROBE_USDT || last - name < 2)
		return last;
	for (last -= 2; last > name && *last != ':';)
		last--;
	return *last == ':' ? last + 1 : last;
}

/* "kprobe:" of "kprobe:vfs_*", and what the place itself is called. */
static char *point_name(const struct bt_place *place, const struct argdump_probe *p,
			const char *name, bool is_only)
{
	const char *text = place->attach->text;
	size_t prefix = strcspn(text, ":") + 1;
	const char *colon;
	char *full;

	bool is_whole = place->attach->kind != PROBE_USDT || place->attach->part_count > 3;

	if (is_only && is_whole && !strpbrk(text, "*?["))
		return strdup(text);
	if (p->request->spec.kind == PROBE_SPEC_USER && (colon = strchr(text + prefix, ':')))
		prefix = colon + 1 - text;
	return asprintf(&full, "%.*s%s", (int)prefix, text, point_in_file(place, p, name)) < 0 ?
		       NULL :
		       full;
}

static const struct bt_place *place_of(const struct bt *b, const struct argdump_probe *p)
{
	return &b->places[p->request->owner - 1];
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
		for (size_t i = 0; i < (p->function_count ?: 1); i++) {
			struct script_name *n = &b->name_list[p->first_point + i];
			const char *name = b->a.points[p->first_point + i].name;

			n->probe = point_name(place_of(b, p), p, name, p->function_count <= 1);
			n->func = point_function(p, name);
			if (!n->probe)
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

/* True if the variant gives what the probe's kind promises: fields of an event, or arguments of a tracepoint. */
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
	err = script_compile(b->script, &b->world, &point, &p->expr, &b->error);
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

static void bt_place(struct session *s, const struct argdump_request *request)
{
	const struct bt *b = bt_of(s);
	const struct span *at = request ? &b->places[request->owner - 1].attach->span : NULL;

	log_place(at ? b->text : NULL, at ? at->start : 0, at ? at->end : 0);
}

const struct argdump_language bt_language = { bt_compile, bt_report, bt_place };

/* Compiles for the first variant that fits, only to collect the points. */
static int points_collect(struct session *s, struct bt *b)
{
	int err = 0;

	b->is_inferring = true;
	for (size_t i = 0; i < b->a.probe_count && !err; i++) {
		struct argdump_probe *p = &b->a.probes[i];

		err = argdump_probe_compile_or_report(s, &b->a, p);
		p->compiled = p->variant = NULL;
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
				   .name = b->specials[i].attach->text,
				   .target = *target,
				   .point = (int)(b->a.run.point_count + i),
				   .points_first = b->a.run.point_count + i,
				   .points_count = 1,
				   .probe_number = b->a.probe_count + i };
	in->target.method = EXPR_CTX_NONE;
	/* filters are for what is traced, not for this process */
	in->run.filter = (struct event_filter){ 0 };
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

static void missing_report(const struct bt *b)
{
	for (size_t i = 0;
	     i < b->place_count && b->script->config.missing_probes != SCRIPT_MISSING_IGNORE; i++)
		if (!b->a.requests[i].text && !b->lists)
			log_warn("%s is left out: there is no such probe here",
				 b->places[i].attach->text);
}

int bt_types_find(struct session *s, struct bt *b)
{
	int err = names_build(b);

	missing_report(b);

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
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}
