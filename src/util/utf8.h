/* SPDX-License-Identifier: GPL-2.0-only */
/* utf8.h - decodes UTF-8 strictly, and tells characters that can harm a terminal. */
#ifndef CORETAP_UTIL_UTF8_H
#define CORETAP_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes a character outside ASCII. Returns its length in bytes, or 0 if the bytes are not UTF-8. */
size_t utf8_decode(const unsigned char *s, size_t n, uint32_t *code);
/* True for C1 controls, every character of Unicode's Bidi_Control, line and paragraph separators. */
bool utf8_is_harmful(uint32_t code);

#endif
