/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cfi_sample.h - sections of call frame information made here: for tests, and for the fuzzer.
 */
#ifndef CORETAP_CFI_SAMPLE_H
#define CORETAP_CFI_SAMPLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct cfi_sample {
	uint8_t bytes[4096];
	size_t size;
	uint64_t address; /* of its first byte */
};

static inline void sample_put(struct cfi_sample *s, const void *bytes, size_t size)
{
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
}

static inline void sample_u32(struct cfi_sample *s, uint32_t n)
{
	sample_put(s, &n, 4);
}

/* What functions have in common; `rest` begins behind the letters. Returns where it is. */
static inline size_t sample_common(struct cfi_sample *s, const char *letters, const void *rest,
				   size_t size)
{
	size_t at = s->size;

	sample_u32(s, 4 + 1 + strlen(letters) + 1 + size);
	sample_u32(s, 0);
	sample_put(s, "\1", 1);
	sample_put(s, letters, strlen(letters) + 1);
	sample_put(s, rest, size);
	return at;
}

/* A function of 0x100 bytes. Its address is of 4 bytes, and relative to where it is: 0x1b. */
static inline void sample_function(struct cfi_sample *s, size_t common, uint32_t start,
				   const void *program, size_t size)
{
	sample_u32(s, 4 + 8 + 1 + size);
	sample_u32(s, s->size - common);
	sample_u32(s, start - (s->address + s->size));
	sample_u32(s, 0x100);
	sample_put(s, "", 1);
	sample_put(s, program, size);
}

/* A copy for cfi_read. */
static inline uint8_t *sample_copy(const struct cfi_sample *s)
{
	uint8_t *bytes = malloc(s->size + 1);

	memcpy(bytes, s->bytes, s->size);
	return bytes;
}

/* Frames of x86-64 as a function begins: sp + 8, below which is the return address. */
#define CFI_SAMPLE_X86 1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1

#endif
