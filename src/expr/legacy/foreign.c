/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * foreign.c - probes as bpftrace, bcc and perf name them (hints.def):
 *
 *	foreign	= prefix name { "," [prefix] name }
 */
#include <string.h>

#include "expr/hints.h"
#include "expr/legacy/legacy_parse.h"

bool legacy_is_foreign(const char *text)
{
	const struct hint_probe *row = hint_probe_find(text);

	return row && (*text != '/' || strchr(text, ':'));
}

/* The names without the prefix, which may stand before each of them. */
static const char *names(struct old *o, const struct hint_probe *row)
{
	size_t len = strlen(row->prefix);
	const char *text = "", *comma;
	uint32_t from = o->at;

	while ((comma = memchr(o->text + from, ',', o->end - from))) {
		uint32_t next = comma + 1 - o->text;

		text = legacy_print(o, "%s%.*s", text, (int)(next - from), o->text + from);
		while (next < o->end && o->text[next] == ' ')
			next++;
		from = next + (strncmp(o->text + next, row->prefix, len) ? 0 : len);
	}
	return legacy_print(o, "%s%.*s", text, (int)(o->end - from), o->text + from);
}

/* bpftrace's filters and actions come behind a blank. */
static void check_end(struct old *o)
{
	uint32_t at = o->at;

	while (at < o->end && (!strchr(" \t\n{", o->text[at]) || o->text[at - 1] == ','))
		at++;
	if (at == o->end)
		return;
	legacy_fail(o, at + strspn(o->text + at, " \t\n"), o->end,
		    "only a probe, not a script of another tracer, is accepted here");
	legacy_hint(o, "%s", hint_find(HINT_SIGN, "{", 1));
}

void legacy_foreign(struct old *o)
{
	const struct hint_probe *row = hint_probe_find(o->text + o->at);
	uint32_t start = o->at;
	const char *text;

	o->at += strlen(row->prefix);
	if (!row->before) {
		legacy_fail(o, start, o->at, "there are no %.*s probes", (int)(o->at - start - 1),
			    o->text + start);
		legacy_hint(o, "%s", row->why);
		return;
	}
	check_end(o);
	if (o->at == o->end)
		legacy_fail(o, start, o->end, "the name is missing");
	text = names(o, row);
	text = legacy_print(o, "%s%s%s", row->before, text,
			    strstr(text, "%return") ? "" : row->behind);
	legacy_note(o, "%.*s is %s in coretap's words", (int)(o->end - start), o->text + start,
		    text);
	o->probe->probe = text;
}
