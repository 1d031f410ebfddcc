/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.c - recognizes the notation of an old definition, and translates it.
 *
 *	kprobe_events.c		p r f t e - : the target
 *	fetcharg.c		recorded values
 *	fetcharg_type.c		their types
 *	function_events.c	function_events prototypes
 *	renamed.c		functions and system calls with new names
 *	legacy_parse.c		shared by all of them
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/legacy/legacy_parse.h"
#include "expr/hints.h"

/*
 * ---- probes as bpftrace, bcc and perf name them (hints.def) ----
 *
 *	foreign	= prefix name { "," [prefix] name }
 */

static bool is_foreign(const char *text)
{
	const struct hint_probe *row = hint_probe_find(text);

	return row && (*text != '/' || strchr(text, ':'));
}

/* The names, without the prefix that may be before each of them. */
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

/* Fails on bpftrace's filters and actions, which follow a blank. */
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

static void read_foreign(struct old *o)
{
	const struct hint_probe *row = hint_probe_find(o->text + o->at);
	uint32_t start = o->at;
	const char *text;

	o->at += strlen(row->prefix);
	if (!row->before) {
		legacy_fail(o, start, o->at, "unknown kind of probe %.*s", (int)(o->at - start - 1),
			    o->text + start);
		legacy_hint(o, "%s", row->why);
		return;
	}
	check_end(o);
	if (o->at == o->end)
		legacy_fail(o, start, o->end, "the name is missing");
	text = names(o, row);
	text = legacy_print(o, "%s%s%s", row->before, text,
			    strstr(text, "%return") ? "" : row->after);
	legacy_note(o, "%.*s is %s in coretap's words", (int)(o->end - start), o->text + start,
		    text);
	o->probe->probe = text;
}

/* ---- which notation ---- */

/* True for do_sys_open( … : a name, then a parenthesis. 'tcp_*(struct sock *)' is a pattern
 * instead. */
static bool is_prototype(const char *text)
{
	size_t len = 0;

	while (legacy_is_name(text[len], !len))
		len++;
	return len && text[len + strspn(text + len, " \t")] == '(';
}

/* Returns the length of the first word: p  r10:name  f:group/name  -:name  :name. 0: not a
 * definition. */
static size_t head_length(const char *text)
{
	size_t len;

	if (!*text || !strchr("prfte-:", *text))
		return 0;
	len = *text == ':' ? 0 : 1 + strspn(text + 1, "0123456789");
	if (text[len] == ':')
		len += 1 + strcspn(text + len + 1, " \t,:");
	return len;
}

/* t:sched_switch is a tracepoint in coretap's language. In an old definition an event's name
 * follows the t:, so it must have a group (t:grp/ev), or a blank inside the word. */
static bool is_tracepoint(const char *first, const char *rest)
{
	return !strncmp(first, "t:", 2) && (!*rest || *rest == ',') &&
	       !memchr(first, '/', rest - first) && !memchr(first, '.', rest - first);
}

size_t legacy_words(const char *const *words, size_t count)
{
	const char *first, *rest;

	if (!count)
		return 0;
	first = words[0] + strspn(words[0], " \t\n");
	if (is_prototype(first) || is_foreign(first))
		return 1;
	rest = first + head_length(first);
	if (rest == first || *rest == ':' || is_tracepoint(first, rest))
		return 0;
	if (*rest)
		return strchr(" \t\n,", *rest) ? 1 : 0;
	if (count > 1 && *first != '-' && *first != ':')
		return count;
	/* p:FUNCTION, as in perf-tools; no module is named p */
	return strchr("pr-:", *first) && rest > first + 1 ? 1 : 0;
}

static void read_definition(struct old *o)
{
	size_t len = strlen(o->text);

	if (len > TEXT_MAX) {
		legacy_fail(o, 0, 0, "longer than %d bytes", TEXT_MAX);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)o->text[i] < ' ' && !strchr("\t\n", o->text[i]))
			legacy_fail(o, i, i + 1, "byte 0x%02x is not expected here",
				    (unsigned char)o->text[i]);
	}
	if (strchr(o->text, '#')) { /* a comment */
		len = strcspn(o->text, "#");
		o->text = legacy_print(o, "%.*s", (int)len, o->text);
	}
	while (len && strchr(" \t\n", o->text[len - 1]))
		len--;
	o->end = len;
	while (o->at < o->end && strchr(" \t\n", o->text[o->at]))
		o->at++;
	if (is_prototype(o->text + o->at))
		legacy_prototype(o);
	else if (is_foreign(o->text + o->at))
		read_foreign(o);
	else if (head_length(o->text + o->at))
		legacy_kprobe(o);
	else
		legacy_fail(o, o->at, o->end,
			    "this is not a definition in one of the kernel's notations");
}

int legacy_translate(const char *definition, legacy_exists *exists, const void *context,
		     struct legacy_probe **out, struct expr_error *error)
{
	struct old_result *r = calloc(1, sizeof(*r));
	struct old o = { .text = definition,
			 .exists = exists,
			 .context = context,
			 .result = r,
			 .error = error };

	*error = (struct expr_error){ .text = (size_t)-1 };
	*out = NULL;
	if (!r)
		return -ENOMEM;
	o.probe = &r->probe;
	r->probe.texts = r->texts;
	r->probe.notes = r->notes;
	read_definition(&o);
	if (o.err)
		legacy_free(&r->probe);
	else
		*out = &r->probe;
	return o.err;
}

void legacy_free(struct legacy_probe *p)
{
	struct old_result *r = (struct old_result *)p;

	if (!r)
		return;
	arena_free(&r->arena);
	free(r);
}
