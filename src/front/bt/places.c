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
#include "util/array.h"
#include "util/log.h"

/* ---- errors ---- */

void bt_error_report(const struct bt *b, const struct script_error *e)
{
	log_error("%s", e->message);
	if (e->span.end > e->span.start)
		log_caret_line(b->text, e->span.start, e->span.end);
	if (e->hint[0])
		log_hint("%s", e->hint);
}

static int place_fail(const struct bt *b, const struct script_attach *at, const char *message,
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
	       (!minds || (probe->attach_count > 1 && (b->lists || strpbrk(at->rest, "*?["))));
}

/* "PROBE?": it may be missing. */
static int mark_optional(struct bt_place *place)
{
	size_t len = strcspn(place->text, "%");
	char *text;

	if (asprintf(&text, "%.*s?%s", (int)len, place->text, place->text + len) < 0)
		return -ENOMEM;
	free(place->text);
	place->text = text;
	return 0;
}

/* One of a pattern of kinds or files need not be a probe. */
static bool is_possible(const char *text)
{
	struct probe_spec_error error;
	struct probe_spec spec;

	if (probe_spec_parse(text, &spec, &error))
		return false;
	probe_spec_free(&spec);
	return true;
}

static int place_add(struct bt *b, const struct script_probe *probe, const struct script_attach *at,
		     const struct script_attach *typed)
{
	bool of_file = at != typed, of_many = of_file || at->is_of_pattern;
	bool optional = of_many || may_be_missing(b, probe, at);
	struct bt_place *place;
	int err = 0;

	if (!ARRAY_RESERVE(b->places, b->place_count, b->place_room, 16))
		return -ENOMEM;
	place = &b->places[b->place_count];
	*place = (struct bt_place){
		.probe = probe, .attach = at, .typed = typed, .text = bt_point_text(at)
	};
	if (of_many && (!place->text || !is_possible(place->text))) {
		free(place->text);
		return -ENOENT;
	}
	if (!place->text)
		return place_fail(b, at, "this probe cannot be parsed", bt_point_hint(at->kind));
	err = optional ? mark_optional(place) : 0;
	err = err ?: argdump_request_add(&b->a, place->text, NULL, 0);
	if (err) {
		free(place->text);
		return err;
	}
	b->a.requests[b->place_count++].may_be_missing = optional;
	return 0;
}

/* The attach point, for a file. NULL: no memory. */
static struct script_attach *attach_of_file(const struct script_attach *at, const char *path,
					    const char *behind)
{
	size_t kind = at->rest - at->text, size = kind + strlen(path) + strlen(behind) + 2;
	struct script_attach *copy = malloc(sizeof(*copy) + size);
	char *text = (char *)(copy + 1);

	if (!copy)
		return NULL;
	*copy = *at;
	snprintf(text, size, "%.*s%s:%s", (int)kind, at->text, path, behind);
	copy->text = text;
	copy->rest = text + kind;
	return copy;
}

static int file_add(struct bt *b, const struct script_probe *probe, const struct script_attach *at,
		    const char *path, const char *behind)
{
	struct script_attach *copy = attach_of_file(at, path, behind);
	int err = copy ? place_add(b, probe, copy, at) : -ENOMEM;

	if (err)
		free(copy);
	else
		b->places[b->place_count - 1].of_file = copy;
	return err == -ENOENT ? 0 : err;
}

static int attach_add(struct session *s, struct bt *b, const struct script_probe *probe,
		      const struct script_attach *at)
{
	struct bt_files files;
	int err = bt_files_find(s, at, &files);

	if (at->kind == PROBE_WATCHPOINT || at->kind == PROBE_ITER)
		err = at->is_of_pattern ?
			      -ENOENT :
			      place_fail(b, at, "this kind of probe is not there yet", "");
	else if (!err && !files.is_pattern)
		err = place_add(b, probe, at, at);
	for (size_t i = 0; i < files.count && !err; i++)
		err = file_add(b, probe, at, files.paths[i], files.behind);
	if (!err && files.is_of_process && !s->options.pids.count && !at->is_of_pattern)
		err = place_fail(b, at, "the file is missing",
				 "without a path it is for the files of -p PID");
	else if (!err && files.is_pattern && !files.count && !at->is_of_pattern && !b->lists)
		err = place_fail(b, at, "there is no such program or library", "");
	bt_files_free(&files);
	return err == -ENOENT && at->is_of_pattern ? 0 : err;
}

