/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.h - what the tests of the output side share: cmocka's long list of headers, the text that a
 * writer left in an out, and random bytes of a fixed seed.
 */
#ifndef CORETAP_UNIT_H
#define CORETAP_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "util/buf.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* What was put since the last call, NUL-terminated; good until the next put. */
static inline const char *taken(struct buf *o)
{
	buf_char(o, '\0');
	assert_int_equal(o->error, 0);
	o->len = 0;
	return o->data;
}

/* For the end of main: the tests have been run, and what they wrote to goes. Returns how many failed. */
static inline int failed_tests(int failed, struct buf *o)
{
	buf_free(o);
	return failed;
}

/* xorshift64*: the same bytes in every run, so a failure can be repeated. */
static inline uint64_t random_next(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}

/*
 * Bytes that meet the escaper's cases often: plain runs, controls, quotes, whole and broken UTF-8.
 * Returns the length, at most `most`.
 */
static inline size_t random_text(uint64_t *seed, char *to, size_t most)
{
	static const char *const pieces[] = {
		"a",
		"plain text of some length",
		" ",
		"\"",
		"'",
		"\\",
		"$",
		"`",
		"!",
		"~",
		"*",
		"=",
		"\x1b[31m",
		"\n",
		"\t",
		"\r",
		"\b",
		"\f",
		"\x01",
		"\x7f",
		"\xc2\x85",
		"\xc2\xa0",
		"\xc3\xa9",
		"\xe2\x80\xae",
		"\xe2\x80\xa8",
		"\xe2\x81\xa6",
		"\xee\xbe\x80",
		"\xee\xbf\xbf",
		"\xf0\x9f\x98\x80",
		"\xff",
		"\xc3",
		"\xe2\x80",
		"\xed\xa0\x80",
		"\xc0\x80",
		"\xf4\x90\x80\x80",
		"\xef\xbf\xbf",
		"-n",
		"{a,b}",
		"x41",
		"0",
	};
	size_t want = random_next(seed) % (most + 1), n = 0;

	while (n < want) {
		uint64_t r = random_next(seed);
		const char *piece = pieces[r % COUNT(pieces)];
		size_t len = strlen(piece);

		if (r >> 32 & 1) {
			to[n++] = (char)(1 + (r >> 40) % 255);
		} else {
			len = len < want - n ? len : want - n;
			memcpy(to + n, piece, len);
			n += len;
		}
	}
	return n;
}

#endif
