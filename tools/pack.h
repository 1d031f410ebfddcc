/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - for build tools: bytes → a C array of them, compressed with zstd, which util/unpack.h decompresses.
 */
#ifndef CORETAP_TOOLS_PACK_H
#define CORETAP_TOOLS_PACK_H

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

struct pack_bytes {
	void *data;
	size_t size;
};

/* Returns the bytes of a file; data is NULL if it cannot be read. */
static inline struct pack_bytes pack_read(const char *path)
{
	struct pack_bytes b = { 0 };
	FILE *f = fopen(path, "rb");

	if (f && !fseek(f, 0, SEEK_END) && (long)(b.size = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET))
		b.data = malloc(b.size);
	if (b.data && fread(b.data, 1, b.size, f) != b.size) {
		free(b.data);
		b.data = NULL;
	}
	if (f)
		fclose(f);
	return b;
}

/* Prints "{ BYTES }". `prefix` holds bytes that resemble the data; who decompresses it needs them. Returns the number
 * of bytes; 0: memory is short. */
static inline size_t pack_print(const void *data, size_t size, const struct pack_bytes *prefix)
{
	size_t room = ZSTD_compressBound(size), packed_size = 0;
	unsigned char *packed = malloc(room);
	ZSTD_CCtx *z = ZSTD_createCCtx();

	if (packed && z) {
		ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, ZSTD_maxCLevel());
		ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1);
		if (prefix)
			ZSTD_CCtx_refPrefix(z, prefix->data, prefix->size);
		packed_size = ZSTD_compress2(z, packed, room, data, size);
	}
	if (ZSTD_isError(packed_size))
		packed_size = 0;
	putchar('{');
	for (size_t i = 0; i < packed_size; i++)
		printf("%s%u,", i % 24 ? "" : "\n\t", packed[i]);
	printf("\n}");
	ZSTD_freeCCtx(z);
	free(packed);
	return packed_size;
}

#endif
