/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.c - recognizes the notation of an old definition; shared by its readers: errors, memory,
 * small steps over the text.
 *
 *	kprobe_events.c	p r f t e - : what is probed
 *	places.c	which part of it a part of the translation stands for
 *	fetcharg.c	what they record
 *	fetcharg_type.c	how it is shown
 *	function_events.c	function_events prototypes
 *	foreign.c	probes as other tracers name them
 *	renamed.c	functions and system calls with new names
 */
#include "expr/legacy/legacy_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct old_result {
	struct legacy_probe probe; /* first, because the caller has a pointer to it */
	struct arena arena;
	struct legacy_text texts[SLOTS_MAX];
	const char *notes[SLOTS_MAX];
};

/* ---- errors and results ---- */

void legacy_fail(struct old *o, uint32_t start, uint32_t end, const char *fmt, ...)
{
	va_list args;

	if (o->err)
		return;
	o->err = -EINVAL;
	o->error->start = start;
	o->error->end = end;
	va_start(args, fmt);
	vsnprintf(o->error->message, sizeof(o->error->message), fmt, args);
	va_end(args);
}

void legacy_hint(struct old *o, const char *fmt, ...)
{
	va_list args;

	if (o->err != -EINVAL || o->error->hint[0])
		return;
	va_start(args, fmt);
	vsnprintf(o->error->hint, sizeof(o->error->hint), fmt, args);
	va_end(args);
}

void *legacy_alloc(struct old *o, size_t size)
{
	void *bytes = arena_alloc(&o->result->arena, size);

	if (!bytes)
		o->err = -ENOMEM;
	return bytes;
}

static const char *print(struct old *o, const char *fmt, va_list args)
{
	char *text, *copy;
	int len = vasprintf(&text, fmt, args);

	copy = len < 0 ? NULL : arena_text(&o->result->arena, text, len);
	if (len >= 0)
		free(text);
	if (!copy)
		o->err = -ENOMEM;
	return copy ? copy : "";
}

const char *legacy_print(struct old *o, const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = print(o, fmt, args);
	va_end(args);
	return text;
}

void legacy_note(struct old *o, const char *fmt, ...)
{
	va_list args;

	if (o->probe->note_count == sizeof(o->result->notes) / sizeof(o->result->notes[0]))
		return;
	va_start(args, fmt);
	o->result->notes[o->probe->note_count++] = print(o, fmt, args);
	va_end(args);
}

static bool is_named(const struct legacy_text *t, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(t->text, name, len) && t->text[len] == '=';
}

