/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_bytes.h - the encodings of DWARF, read from bytes that any user may have made.
 *
 * Never reads beyond the end: values there are 0, and `bad` is set permanently.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_BYTES_H
#define CORETAP_SYMBOLS_USER_DWARF_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct dwarf_bytes {
	const uint8_t *at, *end;
	bool bad;
};

static inline struct dwarf_bytes dwarf_bytes(const void *at, size_t size)
{
	return (struct dwarf_bytes){ at, (const uint8_t *)at + size, false };
}

static inline size_t dwarf_left(const struct dwarf_bytes *b)
{
	return b->end - b->at;
}

/* Skips `size` bytes and returns them, or NULL if there are fewer. */
const uint8_t *dwarf_skip(struct dwarf_bytes *b, uint64_t size);
/* Reads a number of 1 to 8 bytes. */
uint64_t dwarf_unsigned(struct dwarf_bytes *b, size_t size);
int64_t dwarf_signed(struct dwarf_bytes *b, size_t size);
/* Reads LEB128; drops bits beyond 64. */
uint64_t dwarf_uleb(struct dwarf_bytes *b);
int64_t dwarf_sleb(struct dwarf_bytes *b);
/* Reads a text with its NUL; returns NULL if it has none. */
const char *dwarf_text(struct dwarf_bytes *b);

#endif
