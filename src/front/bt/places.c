/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.c - converts attach points of a program to requests, which a kind of probe resolves to one or more places
 * (points.c), and to programs that this process runs (special.c).
 */
#include "front/bt/bt.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script/inside.h"
#include "symbols/kernel/ksyms.h"
#include "util/array.h"
#include "util/log.h"

/* ---- errors ---- */

/* The text at the location may come from a #define, which the error is really about. */
static void define_hint(const char *text, struct span at)
{
	static const char word[] = "#define ";
	size_t len = at.end - at.start;
	const char *name = text + at.start, *body = NULL;

	for (const char *line = text; line < name; line += strcspn(line, "\n") + 1)
		if (!strncmp(line, word, sizeof(word) - 1) &&
		    !strncmp(line + sizeof(word) - 1, name, len) &&
		    line[sizeof(word) - 1 + len] == ' ')
			body = line + sizeof(word) + len;
	if (body)
		log_hint("%.*s is %.*s", (int)len, name, (int)strcspn(body, "\n"), body);
}

void bt_error_report(const struct bt *b, const struct script_error *e)
{
	bool has_place = e->span.end > e->span.start;

	log_place(has_place ? b->text : NULL, e->span.start, e->span.end);
	log_error("%s", e->message);
	log_place(NULL, 0, 0);
	if (has_place)
		define_hint(b->text, e->span);
	if (e->hint[0])
		log_hint("%s", e->hint);
}

int bt_place_fail(const struct bt *b, const struct script_attach *at, const char *message,
		  const char *hint)
{
	struct script_error e = { .span = at->span };

	snprintf(e.message, sizeof(e.message), "%s", message);
	snprintf(e.hint, sizeof(e.hint), "%s", hint);
	bt_error_report(b, &e);
	return -EINVAL;
}

/* ---- requests ---- */

/* True for a missing name in a kernel or program that the program allows, or that is a pattern among others. */
static bool may_be_missing(const struct bt *b, const struct script_probe *probe,
			   const struct script_attach *at)
{
	bool minds = b->script->config.missing_probes == SCRIPT_MISSING_ERROR;

	return at->kind >= PROBE_KPROBE && at->kind <= PROBE_USDT && !probe->ends_owner &&
	       (!minds ||
		(probe->attach_count > 1 && (b->asked.lists || strpbrk(at->rest, "*?["))));
}

/* Marks the probe as optional: "PROBE?". */
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

/* False if the text cannot be a probe: a pattern of kinds or files may produce such ones. */
static bool is_possible(const char *text)
{
	struct probe_spec_error error;
	struct probe_spec spec;

	if (probe_spec_parse(text, &spec, &error))
		return false;
	probe_spec_free(&spec);
	return true;
}

/* kprobe:0xADDRESS. Returns 0, or -errno after printing the error. */
static int address_text(const struct bt *b, const struct script_attach *at, char **text)
{
	uint64_t offset = 0, address = strtoull(at->rest, NULL, 0);
	bool is_return = at->kind == PROBE_KRETPROBE;
	const char *name;
	int err;

	if (!b->world.has_unsafe)
		return bt_place_fail(
			b, at, "the meaning of a bare address is unknown",
			"allow it with --unsafe; kprobe:FUNCTION+OFFSET is also an address");
	err = ksyms_load();
	name = err ? NULL : ksyms_name(address, &offset, NULL);
	if (!name)
		return bt_place_fail(b, at, "this address is in no kernel function",
				     err ? ksyms_hint(err) : "");
	if (is_return && offset)
		return bt_place_fail(b, at, "only a whole function has a return", "");
	if (offset)
		err = asprintf(text, "%s+%#llx", name, (unsigned long long)offset);
	else
		err = asprintf(text, "%s%s", name, is_return ? "%return" : "");
	return err < 0 ? -ENOMEM : 0;
}

/* Returns 0, or -errno after printing the error. */
static int place_text(const struct bt *b, const struct script_attach *at, char **text)
{
	uint64_t offset;
	int found = bt_address_find(b->session, at, &offset);

	*text = NULL;
	if ((at->kind == PROBE_KPROBE || at->kind == PROBE_KRETPROBE) &&
	    isdigit((unsigned char)*at->rest))
		return address_text(b, at, text);
	if (found == -ENOENT)
		return bt_place_fail(b, at, "the file has no code at this address",
				     "objdump -d FILE lists addresses");
	if (found < 0)
		return found;
	*text = found ? bt_offset_text(at, offset) : bt_point_text(at);
	return 0;
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
	*place = (struct bt_place){ .probe = probe, .attach = at, .typed = typed };
	err = place_text(b, at, &place->text);
	if (err)
		return err;
	if (of_many && (!place->text || !is_possible(place->text))) {
		free(place->text);
		return -ENOENT;
	}
	if (!place->text)
		return bt_place_fail(b, at, "this probe cannot be parsed", bt_point_hint(at->kind));
	err = optional ? mark_optional(place) : 0;
	err = err ?: argdump_request_add(&b->a, place->text, NULL, 0);
	if (err) {
		free(place->text);
		return err;
	}
	b->a.requests[b->place_count++].may_be_missing = optional;
	return 0;
}