/* What every event has already. */
static bool is_common(const char *name)
{
	static const char *const names[] = { "common_type",	     "common_flags",
					     "common_preempt_count", "common_pid",
					     "common_tgid",	     "__probe_ip",
					     "__probe_ret_ip",	     "__probe_func" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Two values of an event have two names. */
static void name_check(struct old *o, const char *name, uint32_t start, uint32_t end)
{
	bool is_taken = is_common(name);

	for (size_t i = 0; i < o->result->probe.count; i++)
		is_taken |= is_named(&o->result->texts[i], name);
	if (!is_taken)
		return;
	legacy_fail(o, start, end, "the name %s is taken already", name);
	legacy_hint(o, "NAME=… with another name");
}

/* function_events allows two fields of the same name, expressions do not. */
static const char *name_unique(struct old *o, const char *name)
{
	const struct old_result *r = o->result;
	const char *unique = name;
	unsigned number = 1;

	for (size_t i = 0; i < r->probe.count && !o->err; i++) {
		if (!is_named(&r->texts[i], unique))
			continue;
		unique = legacy_print(o, "%s_%u", name, ++number);
		i = (size_t)-1; /* starts again from the first */
	}
	if (unique != name)
		legacy_note(o, "two values are called %s: one of them is shown as %s", name,
			    unique);
	return unique;
}

void legacy_text_add(struct old *o, const char *name, const char *expr, uint32_t start,
		     uint32_t end)
{
	struct old_result *r = o->result;
	size_t i = r->probe.count;

	if (i == SLOTS_MAX) {
		legacy_fail(o, start, end, "more than %d arguments", SLOTS_MAX);
		legacy_hint(o, "the rest in a second run; $arg* is one word for all parameters");
		return;
	}
	if (name) {
		size_t len = strlen(name);
		bool typed = !strncmp(o->text + start, name, len) && o->text[start + len] == '=';

		if (o->kind != LEGACY_PROTOTYPE)
			name_check(o, name, start, typed ? start + (uint32_t)len : end);
		name = name_unique(o, name);
		if (typed)
			name = legacy_mark(o, name, start, start + len);
		expr = legacy_print(o, "%s=%s", name, expr);
	}
	r->texts[i] = (struct legacy_text){ .text = expr, .start = start, .end = end };
	legacy_unmark(o, &r->texts[i]);
	r->probe.count++;
}

/* ---- steps ---- */

bool legacy_accept(struct old *o, char c)
{
	if (o->err || legacy_peek(o) != c || !c)
		return false;
	o->at++;
	return true;
}

bool legacy_accept_text(struct old *o, const char *text)
{
	size_t len = strlen(text);

	if (o->err || o->end - o->at < len || strncmp(o->text + o->at, text, len))
		return false;
	o->at += len;
	return true;
}

void legacy_expect(struct old *o, char c)
{
	if (o->err || legacy_accept(o, c))
		return;
	if (o->at == o->end)
		legacy_fail(o, o->at, o->at, "'%c' expected at the end", c);
	else
		legacy_fail(o, o->at, o->at + 1, "'%c' expected, not '%c'", c, legacy_peek(o));
}

bool legacy_is_name(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

uint32_t legacy_name_length(const struct old *o, uint32_t at)
{
	uint32_t start = at;

	while (at < o->end && legacy_is_name(o->text[at], at == start))
		at++;
	return at - start;
}

const char *legacy_name(struct old *o, const char *what)
{
	uint32_t len = legacy_name_length(o, o->at), start = o->at;

	if (!len && !o->err)
		legacy_fail(o, start, start + (start < o->end), "%s expected%s", what,
			    start < o->end ? "" : " at the end");
	if (o->err)
		return "";
	o->at += len;
	return legacy_print(o, "%.*s", (int)len, o->text + start);
}

uint64_t legacy_number(struct old *o, const char *what)
{
	uint32_t start = o->at;
	uint64_t number = 0;
	char digits[32], *end;

	while (o->at < o->end && legacy_is_name(o->text[o->at], false))
		o->at++;
	snprintf(digits, sizeof(digits), "%.*s", (int)(o->at - start), o->text + start);
	errno = 0;
	if (digits[0] >= '0' && digits[0] <= '9' && o->at - start < sizeof(digits)) {
		number = strtoull(digits, &end, 0);
		if (!*end && !errno)
			return number;
	}
	if (o->at == start)
		legacy_fail(o, start, start + (start < o->end), "%s expected", what);
	else
		legacy_fail(o, start, o->at, "'%.*s' is not a valid %s", (int)(o->at - start),
			    o->text + start, what);
	return 0;
}

/* ---- which notation ---- */

/* do_sys_open( … : a name, then a parenthesis. 'tcp_*(struct sock *)' is a pattern instead. */
static bool is_prototype(const char *text)
{
	size_t len = 0;

	while (legacy_is_name(text[len], !len))
		len++;
	return len && text[len + strspn(text + len, " \t")] == '(';
}

/* p  r10:name  f:group/name  -:name  :name : the length of the first word; 0: not a definition. */
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

/* t:sched_switch is a tracepoint in the language of coretap. In an old definition the name of an event
 * comes there, so it is one only with a blank inside the word, or with a group: t:grp/ev. */
static bool is_tracepoint(const char *first, const char *behind)
{
	return !strncmp(first, "t:", 2) && (!*behind || *behind == ',') &&
	       !memchr(first, '/', behind - first) && !memchr(first, '.', behind - first);
}

size_t legacy_words(const char *const *words, size_t count)
{
	const char *first, *behind;

	if (!count)
		return 0;
	first = words[0] + strspn(words[0], " \t\n");
	if (is_prototype(first) || legacy_is_foreign(first))
		return 1;
	behind = first + head_length(first);
	if (behind == first || *behind == ':' || is_tracepoint(first, behind))
		return 0;
	if (*behind)
		return strchr(" \t\n,", *behind) ? 1 : 0;
	if (count > 1 && *first != '-' && *first != ':')
		return count;
	/* p:FUNCTION, as in perf-tools; no module is called p */
	return strchr("pr-:", *first) && behind > first + 1 ? 1 : 0;
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
	else if (legacy_is_foreign(o->text + o->at))
		legacy_foreign(o);
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
