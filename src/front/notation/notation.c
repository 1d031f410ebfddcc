/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation.c - what is made of a one-liner: words, notes, the first mistake.
 */
#include "front/notation/notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expr/legacy/legacy.h"

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

void notation_word(struct notation *n, const char *word)
{
	if (n->count == NOTATION_WORDS_MAX) {
		notation_fail(n, 0, strlen(n->text), NULL, "there are too many words");
		return;
	}
	n->words[n->count++] = word;
}

void notation_words(struct notation *n, const char *option, const char *value)
{
	notation_word(n, option);
	notation_word(n, value);
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
			notation_note(n, "%s is called by nobody any more: %s is traced", name,
				      now);
			return now;
		}
		text = notation_print(n, "%s|%s", text, now);
	}
	return text;
}
