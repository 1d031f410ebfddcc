/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy_parse.c - shared by the readers of old notations: errors, results, places, steps over
 * the text.
 */
#include "expr/legacy/legacy_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* lives as long as the result */
static void *legacy_alloc(struct old *o, size_t size)
{
	void *bytes = arena_alloc(&o->result->arena, size);

	if (!bytes)
		o->err = -ENOMEM;
	return bytes;
}

static const char *print(struct old *o, const char *fmt, va_list args)
{
	const char *text = arena_print(&o->result->arena, fmt, args);

	if (!text)
		o->err = -ENOMEM;
	return text ?: "";
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

/*
 * ---- places: the part of the definition that a part of the translation comes from ----
 *
 * In an unfinished translation, a part with a place is between marks: MARK start ',' end ';' text
 * MARK_END. Marks can be nested. The finished text has none.
 */

enum { MARK = '\1', MARK_END = '\2' };

const char *legacy_mark(struct old *o, const char *text, uint32_t start, uint32_t end)
{
	return legacy_print(o, "%c%u,%u;%s%c", MARK, start, end, text, MARK_END);
}

static size_t marks_count(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == MARK;
	return count;
}

/* Reads the numbers after a mark; returns the text that follows. */
static const char *mark_read(const char *text, struct legacy_place *place, size_t at)
{
	char *end;

	*place = (struct legacy_place){ .at = at, .start = strtoul(text + 1, &end, 10) };
	place->end = strtoul(end + 1, &end, 10);
	return end + 1;
}

/* Removes the marks of t->text, and fills in the places. */
static void legacy_unmark(struct old *o, struct legacy_text *t)
{
	size_t count = marks_count(t->text), len = 0;
	struct legacy_place *places = legacy_alloc(o, (count + 1) * sizeof(*places));
	char *plain = legacy_alloc(o, strlen(t->text) + 1);

	if (!places || !plain)
		return;
	for (const char *from = t->text; *from;) {
		if (*from == MARK) {
			from = mark_read(from, &places[t->place_count++], len);
			continue;
		}
		if (*from == MARK_END) {
			size_t open = t->place_count;

			while (open && places[open - 1].at_end)
				open--;
			if (open)
				places[open - 1].at_end = len ?: 1;
			from++;
			continue;
		}
		plain[len++] = *from++;
	}
	t->text = plain;
	t->places = places;
}

void legacy_place_find(const struct legacy_text *t, size_t *start, size_t *end)
{
	struct legacy_place best = { .start = t->start, .end = t->end };
	size_t narrowest = (size_t)-1;

	for (size_t i = 0; i < t->place_count; i++) {
		const struct legacy_place *p = &t->places[i];

		if (p->at > *start || p->at_end < *end || p->at_end - p->at > narrowest)
			continue;
		best = *p;
		narrowest = p->at_end - p->at;
	}
	*start = best.start;
	*end = best.end;
}

/* ---- expressions ---- */

static bool is_named(const struct legacy_text *t, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(t->text, name, len) && t->text[len] == '=';
}

/* True for a field that every event has. */
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

/* Fails if another value of the event has this name. */
static void name_check(struct old *o, const char *name, uint32_t start, uint32_t end)
{
	bool is_taken = is_common(name);

	for (size_t i = 0; i < o->result->probe.count; i++)
		is_taken |= is_named(&o->result->texts[i], name);
	if (!is_taken)
		return;
	legacy_fail(o, start, end, "the name %s is already in use", name);
	legacy_hint(o, "NAME=… with another name");
}

/* function_events allows two fields of the same name, expressions do not: appends a number. */
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
		legacy_hint(o, "record the rest in a second run; $arg* stands for all parameters");
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

void legacy_blanks(struct old *o)
{
	while (o->at < o->end && strchr(" \t\n", o->text[o->at]))
		o->at++;
}

/* Only prototypes have blanks between tokens. */
static void skip(struct old *o)
{
	if (o->kind == LEGACY_PROTOTYPE)
		legacy_blanks(o);
}

bool legacy_accept(struct old *o, char c)
{
	skip(o);
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
	skip(o);
	if (o->err || legacy_accept(o, c))
		return;
	if (o->at == o->end)
		legacy_fail(o, o->at, o->at, "expected '%c' at the end", c);
	else
		legacy_fail(o, o->at, o->at + 1, "expected '%c', not '%c'", c, legacy_peek(o));
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
	uint32_t len, start;

	skip(o);
	start = o->at;
	len = legacy_name_length(o, start);
	if (!len && !o->err)
		legacy_fail(o, start, start + (start < o->end), "expected %s%s", what,
			    start < o->end ? "" : " at the end");
	if (o->err)
		return "";
	o->at += len;
	return legacy_print(o, "%.*s", (int)len, o->text + start);
}

uint64_t legacy_number(struct old *o, const char *what)
{
	uint64_t number = 0;
	char digits[32], *end;
	uint32_t start;

	skip(o);
	start = o->at;
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
		legacy_fail(o, start, start + (start < o->end), "expected %s", what);
	else
		legacy_fail(o, start, o->at, "'%.*s' is not a valid %s", (int)(o->at - start),
			    o->text + start, what);
	return 0;
}

/* ---- fetched values as text ---- */

const char *legacy_address(struct old *o, const struct legacy_fetch *f)
{
	if (!f->offset)
		return f->text;
	return legacy_print(o, "%s%s %c %llu", f->integer ? "" : "(u64)", f->text,
			    f->negative ? '-' : '+', (unsigned long long)f->offset);
}

const char *legacy_pointer(struct old *o, const struct legacy_fetch *f, const char *type)
{
	return legacy_print(o, "(%s %s*)%s%s%s", type, f->user ? "__user " : "",
			    f->offset ? "(" : "", legacy_address(o, f), f->offset ? ")" : "");
}

const char *legacy_value(struct old *o, const struct legacy_fetch *f, const char *type)
{
	if (f->kind == LEGACY_FETCH_MEMORY)
		return legacy_print(o, "*%s", legacy_pointer(o, f, type));
	return f->text;
}