/* Returns a copy of the attach point for a file. NULL: out of memory. */
static struct script_attach *attach_of_file(const struct script_attach *at, const char *path,
					    const char *behind)
{
	size_t kind = at->rest - at->text, length = strlen(path);
	size_t size = kind + 2 * length + strlen(behind) + 3, parts = at->part_count + 1;
	struct script_attach *copy = malloc(sizeof(*copy) + parts * sizeof(*copy->parts) + size);
	char *text;

	if (!copy)
		return NULL;
	*copy = *at;
	copy->parts = (const char **)(copy + 1);
	text = (char *)(copy->parts + parts);
	memcpy(copy->parts, at->parts, parts * sizeof(*copy->parts));
	copy->parts[1] = memcpy(text, path, length + 1);
	copy->text = text + length + 1;
	copy->rest = copy->text + kind;
	snprintf(text + length + 1, size - length - 1, "%.*s%s:%s", (int)kind, at->text, path,
		 behind);
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

static int attach_add(struct bt *b, const struct script_probe *probe,
		      const struct script_attach *at)
{
	struct bt_files files;
	int err = bt_files_find(b->session, at, &files);

	if (!err && !files.is_pattern)
		err = place_add(b, probe, at, at);
	for (size_t i = 0; i < files.count && !err; i++)
		err = file_add(b, probe, at, files.paths[i], files.behind);
	if (!err && files.is_of_process && !b->session->options.tasks.pids.count &&
	    !at->is_of_pattern)
		err = bt_place_fail(b, at, "missing file", "a probe without a path needs -p PID");
	else if (!err && files.is_pattern && !files.count && !at->is_of_pattern && !b->asked.lists)
		err = bt_place_fail(b, at, "unknown program or library", "");
	bt_files_free(&files);
	return err == -ENOENT && at->is_of_pattern ? 0 : err;
}

static int special_add(struct bt *b, const struct script_probe *probe,
		       const struct script_attach *at)
{
	if (at->kind == PROBE_SELF && bt_signal_number(at) < 0)
		return bt_place_fail(b, at, "unknown signal", "self:signal:SIGUSR1");
	if (at->kind == PROBE_ITER && at->is_of_pattern)
		return 0;
	if (at->kind == PROBE_ITER && at->part_count > 3)
		return bt_place_fail(
			b, at, "this probe cannot be parsed",
			"iter:NAME, iter:NAME:FILE; FILE is a path, or below /sys/fs/bpf");
	b->specials[b->special_count++] = (struct bt_special){
		.probe = probe, .attach = at, .fd = -1, .walk_fd = -1, .period = bt_period(at)
	};
	return 0;
}

static bool stmts_walk_maps(struct script_stmt *first);

/* for ($kv : @map), len(@map) */
static void walk_find(struct script_expr *e, void *ctx)
{
	if (e->kind == X_CALL && !strcmp(e->name, "len"))
		*(bool *)ctx |= e->count == 1 && e->items[0]->kind == X_MAP;
	else if (e->kind == X_BLOCK)
		*(bool *)ctx |= stmts_walk_maps(e->body);
}

static bool stmts_walk_maps(struct script_stmt *first)
{
	bool found = false;

	for (struct script_stmt *s = first; s && !found; s = s->next)
		found = s->kind == S_FOR_MAP || stmts_walk_maps(s->body) ||
			stmts_walk_maps(s->otherwise);
	script_walk_stmts(first, walk_find, &found);
	return found;
}

/* True for an interval that walks a map where the kernel does not let programs do that: this process runs it. */
static bool is_late(const struct script_probe *p, const struct script_attach *at)
{
	return at->kind == PROBE_INTERVAL && !at->is_of_pattern && stmts_walk_maps(p->body);
}

int bt_places_add_late(struct bt *b)
{
	const struct script *script = b->script;
	int err = 0;

	for (size_t i = 0; i < script->probe_count && !err; i++) {
		const struct script_probe *p = &script->probes[i];

		for (size_t j = 0; j < p->attach_count && !err; j++) {
			if (!is_late(p, &p->attaches[j]))
				continue;
			err = b->world.has_for_each || !bt_period(&p->attaches[j]) ?
				      attach_add(b, p, &p->attaches[j]) :
				      special_add(b, p, &p->attaches[j]);
		}
	}
	return err;
}

static bool is_test(enum script_probe_kind kind)
{
	return kind == PROBE_TEST || kind == PROBE_BENCH;
}

/* Reports that --test has no effect without tests. */
static void tests_check(struct bt *b)
{
	for (size_t i = 0; i < b->special_count; i++)
		if (is_test(b->specials[i].attach->kind))
			return;
	b->asked.tested = PROBE_BEGIN;
}

int bt_places_add(struct bt *b)
{
	const struct script *script = b->script;
	bool has_late = false;
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

			has_late |= is_late(p, at);
			if (is_late(p, at))
				continue;
			if (at->kind == PROBE_REPORT && b->tool && b->tool->may_report &&
			    !b->tool->reports)
				continue;
			if (at->kind == PROBE_REPORT && !(b->tool && b->tool->reports))
				err = bt_place_fail(
					b, at,
					"report is a probe of recipes, at the start of a line",
					"in other programs, print in end or interval:s:1");
			else if (b->asked.lists && bt_is_listed_event(at))
				continue;
			else if (bt_is_special(at->kind) ||
				 (is_test(at->kind) && at->kind == b->asked.tested))
				err = special_add(b, p, at);
			else if (!is_test(at->kind))
				err = attach_add(b, p, at);
		}
	}
	if (!err && script->probe_count && !b->place_count && !b->special_count && !has_late &&
	    !b->asked.lists)
		err = bt_place_fail(
			b, script->probes[0].attaches, "the program has only tests",
			"run probes of test: with --test, those of bench: with --bench");
	tests_check(b);
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
