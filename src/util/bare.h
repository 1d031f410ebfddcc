/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bare.h - copies the usual characters of a shell word, 16 bytes at a time: letters, digits, + , - . / : _ = and
 * spaces. Most words have no others. It does not handle quotes.
 */
#ifndef CORETAP_UTIL_BARE_H
#define CORETAP_UTIL_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t bare_bytes __attribute__((vector_size(16)));

static inline bare_bytes bare_between(bare_bytes v, uint8_t low, uint8_t high)
{
	return (bare_bytes)(v - low <= (uint8_t)(high - low));
}

/* Returns the index of the first byte that is 0; all others are 0 or 255. */
static inline size_t bare_first_not(bare_bytes yes)
{
	uint64_t half[2];

	memcpy(half, &yes, sizeof(half));
	if (~half[0])
		return (unsigned)__builtin_ctzll(~half[0]) / 8;
	return ~half[1] ? 8 + (unsigned)__builtin_ctzll(~half[1]) / 8 : 16;
}

/* Copies such characters from the beginning of a word to `to`, as long as 16 bytes are left before `end`. May write
 * up to 16 bytes, but none beyond to + (end - from). Returns how many were copied; sets *spaces if any was a space. */
static inline size_t bare_copy(char *to, const unsigned char *from, const unsigned char *end,
			       bool *spaces)
{
	size_t len = 0, run = 16;

	*spaces = false;
	while (run == 16 && end - from >= (ptrdiff_t)len + 16) {
		bare_bytes v, word;

		memcpy(&v, from + len, 16);
		memcpy(to + len, &v, 16);
		word = bare_between(v | ' ', 'a', 'z') | bare_between(v, '+', ':') |
		       (bare_bytes)(v == '_') | (bare_bytes)(v == '=');
		run = bare_first_not(word | (bare_bytes)(v == ' '));
		*spaces |= bare_first_not(word) < run;
		len += run;
	}
	return len;
}

#endif
