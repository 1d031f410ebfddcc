/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_parts.c - where names begin and end in a PROBE: those of C++, Rust and Go have colons, commas and brackets.
 */
#include "probe/name_parts.h"

#include <string.h>

#define OPERATOR "operator"

/* operator<, operator->, operator() … */
static char *operator_skip(const char *at)
{
	at += strlen(OPERATOR);
	at += strspn(at, "<>=-|+&!*/%^~");
	return (char *)at + (!strncmp(at, "()", 2) || !strncmp(at, "[]", 2) ? 2 : 0);
}

char *name_part_next(const char *at, int *depth)
{
	if (!strncmp(at, OPERATOR, strlen(OPERATOR)))
		return operator_skip(at);
	if (!strncmp(at, "::", 2) || !strncmp(at, "->", 2))
		return (char *)at + 2;
	*depth += strchr("(<[{", *at) != NULL;
	*depth -= strchr(")>]}", *at) != NULL;
	return (char *)at + 1;
}

char *name_colon(const char *text, size_t len)
{
	const char *last = NULL;
	int depth = 0;

	for (const char *at = text; at < text + len && *at; at = name_part_next(at, &depth))
		if (*at == ':' && at[1] != ':' && depth <= 0)
			last = at;
	return (char *)last;
}

bool name_is_qualified(const char *name)
{
	return strpbrk(name, ":(<{/");
}
