/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.c - locations in the text, and errors at them.
 */
#include <stdarg.h>
#include <stdio.h>

#include "script/syntax/parser.h"

struct span lex_span(const struct parser *p, const char *from, const char *to)
{
	if (p->in.source->name)
		return p->in.source->span;
	return (struct span){ (uint32_t)(from - p->in.source->text),
			      (uint32_t)(to - p->in.source->text) };
}

char *syn_copy(struct parser *p, const char *text, size_t len)
{
	char *copy = script_alloc(p->c, len + 1);

	if (copy)
		memcpy(copy, text, len);
	return copy;
}

static unsigned source_line(const struct parser *p)
{
	unsigned line = 1;

	for (const char *at = p->in.source->text; at < p->in.at; at++)
		line += *at == '\n';
	return line;
}

void syn_fail(struct parser *p, struct span where, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (p->in.source->name)
		script_fail(p->c, where, "%s:%u: %s", p->in.source->name, source_line(p), text);
	else
		script_fail(p->c, where, "%s", text);
}
