/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.c - parses a probe: its attach points, its predicate, its block.
 *
 * Attach points are not lexemes: names of files and functions may contain almost any character. One ends at a blank,
 * a comma, a brace, or the slash of a predicate.
 */
#include <ctype.h>
#include <string.h>

#include "script/syntax/parser.h"
#include "util/array.h"

enum { ATTACHES_MAX = 4096 };

/* True if the kind has names that the program makes up: bpftrace lets them have blanks. */
static bool has_own_name(const char *kind, size_t length)
{
	return (length == 4 && !memcmp(kind, "test", 4)) ||
	       (length == 5 && !memcmp(kind, "bench", 5));
}

/* True if the name goes on behind the blanks at `at`. */
static bool goes_on(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at < end && !isspace((unsigned char)*at) && !strchr("{/,", *at);
}

/* Returns the end of the attach point that begins at `from`. */
static const char *attach_end(const struct parser *p, const char *from)
{
	const char *end = p->in.source->end, *at = from, *colon = NULL, *name = from;
	bool in_quotes = false;

	for (; at < end; at++) {
		char c = *at;

		if (in_quotes) {
			at += c == '\\' && at + 1 < end;
			in_quotes = c != '"';
			continue;
		}
		if ((c == ' ' || c == '\t') && colon && has_own_name(name, colon - name) &&
		    goes_on(at, end))
			continue;
		if (isspace((unsigned char)c) || c == ',' || c == '{')
			break;
		if (c == '/' && !(colon && attach_has_path(name, colon - name)))
			break;
		if (c == '=' && !colon)
			name = at + 1;
		if (c == ':' && !colon)
			colon = at;
		in_quotes = c == '"';
	}
	return at;
}

/* Parses the attach point that begins at the next lexeme, and reads the lexeme after it. */
static void attach_next(struct parser *p, struct script_attach *a)
{
	const char *from = p->in.from, *end = attach_end(p, from);

	if (p->in.t.kind == LEX_END || end == from) {
		syn_expected(p, "a probe");
		return;
	}
	attach_parse(p, from, end - from, a);
	p->in.pending = NULL;
	p->in.at = end;
	p->in.t.span = a->span;
	syn_advance(p);
}

static bool attach_append(struct parser *p, struct script_probe *probe, size_t *room,
			  const struct script_attach *a)
{
	struct script_attach *more;

	if (probe->attach_count == ATTACHES_MAX) {
		syn_fail(p, p->in.t.span, "a probe has at most %d attach points", ATTACHES_MAX);
		return false;
	}
	if (probe->attach_count == *room) {
		*room = *room ? 2 * *room : 4;
		more = script_alloc(p->c, *room * sizeof(*more));
		if (!more)
			return false;
		for (size_t i = 0; i < probe->attach_count; i++)
			more[i] = probe->attaches[i];
		probe->attaches = more;
	}
	probe->attaches[probe->attach_count++] = *a;
	return true;
}

static bool attach_add(struct parser *p, struct script_probe *probe, size_t *room)
{
	struct script_attach a = { 0 }, kinds[ATTACH_KINDS_MAX];
	size_t count;

	attach_next(p, &a);
	if (p->c->err)
		return false;
	count = attach_kinds(p, &a, kinds);
	for (size_t i = 0; i < count; i++)
		if (!attach_append(p, probe, room, &kinds[i]))
			return false;
	return !p->c->err && (count || attach_append(p, probe, room, &a));
}

static void attaches_parse(struct parser *p, struct script_probe *probe)
{
	size_t room = 0;

	probe->span.start = p->in.t.span.start;
	do {
		if (probe->attach_count && (syn_is(p, "/") || syn_is(p, "{")))
			break;
		if (!attach_add(p, probe, &room))
			return;
		probe->span.end = p->in.last.end;
	} while (syn_accept(p, ","));
}

static void predicate_parse(struct parser *p, struct script_probe *probe)
{
	if (!syn_accept(p, "/"))
		return;
	probe->condition = syn_expression(p);
	if (probe->condition && !syn_accept(p, "/"))
		syn_expected(p, "'/' to end the predicate, and '{' after it");
}

void syn_probe(struct parser *p)
{
	struct script_probe *probe;

	if (!array_reserve(&p->probes, p->probe_count, &p->probe_room, 8, sizeof(*p->probes))) {
		p->c->err = -ENOMEM;
		return;
	}
	probe = &p->probes[p->probe_count];
	*probe = (struct script_probe){ .number = p->probe_count };
	attaches_parse(p, probe);
	predicate_parse(p, probe);
	if (p->c->err)
		return;
	if (!syn_is(p, "{")) {
		syn_expected(p, "'{' after the probe");
		return;
	}
	probe->body = syn_body(p, &probe->body_span);
	p->probe_count++;
}
