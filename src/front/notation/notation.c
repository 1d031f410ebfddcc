/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation.c - the translation of a one-liner: texts with places, notes, the first error.
 */
#include "front/notation/notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "expr/legacy/legacy.h"
#include "util/buf.h"

void notation_free(struct notation *n)
{
	arena_free(&n->arena);
}

static void fail(struct notation *n, size_t start, size_t end, const char *hint, const char *fmt,
		 va_list args)
{
	if (n->failed)
		return;
	n->failed = true;
	n->error.start = start;
	n->error.end = end < start ? start : end;
	vsnprintf(n->error.message, sizeof(n->error.message), fmt, args);
	snprintf(n->error.hint, sizeof(n->error.hint), "%s", hint ?: "");
	n->token = NOTATION_END;
	n->at = n->limit;
}

void notation_fail(struct notation *n, size_t start, size_t end, const char *hint, const char *fmt,
		   ...)
{
	va_list args;

	va_start(args, fmt);
	fail(n, start, end, hint, fmt, args);
	va_end(args);
}

void notation_fail_node(struct notation *n, const struct notation_node *node, const char *hint,
			const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fail(n, node->start, node->end, hint, fmt, args);
	va_end(args);
}

void *notation_alloc(struct notation *n, size_t size)
{
	void *memory = arena_alloc(&n->arena, size);

	if (!memory)
		notation_fail(n, 0, 0, NULL, "out of memory");
	return memory;
}

static const char *print(struct notation *n, const char *fmt, va_list args)
{
	char *text = NULL;
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len >= 0)
		text = notation_alloc(n, len + 1);
	if (!text)
		return "";
	vsnprintf(text, len + 1, fmt, args);
	return text;
}

const char *notation_print(struct notation *n, const char *fmt, ...)
{
	const char *text;
	va_list args;

	va_start(args, fmt);
	text = print(n, fmt, args);
	va_end(args);
	return text;
}

const char *notation_copy(struct notation *n, size_t start, size_t end)
{
	return notation_print(n, "%.*s", (int)(end - start), n->text + start);
}

void notation_note(struct notation *n, const char *fmt, ...)
{
	const char *note;
	va_list args;

	va_start(args, fmt);
	note = print(n, fmt, args);
	va_end(args);
	for (size_t i = 0; i < n->note_count; i++)
		if (!strcmp(n->notes[i], note))
			return;
	if (n->note_count < NOTATION_NOTES_MAX)
		n->notes[n->note_count++] = note;
}

/* ---- texts with places ---- */

struct joined {
	struct buf text, places;
};

static void part_add(struct joined *j, const struct model_text *part)
{
	size_t at = j->text.len;

	for (size_t i = 0; i < part->place_count; i++) {
		struct model_place place = part->places[i];

		place.at += at;
		place.at_end += at;
		buf_bytes(&j->places, &place, sizeof(place));
	}
	buf_str(&j->text, part->text);
}

/* Moves the text to n's memory. */
static const struct model_text *joined_end(struct notation *n, struct joined *j)
{
	static const struct model_text none = { .text = "" };
	struct model_text *text = notation_alloc(n, sizeof(*text));
	struct model_place *places = notation_alloc(n, j->places.len + 1);
	char *bytes = notation_alloc(n, j->text.len + 1);

	if (text && places && bytes) {
		memcpy(places, j->places.data ?: "", j->places.len);
		memcpy(bytes, j->text.data ?: "", j->text.len);
		*text = (struct model_text){ .text = bytes,
					     .source = n->text,
					     .places = places,
					     .place_count = j->places.len / sizeof(*places) };
	}
	buf_free(&j->text);
	buf_free(&j->places);
	return text && places && bytes ? text : &none;
}

const struct model_text *notation_join(struct notation *n, const char *fmt, ...)
{
	struct joined j;
	va_list args;

	buf_init(&j.text, -1);
	buf_init(&j.places, -1);
	va_start(args, fmt);
	for (const char *at = fmt; *at; at++) {
		if (*at != '%')
			buf_char(&j.text, *at);
		else if (*++at == 't')
			part_add(&j, va_arg(args, const struct model_text *));
		else if (*at == 's')
			buf_str(&j.text, va_arg(args, const char *));
		else
			abort(); /* the first test detects it */
	}
	va_end(args);
	return joined_end(n, &j);
}

const struct model_text *notation_placed(struct notation *n, const struct model_text *text,
					 size_t start, size_t end)
{
	const struct model_place place = { 0, strlen(text->text), start, end };
	struct joined j;

	buf_init(&j.text, -1);
	buf_init(&j.places, -1);
	part_add(&j, text);
	buf_bytes(&j.places, &place, sizeof(place));
	return joined_end(n, &j);
}

/* ---- the model ---- */

static void fail_memory(struct notation *n)
{
	notation_fail(n, 0, 0, NULL, "out of memory");
}

void notation_expr_add(struct notation *n, const struct model_text *expr)
{
	if (!n->failed && model_expr_add(n->model, *expr))
		fail_memory(n);
}

void notation_option_add(struct notation *n, const char *name, const struct model_text *text)
{
	static const struct model_text none;
	const struct option_spec *spec = option_find(applet_find("argdump"), name);
	const char *wrong = n->failed ? NULL :
					model_option_add(n->model, spec, text ? *text : none);

	if (wrong)
		notation_fail(n, 0, strlen(n->text), NULL, "--%s: %s", name, wrong);
}

const char *notation_syscall(const char *function)
{
	bool is_one = !strncmp(function, "sys_", 4) || !strncmp(function, "SyS_", 4);

	return is_one && function[4] ? function + 4 : NULL;
}

const char *notation_function(struct notation *n, const char *name)
{
	const char *text = name, *now, *const * args;
	size_t row = 0;
	bool dead;

	while ((now = legacy_renamed(name, &row, &dead, &args))) {
		if (dead) {
			notation_note(n, "%s is no longer called: tracing %s", name, now);
			return now;
		}
		text = notation_print(n, "%s|%s", text, now);
	}
	return text;
}