static int special_add(struct bt *b, const struct script_probe *probe,
		       const struct script_attach *at)
{
	if (at->kind == PROBE_SELF && bt_signal_number(at) < 0)
		return place_fail(b, at, "there is no such signal", "self:signal:SIGUSR1");
	b->specials[b->special_count++] = (struct bt_special){ .probe = probe,
							       .attach = at,
							       .fd = -1 };
	return 0;
}

static bool is_special(enum script_probe_kind kind)
{
	return kind == PROBE_BEGIN || kind == PROBE_END || kind == PROBE_SELF;
}

int bt_places_add(struct session *s, struct bt *b)
{
	const struct script *script = b->script;
	size_t most = 0;
	int err = 0;

	for (size_t i = 0; i < script->probe_count; i++)
		most += script->probes[i].attach_count;
	b->specials = calloc(most + 1, sizeof(*b->specials));
	if (!b->specials)
		return -ENOMEM;
	for (size_t i = 0; i < script->probe_count && !err; i++) {
		const struct script_probe *p = &script->probes[i];

		for (size_t j = 0; j < p->attach_count && !err; j++) {
			const struct script_attach *at = &p->attaches[j];

			if (is_special(at->kind))
				err = special_add(b, p, at);
			else if (at->kind != PROBE_TEST && at->kind != PROBE_BENCH &&
				 !(b->lists && bt_is_listed_event(at)))
				err = attach_add(s, b, p, at);
		}
	}
	return err;
}

void bt_places_free(struct bt *b)
{
	for (size_t i = 0; i < b->place_count; i++) {
		free(b->places[i].text);
		free(b->places[i].of_file);
	}
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

/* Of "FILE:PROVIDER:NAME" what follows the file. */
static const char *usdt_name(const char *name)
{
	const char *at = strrchr(name, ':');

	while (at && at > name && at[-1] != ':')
		at--;
	return at ?: name;
}

/* "kprobe:" of "kprobe:vfs_*", and what the place itself is called. */
static char *point_name(const struct bt_place *place, const struct argdump_probe *p,
			const char *name, bool is_only)
{
	const char *text = place->attach->text;
	size_t prefix = strcspn(text, ":") + 1;
	const char *colon;
	char *full;

	if (is_only && !strpbrk(text, "*?[") && place->attach->kind != PROBE_USDT)
		return strdup(text);
	if (p->request->spec.kind == PROBE_SPEC_USER && (colon = strchr(text + prefix, ':')))
		prefix = colon + 1 - text;
	if (place->attach->kind == PROBE_USDT)
		return asprintf(&full, "%.*s%s", (int)prefix, text, usdt_name(name)) < 0 ? NULL :
											   full;
	return asprintf(&full, "%.*s%s", (int)prefix, text, point_function(p, name)) < 0 ? NULL :
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

const struct argdump_language bt_language = { bt_compile, bt_report };

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

/* True if something is left of the attach point, as it is in the program. */
static bool is_there(const struct bt *b, const struct script_attach *typed)
{
	if (is_special(typed->kind) || typed->kind == PROBE_TEST || typed->kind == PROBE_BENCH)
		return true;
	for (size_t i = 0; i < b->place_count; i++)
		if (b->places[i].typed->span.start == typed->span.start && b->a.requests[i].text)
			return true;
	return false;
}

/* Returns 0, or -EINVAL if the program minds. */
static int missing_report(const struct bt *b, const struct script_probe *p,
			  const struct script_attach *at)
{
	bool minds = b->script->config.missing_probes == SCRIPT_MISSING_ERROR;

	if (is_there(b, at) || (at > p->attaches && at->span.start == at[-1].span.start))
		return 0;
	if (minds && (p->attach_count == 1 || at->is_of_pattern))
		return place_fail(b, at, "there is no such probe here", "");
	log_warn("%s is left out: there is no such probe here", at->text);
	return 0;
}

static int missing_report_all(const struct bt *b)
{
	const struct script *s = b->script;
	int err = 0;

	if (b->lists || s->config.missing_probes == SCRIPT_MISSING_IGNORE)
		return 0;
	for (size_t i = 0; i < s->probe_count && !err; i++)
		for (size_t j = 0; j < s->probes[i].attach_count && !err; j++)
			err = missing_report(b, &s->probes[i], &s->probes[i].attaches[j]);
	return err;
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
	return err ? attach_explain(NULL, s->btf, err) : EXIT_FINE;
}
