// SPDX-License-Identifier: GPL-2.0
/*
 * old.c - which of the old notations a definition is in, and what their readers share: errors,
 * memory, small steps over the text.
 *
 *	old_kprobe.c	p r f t e - : what is probed
 *	old_fetch.c	what they record
 *	old_show.c	how it is shown
 *	old_function.c	function_events prototypes
 *	old_name.c	functions and system calls that are called otherwise today
 */
#include "expr/old_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct old_result {
	struct old_probe probe; /* first: what the caller has a pointer to */
	struct arena arena;
	struct old_text texts[SLOTS_MAX];
	const char *notes[4];
};

/* ---- errors and results ---- */

void old_fail(struct old *o, uint32_t start, uint32_t end, const char *fmt, ...)
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

void old_hint(struct old *o, const char *fmt, ...)
{
	va_list args;

	if (o->err != -EINVAL || o->error->hint[0])
		return;
	va_start(args, fmt);
	vsnprintf(o->error->hint, sizeof(o->error->hint), fmt, args);
	va_end(args);
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

const char *old_print(struct old *o, const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = print(o, fmt, args);
	va_end(args);
	return text;
}

void old_note(struct old *o, const char *fmt, ...)
{
	va_list args;

	if (o->probe->note_count == sizeof(o->result->notes) / sizeof(o->result->notes[0]))
		return;
	va_start(args, fmt);
	o->result->notes[o->probe->note_count++] = print(o, fmt, args);
	va_end(args);
}

void old_text_add(struct old *o, const char *name, const char *expr, uint32_t start, uint32_t end)
{
	struct old_result *r = o->result;
	size_t i = r->probe.count;

	if (i == SLOTS_MAX) {
		old_fail(o, start, end, "more than %d arguments", SLOTS_MAX);
		return;
	}
	if (name)
		expr = old_print(o, "%s=%s", name, expr);
	r->texts[i] = (struct old_text){ expr, start, end };
	r->probe.count++;
}

/* ---- steps ---- */

bool old_accept(struct old *o, char c)
{
	if (o->err || old_peek(o) != c || !c)
		return false;
	o->at++;
	return true;
}

bool old_accept_text(struct old *o, const char *text)
{
	size_t len = strlen(text);

	if (o->err || o->end - o->at < len || strncmp(o->text + o->at, text, len))
		return false;
	o->at += len;
	return true;
}

void old_expect(struct old *o, char c)
{
	if (o->err || old_accept(o, c))
		return;
	if (o->at == o->end)
		old_fail(o, o->at, o->at, "'%c' expected at the end", c);
	else
		old_fail(o, o->at, o->at + 1, "'%c' expected, not '%c'", c, old_peek(o));
}

bool old_is_name(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

uint32_t old_name_length(const struct old *o, uint32_t at)
{
	uint32_t start = at;

	while (at < o->end && old_is_name(o->text[at], at == start))
		at++;
	return at - start;
}

const char *old_name(struct old *o, const char *what)
{
	uint32_t len = old_name_length(o, o->at), start = o->at;

	if (!len && !o->err)
		old_fail(o, start, start + (start < o->end), "%s expected%s", what,
			 start < o->end ? "" : " at the end");
	if (o->err)
		return "";
	o->at += len;
	return old_print(o, "%.*s", (int)len, o->text + start);
}

uint64_t old_number(struct old *o, const char *what)
{
	uint32_t start = o->at;
	uint64_t number = 0;
	char digits[32], *end;

	while (o->at < o->end && old_is_name(o->text[o->at], false))
		o->at++;
	snprintf(digits, sizeof(digits), "%.*s", (int)(o->at - start), o->text + start);
	errno = 0;
	if (digits[0] >= '0' && digits[0] <= '9' && o->at - start < sizeof(digits)) {
		number = strtoull(digits, &end, 0);
		if (!*end && !errno)
			return number;
	}
	if (o->at == start)
		old_fail(o, start, start + (start < o->end), "%s expected", what);
	else
		old_fail(o, start, o->at, "'%.*s' is no %s", (int)(o->at - start),
			 o->text + start, what);
	return 0;
}

/* ---- which notation ---- */

/* do_sys_open( … : a name, then a parenthesis. 'tcp_*(struct sock *)' has a pattern. */
static bool is_prototype(const char *text)
{
	size_t len = 0;

	while (old_is_name(text[len], !len))
		len++;
	return len && text[len + strspn(text + len, " \t")] == '(';
}

/* p  r10:name  f:group/name  -:name  :name : the length of the first word, 0: it is no such thing. */
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

size_t old_words(const char *const *words, size_t count)
{
	const char *first, *behind;

	if (!count)
		return 0;
	first = words[0] + strspn(words[0], " \t\n");
	if (is_prototype(first))
		return 1;
	behind = first + head_length(first);
	if (behind == first || *behind == ':')
		return 0;
	if (*behind)
		return strchr(" \t\n,", *behind) ? 1 : 0;
	if (count > 1 && *first != '-' && *first != ':')
		return count;
	/* p:FUNCTION, as perf-tools have it; no module is called p */
	return strchr("pr-:", *first) && behind > first + 1 ? 1 : 0;
}

static void read_definition(struct old *o)
{
	size_t len = strlen(o->text);

	if (len > TEXT_MAX) {
		old_fail(o, 0, 0, "longer than %d bytes", TEXT_MAX);
		return;
	}
	while (len && strchr(" \t\n", o->text[len - 1]))
		len--;
	o->end = len;
	while (o->at < o->end && strchr(" \t\n", o->text[o->at]))
		o->at++;
	if (is_prototype(o->text + o->at))
		old_prototype(o);
	else if (head_length(o->text + o->at))
		old_kprobe(o);
	else
		old_fail(o, o->at, o->end, "this is no definition in one of the kernel's notations");
}

int old_translate(const char *definition, old_exists *exists, const void *context,
                  struct old_probe **out, struct expr_error *error)
{
	struct old_result *r = calloc(1, sizeof(*r));
	struct old o = { .text = definition, .exists = exists, .context = context,
			 .result = r, .error = error };

	*error = (struct expr_error){ .text = (size_t)-1 };
	*out = NULL;
	if (!r)
		return -ENOMEM;
	o.probe = &r->probe;
	r->probe.texts = r->texts;
	r->probe.notes = r->notes;
	read_definition(&o);
	if (o.err)
		old_free(&r->probe);
	else
		*out = &r->probe;
	return o.err;
}

void old_free(struct old_probe *p)
{
	struct old_result *r = (struct old_result *)p;

	if (!r)
		return;
	arena_free(&r->arena);
	free(r);
}
