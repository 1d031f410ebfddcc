/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_bytes.c - reads numbers of DWARF (dwarf_bytes.h) in this machine's byte order.
 */
#include "symbols/user/dwarf_bytes.h"

const uint8_t *dwarf_skip(struct dwarf_bytes *b, uint64_t size)
{
	const uint8_t *at = b->at;

	if (size > dwarf_left(b)) {
		b->at = b->end;
		b->bad = true;
		return NULL;
	}
	b->at += size;
	return at;
}

uint64_t dwarf_unsigned(struct dwarf_bytes *b, size_t size)
{
	const uint8_t *at = dwarf_skip(b, size);
	uint64_t value = 0;

	for (size_t i = 0; at && i < size; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

int64_t dwarf_signed(struct dwarf_bytes *b, size_t size)
{
	unsigned unused = 64 - 8 * size;

	return (int64_t)(dwarf_unsigned(b, size) << unused) >> unused;
}

static uint64_t leb(struct dwarf_bytes *b, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	const uint8_t *at;

	do {
		at = dwarf_skip(b, 1);
		if (!at)
			return 0;
		if (shift < 64)
			value |= (uint64_t)(*at & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (*at & 0x80);
	if (is_signed && shift < 64 && *at & 0x40)
		value |= ~0ull << shift;
	return value;
}

uint64_t dwarf_uleb(struct dwarf_bytes *b)
{
	return leb(b, false);
}

int64_t dwarf_sleb(struct dwarf_bytes *b)
{
	return (int64_t)leb(b, true);
}

const char *dwarf_text(struct dwarf_bytes *b)
{
	const uint8_t *from = b->at, *end = memchr(from, 0, dwarf_left(b));

	dwarf_skip(b, end ? (uint64_t)(end - from) + 1 : UINT64_MAX);
	return end ? (const char *)from : NULL;
}
