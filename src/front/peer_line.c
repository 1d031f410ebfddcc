/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peer_line.c - builds a command line of argdump, word by word.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "front/peer_probe.h"
#include "run/session.h"
#include "util/log.h"

void peer_add(struct peer_line *l, const char *fmt, ...)
{
	va_list args;
	char *word;

	va_start(args, fmt);
	if (vasprintf(&word, fmt, args) < 0)
		word = NULL;
	va_end(args);
	l->words = reallocarray(l->words, l->count + 2, sizeof(*l->words));
	if (!word || !l->words) {
		log_error("out of memory");
		exit(EXIT_FAILED);
	}
	l->words[l->count++] = word;
	l->words[l->count] = NULL;
}
