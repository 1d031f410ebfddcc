/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hints.c - lookup in hints.def.
 */
#include <stdbool.h>
#include <string.h>

#include "expr/hints.h"

#define HINT(where, typed, say)
#define AS(prefix, before, after)
#define NOT(prefix, why)

/* One string, without pointers: the letter of WHERE, what is typed, what to write. */
#define LETTER_NAME "n"
#define LETTER_WORD "w"
#define LETTER_CALL "c"
#define LETTER_SIGN "s"
static const char letters[] = {
	[HINT_NAME] = 'n', [HINT_WORD] = 'w', [HINT_CALL] = 'c', [HINT_SIGN] = 's'
};
static const char hints[] =
#undef HINT
#define HINT(where_, typed_, say_) LETTER_##where_ typed_ "\0" say_ "\0"
#include "expr/hints.def"
	;
#undef HINT
#define HINT(where, typed, say)

static const struct hint_probe probes[] = {
#undef AS
#define AS(prefix_, before_, after_) { prefix_, before_, after_, NULL },
#undef NOT
#define NOT(prefix_, why_) { prefix_, NULL, NULL, why_ },
#include "expr/hints.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_typed(const char *typed, const char *text, size_t len)
{
	size_t known = strlen(typed);

	if (known < 2 || typed[known - 1] != '*')
		return known == len && !memcmp(typed, text, len);
	return len >= known && !memcmp(typed, text, known - 1) &&
	       strspn(text + known - 1, "0123456789") >= len - (known - 1);
}

const char *hint_find(enum hint_where where, const char *text, size_t len)
{
	const char *say;

	for (const char *at = hints; *at; at = say + strlen(say) + 1) {
		say = at + strlen(at) + 1;
		if (*at == letters[where] && is_typed(at + 1, text, len))
			return say;
	}
	return NULL;
}

const struct hint_probe *hint_probe_find(const char *probe)
{
	for (size_t i = 0; i < COUNT(probes); i++) {
		if (!strncmp(probe, probes[i].prefix, strlen(probes[i].prefix)))
			return &probes[i];
	}
	return NULL;
}

bool hint_is_compared(const char *text, size_t at)
{
	while (at && text[at - 1] == ' ')
		at--;
	return at >= 2 &&
	       (text[at - 1] == '~' || (text[at - 1] == '=' && strchr("=!", text[at - 2])));
}
